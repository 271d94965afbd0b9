/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the stages between struct mon and struct profile pass on.  Each stage
 * fills its part of the profile from the parts that earlier stages have filled:
 *
 *	chains_build	funcs, frames, sites
 *	arcs_build	arcs; each function's callers and callees
 *	scc_find	cycles and their members; the order of functions
 *	propagate	all counts of functions, arcs and cycles
 */
#ifndef MEMMON_REDUCE_STAGES_H
#define MEMMON_REDUCE_STAGES_H

#include "reduce/base/arena.h"
#include "reduce/base/err.h"
#include "reduce/base/progress.h"
#include "reduce/model/result.h"

struct log;
struct searchpath;
struct symbols;
struct types;

/* Used instead of the number of a function, frame or arc: there is none. */
#define STAGES_NONE UINT32_MAX

struct profile_priv {
	struct arena arena;	   /* for all that the profile points to */
	struct profile_cache *cache; /* owns these two; NULL: the profile
				      * does */
	struct searchpath *searchpath;	   /* where to look for files */
	struct symbols *symbols;
	struct types *types;
	struct progress progress;
	bool *bin_typed;      /* of each bin: all of its blocks have types;
			       * NULL: no bin's blocks have */
	struct func *funcs;   /* the array behind profile.funcs, in its order */
	struct frame *frames; /* callers before callees */
	size_t nframes;
	/* Including the ones at the end that only mappings need; they have no
	 * counts. */
	size_t all_funcs, all_frames;
	uint32_t *site_of;    /* of each site of the merged data: its index in
			       * profile.sites */
	/* Of each site, and of each cell, of the merged data; NULL: none */
	struct suppressed *hidden, *cell_hidden;
	bool *leaked_hidden; /* of each such site: its leaked blocks are hidden,
			      * too */
	struct log *log;      /* NULL: none was asked for */
	uint32_t *thread_of;  /* of each thread of the merged data: its index in
			       * profile.all_threads, if there are any */
	struct arc *arcs;     /* the array behind profile.arcs, in its order */
	uint32_t *frame_arc;  /* of each frame: the arc from its parent's
			       * function, or STAGES_NONE */
};

static inline uint32_t
stages_func(const struct profile *p, const struct func *f)
{
	return (uint32_t)(f - p->priv->funcs);
}

static inline uint32_t
stages_frame(const struct profile *p, const struct frame *f)
{
	return (uint32_t)(f - p->priv->frames);
}

#endif
