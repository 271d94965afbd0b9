/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recursion taken out of chains: what a chain passes through between the first
 * and the last frame of a function is left out, and the two become one, so that
 * A > B > A > C is A > C.  From the outermost function on: of A > B > C > B > A
 * > C, A > C is left.
 *
 * The trie is walked callers first and each subtree in one go, and the path to
 * the present node is known.  All of it takes linear time.
 */
#ifndef MEMMON_REDUCE_COLLAPSE_H
#define MEMMON_REDUCE_COLLAPSE_H

#include "reduce/file/mon.h"

#include <stddef.h>
#include <stdint.h>

/* No frame. */
#define COLLAPSE_NONE UINT32_MAX

/* A frame of the way, and how far from its start (1) it is. */
struct collapse_at {
	uint32_t frame, depth;
};

/* What a frame has taken the place of. */
struct collapse_undo {
	uint32_t func;
	struct collapse_at was; /* of that function */
	uint32_t depth;
	uint32_t frame; /* of that depth */
};

/* The caller owns it; collapse_init(), and collapse_fini() in any case. */
struct collapse {
	const struct mon *mon;
	uint32_t *first, *next; /* of each node: its first callee's, the next
				 * one of its caller */
	size_t *mark;		/* of each node: length of the log then */
	/* A function's frame is on the way if it is its depth's, too. */
	struct collapse_at *of_func;
	uint32_t *of_depth;
	size_t nfuncs, func_room, ndepths, depth_room;
	struct collapse_undo *log;
	size_t nlog, log_room;
};

/* m is merged.  0, or -1 when out of memory. */
int collapse_init(struct collapse *c, const struct mon *m);
void collapse_fini(struct collapse *c);

/* The node after this one (the root is 0); 0 after the last. */
uint32_t collapse_next(const struct collapse *c, uint32_t node);

/*
 * Go on to a node, whose caller has been left already: what came after that is
 * forgotten.  Then leave it, with the way as it is for those that it calls.
 */
void collapse_enter(struct collapse *c, uint32_t node);
void collapse_leave(struct collapse *c, uint32_t node);

/*
 * The frame of a function on the first `depth' frames of the way, or
 * COLLAPSE_NONE.
 */
uint32_t collapse_find(const struct collapse *c, uint32_t func, uint32_t depth);

/*
 * Behind the first depth - 1 frames of the way comes this one.  0, or -1 when
 * out of memory.
 */
int collapse_put(struct collapse *c, uint32_t func, uint32_t frame,
		 uint32_t depth);

#endif
