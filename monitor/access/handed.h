/* SPDX-License-Identifier: MIT */
/*
 * Blocks that were handed to code whose accesses aren't recorded: the kernel,
 * libraries, functions of libc that wrap.h has nothing about.  From then on,
 * for the rest of a block's life, what is known of its accesses is a lower
 * bound: it is counted apart (MONOUT_HANDED), and no verdict is taken from it.
 */
#ifndef MEMMON_ACCESS_HANDED_H
#define MEMMON_ACCESS_HANDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/*
 * The block that p points to, or into, is handed over; nothing, if there is no
 * such block.  *end, unless NULL, gets where it ends, or NULL.  True: it wasn't
 * marked before.  ctx: hook.
 */
bool mmi_handed_block(const void *p, const void **end);

/*
 * The word there, or 0 if it can't be read.  Once the program has made memory
 * unreadable, as it may a block, the kernel is asked.  ctx: hook.
 */
uintptr_t mmi_handed_word(const void *at);
extern unsigned mmi_handed_hidden; /* atomic: it has */

/*
 * The same for what n arguments of a function point to, whatever they are, and
 * for what the first words of that point to.  ctx: hook.
 */
void mmi_handed_arguments(const uintptr_t *argument, size_t n);

/*
 * The site of the block that p points to, or into, may have had blocks that
 * were handed over unseen: no verdict is taken from any of its blocks.  ctx:
 * hook.
 */
void mmi_handed_site(const void *p);

/* All blocks that go from here on count as handed over.  ctx: any. */
void mmi_handed_all(void);
extern unsigned mmi_handed_every; /* atomic: mmi_handed_all() was called */

/* A module is about to be unloaded.  ctx: not in a hook. */
void mmi_handed_unload(void);

#pragma GCC visibility pop

/* Blocks of arguments of a function of this library's; no more without one. */
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
