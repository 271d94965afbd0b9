/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Remove recursion from call paths.  The first and the last frame of a function
 * become one, and the frames between them are left out: A > B > A > C becomes A
 * > C.  The outermost function comes first: A > B > C > B > A > C becomes A >
 * C.
 *
 * The trie is walked callers first, one subtree after the other, and the way to
 * the present node is known.  The whole walk takes linear time.
 */
#ifndef MEMMON_REDUCE_COLLAPSE_H
#define MEMMON_REDUCE_COLLAPSE_H

#include "reduce/monout/mon.h"

#include <stddef.h>
#include <stdint.h>

/* No frame. */
#define COLLAPSE_NONE UINT32_MAX

/*
 * A frame on the way, and its distance from the start, 1 for the first frame.
 */
struct collapse_at {
	uint32_t frame, depth;
};

/* The values that collapse_put() replaced, to restore them. */
struct collapse_undo {
	uint32_t func;
	struct collapse_at was; /* value of that function */
	uint32_t depth;
	uint32_t frame; /* value of that depth */
};

/* collapse_init() sets it up; call collapse_fini() in any case. */
struct collapse {
	const struct mon *mon;
	uint32_t *first, *next; /* of each node: its first callee, and the
				 * next callee of its caller */
	size_t *mark;		/* of each node: length of the log when it
				 * was left */
	/*
	 * A function's frame is on the way if of_depth[] has the same frame at
	 * its depth.
	 */
	struct collapse_at *of_func;
	uint32_t *of_depth;
	size_t nfuncs, func_room, ndepths, depth_room;
	struct collapse_undo *log;
	size_t nlog, log_room;
};

/* m must be merged. */
void collapse_init(struct collapse *c, const struct mon *m);
void collapse_fini(struct collapse *c);

/* The node after this one (the root is 0); 0 after the last. */
uint32_t collapse_next(const struct collapse *c, uint32_t node);

/*
 * Enter a node after its caller was left: the way becomes the way to the
 * caller.  Leave a node after its frames were put on the way, which its callees
 * then start from.
 */
void collapse_enter(struct collapse *c, uint32_t node);
void collapse_leave(struct collapse *c, uint32_t node);

/*
 * The frame of a function among the first `depth' frames of the way, or
 * COLLAPSE_NONE.
 */
uint32_t collapse_find(const struct collapse *c, uint32_t func, uint32_t depth);

/* Put this frame on the way, behind the first depth - 1 frames. */
void collapse_put(struct collapse *c, uint32_t func, uint32_t frame,
		  uint32_t depth);

#endif
