/* SPDX-License-Identifier: MIT */
/* The numbers of threads: whose blocks are whose. */
#ifndef MEMMON_ORDINAL_H
#define MEMMON_ORDINAL_H

#include "monitor/base/thread.h"

/* The thread's, for events after its end too; 0: it has none yet. */
extern TLS uint32_t mmi_ordinal;

/*
 * The struct is the thread's, or (nested) for an event of its handler's: so are
 * the numbers in the struct, and its state for accesses.  A thread that has no
 * number yet gets one, which no thread had before.  Where an entry of the live
 * map has no room for it, after some millions, none of its blocks is its own:
 * they are as those of a thread that isn't known.  Or the thread gets another
 * number: what it had till now isn't its own any more.  ctx: hook.
 */
void mmi_ordinal_here(struct mmi_thread *t);
void mmi_ordinal_new(struct mmi_thread *t);

#endif
