/* SPDX-License-Identifier: MIT */
/*
 * Recursion is folded when it is recorded.
 *
 * A call path is read outermost first.  A frame whose function isn't on the
 * path yet gets a node below the node before.  A frame whose function is on the
 * path already closes a cycle: all frames from that function's first one to the
 * new one become one element of the path.  The element stores which calls it
 * made (from which return address to which function), where it began and where
 * it is now; it doesn't store how often and in which order.  All paths with the
 * same elements have one node, that of the first such path.  So each node still
 * represents a plain list of frames, with just the functions, frames and calls
 * of all call paths of the node.
 *
 * So the size of the program limits the number of nodes, not the depth or the
 * order of recursion.  If a cycle still has very many variants, further ones
 * are distinguished by less: first by functions that call each other, then by
 * functions, finally by where they begin and end.  Then the frames of a node
 * may have other calls or functions than some of its call paths, which is
 * counted.  Also, a cycle then begins at the outermost function that was in a
 * cycle with the new frame's function, on any path: there are very many ways
 * through a set of functions that call each other, even without recursion.
 *
 * While there are few nodes, nothing is folded.
 */
#ifndef MEMMON_FOLD_H
#define MEMMON_FOLD_H

#include "monitor/base/thread.h"

/* Recursion is folded from this many nodes on; UINT32_MAX: never. */
#define MMI_FOLD_FROM 4096u
extern HIDDEN uint32_t mmi_fold_from;

/*
 * Eighths of this number, or of the limit of nodes, decide when variants are
 * joined.
 */
extern HIDDEN uint32_t mmi_fold_most;

/*
 * The number of the function of a frame's key.  The function is identified by
 * its start, from the unwind information, and by its library's generation;
 * without unwind information by the key itself.  make: a function without a
 * number gets one; 0: no memory.  Without make 0: no node has that function.
 * ctx: slow.
 */
uint32_t mmi_fold_function(uint64_t key, bool make);

/*
 * The node where the cycle begins that a frame of `function' closes on the path
 * that ends in `node'; 0: no cycle.  That node's function is the same, or, if
 * there are many nodes, one that was in a cycle with it on any path.  Cost:
 * some ns for each frame of the path.  ctx: hook.
 */
uint32_t mmi_fold_start(uint32_t node, uint32_t function);

/*
 * A new node ends a cycle that begins at `start': learns its functions.  ctx:
 * hook.
 */
void mmi_fold_learn(uint32_t start, uint32_t node);

/*
 * How to tell apart variants of the cycles that begin at `start': 0: by all
 * that is stored; 1 and 2: by functions; MMI_FOLD_ENDS: by where they begin and
 * end.  ctx: hook.
 */
#define MMI_FOLD_ENDS 3u
unsigned mmi_fold_level(uint32_t start);

/*
 * The name of the cycle, from `start' to `node', that a frame of this key and
 * function closes.  Equal cycles below one parent of `start' have equal names.
 * No name is a frame's key.  A name has 63 bits, so two cycles get the same
 * name once in some 10^9 programs.  level: see mmi_fold_level().  0: the cycle
 * doesn't fit into the thread's memory for walks.  ctx: hook.
 */
uint64_t mmi_fold_name(struct mmi_thread *t, uint32_t start, uint32_t node,
		       uint64_t key, uint32_t function, unsigned level);

/* mmi_trie_fork() of the table of functions. */
void mmi_fold_fork(void);

#endif
