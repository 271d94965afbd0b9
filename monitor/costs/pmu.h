/* SPDX-License-Identifier: MIT */
/* The CPU's counters of a thread, by perf_event_open(2) and rdpmc. */
#ifndef MEMMON_PMU_H
#define MEMMON_PMU_H

#include "monitor/costs/cost.h"

/*
 * Count in the calling thread from now on, if that can be; its pages stay
 * mapped, and no descriptor stays open.  And no more.  ctx: slow.
 */
void mmi_pmu_open(struct mmi_pmu *k);
void mmi_pmu_close(struct mmi_pmu *k);

/* In the child of a fork, where the pages aren't.  ctx: fork. */
void mmi_pmu_fork(struct mmi_pmu *k);

/*
 * What they are at now, of the calling thread; false: they aren't known.  To be
 * told from each other only.  ctx: any.
 */
bool mmi_pmu_read(const struct mmi_pmu *k, uint64_t v[MMI_COST_NCOUNTER]);

/* Why no thread counts, an errno; 0: one does, or none was asked. */
int mmi_pmu_why(void);

#endif
