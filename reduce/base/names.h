/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of functions and types, as linkers, demanglers, compilers' debug
 * information and people write them.  None of it trusts a name: brackets that
 * don't match, and anything else, may stand in it.
 */
#ifndef MEMMON_NAMES_H
#define MEMMON_NAMES_H

#include "reduce/base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* ------------------------------------------------------- linkage names -- */

/* How the symbol came to its ending. */
enum names_ending {
	NAMES_WHOLE,  /* it has none */
	NAMES_COPY,   /* a copy of the function: ".constprop.0" */
	NAMES_PART,   /* a part of it: ".part.0", ".cold" */
	NAMES_RENAMED /* the function itself, made unique: ".lto_priv.0" */
};

/*
 * Length of the first n bytes of a symbol's name without the last ending that
 * a compiler has added to it; n if there is none.
 */
size_t names_peel(const char *s, size_t n, enum names_ending *ending);

/* The same without all of them. */
size_t names_linked(const char *s, size_t n);

/* Is a ".part" among them: is it called by the rest of its function? */
bool names_is_part(const char *s, size_t n);

/* -------------------------------------------------------- the scanner -- */

/* Can the character stand in an identifier, or a number? */
bool names_is_word(char c);

/*
 * Length of the bracket at s, up to what closes it, with both; 0: nothing does
 * before end.  Those of expressions and of operators are none: "((a)<(b))",
 * "operator<", "->".  s must end in NUL, at end or later.
 */
size_t names_bracket(const char *s, const char *end);

/*
 * Length of "operator" at s with its sign, or with the blank before a type or a
 * word; 0: it isn't one.  before: the character before s, or ' '.
 */
size_t names_operator(const char *s, char before);

/* Length of what may stand at s behind parameters: " const &". */
size_t names_qualifiers(const char *s);

/* Length of what stands at s for a namespace without a name; 0: a name. */
size_t names_nameless(const char *s);

/* ---------------------------------------------------------- functions -- */

/* Where the parts of a function's name are, in "int ns::A::f<1>(int) const". */
struct names_parts {
	size_t start; /* the name begins, behind the type of the result: ns */
	size_t scope; /* what it stands in ends, "ns::A"; start: nothing */
	size_t own;   /* its last part begins: f */
	size_t end;   /* it ends: before the parameters */
};

/* Names that don't fit the form are all of one part.  O(length). */
void names_split(const char *name, struct names_parts *p);

enum names_form {
	NAMES_SHORT, /* of a function, with <> for arguments: "ns::A::f<>" */
	NAMES_PLAIN, /* without those, too: "ns::A::f" */
	NAMES_TYPE   /* of a type, without arguments of templates */
};

/*
 * Shorten a demangled name: without arguments of templates, and a function's
 * without parameters, the type of the result, ABI tags and qualifiers.  What
 * isn't a name of that kind, or a short one, stays as it is.  to: room for as
 * many bytes as the name has, with its NUL.  O(length).
 */
void names_shorten(const char *name, enum names_form form, char *to);

/*
 * Take out of a function's name, in place, what another build of the same
 * source may do otherwise: endings, hashes, numbers of lambdas, offsets.
 */
void names_lasting(char *name);

/* -------------------------------------------------------------- types -- */

/* Longer names of types are none, in bytes. */
#define NAMES_TYPE_MAX 4096

/* Arguments of a template beyond so many aren't looked at. */
#define NAMES_ARGUMENTS 24

/*
 * A type's name as compilers or the demangler have it, in one spelling: without
 * inline namespaces of the library (__cxx11, __1), without arguments that are
 * the defaults there (allocators, less, hash, char_traits), basic_string<char>
 * as string, integers as "unsigned long", "const" first, no needless spaces.
 * NULL when out of memory, or the name is beyond measure.
 */
const char *names_type_clean(struct arena *a, const char *name);

/* "base<arg0, arg1>rest", as parts.  rest: "::member", "*" ... */
struct names_type {
	const char *base;
	const char *arg[NAMES_ARGUMENTS];
	unsigned n;
	const char *rest; /* "": nothing */
};

/* Take a clean name apart.  0, or -1 when out of memory. */
int names_type_split(struct arena *a, const char *name, struct names_type *p);

/* Without "const " before it. */
const char *names_type_plain(const char *name);

/* Without "struct", "class", "union" or "enum" before it. */
const char *names_type_bare(const char *name);

#endif
