/* SPDX-License-Identifier: MIT */
/*
 * Blocks that were passed to unrecorded code: the kernel, libraries, functions
 * of libc that wrap.h doesn't wrap.  For the rest of such a block's life the
 * counts of its accesses are a lower bound.  Such blocks are counted separately
 * (MONOUT_HANDED), and no verdict is drawn from them.
 */
#ifndef MEMMON_ACCESS_HANDED_H
#define MEMMON_ACCESS_HANDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/*
 * Marks the block that p points to, or into, as passed to unrecorded code, if
 * p points to a block.  *end, unless NULL, receives the block's end, or NULL.
 * True: the block wasn't marked before.  ctx: hook.
 */
bool mmi_handed_block(const void *p, const void **end);

/*
 * Returns the word at this address, or 0 if it can't be read.  If the program
 * has ever made memory unreadable, maybe a block, this asks the kernel.  ctx:
 * hook.
 */
uintptr_t mmi_handed_word(const void *at);
extern unsigned mmi_handed_hidden; /* atomic: memory was made unreadable */

/*
 * Marks the blocks that n arguments of a function, of any type, point to, and
 * the blocks that the first words of these point to.  ctx: hook.
 */
void mmi_handed_arguments(const uintptr_t *argument, size_t n);

/*
 * Marks the block that p points to, and the blocks that the n pointers at p
 * point to, also if these pointers are in no block: for arguments such as
 * "struct iovec *", which are often on the stack.  p may be NULL.  The n
 * pointers must be readable.  ctx: hook.
 */
void mmi_handed_pointers(const void *p, size_t n);

/*
 * Blocks of the allocation site of the block that p points to, or into, may
 * have been passed to unrecorded code unnoticed: no verdict is drawn from any
 * of the site's blocks.  ctx: hook.
 */
void mmi_handed_site(const void *p);

/*
 * In files written from now on, all blocks count as passed to unrecorded code.
 * ctx: any.
 */
void mmi_handed_all(void);
extern unsigned mmi_handed_every; /* atomic: mmi_handed_all() was called */

/* A library is about to be unloaded.  ctx: not in a hook. */
void mmi_handed_unload(void);

#pragma GCC visibility pop

/* Marks the blocks of a wrapped function's arguments; at most three. */
static inline void
mmi_handed_given(const void *a, const void *b, const void *c)
{
#ifdef MEMMON_ACCESS
	const uintptr_t all[] = { (uintptr_t)a, (uintptr_t)b, (uintptr_t)c };

	mmi_handed_arguments(all, 3);
#else
	(void)a;
	(void)b;
	(void)c;
#endif
}

#endif
