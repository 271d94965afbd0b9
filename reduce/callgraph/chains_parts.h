/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of chains share. */
#ifndef MEMMON_REDUCE_CHAINS_PARTS_H
#define MEMMON_REDUCE_CHAINS_PARTS_H

#include "reduce/callgraph/collapse.h"
#include "reduce/callgraph/funcs.h"
#include "reduce/model/stages.h"

/* Below these frames the chains begin: one for each enum profile_start. */
enum { CHAINS_ROOTS = PROFILE_START_STOPPED + 1 };

struct chains_frame {
	uint32_t parent, func;
	uint32_t number; /* in the profile; STAGES_NONE: unused */
	uint32_t depth;	 /* 1 for an outermost frame */
	const char *site, *file;
	uint64_t addr; /* of the first call that is in it */
	unsigned line; /* the same */
	bool inlined;
};

struct chains_node {
	uint32_t leaf;	   /* its innermost frame */
	uint8_t state;	   /* enum chains_state */
	bool used;	   /* on the chain of some site */
	bool ends;	   /* the last one of such a chain */
	bool outside;	   /* outside of main, and not looked up */
	uint8_t filter;	   /* bits of filter.h, of all that is on its chain */
	uint8_t runtime;   /* enum runtime */
	bool limited;	   /* the outermost is MONOUT_PC_LIMIT */
	bool part;	   /* ... or another that stands for more of it */
	uint32_t suppress; /* number of its suppression, 0 if there is none */
};

struct chains {
	struct profile *p;
	struct funcs *funcs;
	const struct mon *mon;
	struct chains_node *nodes;
	struct chains_frame *frames; /* the roots, then the rest */
	size_t nframes, frame_room;
	struct hash hash;
	struct collapse *collapse; /* NULL: recursion is left as it is */
};

/*
 * The frame, or the next one outwards that isn't a wrapper's: nor of a function
 * without a name that a wrapper of the same module called, which does the
 * wrapper's work in a stripped file.
 */
uint32_t chains_skip(const struct chains *c, uint32_t frame);

/*
 * Set the profile's frames, functions, sites and mappings from those of c.
 * used: see chains_build().  0, or -1 when out of memory.
 */
int chains_finish(struct chains *c, bool *used);

/* Set the profile's endings, once it has its sites.  The same. */
int chains_endings(struct chains *c);

#endif
