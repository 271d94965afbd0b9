/* SPDX-License-Identifier: MIT */
/* The numbers of threads: whose blocks are whose. */
#ifndef MEMMON_ORDINAL_H
#define MEMMON_ORDINAL_H

#include "monitor/base/thread.h"

/* The thread's, for events after its end too; 0: it has none yet. */
extern TLS uint32_t mmi_ordinal;

/* 1 .. MMI_LIVE_NOBODY - 1; round again after some millions.  ctx: hook. */
uint32_t mmi_ordinal_next(void);

/*
 * The struct is the thread's: so is its state for accesses, by its number in
 * the struct.  Or the thread gets another number: what it had till now isn't
 * its own any more.  ctx: hook.
 */
void mmi_ordinal_here(struct mmi_thread *t);
void mmi_ordinal_new(struct mmi_thread *t);

/* The struct's numbers: its owner's; and of blocks of its own.  ctx: hook. */
void mmi_ordinal_set(struct mmi_thread *t, uint32_t ordinal, uint32_t mine);

#endif
