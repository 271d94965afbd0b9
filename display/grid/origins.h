/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the program allocates, in its own words: the sites whose chains have
 * the same innermost line of code that is the program's, or of a library that
 * it uses, put together.  Frames of the standard libraries and of run-time code
 * are left out, unless a chain has no others.
 */
#ifndef MEMMON_ORIGINS_H
#define MEMMON_ORIGINS_H

#include "display/grid/table.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One such line. */
struct origin {
	const struct frame *at; /* one of its frames; NULL: no chain is known */
};

/* All zero is fit for origins_fini(). */
struct origins {
	const struct profile *p; /* read with profile_options.calls */
	struct origin *v;
	size_t n;
	size_t *of; /* of each site: its place in v */
};

/* 0, or -1 when out of memory; *o needs origins_fini() in any case. */
int origins_init(struct origins *o, const struct profile *p);
void origins_fini(struct origins *o);

/*
 * The frame, or the next one outwards that isn't of run-time code; NULL: there
 * is none.  *std is set if others are between, and else left.
 */
const struct frame *origins_own(const struct frame *f, bool *std);

/*
 * The elements of a path to show, the innermost first; with `own' those of the
 * program's own code, if there are any.  *std: others are before the first.
 */
const struct frame *origins_first(const struct frame *leaf, bool own,
				  bool *std);
const struct frame *origins_next(const struct frame *f, bool own);

/* Are they of the same function and line? */
bool origins_alike(const struct frame *a, const struct frame *b);

/* A figure of a site: of which place in p->sites. */
typedef uint64_t origins_figure(const struct profile *p, size_t site);

/* A site of an origin, and the frame that its chain is looked at. */
struct origins_end {
	const struct frame *at;	  /* NULL: the chain begins below */
	const struct frame *leaf; /* where it was looked at from */
	bool std;		  /* run-time code is between */
	uint64_t n;		  /* the figure */
};

/* Those with the same caller: n of callers.end from `first', and their sum. */
struct origins_caller {
	size_t first, n;
	uint64_t sum;
};

/*
 * Who called an origin, the most first.  Where all of them were called by the
 * same, these come before: the innermost first.
 */
enum { ORIGINS_COMMON = 3 };
struct origins_callers {
	struct origins_end *end;
	size_t nends;
	struct origins_caller *v;
	size_t n;
	uint64_t sum; /* of all */
	struct {
		const struct frame *at;
		bool std; /* before it */
	} common[ORIGINS_COMMON];
	size_t ncommon;
};

/* What part of a path has been passed: no function of it comes again. */
enum { ORIGINS_PASSED = 16 };
struct origins_passed {
	unsigned whole[ORIGINS_PASSED];
	size_t n;
};

/* False: there is no more room. */
bool origins_pass(struct origins_passed *passed, const struct func *f);

/*
 * Who called origin number k, by a figure of the sites that isn't 0, but for
 * functions that were passed, to which what is common comes.  0, or -1 when out
 * of memory; *c needs origins_callers_fini() in any case.
 */
int origins_callers(struct origins_callers *c, const struct origins *o,
		    size_t k, origins_figure *figure,
		    struct origins_passed *passed);
void origins_callers_fini(struct origins_callers *c);

/*
 * Go on outwards from a caller: its ends are then at theirs.  Returns how many
 * callers these are, of which one may be the chain's start (at is NULL).
 */
size_t origins_outwards(struct origins_callers *c,
			const struct origins_caller *caller,
			const struct origins_passed *passed);

/*
 * Where the ends of a caller don't agree: the innermost line of code further
 * outwards that the chains of all of them have, of a function that wasn't
 * passed; NULL: there is none.
 */
const struct frame *origins_common(const struct origins_callers *c,
				   const struct origins_caller *caller,
				   const struct origins_passed *passed);

/*
 * Add "function (file:line)" to the line, or "function (library)" where that
 * isn't known, in at most so many columns: the middle of the name is left out
 * as needed.  A library isn't said again that `from' is in; from may be NULL.
 */
void origins_place(struct tables *t, const struct frame *f,
		   const struct frame *from, size_t columns);

/* How many columns it takes if nothing is left out. */
size_t origins_columns(const struct tables *t, const struct frame *f,
		       const struct frame *from);

#endif
