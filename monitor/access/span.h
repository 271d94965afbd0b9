/* SPDX-License-Identifier: MIT */
/* Counting in granules that follow one another. */
#ifndef MEMMON_ACCESS_SPAN_H
#define MEMMON_ACCESS_SPAN_H

#include "monitor/base/internal.h"

/*
 * `add', as for mmi_access_add(), in each granule from `first' to `last',
 * which are numbered as addresses are.  As long as nothing is unusual it calls
 * nothing.  Cost: 20 instructions, and 8 for each granule, or 4 where there are
 * many; or 200 at most for long ones (ranges.h).  ctx: hook.
 */
void mmi_access_span(uintptr_t first, uintptr_t last, uint64_t add);

#endif
