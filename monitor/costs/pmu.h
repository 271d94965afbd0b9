/* SPDX-License-Identifier: MIT */
/* The CPU's counters of a thread, by perf_event_open(2) and rdpmc. */
#ifndef MEMMON_PMU_H
#define MEMMON_PMU_H

#include "monitor/costs/cost.h"

/*
 * _open: count in the calling thread from now on, if possible; its pages stay
 * mapped, and no descriptor stays open.  _close: stop counting.  ctx: slow.
 */
void mmi_pmu_open(struct mmi_pmu *k);
void mmi_pmu_close(struct mmi_pmu *k);

/* In the child of a fork, which doesn't have the pages.  ctx: fork. */
void mmi_pmu_fork(struct mmi_pmu *k);

/*
 * The present values of the calling thread's counters; false: unknown.  Only
 * differences between two calls have a meaning.  ctx: any.
 */
bool mmi_pmu_read(const struct mmi_pmu *k, uint64_t v[MMI_COST_NCOUNTER]);

/*
 * Why no thread counts, an errno; 0: a thread counts, or none tried.  ctx: any.
 */
int mmi_pmu_why(void);

#endif
