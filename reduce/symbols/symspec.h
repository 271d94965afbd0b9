/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Symspecs, which match functions or calls, modelled on those of gprof.
 *
 *	FUNC		functions of that name
 *	FILE		functions of that source file: it has a dot or slash
 *	FILE:FUNC	functions of that name in that source file
 *	FILE:LINE	functions that begin at that line, calls made in it
 *
 * FUNC is a printed name: in full, short, without parameters, without the
 * result type that templates have, or also without all template arguments and
 * ABI tags.  It can be a linkage name.  FILE is the end of a path, after a
 * slash.  Both may have * ? [ as in fnmatch(3), where * is any text.
 */
#ifndef MEMMON_REDUCE_SYMSPEC_H
#define MEMMON_REDUCE_SYMSPEC_H

#include <stdbool.h>
#include <stddef.h>

/* Made by symspec_init(), freed by symspec_fini(). */
struct symspec {
	const char *text; /* the caller's */
	char *file;	  /* the text before the colon, or NULL */
	const char *func; /* the text after the colon, in text; set if file
			   * is */
	unsigned line;	  /* func as a number; 0 if it isn't one */
	bool found;	  /* set by the caller: it has matched something */
};

void symspec_init(struct symspec *s, const char *text);
void symspec_fini(struct symspec *s);

/* The most forms of a function's name for symspecs. */
enum { SYMSPEC_FORMS = 12 };

/* A function, from symspec_open() to symspec_close(). */
struct symspec_func {
	const char *form[SYMSPEC_FORMS];
	size_t nforms;
	char *own[SYMSPEC_FORMS]; /* must be freed */
	size_t nown;
	const char *file; /* source file of the definition; "" unknown */
	unsigned line;	  /* of the definition, 0 unknown */
};

/* name: as printed; linkage: the symbol's name, or NULL. */
void symspec_open(struct symspec_func *f, const char *name, const char *linkage,
		  const char *file, unsigned line);
void symspec_close(struct symspec_func *f);

/* Does it match the function, and so all of its calls? */
bool symspec_match(const struct symspec *s, const struct symspec_func *f);

/* Does it match a call at this line (0: unknown) of a file? */
bool symspec_match_call(const struct symspec *s, const char *file,
			unsigned line);

struct func;

/*
 * Does the symspec match f?  Lines are of f's definition or, if f is a line
 * itself, of its calls.
 */
bool profile_means(const struct func *f, const char *symspec);

#endif
