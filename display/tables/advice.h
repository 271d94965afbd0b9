/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands out in the way that blocks were used, and what to do about it. */
#ifndef MEMMON_ADVICE_H
#define MEMMON_ADVICE_H

#include "display/grid/table.h"
#include "reduce/profile/profile.h"

/* The most characters that advice_first() takes. */
enum { ADVICE_FIRST = 16 };

/*
 * The name of a flag as JSON has it, "write_only"; the tables have blanks or
 * hyphens in it.
 */
const char *advice_name(enum profile_flag flag);

/* Its name in the tables, and what to do about it. */
const char *advice_title(enum profile_flag flag);
const char *advice_text(enum profile_flag flag);

/*
 * The flags of *u that are worth being told, into order[]: first those that are
 * faults, by their bytes.  Gives their number.
 */
size_t advice_flags(const struct options *o, const struct use *u,
		    size_t order[PROFILE_NFLAG]);

/*
 * The bytes of a flag as a share of the blocks that the flag can be told of, as
 * "98%".  buf holds NUMBER_SIZE bytes and is returned.
 */
char *advice_share(char *buf, const struct use *u, size_t flag);

/*
 * Print a line for each flag that goes for so many of the bytes of *u that it
 * is worth one, those of most bytes first: its name, its share, and what could
 * be done.  *s are the scores of *u.
 */
void advice_print(struct tables *t, const struct use *u, const struct score *s);

/*
 * The flag that goes for the most bytes, with its share, as "write-only 98%";
 * "" if none is worth it.  buf holds NUMBER_SIZE bytes and is returned.
 */
char *advice_first(const struct tables *t, char *buf, const struct use *u);

#endif
