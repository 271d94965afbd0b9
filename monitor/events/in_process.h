/* SPDX-License-Identifier: MIT */
/*
 * Events consumed in the program itself (workers=0): each thread passes its own
 * events to the modules, one thread at a time.
 */
#ifndef MEMMON_EVENTS_IN_PROCESS_H
#define MEMMON_EVENTS_IN_PROCESS_H

#include "monitor/base/internal.h"
#include "monitor/events/stream.h"

/* False: modules can't run here.  ctx: init, slow. */
bool mmi_in_process_start(struct stream_head *h);

/* Consume words of a thread.  ctx: slow. */
void mmi_in_process_consume(uint32_t thread, const uint64_t *from,
			    const uint64_t *end);

/* Consume the rest, and write the results.  ctx: exit, signal. */
void mmi_in_process_finish(struct stream_head *h);

/* Write results that say that nothing was consumed.  ctx: exit. */
void mmi_in_process_failed(struct stream_head *h);

/* In a child, which starts again.  ctx: fork. */
void mmi_in_process_drop(void);

#endif
