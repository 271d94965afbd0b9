/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page's data: blocks of a log.  There may be very many: the page has those
 * that took the most memory for the longest, bytes times lifetime.
 */
#include "display/blocks/blocks.h"
#include "display/html/html_data.h"

#include <stdlib.h>

enum { MOST = 12000 };

struct kept {
	struct block *heap; /* the least cost first */
	size_t n;
	uint64_t end, seen;
};

static uint64_t
cost(const struct kept *k, const struct block *b)
{
	uint64_t died = b->died == UINT64_MAX ? k->end : b->died;
	uint64_t life = died > b->born ? died - b->born : 0;

	return blocks_times(b->size, life / 1000 + 1);
}

static void
swap(struct block *a, struct block *b)
{
	struct block t = *a;

	*a = *b;
	*b = t;
}

static void
sink(struct kept *k)
{
	size_t i = 0, c;

	while ((c = 2 * i + 1) < k->n) {
		if (c + 1 < k->n &&
		    cost(k, &k->heap[c + 1]) < cost(k, &k->heap[c]))
			c++;
		if (cost(k, &k->heap[i]) <= cost(k, &k->heap[c]))
			return;
		swap(&k->heap[i], &k->heap[c]);
		i = c;
	}
}

static int
take(void *arg, const struct block *b)
{
	struct kept *k = arg;
	size_t i;

	k->seen++;
	if (k->n == MOST) {
		if (cost(k, b) <= cost(k, &k->heap[0]))
			return 0;
		k->heap[0] = *b;
		sink(k);
		return 0;
	}
	i = k->n++;
	k->heap[i] = *b;
	while (i && cost(k, &k->heap[i]) < cost(k, &k->heap[(i - 1) / 2])) {
		swap(&k->heap[i], &k->heap[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
	return 0;
}

static int
by_birth(const void *va, const void *vb)
{
	const struct block *a = va, *b = vb;

	if (a->born != b->born)
		return a->born < b->born ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

static void
text_address(struct html *h, uint64_t address)
{
	char buf[24];

	snprintf(buf, sizeof buf, "%llx", (unsigned long long)address);
	writer_text(&h->w, NULL, buf);
}

/*
 * Site (plus 1), size, born since the one before, lifetime (-1: it lives),
 * reads, writes of each block; addresses, as text, apart.
 */
static void
blocks(struct html *h, const struct kept *k)
{
	uint64_t before = 0;

	writer_enter(&h->w, "blocks", '[');
	for (size_t i = 0; i < k->n; i++) {
		const struct block *b = &k->heap[i];

		writer_number(&h->w, NULL,
			      b->site ? (uint64_t)(b->site - h->p->sites) + 1
				      : 0);
		writer_number(&h->w, NULL, b->size);
		writer_number(&h->w, NULL, b->born - before);
		before = b->born;
		if (b->died == UINT64_MAX)
			writer_real(&h->w, NULL, -1);
		else
			writer_number(&h->w, NULL,
				      b->died > b->born ? b->died - b->born
							: 0);
		writer_maybe(&h->w, NULL, b->reads, b->used);
		writer_maybe(&h->w, NULL, b->writes, b->used);
	}
	writer_leave(&h->w, ']');
	writer_enter(&h->w, "addresses", '[');
	for (size_t i = 0; i < k->n; i++)
		text_address(h, k->heap[i].address);
	writer_leave(&h->w, ']');
}

void
html_log(struct html *h)
{
	struct kept k = { .end = blocks_end(h->p) };
	struct err e;

	if (!h->p->log.known)
		return;
	k.heap = calloc(MOST, sizeof *k.heap);
	if (!k.heap) {
		h->failed = true;
		return;
	}
	writer_line(&h->w, "log", '{');
	if (profile_log_each(h->p, take, &k, &e)) {
		writer_text(&h->w, "why", e.text);
	} else {
		qsort(k.heap, k.n, sizeof *k.heap, by_birth);
		writer_number(&h->w, "n", k.n);
		writer_number(&h->w, "of", k.seen);
		writer_number(&h->w, "end", k.end);
		writer_number(&h->w, "folded", h->p->log.folded);
		writer_truth(&h->w, "accesses", h->p->log.accesses);
		blocks(h, &k);
	}
	writer_leave(&h->w, '}');
	free(k.heap);
}
