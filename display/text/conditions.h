/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conditions of the run and its figures: memmon was attached to the process, it
 * still runs, it was sampled, a filter is on.  The wording is only here.  A new
 * condition is one row of the table in conditions.c; then all tables, the page,
 * JSON, SQL and the exports print it.
 */
#ifndef MEMMON_CONDITIONS_H
#define MEMMON_CONDITIONS_H

#include "reduce/base/arena.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>

/* The outputs that have another form of the condition. */
enum condition_said {
	CONDITION_ALONE,  /* no one */
	CONDITION_ITEM,	  /* the prolog, as an item */
	CONDITION_HEADED, /* also the summary, in its first line */
	CONDITION_APART,  /* also the summary, in its own line; no other table
			   * prints it */
	CONDITION_LITTLE, /* the prolog only: it matters nowhere else */
};

struct condition {
	const char *name; /* "attached" */
	const char *text; /* one line, or two separated by a newline */
	enum condition_said said;
};

/* All zero is empty. */
enum { CONDITIONS = 24 };
struct conditions {
	struct condition v[CONDITIONS]; /* the first n, in order of printing */
	size_t n;
	struct arena arena;
};

/*
 * Find the conditions of p.  human: bytes with units.  0, or -1 when out of
 * memory.  The caller frees c in both cases.
 */
int conditions_init(struct conditions *c, const struct profile *p, bool human);
void conditions_fini(struct conditions *c);

/* All conditions in one line, "NAME: TEXT; NAME: TEXT"; NULL: out of memory. */
char *conditions_line(struct conditions *c);

/* The text about the time of the figures, in lines; NULL: out of memory. */
const char *conditions_snapshot(struct arena *a, const struct profile *p);

/* Is the process of the only run still running, as far as is known? */
bool conditions_runs(const struct run *r);

/*
 * Before the run's length: "at least ", if only the last event's time is known;
 * or "".
 */
static inline const char *
conditions_at_least(const struct run *r)
{
	return r->killed && !conditions_runs(r) ? "at least " : "";
}

/*
 * Why the data that a process writes at its end is missing (marks, leak checks,
 * uses, call paths over time); NULL: it isn't.
 */
const char *conditions_unwritten(const struct profile *p);

/* The time that times count from: "the start", "memmon attached". */
const char *conditions_since(const struct profile *p);

/* The heading of memory that was not freed: "live at exit", "live then". */
const char *conditions_kept(const struct profile *p);

/*
 * The time at which much resident memory was outside of blocks, more than half
 * of it; NULL: none.
 */
const struct profile_rss *conditions_resident(const struct profile *p);

#endif
