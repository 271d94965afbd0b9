/* SPDX-License-Identifier: MIT */
/* Numbers of the places that call the allocator.  ctx: hook. */
#ifndef MEMMON_EVENTS_CALLERS_H
#define MEMMON_EVENTS_CALLERS_H

#include "monitor/base/internal.h"
#include "monitor/events/stream.h"

/* The number of a return address, from MEMMON_CALLERS on; also put into h. */
uint32_t mmi_callers_number(struct stream_head *h, uintptr_t pc);

/* Copy all of them into a new stream. */
void mmi_callers_copy(struct stream_head *h);

#endif
