/* SPDX-License-Identifier: MIT */
/*
 * Blocks of the Boehm collector (libgc).  They are counted like malloc's;
 * blocks that a collection finds unreachable are freed when it ends.
 */
#ifndef MEMMON_COLLECTOR_H
#define MEMMON_COLLECTOR_H

#include "monitor/hooks/lisp.h"

/* Collections that ended, and the blocks that they freed; 0: none. */
struct mmi_collector {
	uint64_t collections, blocks;
};
extern HIDDEN struct mmi_collector mmi_collector;

/* Is the address in a page that has had blocks of the collector?  ctx: any. */
bool mmi_collector_has(uintptr_t a);

/*
 * The program ends: a last collection frees unreachable blocks.  No finalizer
 * runs.  ctx: exit.
 */
void mmi_collector_end(void);

/* --------------------------------------------------- for its hooks only -- */

/*
 * The places of the collector's code, of the hooks of its functions, and of all
 * our code; 0: not known.  Atomic; `size' is set last.
 */
struct mmi_collector_code {
	uintptr_t start, size, hooks, hooks_size, ours, ours_size;
};
extern HIDDEN struct mmi_collector_code mmi_collector_code;

/*
 * Our versions of the collector's functions are in a separate section: if the
 * collector calls one by a jump, its caller is another function of that
 * section.
 */
#define COLLECTOR_HOOKS __attribute__((section("collector_hooks")))
extern const char __start_collector_hooks[] HIDDEN;
extern const char __stop_collector_hooks[] HIDDEN;

/* Does the collector itself call?  ctx: hook. */
static inline bool
mmi_collector_own(uintptr_t pc)
{
	const struct mmi_collector_code *c = &mmi_collector_code;

	return pc - c->hooks < LOAD(&c->hooks_size) ||
	       pc - c->start < LOAD(&c->size);
}

/* The collector's function of that name, or NULL.  ctx: init. */
void *mmi_collector_next(const char *name, const void *ours, uintptr_t caller);

/*
 * Does the collector report collections?  0: mmi_collector_begin() wasn't
 * called yet; 2: yes; 3: it can't.  Atomic.
 */
extern HIDDEN int mmi_collector_ready;
void mmi_collector_begin(void); /* ctx: init */

/*
 * Notes the page of a block; usually it is that of this thread's last block.
 * ctx: hook.
 */
extern TLS uintptr_t mmi_collector_page_last;
void mmi_collector_page_new(uintptr_t page);
static inline void
mmi_collector_page(const void *p)
{
	uintptr_t page = (uintptr_t)p / ARCH_PAGE;

	if (UNLIKELY(page != mmi_collector_page_last))
		mmi_collector_page_new(page);
}

/* Atomic: do some blocks begin before the address that the program got? */
extern HIDDEN bool mmi_collector_inside;

/* The functions that the program has set; atomic. */
typedef void (*mmi_collector_on_event)(int type);
extern HIDDEN mmi_collector_on_event mmi_collector_event;
typedef int (*mmi_collector_has_roots)(const char *name, void *start, size_t n);
extern HIDDEN mmi_collector_has_roots mmi_collector_roots;

#endif
