/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Limits on figures of the whole profile, for scripts: --fail-if, as described
 * in mpreduce(1).
 */
#ifndef MEMMON_FAIL_H
#define MEMMON_FAIL_H

#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The figures that a limit can be on, in the order of the table in fail.c. */
enum fail_what {
	FAIL_LOST,
	FAIL_INDIRECT,
	FAIL_INTERIOR,
	FAIL_REACHABLE,
	FAIL_LEAKED, /* lost or indirect */
	FAIL_KEPT,
	FAIL_PEAK,
	FAIL_UNRECORDED,
	FAIL_ALLOCS,
	FAIL_BYTES,
	FAIL_FREES,
	FAIL_REALLOCS,
	FAIL_REFUSED,
	FAIL_CUT,
	FAIL_INCOMPLETE
};

enum fail_op { FAIL_MORE, FAIL_LESS, FAIL_SAME };

struct words;
struct options;

/* "what op number", or an expression: made by fail_parse(). */
struct fail {
	const char *text;  /* as given */
	struct words *words; /* NULL: the rest is the limit */
	enum fail_what what;
	bool blocks; /* else bytes, for what has both */
	enum fail_op op;
	bool inverted; /* >= is "not <" */
	uint64_t number;
};

/*
 * Fill *f from text, which must live as long; fail_fini() at last.  0, or -1
 * with *e set.
 */
int fail_parse(struct fail *f, const char *text, struct err *e);
void fail_fini(struct fail *f);

/* What it needs to be read: see schema.h. */
unsigned fail_needs(const struct fail *f);

/*
 * Is the limit passed, or isn't the figure known?  Then *e says so, without
 * "mpreduce: ".  o: which rows there are.
 */
bool fail_check(const struct fail *f, const struct profile *p,
		const struct options *o, struct err *e);

/* fail_expr.c: the same for expressions. */
int fail_expr_parse(struct fail *f, struct err *e);
bool fail_expr_check(const struct fail *f, const struct profile *p,
		     const struct options *o, struct err *e);

/* A figure of p; returns NULL, or why it isn't known. */
const char *fail_figure(const struct profile *p, enum fail_what what,
			bool blocks, uint64_t *n);

/* Why rows may be more, or others, than what is known; NULL: they aren't. */
const char *fail_doubt(const struct profile *p);

#endif
