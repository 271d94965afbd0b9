/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From linkage names to what is printed. */
#ifndef MEMMON_SYMBOLS_NAME_H
#define MEMMON_SYMBOLS_NAME_H

#include <stdbool.h>

#include "reduce/symbols/symbols_pool.h"

/* All zero, but for demangle, is fresh.  Strings live until fini. */
struct symbols_names {
	struct symbols_pool pool;
	bool demangle;
	struct hash known; /* interned linkage name -> place in shown */
	const char **shown;
	size_t n;
	size_t room;
};

/*
 * What to print for the first `length' bytes of a linkage name: without the
 * endings that compilers add, demangled if that is wanted and can be done.
 * Each name is demangled once.  NULL when out of memory.
 */
const char *symbols_names_show(struct symbols_names *s, const char *name,
			       size_t length);

/* The same name as it is, but for those endings.  NULL when out of memory. */
const char *symbols_names_plain(struct symbols_names *s, const char *name,
				size_t length);
void symbols_names_fini(struct symbols_names *s);

/*
 * A mangled name as in the source, to be freed; NULL: it isn't mangled, is
 * beyond measure, or memory is short.
 */
char *symbols_demangle(const char *name);

#endif
