/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of functions and types, as linkers, demanglers, compilers' debug
 * information and people write them.  No function here trusts a name: it may
 * contain any bytes, and brackets that don't match.
 */
#ifndef MEMMON_NAMES_H
#define MEMMON_NAMES_H

#include "reduce/base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* ------------------------------------------------------- linkage names -- */

/* What the ending of a symbol says about it. */
enum names_ending {
	NAMES_WHOLE,  /* the symbol has no ending */
	NAMES_COPY,   /* a copy of the function: ".constprop.0" */
	NAMES_PART,   /* a part of it: ".part.0", ".cold" */
	NAMES_RENAMED /* the function itself, made unique: ".lto_priv.0" */
};

/*
 * Length of a symbol's name without the last ending that a compiler has added.
 * s is n bytes long; without an ending the result is n.
 */
size_t names_peel(const char *s, size_t n, enum names_ending *ending);

/* Length of the name without all endings. */
size_t names_linked(const char *s, size_t n);

/*
 * Is ".part" one of the endings?  Then the rest of the function calls this
 * part.
 */
bool names_is_part(const char *s, size_t n);

/* -------------------------------------------------------- the scanner -- */

/* Can the character be part of an identifier or of a number? */
bool names_is_word(char c);

/*
 * Length of the bracket that opens at s, with the closing bracket; 0 if it
 * isn't closed before end.  Operators and comparisons are no brackets:
 * "((a)<(b))", "operator<", "->".  s must end in NUL, at end or later.
 */
size_t names_bracket(const char *s, const char *end);

/*
 * Length of "operator" at s with its sign, or with the blank before a type or a
 * word; 0 if s doesn't begin with "operator".  before: the character before s,
 * or ' '.
 */
size_t names_operator(const char *s, char before);

/* Length of the qualifiers at s, which follow the parameters: " const &". */
size_t names_qualifiers(const char *s);

/*
 * Length of the text at s that means a namespace without a name; 0 if s is no
 * such text.
 */
size_t names_nameless(const char *s);

/* ---------------------------------------------------------- functions -- */

/* Where the parts of a function's name are, in "int ns::A::f<1>(int) const". */
struct names_parts {
	size_t start; /* start of the name, after the result type: ns */
	size_t scope; /* end of the scope "ns::A"; equal to start without a
		       * scope */
	size_t own;   /* start of the last part: f */
	size_t end;   /* end of the name: before the parameters */
};

/* A name of another form counts as one part.  O(length). */
void names_split(const char *name, struct names_parts *p);

enum names_form {
	NAMES_SHORT, /* of a function, template arguments become <>:
		      * "ns::A::f<>" */
	NAMES_PLAIN, /* of a function, no template arguments: "ns::A::f" */
	NAMES_TYPE   /* of a type, no template arguments */
};

/*
 * Shorten a demangled name: remove template arguments, and from a function's
 * name also parameters, the result type, ABI tags and qualifiers.  A name of
 * another form, or one that is short already, stays unchanged.  to: room for as
 * many bytes as the name has, with its NUL.  O(length).
 */
void names_shorten(const char *name, enum names_form form, char *to);

/*
 * Remove from a function's name, in place, the parts that may differ between
 * two builds of the same source: endings, hashes, numbers of lambdas, offsets.
 */
void names_lasting(char *name);

/* -------------------------------------------------------------- types -- */

/* A type's name of this many bytes or more is ignored. */
#define NAMES_TYPE_MAX 4096

/* The most template arguments that are looked at. */
#define NAMES_ARGUMENTS 24

/*
 * One spelling for a type's name that compilers or the demangler wrote.  It has
 * no inline namespaces of the library (__cxx11, __1), no arguments that are the
 * library's defaults (allocators, less, hash, char_traits) and no needless
 * spaces; basic_string<char> becomes string, integers become "unsigned long",
 * and "const" comes first.  NULL if the name is too
 * long, too deeply nested or has too many arguments.
 */
const char *names_type_clean(struct arena *a, const char *name);

/* "base<arg0, arg1>rest", as parts.  rest: "::member", "*" ... */
struct names_type {
	const char *base;
	const char *arg[NAMES_ARGUMENTS];
	unsigned n;
	const char *rest; /* "" if nothing follows */
};

/* Split a clean name. */
int names_type_split(struct arena *a, const char *name, struct names_type *p);

/* The name without "const " before it. */
const char *names_type_plain(const char *name);

/* The name without "struct", "class", "union" or "enum" before it. */
const char *names_type_bare(const char *name);

#endif
