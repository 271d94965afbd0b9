/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranges of addresses made flat. */
#include <stdlib.h>

#include "reduce/symbols/symbols_span.h"
#include "reduce/symbols/symbols_pool.h"

/* Ranges that are open at `at', the one that wins on top. */
struct sweep {
	struct symbols_spans out;
	const struct symbols_span **open;
	size_t nopen;
	uint64_t at;
};

int
symbols_spans_add(struct symbols_spans *s, struct symbols_span span)
{
	if (span.start >= span.end)
		return 0;
	if (symbols_grow(&s->v, &s->room, s->n) < 0)
		return -1;
	s->v[s->n++] = span;
	return 0;
}

static int
by_start(const void *a, const void *b)
{
	const struct symbols_span *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->item != y->item)
		return x->item < y->item ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

/* Put out what is open up to `to'. */
static int
sweep_to(struct sweep *w, uint64_t to)
{
	while (w->nopen && w->at < to) {
		const struct symbols_span *top = w->open[w->nopen - 1];
		uint64_t end = top->end < to ? top->end : to;
		struct symbols_span piece = *top;

		if (end > w->at) {
			piece.start = w->at;
			piece.end = end;
			if (symbols_spans_add(&w->out, piece) < 0)
				return -1;
			w->at = end;
		}
		if (top->end <= w->at)
			w->nopen--;
	}
	if (w->at < to)
		w->at = to;
	return 0;
}

int
symbols_spans_flatten(struct symbols_spans *s)
{
	struct sweep w = { 0 };
	size_t i;

	if (!s->n)
		return 0;
	w.open = malloc(s->n * sizeof *w.open);
	if (!w.open)
		return -1;
	qsort(s->v, s->n, sizeof *s->v, by_start);
	for (i = 0; i < s->n; i++) {
		if (sweep_to(&w, s->v[i].start) < 0)
			goto fail;
		w.open[w.nopen++] = &s->v[i];
	}
	if (sweep_to(&w, UINT64_MAX) < 0)
		goto fail;
	free(w.open);
	free(s->v);
	*s = w.out;
	return 0;
fail:
	free(w.open);
	free(w.out.v);
	return -1;
}

const struct symbols_span *
symbols_spans_find(const struct symbols_spans *s, uint64_t addr)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (addr < s->v[mid].start)
			high = mid;
		else if (addr >= s->v[mid].end)
			low = mid + 1;
		else
			return &s->v[mid];
	}
	return NULL;
}

void
symbols_spans_fini(struct symbols_spans *s)
{
	free(s->v);
	*s = (struct symbols_spans){ 0 };
}
