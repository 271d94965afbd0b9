/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes ranges of addresses flat. */
#include <stdlib.h>

#include "reduce/symbols/symbols_span.h"
#include "reduce/base/sort.h"
#include "reduce/symbols/symbols_pool.h"

/* Ranges that contain `at', the winner on top. */
struct sweep {
	struct symbols_spans out;
	const struct symbols_span **open;
	size_t nopen;
	uint64_t at;
};

void
symbols_spans_add(struct symbols_spans *s, struct symbols_span span)
{
	if (span.start >= span.end)
		return;
	ARRAY_ROOM(s->v, s->room, s->n + 1);
	s->v[s->n++] = span;
}

SORT_BY(by_start, struct symbols_span,
	SORT_UP(start) SORT_UP(rank) SORT_UP(item) SORT_UP(end))

/* Output the open ranges up to `to'. */
static void
sweep_to(struct sweep *w, uint64_t to)
{
	while (w->nopen && w->at < to) {
		const struct symbols_span *top = w->open[w->nopen - 1];
		uint64_t end = top->end < to ? top->end : to;
		struct symbols_span piece = *top;

		if (end > w->at) {
			piece.start = w->at;
			piece.end = end;
			symbols_spans_add(&w->out, piece);
			w->at = end;
		}
		if (top->end <= w->at)
			w->nopen--;
	}
	if (w->at < to)
		w->at = to;
}

void
symbols_spans_flatten(struct symbols_spans *s)
{
	struct sweep w = { 0 };
	size_t i;

	if (!s->n)
		return;
	w.open = heap_new(s->n * sizeof *w.open);
	SORT(s->v, s->n, by_start);
	for (i = 0; i < s->n; i++) {
		sweep_to(&w, s->v[i].start);
		w.open[w.nopen++] = &s->v[i];
	}
	sweep_to(&w, UINT64_MAX);
	free(w.open);
	free(s->v);
	*s = w.out;
}

const struct symbols_span *
symbols_spans_find(const struct symbols_spans *s, uint64_t addr)
{
	size_t at = SORT_PLACE(i, s->n, s->v[i].end <= addr);

	return at < s->n && s->v[at].start <= addr ? &s->v[at] : NULL;
}

void
symbols_spans_fini(struct symbols_spans *s)
{
	free(s->v);
	*s = (struct symbols_spans){ 0 };
}
