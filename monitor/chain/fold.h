/* SPDX-License-Identifier: MIT */
/*
 * Recursion is folded as it is recorded.
 *
 * A chain is read outermost first.  A frame whose function isn't on the path
 * yet gets a node below the one before.  One whose function is there already
 * closes a cycle: all from that function's first frame to the new one is one
 * element of the path, of which is kept which calls it made (from which return
 * address to which function), where it began and where it is now; how often and
 * in what order is not.  All paths that agree in that have one node: the one
 * that came first, so each node still stands for a plain chain of frames, and
 * that chain has just the functions, frames and calls of those it stands for.
 *
 * So the number of nodes is bounded by the program's text, not by how deep or
 * in what order it recurs.  When a cycle still has very many variants, further
 * ones are told apart by less: first by functions that call each other, then by
 * functions, at last by where they begin and end.  Then a node's chain may have
 * other calls or functions than some of those it stands for, which is counted.
 * Then, too, a cycle begins at the outermost function that was met in one cycle
 * with the new frame's, on whatever path: ways through a set of functions that
 * call each other are very many even where none is on the path twice.
 *
 * While there are few nodes nothing is folded: chains are as they were.
 */
#ifndef MEMMON_FOLD_H
#define MEMMON_FOLD_H

#include "monitor/base/thread.h"

/* From so many nodes on recursion is folded; UINT32_MAX: never. */
#define MMI_FOLD_FROM 4096u
extern HIDDEN uint32_t mmi_fold_from;

/* Of so many nodes, or the limit, eighths tell when variants are joined. */
extern HIDDEN uint32_t mmi_fold_most;

/*
 * The number of the function of a frame's key, which is told by where it
 * begins, by the unwind information, and its module's generation; by the key
 * itself where there is none.  make: it gets a number if it has none, and 0 is
 * for want of memory; else 0: no node is of that function.  ctx: slow.
 */
uint32_t mmi_fold_function(uint64_t key, bool make);

/*
 * The node at which the cycle begins that a frame of `function' closes on the
 * path that ends in `node'; 0: none.  That function is on the path, or, when
 * there are many nodes, one that was met in a cycle with it, on whatever path.
 * Cost: some ns for each frame of the path.  ctx: hook.
 */
uint32_t mmi_fold_start(uint32_t node, uint32_t function);

/* A new node ends a cycle that begins at `start'.  ctx: hook. */
void mmi_fold_learn(uint32_t start, uint32_t node);

/*
 * By what variants of the cycles that begin at `start' are told apart: 0, by
 * all that is kept, 1 and 2, by functions, MMI_FOLD_ENDS, by where they begin
 * and end.  ctx: hook.
 */
#define MMI_FOLD_ENDS 3u
unsigned mmi_fold_level(uint32_t start);

/*
 * The name of the cycle that a frame of this key and function closes, from
 * `start' to `node': equal for equal ones below one parent of `start', and no
 * frame's key.  Of 63 bits, so two that differ have one name once in some 10^9
 * programs.  By `level', see mmi_fold_level(); 0: there is more to it than the
 * thread's memory for a chain holds.  ctx: hook.
 */
uint64_t mmi_fold_name(struct mmi_thread *t, uint32_t start, uint32_t node,
		       uint64_t key, uint32_t function, unsigned level);

/* mmi_trie_fork() of the table of functions. */
void mmi_fold_fork(void);

#endif
