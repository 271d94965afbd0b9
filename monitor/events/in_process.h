/* SPDX-License-Identifier: MIT */
/*
 * Events consumed in the program itself, each thread's by the thread, one after
 * the other (workers=0).
 */
#ifndef MEMMON_EVENTS_IN_PROCESS_H
#define MEMMON_EVENTS_IN_PROCESS_H

#include "monitor/base/internal.h"
#include "monitor/events/stream.h"

/* False: modules can't be had.  ctx: init, slow. */
bool mmi_in_process_start(struct stream_head *h);

/* Words of a thread.  ctx: slow. */
void mmi_in_process_consume(uint32_t thread, const uint64_t *from,
			    const uint64_t *end);

/* All that is left, and the results.  ctx: exit, signal. */
void mmi_in_process_finish(struct stream_head *h);

/* Results that say that there are none, as nobody consumed.  ctx: exit. */
void mmi_in_process_failed(struct stream_head *h);

/* In a child, which begins anew.  ctx: fork. */
void mmi_in_process_drop(void);

#endif
