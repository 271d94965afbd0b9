/* SPDX-License-Identifier: MIT */
/* Counts in consecutive granules. */
#ifndef MEMMON_ACCESS_SPAN_H
#define MEMMON_ACCESS_SPAN_H

#include "monitor/base/internal.h"

/*
 * Counts `add', as for mmi_access_add(), in each granule from `first' to
 * `last', numbered by address.  In the usual case it calls nothing.  Cost: 20
 * instructions, and 8 for each granule, or 4 if there are many; at most 200 for
 * long spans (ranges.h).  ctx: hook.
 */
void mmi_access_span(uintptr_t first, uintptr_t last, uint64_t add);

#endif
