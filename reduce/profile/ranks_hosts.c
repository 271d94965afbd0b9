/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the ranks of a host held at the same time.  Each rank's snapshots tell
 * what it had at some times, and the most that it had since the one before: the
 * sum of the former, as they last were, is about what the host held, that of
 * the latter the most it can have.
 */
#include "reduce/base/sort.h"
#include "reduce/model/stages.h"
#include "reduce/profile/ranks.h"

#include <stdlib.h>
#include <string.h>

/* From `at' on, a file of a host has so much more: two's complement. */
struct event {
	const char *host;
	uint64_t at, live, most;
};

SORT_BY(hosts_events_by, struct event, SORT_TEXT(host) SORT_UP(at))

/*
 * A file's steps: live holds from a snapshot to the next one, most from the one
 * before up to it, and nothing after the end.
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

/* The largest sums of a host's steps, which are in order. */
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

/* How many ranks the hosts have: each where its first file is. */
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

int
ranks_hosts(struct profile *p, const struct ranks *k,
	    const struct ranks_file *const *file, const uint32_t *of)
{
	struct event *e = calloc(2 * k->nsnaps + 3 * k->nfiles + 1, sizeof(*e));
	struct profile_ranks *r = &p->ranks;
	size_t n = 0, i, from;

	(void)of;
	r->hosts =
		arena_array(&p->priv->arena, k->nfiles + 1, sizeof(*r->hosts));
	for (i = 0; e && i < k->nfiles; i++)
		n += hosts_steps(k, file[i], e + n);
	if (!e || !r->hosts) {
		free(e);
		return -1;
	}
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
	return 0;
}
