/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The snapshots of an image, and its table MEMORY_SNAPSHOTS. */
#include "reduce/base/sort.h"
#include "reduce/monout/items.h"
#include "reduce/monout/sum.h"
#include "reduce/image/image_reader.h"
#include "reduce/model/runs.h"

#include <stdlib.h>

/* The last snapshot: the counts at the end, or now. */
static struct mon_snapshot
times_end(const struct image *g)
{
	struct mon_snapshot x = { .at = image_length(g),
				  TOTALS_INIT(&g->t.count),
				  .rss = UINT64_MAX };
	uint64_t live = g->t.count.bytes - g->t.count.freed;

	x.peak = g->global->high > live ? g->global->high : live;
	return x;
}

void
image_put_times(struct image *g)
{
	const struct monimg_snapshots *all = &g->global->snapshots;
	uint64_t n = counts_least(all->n, MONIMG_SNAPSHOTS), number = 0, i;
	const struct monimg_snapshot *x;
	struct mon_snapshot *to, end = times_end(g);

	if (!all->known)
		return;
	to = heap_array(MONIMG_SNAPSHOTS + 1, sizeof(*to));
	g->snapshots = heap_array(MONIMG_SNAPSHOTS, sizeof(*g->snapshots));
	for (i = 0; i < n; i++) {
		x = &all->snapshot[i];
		if (x->number <= number || x->at < g->h.mono ||
		    x->at - g->h.mono > end.at ||
		    !TOTALS_WITHIN(x, &g->t.count))
			continue;
		g->snapshots[g->nsnapshots++] = number = x->number;
		to[g->t.snapshots++] =
			(struct mon_snapshot){ .at = x->at - g->h.mono,
					       TOTALS_INIT(x),
					       .peak = x->peak,
					       .rss = x->rss };
	}
	to[g->t.snapshots++] = end;
	emit_open(&g->out, MONOUT_SNAPSHOTS, 0);
	sum_put_snapshots(&g->out, to, g->t.snapshots);
	emit_close(&g->out);
	free(to);
}

uint64_t
image_times_place(const struct image *g, uint64_t number)
{
	return SORT_PLACE(i, g->nsnapshots, g->snapshots[i] < number);
}

uint64_t
image_last_snapshot(const struct image *g)
{
	const struct monimg_snapshots *all = &g->global->snapshots;
	uint64_t n = counts_least(all->n, MONIMG_SNAPSHOTS);

	return n && all->snapshot[n - 1].number ? all->snapshot[n - 1].at : 0;
}

/*
 * Is the moment complete, and later than `after'?  If not, the monitor is just
 * writing or moving it.
 */
static bool
moment_is_whole(const struct image *g, const struct monimg_moment *x,
		uint64_t after)
{
	uint64_t heap = 0, rest = 0;

	for (int i = MEMORY_LIVE; i <= MEMORY_PARTS; i++)
		image_add(&heap, x->line[i]);
	for (int i = MEMORY_MAPPED; i <= MEMORY_OTHER; i++)
		image_add(&rest, x->line[i]);
	image_add(&rest, heap);
	return x->at > after && x->at - g->h.mono <= image_length(g) &&
	       heap == x->line[MEMORY_HEAP] && rest == x->line[MEMORY_RESIDENT];
}

void
image_put_moments(struct image *g)
{
	static const char *const name[MONREC_MEMORY_COUNT] = {
#define X(NAME, name) #name,
		MONREC_MEMORY_LINES(X)
#undef X
	};
	const struct monimg_moments *all = &g->global->moments;
	uint64_t n = counts_least(all->n, MONIMG_MOMENTS);
	uint64_t last = g->h.mono;

	emit_open(&g->out, MONOUT_MEMORY_SNAPSHOTS, 0);
	for (uint64_t i = 0; i < n; i++) {
		const struct monimg_moment *x = &all->moment[i];

		if (!moment_is_whole(g, x, last))
			continue;
		last = x->at;
		for (size_t k = 0; k < MONREC_MEMORY_COUNT; k++) {
			struct mon_memory_snapshot item = {
				.name = name[k],
				.at = last - g->h.mono,
				.bytes = x->line[k]
			};

			if (!item.bytes)
				continue;
			items_put_memory_snapshot(&g->out, &item);
			g->t.memory_snapshots++;
		}
	}
	emit_close(&g->out);
}
