/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time of the peak.  The data file says when the peak ended, but by a clock
 * that was read a little later than the clock of the log.  So the log is
 * searched around that time for a moment when as many bytes were live as at the
 * peak.
 */
#include "display/blocks/block.h"
#include "reduce/base/sort.h"

#include <stdlib.h>

/* Limits of the search: ns before and after the time; events. */
enum { AROUND = 2000000, MOST = 1 << 20 };

struct event {
	uint64_t time, bytes; /* from then on this much more is live, modulo
			       * 2^64 */
};

struct search {
	uint64_t from, to;
	uint64_t live; /* bytes at `from', before the events of that time */
	struct event *event;
	size_t n;
};

static void
happen(struct search *s, uint64_t time, uint64_t bytes)
{
	if (time < s->from) {
		s->live += bytes;
	} else if (time <= s->to) {
		if (s->n < MOST)
			s->event[s->n] = (struct event){ time, bytes };
		s->n++;
	}
}

static int
block_peak_take(void *arg, const struct block *b)
{
	struct search *s = arg;

	happen(s, b->born, b->size);
	if (b->died != UINT64_MAX)
		happen(s, b->died, -b->size);
	return 0;
}

SORT_BY(compare, struct event, SORT_UP(time))

int
block_peak(struct tables *t, uint64_t *time, bool *exact)
{
	uint64_t at = t->p->peak_at;
	struct search s = {
		.from = at > AROUND ? at - AROUND : 0,
		.to = at < UINT64_MAX - AROUND ? at + AROUND : UINT64_MAX,
		.event = malloc(MOST * sizeof(struct event)),
	};
	int status = -1;
	size_t i;

	*time = at;
	*exact = false;
	if (s.event)
		status = profile_log_all(t->p, block_peak_take, &s, t->e);
	if (!status && s.n <= MOST) {
		/* The peak may have lasted since long before. */
		*exact = s.from && s.live == t->p->peak && t->p->peaks_known;
		if (*exact)
			*time = s.from - 1;
		qsort(s.event, s.n, sizeof(*s.event), compare);
		for (i = 0; i < s.n && !*exact; i++) {
			s.live += s.event[i].bytes;
			*exact = s.live == t->p->peak && t->p->peaks_known &&
				 (i + 1 == s.n ||
				  s.event[i + 1].time > s.event[i].time);
			if (*exact)
				*time = s.event[i].time;
		}
	}
	free(s.event);
	return status;
}
