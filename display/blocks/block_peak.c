/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When the peak was.  The data file says when it ended, by a clock that was
 * read a little later than that for the log.  So around it that time is looked
 * for at which as many bytes were live, by the log.
 */
#include "display/blocks/block.h"
#include "reduce/base/sort.h"

#include <stdlib.h>

/* So far on either side, ns; of so many events. */
enum { AROUND = 2000000, MOST = 1 << 20 };

struct event {
	uint64_t time, bytes; /* more live from then on, modulo 2^64 */
};

struct search {
	uint64_t from, to;
	uint64_t live; /* bytes at `from', before what happened then */
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
take(void *arg, const struct block *b)
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
		status = profile_log_all(t->p, take, &s, t->e);
	if (!status && s.n <= MOST) {
		/* It may have been so for long. */
		*exact = s.from && s.live == t->p->peak && t->p->peak_known;
		if (*exact)
			*time = s.from - 1;
		qsort(s.event, s.n, sizeof(*s.event), compare);
		for (i = 0; i < s.n && !*exact; i++) {
			s.live += s.event[i].bytes;
			*exact = s.live == t->p->peak && t->p->peak_known &&
				 (i + 1 == s.n ||
				  s.event[i + 1].time > s.event[i].time);
			if (*exact)
				*time = s.event[i].time;
		}
	}
	free(s.event);
	return status;
}
