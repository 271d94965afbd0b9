/* SPDX-License-Identifier: MIT */
/* The CPU's counters: a page from the kernel for each, and rdpmc. */
#include "monitor/costs/pmu.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define CACHE(what, how, result) \
	((uint64_t)PERF_COUNT_HW_CACHE_##what | \
	 (uint64_t)PERF_COUNT_HW_CACHE_OP_##how << 8 | \
	 (uint64_t)PERF_COUNT_HW_CACHE_RESULT_##result << 16)

static const struct {
	uint32_t type;
	uint64_t config;
} counters[MMI_COST_NCOUNTER] = {
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ PERF_TYPE_HW_CACHE, CACHE(DTLB, READ, MISS) },
};

static int why;	 /* atomic: errno of the first failure */
static int some; /* atomic: a thread counts */

/* The unit test replaces it. */
#ifndef COUNTERS_RDPMC
#define COUNTERS_RDPMC(i) ARCH_COUNTER(i)
#endif

static struct perf_event_mmap_page *
counter_open(unsigned i)
{
	struct perf_event_attr a = { .size = sizeof(a),
				     .type = counters[i].type,
				     .config = counters[i].config,
				     .exclude_kernel = 1,
				     .exclude_hv = 1 };
	long fd, at;

	fd = ARCH_SYS(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC,
		      0);
	if (fd < 0) {
		STORE(&why, (int)-fd);
		return NULL;
	}
	/* The mapping keeps the counter open. */
	at = ARCH_SYS(SYS_mmap, 0, ARCH_PAGE_NOW, PROT_READ, MAP_SHARED, fd, 0);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	if (at < 0 && at > -4096) {
		STORE(&why, (int)-at);
		return NULL;
	}
	if (!ARCH_COUNTERS ||
	    !((struct perf_event_mmap_page *)at)->cap_user_rdpmc) {
		STORE(&why, EOPNOTSUPP);
		ARCH_SYS(SYS_munmap, at, ARCH_PAGE_NOW, 0, 0, 0, 0);
		return NULL;
	}
	return (struct perf_event_mmap_page *)at;
}

void
mmi_pmu_open(struct mmi_pmu *k)
{
	/* If it was refused once, it always will be. */
	if (LOAD(&why))
		return;
	for (unsigned i = 0; i < MMI_COST_NCOUNTER; i++)
		if (!(k->page[i] = counter_open(i))) {
			mmi_pmu_close(k);
			return;
		}
	STORE(&some, 1);
}

void
mmi_pmu_close(struct mmi_pmu *k)
{
	for (unsigned i = 0; i < MMI_COST_NCOUNTER; i++)
		if (k->page[i])
			ARCH_SYS(SYS_munmap, k->page[i], ARCH_PAGE_NOW, 0, 0, 0,
				 0);
	mmi_pmu_fork(k);
}

void
mmi_pmu_fork(struct mmi_pmu *k)
{
	memset(k, 0, sizeof(*k));
}

/* As the kernel's header describes: see perf_event_open(2), "MMAP layout". */
static bool
counter_read(const struct perf_event_mmap_page *p, uint64_t *v)
{
	const volatile struct perf_event_mmap_page *page = p;
	uint32_t lock, index;
	uint64_t n;

	do {
		lock = page->lock;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		index = page->index;
		if (!page->cap_user_rdpmc || !index || page->pmc_width > 64 ||
		    !page->pmc_width)
			return false;
		n = (uint64_t)COUNTERS_RDPMC((int)index - 1);
		n <<= 64 - page->pmc_width;
		n = (uint64_t)((int64_t)n >> (64 - page->pmc_width));
		n += (uint64_t)page->offset;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
	} while (page->lock != lock);
	*v = n;
	return true;
}

bool
mmi_pmu_read(const struct mmi_pmu *k, uint64_t v[MMI_COST_NCOUNTER])
{
	for (unsigned i = 0; i < MMI_COST_NCOUNTER; i++)
		if (!k->page[i] || !counter_read(k->page[i], &v[i]))
			return false;
	return true;
}

int
mmi_pmu_why(void)
{
	return LOAD(&some) ? 0 : LOAD(&why);
}
