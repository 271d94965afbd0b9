/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unusual ways in which blocks were used, and what to do about them. */
#ifndef MEMMON_ADVICE_H
#define MEMMON_ADVICE_H

#include "display/grid/table.h"
#include "reduce/profile/profile.h"

/* The longest text that advice_first() returns, characters. */
enum { ADVICE_FIRST = 16 };

/* The name of a flag in JSON, "write_only"; tables have blanks or hyphens. */
const char *advice_name(enum profile_flag flag);

/* The name of a flag in tables, and what to do about it. */
const char *advice_title(enum profile_flag flag);
const char *advice_text(enum profile_flag flag);

/*
 * Write the flags of *u that are worth printing into order[]: first the faults,
 * by their bytes.  Returns their number.
 */
size_t advice_flags(const struct options *o, const struct use *u,
		    size_t order[PROFILE_NFLAG]);

/*
 * The bytes of a flag as a share of the blocks that the flag applies to: "98%".
 * Returns buf, of NUMBER_SIZE bytes.
 */
char *advice_share(char *buf, const struct use *u, size_t flag);

/*
 * Print a line for each flag of *u with enough bytes, most bytes first: its
 * name, its share, and what to do.  *s are the scores of *u.
 */
void advice_print(struct tables *t, const struct use *u, const struct score *s);

/*
 * The flag with most bytes and its share: "write-only 98%"; "" if no flag has
 * enough.  Returns buf, of NUMBER_SIZE bytes.
 */
char *advice_first(const struct tables *t, char *buf, const struct use *u);

#endif
