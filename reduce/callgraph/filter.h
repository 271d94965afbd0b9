/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Filters: which blocks are left, and which frames of their chains.
 *
 * Sites that don't pass are taken out of the merged data, with all that is
 * theirs, and the sums are made anew: the stages behind it need not know.
 * First by type; then chains_build(), once it has named their chains, sees to
 * functions and modules, and to thread and size (filter_cells.c), where of some
 * sites a part is left; at last come the sums (filter_sums.c).
 *
 * A function is on a chain if any frame of it is there, inlined ones and
 * allocation wrappers too, from main on; also if it is one to be hidden.
 */
#ifndef MEMMON_REDUCE_FILTER_H
#define MEMMON_REDUCE_FILTER_H

#include "reduce/base/err.h"
#include "reduce/symbols/symbols.h"
#include "reduce/symbols/symspec.h"
#include "reduce/file/mon.h"
#include "reduce/model/options.h"
#include "reduce/model/result.h"
#include "reduce/model/stages.h"
#include "reduce/types/sitetypes.h"

/* What a function or call is to the filter, bits. */
enum { FILTER_FOCUS = 1, FILTER_IGNORE = 2, FILTER_HIDE = 4 };

struct filter_spec {
	struct symspec spec;
	unsigned bit;
	const char *near; /* shortest name that contains it; NULL: none */
};

/* filter_init(), and filter_fini() in any case. */
struct filter {
	const struct profile_filter *what;
	struct profile *p;
	struct mon *mon;
	struct sitetypes
		*types; /* NULL: not found yet; kept in step with sites */
	struct filter_spec *specs; /* focus, ignore, hide */
	size_t nspecs;
	bool calls;	  /* some are of lines */
	bool *modules;	  /* of each: may allocate; NULL: all may */
	bool *found;	  /* of each glob of what->module */
	bool *keep;	  /* of each site: it is left */
	size_t nwas;	  /* sites at first */
	bool cut;	  /* of some sites a part is left */
	bool apart;	  /* of some partial paths not all sites are */
	uint64_t unknown; /* bytes of types that aren't known */
};

/*
 * w lives as long as the filter; m is p's data, merged, and will be changed.
 * 0, or -1 with *e set: out of memory, or the data don't say what is asked.
 */
int filter_init(struct filter *t, struct profile *p, struct mon *m,
		const struct profile_filter *w, struct err *e);
void filter_fini(struct filter *t);

/* Is something to be left out, or hidden? */
bool filter_is_on(const struct filter *t);

/* The bits of a function, and of a call in it, whose function's are given. */
unsigned filter_func(struct filter *t, const struct symbols_frame *s);
unsigned filter_call(struct filter *t, unsigned func,
		     const struct symbols_frame *s);

/*
 * Leave the sites whose types are wanted.  e: of m's sites.  0, or -1 when out
 * of memory, as with all that follows.
 */
int filter_types(struct filter *t, struct sitetypes *e);

/*
 * Note whether a site is left: bits, those of all frames of its chain, and the
 * module of the function that allocated, 0 unknown; part: the outer part of its
 * chain isn't there, nor are its bits.  After all of them, filter_drop().
 */
void filter_site(struct filter *t, size_t site, unsigned bits, uint32_t module,
		 bool part);

/* Take out the sites for which keep[] is false, and set all of it to true. */
int filter_drop(struct filter *t);

/* Leave what was allocated by threads and of sizes that are wanted. */
int filter_cells(struct filter *t);

/*
 * The sums of what is left; p's filter and unsized, and warnings of what was
 * asked for and isn't there.  After all of the above.
 */
int filter_finish(struct filter *t);

/* filter_sums.c: the sums, if something was left out. */
int filter_sums(struct filter *t);

/*
 * Warn that --option=text finds nothing, and why.  near: a name that may be
 * meant; NULL: none is known.
 */
int filter_missed(struct filter *t, const char *option, const char *text,
		  const char *why, const char *near);

#endif
