/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the line of source of a call says of types: sizeof, casts, and types
 * that are arguments of macros.
 */
#ifndef MEMMON_REDUCE_GUESS_SOURCE_H
#define MEMMON_REDUCE_GUESS_SOURCE_H

#include "reduce/symbols/symbols.h"

#include <stdbool.h>

#define GUESS_SAID 8 /* types of one statement */

struct guess_said {
	Dwarf_Die type[GUESS_SAID]; /* as they come */
	size_t n;
	bool plus; /* something is added to something */
};

/*
 * The types that the statement of the call says, or of the call of the function
 * that was inlined there; as far as the sources are at hand.  n 0: none.
 */
void guess_source(const struct symbols_debug *debug, struct guess_said *said);

/*
 * The statement that begins in, or goes on in the line of the file, from 1, and
 * has the column, 0: any, into text[], without comments and strings.  Returns
 * whether it's there.
 */
#define GUESS_STATEMENT 2048
bool guess_source_statement(const char *path, unsigned line, unsigned column,
			    char text[GUESS_STATEMENT]);

#endif
