/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Symspecs: which functions or calls are meant, after those of gprof.
 *
 *	FUNC		functions of that name
 *	FILE		functions of that source file: it has a dot or slash
 *	FILE:FUNC	functions of that name in it
 *	FILE:LINE	functions that begin at that line, calls made in it
 *
 * FUNC is a name as it is printed, in full or short, or without parameters,
 * without the result type that templates have, or also without all template
 * arguments and ABI tags; or the name that the linker has.  FILE is the end of
 * a path, from a slash on.  Both may have * ? [ as in fnmatch(3), where * is
 * any text.
 */
#ifndef MEMMON_REDUCE_SYMSPEC_H
#define MEMMON_REDUCE_SYMSPEC_H

#include <stdbool.h>
#include <stddef.h>

/* Made by symspec_init(), freed by symspec_fini(). */
struct symspec {
	const char *text; /* the caller's */
	char *file;	  /* what stands before the colon, or NULL */
	const char *func; /* what stands behind it, in text; with file */
	unsigned line;	  /* that as a number; 0 if it isn't one */
	bool found;	  /* the caller's: it has matched something */
};

/* 0, or -1 when out of memory. */
int symspec_init(struct symspec *s, const char *text);
void symspec_fini(struct symspec *s);

/* The forms that a function's name has for symspecs. */
enum { SYMSPEC_FORMS = 12 };

/* A function, from symspec_open() to symspec_close(). */
struct symspec_func {
	const char *form[SYMSPEC_FORMS];
	size_t nforms;
	char *own[SYMSPEC_FORMS]; /* to be freed */
	size_t nown;
	const char *file; /* where it is defined; "" unknown */
	unsigned line;	  /* of the definition, 0 unknown */
};

/*
 * name: as printed; linkage: as the linker has it, or NULL.  Without memory for
 * its forms, a function has less of them.
 */
void symspec_open(struct symspec_func *f, const char *name, const char *linkage,
		  const char *file, unsigned line);
void symspec_close(struct symspec_func *f);

/* Is the function meant, whichever call of it? */
bool symspec_match(const struct symspec *s, const struct symspec_func *f);

/* Is a call made in that line (0: unknown) of a file meant? */
bool symspec_match_call(const struct symspec *s, const char *file,
			unsigned line);

#endif
