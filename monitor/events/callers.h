/* SPDX-License-Identifier: MIT */
/* Numbers of the places that call the allocator.  ctx: hook. */
#ifndef MEMMON_EVENTS_CALLERS_H
#define MEMMON_EVENTS_CALLERS_H

#include "monitor/base/internal.h"
#include "monitor/events/stream.h"

/* That of a return address, from MEMMON_CALLERS on, which goes into h, too. */
uint32_t mmi_callers_number(struct stream_head *h, uintptr_t pc);

/* All of them go into a stream that begins. */
void mmi_callers_copy(struct stream_head *h);

#endif
