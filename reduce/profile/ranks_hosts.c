/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memory that the ranks of a host used at the same time.  The snapshots of
 * each rank have the bytes live at some times, and the most bytes since the
 * previous snapshot.  The sum of the latest live bytes is roughly what the host
 * used; the sum of the most bytes is an upper bound.
 */
#include "reduce/base/sort.h"
#include "reduce/model/stages.h"
#include "reduce/profile/ranks.h"

#include <stdlib.h>
#include <string.h>

/* From `at' on, a file of the host adds these bytes (two's complement). */
struct event {
	const char *host;
	uint64_t at, live, most;
};

SORT_BY(hosts_events_by, struct event, SORT_TEXT(host) SORT_UP(at))

/*
 * The steps of a file.  live is valid from a snapshot to the next one; most
 * from the previous snapshot up to this one; both are 0 after the end.
 */
static size_t
hosts_steps(const struct ranks *k, const struct ranks_file *f, struct event *e)
{
	size_t i = f == k->files ? 0 : f[-1].snaps, n = 0;
	uint64_t live = 0, most = 0, from = f->start;
	struct ranks_snap whole = { f->start, f->peak, f->peak };
	const struct ranks_snap *s = &k->snaps[i], *end = &k->snaps[f->snaps];

	if (s == end) {
		s = &whole;
		end = s + 1;
	}
	for (; s < end; s++) {
		uint64_t up = s->most < s->live ? s->live : s->most;

		e[n++] = (struct event){ f->host, from, 0, up - most };
		e[n++] = (struct event){ f->host, s->at, s->live - live, 0 };
		live = s->live;
		most = up;
		from = s->at + (s != &whole);
	}
	e[n++] = (struct event){ f->host, f->start + f->length + 1, -live,
				 -most };
	return n;
}

/* The largest sums of a host's steps, which are in order of time. */
static void
hosts_peak(struct rank_host *h, const struct event *e, size_t n)
{
	uint64_t live = 0, most = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		live += e[i].live;
		most += e[i].most;
		if (i + 1 < n && e[i + 1].at == e[i].at)
			continue;
		if (live > h->about) {
			h->about = live;
			h->about_at = e[i].at;
		}
		if (most > h->most)
			h->most = most;
	}
}

/* Count the ranks of each host; a rank is on the host of its first file. */
static void
hosts_count(struct profile_ranks *r)
{
	size_t i, at;

	for (i = 0; i < r->n; i++) {
		at = SORT_PLACE(j, r->nhosts,
				strcmp(r->hosts[j].name, r->v[i].host) < 0);
		if (at < r->nhosts)
			r->hosts[at].ranks++;
	}
}

void
ranks_hosts(struct profile *p, const struct ranks *k,
	    const struct ranks_file *const *file, const uint32_t *of)
{
	struct event *e =
		heap_array(2 * k->nsnaps + 3 * k->nfiles + 1, sizeof(*e));
	struct profile_ranks *r = &p->ranks;
	size_t n = 0, i, from;

	(void)of;
	r->hosts =
		arena_array(&p->priv->arena, k->nfiles + 1, sizeof(*r->hosts));
	for (i = 0; i < k->nfiles; i++)
		n += hosts_steps(k, file[i], e + n);
	SORT(e, n, hosts_events_by);
	for (from = i = 0; i < n; i++) {
		if (i + 1 < n && !strcmp(e[i].host, e[i + 1].host))
			continue;
		r->hosts[r->nhosts].name = e[i].host;
		hosts_peak(&r->hosts[r->nhosts++], e + from, i + 1 - from);
		from = i + 1;
	}
	hosts_count(r);
	free(e);
}
