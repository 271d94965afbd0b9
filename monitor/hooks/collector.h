/* SPDX-License-Identifier: MIT */
/*
 * Blocks of the Boehm collector (libgc). They are counted as malloc's are; what
 * a collection finds unreachable goes when it ends.
 */
#ifndef MEMMON_COLLECTOR_H
#define MEMMON_COLLECTOR_H

#include "monitor/hooks/lisp.h"

/* Collections that ended, and what went by them; 0: none. */
struct mmi_collector {
	uint64_t collections, blocks;
};
extern HIDDEN struct mmi_collector mmi_collector;

/* Is an address in a page that has had blocks of it?  ctx: any. */
bool mmi_collector_has(uintptr_t a);

/*
 * The program ends: what isn't reachable goes, by a last collection.  No
 * finalizer runs.  ctx: exit.
 */
void mmi_collector_end(void);

/* ------------------------------------------- what its hooks need of it -- */

/*
 * Where its code is, the hooks of its functions, and all of ours; 0: not known.
 * Atomic, `size' last.
 */
struct mmi_collector_code {
	uintptr_t start, size, hooks, hooks_size, ours, ours_size;
};
extern HIDDEN struct mmi_collector_code mmi_collector_code;

/*
 * The collector's functions as they are here have a section of their own: one
 * that is called by a jump out of the collector has another of them as its
 * caller.
 */
#define COLLECTOR_HOOKS __attribute__((section("collector_hooks")))
extern const char __start_collector_hooks[] HIDDEN;
extern const char __stop_collector_hooks[] HIDDEN;

/* Is the caller a function of the collector's own?  ctx: hook. */
static inline bool
mmi_collector_own(uintptr_t pc)
{
	const struct mmi_collector_code *c = &mmi_collector_code;

	return pc - c->hooks < LOAD(&c->hooks_size) ||
	       pc - c->start < LOAD(&c->size);
}

/* Its function of that name; NULL: there is none.  ctx: init. */
void *mmi_collector_next(const char *name, const void *ours, uintptr_t caller);

/*
 * It tells us of collections: 0 until mmi_collector_begin() was called, 2 then;
 * 3: it can't.  Atomic.
 */
extern HIDDEN int mmi_collector_ready;
void mmi_collector_begin(void); /* ctx: init */

/* A block in its page, most often that of this thread's last.  ctx: hook. */
extern TLS uintptr_t mmi_collector_page_last;
void mmi_collector_page_new(uintptr_t page);
static inline void
mmi_collector_page(const void *p)
{
	uintptr_t page = (uintptr_t)p / ARCH_PAGE;

	if (UNLIKELY(page != mmi_collector_page_last))
		mmi_collector_page_new(page);
}

/* Atomic: are there blocks that begin before what the program has got? */
extern HIDDEN bool mmi_collector_inside;

/* What the program has set for itself; atomic. */
typedef void (*mmi_collector_on_event)(int type);
extern HIDDEN mmi_collector_on_event mmi_collector_event;
typedef int (*mmi_collector_has_roots)(const char *name, void *start, size_t n);
extern HIDDEN mmi_collector_has_roots mmi_collector_roots;

#endif
