/* SPDX-License-Identifier: MIT */
/* Groups of allocations: found, made, merged. */
#include "monitor/use/groups.h"

#include <string.h>

#include "monitor/base/arena.h"
#include "monitor/shadow/clock.h"

#define ROOM_FIRST 1u

/*
 * Is a gap of this length too short to count, however long the run gets?  Two
 * epochs that follow each other may be the same time.
 */
static inline bool
near(uint32_t from, uint32_t to, uint32_t now)
{
	uint64_t gap;

	if (to <= from + LOAD(&mmi_clock_coarsest))
		return true;
	gap = mmi_clock_units(to) - mmi_clock_units(from);
	return gap <= 1 || gap * 1000 <= mmi_clock_units(now) * MMI_GROUPS_TAU;
}

static void
unite(struct mmi_group *a, const struct mmi_group *b)
{
	if (b->last > a->last)
		a->last = b->last;
	if (b->end > a->end)
		a->end = b->end;
	a->blocks += b->blocks;
	a->life += b->life;
}

/* Merges groups that have become near because the run is longer now. */
static void
compact(struct mmi_groups *g, uint32_t now)
{
	uint32_t k = 0;

	for (uint32_t i = 1; i < g->n; i++) {
		if (near(g->group[k].last, g->group[i].first, now))
			unite(&g->group[k], &g->group[i]);
		else
			g->group[++k] = g->group[i];
	}
	g->n = g->n ? k + 1 : 0;
	g->hint = 0;
}

struct mmi_group
mmi_groups_next(const struct mmi_group **from, const struct mmi_group *end,
		uint32_t now)
{
	struct mmi_group g = *(*from)++;

	while (*from < end && near(g.last, (*from)->first, now))
		unite(&g, (*from)++);
	return g;
}

static bool
grow(struct mmi_thread *t, struct mmi_groups *g)
{
	uint32_t room = g->room ? 2 * g->room : ROOM_FIRST;
	size_t size = room * sizeof(*g->group);
	struct mmi_group *p = size <= ARCH_PAGE ? mmi_arena_take(t, size, 16)
						: mmi_arena_map(size);

	if (!p)
		return false;
	if (g->n)
		memcpy(p, g->group, g->n * sizeof(*p));
	/* Keep the old array: the thread that writes the file may be reading
	 * it. */
	STORE_REL(&g->group, p);
	g->room = room;
	return true;
}

/* The last group whose first allocation isn't after `born', plus 1; 0: none. */
static uint32_t
place(const struct mmi_groups *g, uint32_t born)
{
	uint32_t lo = 0, hi = g->n;

	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;

		if (g->group[mid].first <= born)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Makes room for a group at place i. */
static bool
insert(struct mmi_thread *t, struct mmi_groups *g, uint32_t *i, uint32_t born,
       uint32_t now)
{
	if (g->n == g->room) {
		compact(g, now);
		/* Avoids another compact() soon. */
		if (2 * g->n >= g->room && !grow(t, g) && g->n == g->room)
			return false;
		*i = place(g, born);
	}
	memmove(&g->group[*i + 1], &g->group[*i],
		(g->n - *i) * sizeof(*g->group));
	STORE_REL(&g->n, g->n + 1);
	return true;
}

static bool
add_slow(struct mmi_thread *t, struct mmi_groups *g, uint32_t now,
	 const struct mmi_group *new)
{
	uint32_t born = new->first, i = place(g, born);

	if (i && born <= g->group[i - 1].last) {
		g->hint = i - 1;
		unite(&g->group[i - 1], new);
		return true;
	}
	if (i && near(g->group[i - 1].last, born, now)) {
		i--;
	} else if (i < g->n && near(born, g->group[i].first, now)) {
		g->group[i].first = born;
	} else {
		if (!insert(t, g, &i, born, now))
			return false;
		g->group[i] = *new;
		g->hint = i;
		return true;
	}
	unite(&g->group[i], new);
	g->hint = i;
	/* The block may have closed a gap. */
	if (i + 1 < g->n &&
	    near(g->group[i].last, g->group[i + 1].first, now)) {
		unite(&g->group[i], &g->group[i + 1]);
		memmove(&g->group[i + 1], &g->group[i + 2],
			(g->n - i - 2) * sizeof(*g->group));
		g->n--;
	}
	return true;
}

bool
mmi_groups_add_slow(struct mmi_thread *t, struct mmi_groups *g, uint32_t born,
		    uint32_t now, uint64_t n, uint64_t life)
{
	struct mmi_group new = { born, born, now, 0, n, life }, *p;

	/* The last group goes on. */
	if (g->n && g->hint + 1 == g->n) {
		p = &g->group[g->hint];
		if (LIKELY(born >= p->first && near(p->last, born, now))) {
			unite(p, &new);
			return true;
		}
	}
	return add_slow(t, g, now, &new);
}
