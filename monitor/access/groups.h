/* SPDX-License-Identifier: MIT */
/*
 * Groups of allocations without a gap of more than 0.1% of the run between
 * them.  Times are units of the clock.
 */
#ifndef MEMMON_ACCESS_GROUPS_H
#define MEMMON_ACCESS_GROUPS_H

#include "monitor/internal.h"

struct mmi_group {
	uint64_t first, last; /* allocations */
	uint64_t end;	      /* last free */
	uint64_t blocks, life;
};

/* By time of the first allocation; two are more than 0.1% apart, or were. */
struct mmi_groups {
	struct mmi_group *group;
	uint32_t n, room;
	uint32_t hint; /* that the last block was in */
};

/* Of the run so far, in 1/1000. */
#define MMI_GROUPS_TAU 1u

/*
 * A block that was made at `born' goes at `now'.  False: there is no memory for
 * a new group.  ctx: hook.
 */
bool mmi_groups_slow(struct mmi_thread *t, struct mmi_groups *g, uint64_t born,
		     uint64_t now);

static inline bool
mmi_groups_add(struct mmi_thread *t, struct mmi_groups *g, uint64_t born,
	       uint64_t now)
{
	struct mmi_group *p;

	if (LIKELY(g->hint < g->n)) {
		p = &g->group[g->hint];
		if (LIKELY(born >= p->first && born <= p->last)) {
			p->blocks++;
			p->life += now - born;
			if (now > p->end)
				p->end = now;
			return true;
		}
	}
	return mmi_groups_slow(t, g, born, now);
}

#endif
