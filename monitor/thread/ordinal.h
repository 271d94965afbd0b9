/* SPDX-License-Identifier: MIT */
/* The numbers of threads: they say which thread allocated a block. */
#ifndef MEMMON_ORDINAL_H
#define MEMMON_ORDINAL_H

#include "monitor/base/thread.h"

/* The thread's number, even for events after its end; 0: none yet. */
extern TLS uint32_t mmi_ordinal;

/*
 * _here: the struct belongs to the thread, or (nested) to an event of its
 * signal handler: so do the numbers in the struct, and its state for accesses.
 * A thread without a number gets one that no thread had before.  After some
 * millions of threads, numbers don't fit into entries of the live map: then the
 * thread's blocks count as blocks of an unknown thread.  _new: the thread gets
 * another number, and no longer owns its earlier blocks.  ctx: hook.
 */
void mmi_ordinal_here(struct mmi_thread *t);
void mmi_ordinal_new(struct mmi_thread *t);

#endif
