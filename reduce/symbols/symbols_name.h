/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linkage names, and the names that are printed for them. */
#ifndef MEMMON_SYMBOLS_NAME_H
#define MEMMON_SYMBOLS_NAME_H

#include <stdbool.h>

#include "reduce/symbols/symbols_pool.h"

/* All zero, except for demangle, is empty.  Strings live until fini. */
struct symbols_names {
	struct symbols_pool pool;
	bool demangle;
	struct hash known; /* interned linkage name -> index in shown */
	const char **shown;
	size_t n;
	size_t room;
};

/*
 * The name to print for the first `length' bytes of a linkage name: without the
 * endings that compilers add, and demangled if that is asked for and possible.
 * Each name is demangled once.
 */
const char *symbols_names_show(struct symbols_names *s, const char *name,
			       size_t length);

/* The name without these endings, but mangled. */
const char *symbols_names_plain(struct symbols_names *s, const char *name,
				size_t length);
void symbols_names_fini(struct symbols_names *s);

/*
 * The demangled name, to be freed.  NULL: the name isn't mangled, or is too
 * long.
 */
char *symbols_demangle(const char *name);

/*
 * "frame of a::f(int)" for "a::f::_ZN1a1fEi.Frame", gcc's name for the frame of
 * a coroutine; to be freed.  NULL: it isn't one.
 */
char *symbols_coroutine(const char *type);

#endif
