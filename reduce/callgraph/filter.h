/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Filters: which blocks the tables keep, and which frames of their call paths.
 *
 * Sites that don't pass are removed from the merged data, with all that belongs
 * to them, and the sums are computed again, so the stages behind the filter
 * don't know about it.  The filter by type comes first.  Then chains_build()
 * names the functions and applies the filters by function and module, and those
 * by thread and size (filter_cells.c), which may keep a part of a site.  The
 * sums come last (filter_sums.c).
 *
 * A function is on a call path if one of its frames is, from main on.  Inlined
 * functions, allocation wrappers and hidden functions count, too.
 */
#ifndef MEMMON_REDUCE_FILTER_H
#define MEMMON_REDUCE_FILTER_H

#include "reduce/base/err.h"
#include "reduce/symbols/symbols.h"
#include "reduce/symbols/symspec.h"
#include "reduce/monout/mon.h"
#include "reduce/model/options.h"
#include "reduce/model/result.h"
#include "reduce/model/stages.h"
#include "reduce/types/sitetypes.h"

/* Bits that the filter sets for a function or a call. */
enum { FILTER_FOCUS = 1, FILTER_IGNORE = 2, FILTER_HIDE = 4 };

struct filter_spec {
	struct symspec spec;
	unsigned bit;
	const char *near; /* shortest name that contains the text, or NULL */
};

/* filter_init() sets it up; call filter_fini() in any case. */
struct filter {
	const struct profile_filter *what;
	struct profile *p;
	struct mon *mon;
	struct sitetypes
		*types; /* NULL: not found yet; has the same order as sites */
	struct filter_spec *specs; /* focus, ignore, hide */
	size_t nspecs;
	bool calls;	  /* some specs name a line */
	bool *modules;	  /* by module: is it wanted?  NULL: all are */
	bool *found;	  /* one for each glob of what->module: true if it
			   * matched */
	bool *keep;	  /* by site: is it kept? */
	size_t nwas;	  /* number of sites before the filter */
	bool cut;	  /* some sites are kept only in part */
	bool apart;	  /* some partial paths lost some of their sites */
	uint64_t unknown; /* bytes of blocks with an unknown type */
};

/*
 * w must live as long as the filter.  m is p's data, merged; the filter changes
 * it.  0, or -1 with *e set: the data file doesn't record what the filter
 * needs.
 */
int filter_init(struct filter *t, struct profile *p, struct mon *m,
		const struct profile_filter *w, struct err *e);
void filter_fini(struct filter *t);

/* Does the filter leave out or hide anything? */
bool filter_is_on(const struct filter *t);

/*
 * The bits of a function; and the bits of a call in it, from those of the
 * function.
 */
unsigned filter_func(struct filter *t, const struct symbols_frame *s);
unsigned filter_call(struct filter *t, unsigned func,
		     const struct symbols_frame *s);

/*
 * Keep only the sites of wanted types.  e: the types of m's sites.
 */
void filter_types(struct filter *t, struct sitetypes *e);

/*
 * Note whether a site is kept.  bits: the bits of all frames of its call path.
 * module: of the function that allocated, 0 if unknown.  part: the outer part
 * of the call path is missing, and its bits, too.  Call filter_drop() after all
 * sites.
 */
void filter_site(struct filter *t, size_t site, unsigned bits, uint32_t module,
		 bool part);

/*
 * Remove the sites for which keep[] is false, then set all of keep[] to true.
 */
void filter_drop(struct filter *t);

/* Keep only the blocks of wanted threads and sizes. */
void filter_cells(struct filter *t);

/*
 * Compute the sums again, set p->filter, and warn about names that match
 * nothing.  Call this after all functions above.
 */
void filter_finish(struct filter *t);

/* filter_sums.c: compute the sums again, if blocks were left out; set
 * p->unsized. */
void filter_sums(struct filter *t);

/*
 * Warn that --option=text matches nothing, and why.  near: a name that may be
 * meant, or NULL.
 */
void filter_missed(struct filter *t, const char *option, const char *text,
		   const char *why, const char *near);

/*
 * Keep only the items whose site has a number in to[], and set that number.
 */
#define FILTER_KEEP(items, n, to) \
	do { \
		size_t filter_i, filter_n = 0; \
		for (filter_i = 0; filter_i < (n); filter_i++) { \
			if ((to)[(items)[filter_i].site] == STAGES_NONE) \
				continue; \
			(items)[filter_n] = (items)[filter_i]; \
			(items)[filter_n].site = (to)[(items)[filter_i].site]; \
			filter_n++; \
		} \
		(n) = filter_n; \
	} while (0)

#endif
