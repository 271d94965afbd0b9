/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the program allocates, by its own lines: sites are grouped by the
 * innermost line on their call paths that is the program's, or a library's that
 * the program uses.  Frames of the standard libraries and of run-time code are
 * skipped, unless a call path has no other frames.
 */
#ifndef MEMMON_ORIGINS_H
#define MEMMON_ORIGINS_H

#include "display/grid/table.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An allocating line. */
struct origin {
	const struct frame *at; /* one of its frames; NULL: unknown */
};

struct origins {
	const struct profile *p; /* must be read with profile_options.calls */
	struct tables *t;
	struct origin *v;
	size_t n;
	size_t *of; /* for each site: its index in v */
};

/* 0, or -1 when out of memory.  *o lives as long as the current table. */
int origins_init(struct origins *o, struct tables *t);

/*
 * The first frame, from f outwards, that isn't run-time code; NULL: none.  Sets
 * *std if frames were skipped; otherwise leaves *std unchanged.
 */
const struct frame *origins_own(const struct frame *f, bool *std);

/*
 * The elements of a path to show, innermost first.  own: only those of the
 * program's own code, if it has any.  *std: elements before the first were
 * skipped.
 */
const struct frame *origins_first(const struct frame *leaf, bool own,
				  bool *std);
const struct frame *origins_next(const struct frame *f, bool own);

/* Do both frames have the same function and line? */
bool origins_alike(const struct frame *a, const struct frame *b);

/* A figure of the site p->sites[site]. */
typedef uint64_t origins_figure(const struct profile *p, size_t site);

/* Bytes: allocated, not freed, live at the peak. */
origins_figure origins_bytes, origins_kept, origins_peak;

/* A site of an origin, and a frame on its call path. */
struct origins_end {
	const struct frame *at;	  /* NULL: the path begins below */
	const struct frame *leaf; /* the frame inwards that `at' was found
				   * from */
	bool std;		  /* run-time code is in between */
	uint64_t n;		  /* the figure */
};

/* A caller: n ends, from callers.end[first], and the sum of their figures. */
struct origins_caller {
	size_t first, n;
	uint64_t sum;
};

/*
 * The callers of an origin, largest first.  If all calls have the same caller,
 * that caller is in .common, and .v has its callers.  .common is innermost
 * first.
 */
enum { ORIGINS_COMMON = 3 };
struct origins_callers {
	struct origins_end *end;
	size_t nends;
	struct origins_caller *v;
	size_t n;
	uint64_t sum; /* sum of all callers */
	struct {
		const struct frame *at;
		bool std; /* run-time code precedes it */
	} common[ORIGINS_COMMON];
	size_t ncommon;
};

/* Functions of a path that were passed: they are skipped afterwards. */
enum { ORIGINS_PASSED = 16 };
struct origins_passed {
	unsigned whole[ORIGINS_PASSED];
	size_t n;
};

/* Add f to the functions that were passed.  False: no room. */
bool origins_pass(struct origins_passed *passed, const struct func *f);

/*
 * Find the callers of origin k, by a figure of its sites.  Sites with figure 0
 * don't count.  Skips functions in `passed', and adds the common callers to it.
 * 0, or -1 when out of memory.  *c lives as long as the current table.
 */
int origins_callers(struct origins_callers *c, const struct origins *o,
		    size_t k, origins_figure *figure,
		    struct origins_passed *passed);

/*
 * Move the ends of a caller to the callers of that caller.  Returns the number
 * of these; the start of a path (`at' is NULL) counts as one.
 */
size_t origins_outwards(struct origins_callers *c,
			const struct origins_caller *caller,
			const struct origins_passed *passed);

/*
 * The ends of a caller have different callers.  Find the innermost line further
 * outwards that is on all of their call paths, in a function that wasn't
 * passed; NULL: there is none.
 */
const struct frame *origins_common(const struct origins_callers *c,
				   const struct origins_caller *caller,
				   const struct origins_passed *passed);

/*
 * Add "function (file:line)" to the line, or "function (library)" if the line
 * is unknown.  Omits the middle of the name to fit into the columns.  Omits the
 * library if `from' is in it; from may be NULL.
 */
void origins_place(struct tables *t, const struct frame *f,
		   const struct frame *from, size_t columns);

/* The number of columns if nothing is omitted. */
size_t origins_columns(const struct tables *t, const struct frame *f,
		       const struct frame *from);

#endif
