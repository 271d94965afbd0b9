/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page's data: blocks of a log.  As there may be very many, the page has
 * those that took the most memory for the longest, by bytes times lifetime.
 */
#include "display/blocks/block.h"
#include "display/html/html_data.h"

#include <stdlib.h>

enum { MOST = 12000 };

struct log {
	struct block_costliest costliest;
	uint64_t end, seen;
};

static int
html_log_take(void *arg, const struct block *b)
{
	struct log *g = arg;

	g->seen++;
	block_add_costliest(&g->costliest, b, g->end);
	return 0;
}

static void
text_address(struct html *h, uint64_t address)
{
	char buf[24];

	snprintf(buf, sizeof buf, "%llx", (unsigned long long)address);
	writer_text(&h->w, NULL, buf);
}

/*
 * Write the time of an access, counted from the birth of the block; null:
 * unknown, or none.
 */
static void
access_at(struct html *h, const struct block *b, uint64_t at)
{
	writer_maybe(&h->w, NULL, at > b->born ? at - b->born : 0,
		     b->used && at != UINT64_MAX);
}

/*
 * Write for each block: site plus 1, size, birth (counted from the block
 * before), lifetime (-1: live), reads, writes, first and last access (counted
 * from birth; null: none), first byte accessed and end of the last (null:
 * unknown), and whether several threads accessed it.  Write the addresses
 * separately, as text.
 */
static void
html_log_blocks(struct html *h, const struct block_costliest *k)
{
	uint64_t before = 0;

	writer_enter(&h->w, "blocks", '[');
	for (size_t i = 0; i < k->n; i++) {
		const struct block *b = &k->block[i];

		WRITER_ITEMS(&h->w,
			     b->site ? (uint64_t)(b->site - h->p->sites) + 1
				     : 0,
			     b->size, b->born - before);
		before = b->born;
		if (b->died == UINT64_MAX)
			writer_real(&h->w, NULL, -1);
		else
			writer_number(&h->w, NULL,
				      b->died > b->born ? b->died - b->born
							: 0);
		writer_maybe(&h->w, NULL, b->reads, b->used);
		writer_maybe(&h->w, NULL, b->writes, b->used);
		access_at(h, b, b->first);
		access_at(h, b, b->last);
		writer_maybe(&h->w, NULL, b->low, b->low != UINT64_MAX);
		writer_maybe(&h->w, NULL, b->high, b->high != UINT64_MAX);
		writer_maybe(&h->w, NULL, b->shared, b->used && b->placed);
	}
	writer_leave(&h->w, ']');
	WRITER_EACH(&h->w, "addresses", k->n,
		    text_address(h, k->block[i].address));
}

void
html_log(struct html *h)
{
	struct log k = { .costliest.room = MOST, .end = block_log_end(h->p) };
	struct err e;

	if (!h->p->log.known)
		return;
	k.costliest.block = calloc(MOST, sizeof *k.costliest.block);
	if (!k.costliest.block) {
		h->failed = true;
		return;
	}
	writer_line(&h->w, "log", '{');
	if (profile_log_each(h->p, html_log_take, &k, &e)) {
		writer_text(&h->w, "why", e.text);
	} else {
		block_sort_costliest(&k.costliest);
		writer_number(&h->w, "n", k.costliest.n);
		writer_number(&h->w, "of", k.seen);
		writer_number(&h->w, "end", k.end);
		writer_number(&h->w, "folded", h->p->log.folded);
		writer_truth(&h->w, "accesses", h->p->log.accesses);
		html_log_blocks(h, &k.costliest);
	}
	writer_leave(&h->w, '}');
	free(k.costliest.block);
}
