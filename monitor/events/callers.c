/* SPDX-License-Identifier: MIT */
/* Numbers of calling places: the index of the return address in a table. */
#include "monitor/events/callers.h"
#include "monitor/base/table.h"

#include <string.h>

#define MOST (STREAM_CALLERS / 4)

static MMI_TABLE uint64_t callers[STREAM_CALLERS]; /* atomic; 0: free */
static uint32_t used;

uint32_t
mmi_callers_number(struct stream_head *h, uintptr_t pc)
{
	uint64_t at = (pc * 0x9e3779b97f4a7c15u) >> 46;

	_Static_assert(STREAM_CALLERS >> 17 == 2, "the shift");
	for (;; at = (at + 1) % STREAM_CALLERS) {
		uint64_t v = LOAD(&callers[at]);

		if (v == pc)
			return MEMMON_CALLERS | (uint32_t)at;
		if (v)
			continue;
		/* All further places get one number. */
		if (LOAD(&used) >= MOST)
			return MEMMON_CALLERS;
		if (!CAS(&callers[at], &v, pc)) {
			if (v == pc)
				return MEMMON_CALLERS | (uint32_t)at;
			continue;
		}
		FETCH_ADD(&used, 1);
		if (h)
			((uint64_t *)((uintptr_t)h + h->callers_at))[at] = pc;
		return MEMMON_CALLERS | (uint32_t)at;
	}
}

void
mmi_callers_copy(struct stream_head *h)
{
	memcpy((char *)h + h->callers_at, callers, sizeof(callers));
}
