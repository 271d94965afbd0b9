/* SPDX-License-Identifier: MIT */
/* Marks on the addresses of recorded blocks. */
#include "monitor/base/sampling.h"

uint64_t mmi_sample_rate;
uint8_t mmi_sample_filter[MMI_SAMPLE_FILTER];

void
mmi_sample_mark(const void *p)
{
	uint8_t *f = mmi_sample_place(p), n = LOAD(f);

	while (n < UINT8_MAX && !CAS(f, &n, (uint8_t)(n + 1)))
		;
}

void
mmi_sample_unmark(const void *p)
{
	uint8_t *f = mmi_sample_place(p), n = LOAD(f);

	while (n && n < UINT8_MAX && !CAS(f, &n, (uint8_t)(n - 1)))
		;
}
