/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations that the files chains*.c share. */
#ifndef MEMMON_REDUCE_CHAINS_PARTS_H
#define MEMMON_REDUCE_CHAINS_PARTS_H

#include "reduce/callgraph/collapse.h"
#include "reduce/callgraph/funcs.h"
#include "reduce/model/stages.h"

/* Roots of the call paths: one frame for each enum profile_start. */
enum { CHAINS_ROOTS = PROFILE_START_STOPPED + 1 };

struct chains_frame {
	uint32_t parent, func;
	uint32_t number; /* in the profile; STAGES_NONE: unused */
	uint32_t depth;	 /* 1 for an outermost frame */
	const char *site, *file;
	uint64_t addr; /* address of the first call in it */
	unsigned line; /* line of the same call */
	bool inlined;
};

struct chains_node {
	uint32_t leaf;	   /* innermost frame of the node */
	uint8_t state;	   /* enum chains_state */
	bool used;	   /* on the call path of some site */
	bool ends;	   /* the last node of such a call path */
	bool outside;	   /* outside of main, and not looked up */
	uint8_t filter;	   /* bits of filter.h, of all functions on its call
			    * path */
	uint8_t runtime;   /* enum runtime */
	bool limited;	   /* the outermost node is MONOUT_PC_LIMIT */
	bool part;	   /* the outermost node replaces missing calls */
	uint32_t suppress; /* number of its suppression, 0: none */
};

struct chains {
	struct profile *p;
	struct funcs *funcs;
	const struct mon *mon;
	struct chains_node *nodes;
	struct chains_frame *frames; /* the roots, then the rest */
	size_t nframes, frame_room;
	struct hash hash;
	struct collapse *collapse; /* NULL: recursion stays */
};

/*
 * The frame itself, or the next frame outwards that isn't a wrapper's.  In a
 * stripped file, also skips functions without a name that a wrapper of the same
 * module called: they do the wrapper's work.
 */
uint32_t chains_skip(const struct chains *c, uint32_t frame);

/*
 * Set the profile's frames, functions, sites and mappings from c.  used: see
 * chains_build().
 */
void chains_finish(struct chains *c, bool *used);

/* Set the profile's endings; its sites must be set. */
void chains_endings(struct chains *c);

#endif
