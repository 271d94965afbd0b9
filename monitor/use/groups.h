/* SPDX-License-Identifier: MIT */
/*
 * Groups of allocations without a gap of more than 0.1% of the run between
 * them.  Times are epochs of the clock; lifetimes are in its units.
 */
#ifndef MEMMON_USE_GROUPS_H
#define MEMMON_USE_GROUPS_H

#include "monitor/base/thread.h"

struct mmi_group {
	uint32_t first, last; /* allocations */
	uint32_t end;	      /* last free */
	uint32_t unused;
	uint64_t blocks, life;
};

/*
 * In the order of first allocations; groups are more than 0.1% apart, or were
 * so when they were made.
 */
struct mmi_groups {
	struct mmi_group *group;
	uint32_t n, room;
	uint32_t hint; /* group of the last block */
};

/* The longest gap, in 1/1000 of the run so far. */
#define MMI_GROUPS_TAU 1u

/*
 * The group at *from merged with the following groups, before `end', that are
 * near to it by now; *from then points behind them.  ctx: exit.
 */
struct mmi_group mmi_groups_next(const struct mmi_group **from,
				 const struct mmi_group *end, uint32_t now);

/*
 * n blocks, made at `born', are freed at `now' after `life' in all.  False: no
 * memory for a new group.  ctx: hook.
 */
bool mmi_groups_add_slow(struct mmi_thread *t, struct mmi_groups *g,
			 uint32_t born, uint32_t now, uint64_t n,
			 uint64_t life);

static inline bool
mmi_groups_add(struct mmi_thread *t, struct mmi_groups *g, uint32_t born,
	       uint32_t now, uint64_t n, uint64_t life)
{
	struct mmi_group *p;

	if (UNLIKELY(g->hint >= g->n))
		return mmi_groups_add_slow(t, g, born, now, n, life);
	p = &g->group[g->hint];
	/* A step of the clock isn't a gap: it is at most 1/1024 of the run, or
	 * a unit. */
	if (born < p->first || born > p->last + 1)
		return mmi_groups_add_slow(t, g, born, now, n, life);
	if (born > p->last)
		p->last = born;
	if (now > p->end)
		p->end = now;
	p->blocks += n;
	p->life += life;
	return true;
}

#endif
