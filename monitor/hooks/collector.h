/* SPDX-License-Identifier: MIT */
/*
 * Blocks of the Boehm collector (libgc).  They are counted as malloc's are; what
 * a collection finds unreachable goes when it ends.
 */
#ifndef MEMMON_COLLECTOR_H
#define MEMMON_COLLECTOR_H

#include "monitor/base/internal.h"

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

#endif
