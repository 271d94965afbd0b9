/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every view says of the run and of its figures: memmon attached to the
 * process, it still runs, it was sampled, a filter is on.  These are the only
 * words for it; a new condition is one row of the table in conditions.c, and
 * all tables, the page, JSON, SQL and the exports have it.
 */
#ifndef MEMMON_CONDITIONS_H
#define MEMMON_CONDITIONS_H

#include "reduce/base/arena.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>

/* Who says it otherwise. */
enum condition_said {
	CONDITION_ALONE,  /* nothing */
	CONDITION_ITEM,	  /* the prolog, where it is an item */
	CONDITION_HEADED, /* that, and the first line of the summary */
	CONDITION_APART,  /* that, and the summary in a line of its own; it is
			   * above no other table */
	CONDITION_LITTLE, /* the prolog, and it matters nowhere else */
};

struct condition {
	const char *name; /* "attached" */
	const char *text; /* one line or two, with a newline between them */
	enum condition_said said;
};

/* All zero is empty. */
enum { CONDITIONS = 24 };
struct conditions {
	struct condition v[CONDITIONS]; /* the first n, in order */
	size_t n;
	struct arena arena;
};

/*
 * What holds of p; human: bytes with units.  0, or -1 when out of memory; c is
 * to be freed in any case.
 */
int conditions_init(struct conditions *c, const struct profile *p, bool human);
void conditions_fini(struct conditions *c);

/* All of them in one line, "NAME: TEXT; NAME: TEXT"; NULL: out of memory. */
char *conditions_line(struct conditions *c);

/* Is the process of the one run still running, as far as is known? */
bool conditions_runs(const struct run *r);

/*
 * Why what a process writes at its end is missing: marks, leak checks, uses,
 * call paths over time; NULL: it has written it.
 */
const char *conditions_unwritten(const struct profile *p);

/* Since when times are counted: "the start", "memmon attached". */
const char *conditions_since(const struct profile *p);

/* The heading of what wasn't freed: "live at exit", "live then". */
const char *conditions_kept(const struct profile *p);

/*
 * The time at which memory of the process is worth a word, as blocks have less
 * than half of it and much is left; NULL: at none.
 */
const struct profile_rss *conditions_resident(const struct profile *p);

#endif
