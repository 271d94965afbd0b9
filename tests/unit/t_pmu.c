/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The CPU's counters, read from a page like the kernel's, with the test's own
 * rdpmc: most CI machines have no counters.
 */
#include <stdint.h>

static int asked;
static uint64_t fake_rdpmc(int i);
#define COUNTERS_RDPMC(i) fake_rdpmc(i)
#include "monitor/costs/pmu.c"

#include "tests/tap.h"

static struct perf_event_mmap_page page[MMI_COST_NCOUNTER];
static int changes; /* how often the kernel writes during a read */

static uint64_t
fake_rdpmc(int i)
{
	asked++;
	if (changes) {
		changes--;
		page[0].lock++;
		page[0].offset += 1000;
	}
	/* A counter has 48 bits; the highest is the sign. */
	return i == 7 ? 0xfffffffffff0u : 100 + (uint64_t)i;
}

int
main(void)
{
	struct mmi_pmu k = { { &page[0], &page[1], &page[2] } };
	uint64_t v[MMI_COST_NCOUNTER];

	for (int i = 0; i < MMI_COST_NCOUNTER; i++) {
		page[i].cap_user_rdpmc = 1;
		page[i].pmc_width = 48;
		page[i].index = (uint32_t)i + 1;
		page[i].offset = 10 * i;
	}
	ok(mmi_pmu_read(&k, v), "all of them are there");
	ok(v[0] == 100 && v[1] == 111 && v[2] == 122,
	   "the counter, and what it had before");
	changes = 3;
	asked = 0;
	ok(mmi_pmu_read(&k, v) && asked == 4 + 2 && v[0] == 3100,
	   "read anew when the kernel has written meanwhile");
	page[1].index = 8;
	page[1].offset = 1 << 20;
	ok(mmi_pmu_read(&k, v) && v[1] == (1 << 20) - 16,
	   "a counter that is below 0 (48 bits)");
	page[2].index = 0;
	ok(!mmi_pmu_read(&k, v), "one that isn't scheduled now isn't known");
	page[2].index = 3;
	page[2].cap_user_rdpmc = 0;
	ok(!mmi_pmu_read(&k, v), "nor one that may not be read");
	mmi_pmu_fork(&k);
	ok(!mmi_pmu_read(&k, v), "nor in the child of a fork");

	/* The counters of this machine: they count, or the reason is known. */
	mmi_pmu_open(&k);
	ok(!!k.page[0] == !mmi_pmu_why(), "they are there, or it is known why");
	if (k.page[0]) {
		mmi_pmu_close(&k);
		ok(!k.page[0], "and not any more");
	} else {
		ok(mmi_pmu_why() > 0 && mmi_pmu_why() < 4096, "an errno");
	}
	return done_testing();
}
