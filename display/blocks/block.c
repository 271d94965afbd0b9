/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tables of single blocks share. */
#include "display/blocks/block.h"
#include "display/grid/view.h"

#include "display/text/amount.h"
#include "display/text/number.h"
#include "reduce/base/sort.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Print how many blocks were counted but are not in the log. */
static void
block_missing(struct tables *t)
{
	const struct profile_log *g = &t->p->log;
	struct line *l = &t->line;
	char time[NUMBER_SIZE];

	if (g->folded)
		line_say(l,
			 "%" PRIu64 " more are only in the counts: %s%s.  "
			 "Some blocks freed before %s s may be missing.",
			 g->folded,
			 g->error ? "the log could not be written: "
				  : "the log had no room for them (memmon "
				    "--log=SIZE)",
			 g->error ? strerror(g->error) : "",
			 number_seconds(time, g->whole_from));
	if (g->missed)
		line_say(l,
			 "Of %" PRIu64 " more there was no memory to keep "
			 "a record.",
			 g->missed);
	if (g->damaged)
		line_say(l,
			 "%" PRIu64 " more can't be read: the log is "
			 "damaged, or cut.",
			 g->damaged);
	if (!g->live)
		tables_say(t, "The log doesn't contain blocks that were live "
			      "when the program was killed, and the last "
			      "blocks freed.");
}

bool
block_title(struct tables *t, const char *title)
{
	const struct profile_log *g = &t->p->log;

	tables_title(t, title);
	if (!g->known) {
		line_say(&t->line, "The run has no log of blocks: %s.", g->why);
		return false;
	}
	line_say(&t->line, "The log has %" PRIu64 " block%s%s.", g->blocks,
		 g->blocks == 1 ? "" : "s",
		 g->accesses ? ", with their accesses" : "");
	block_missing(t);
	line_end(&t->line);
	return true;
}

uint64_t
block_log_end(const struct profile *p)
{
	const struct run *r = p->nruns ? &p->runs[0] : NULL;
	uint64_t end = r ? r->length : 0;

	if (profile_is_earlier(p))
		return p->snapshot.at;
	return r && r->seen_known && r->seen > end ? r->seen : end;
}

size_t
block_site(const struct profile *p, const struct block *b)
{
	return b->site ? (size_t)(b->site - p->sites) : p->nsites;
}

size_t
block_rows(const struct tables *t, size_t usual)
{
	return t->o->top ? t->o->top : usual;
}

/* ------------------------------------------------------ the costliest -- */

uint64_t
block_life(const struct block *b, uint64_t end)
{
	uint64_t died = b->died == UINT64_MAX ? end : b->died;

	return died > b->born ? died - b->born : 0;
}

/* Is a of less interest than b?  Lifetimes are in us, so that there is room. */
static bool
less(const struct block *a, const struct block *b, uint64_t end)
{
	uint64_t x = amount_mul(a->size, block_life(a, end) / 1000 + 1);
	uint64_t y = amount_mul(b->size, block_life(b, end) / 1000 + 1);

	if (x != y)
		return x < y;
	if (a->born != b->born)
		return a->born > b->born;
	return a->address > b->address;
}

static void
sift(struct block_costliest *k, size_t i, uint64_t end)
{
	struct block x = k->block[i];
	size_t c;

	for (; (c = 2 * i + 1) < k->n; i = c) {
		if (c + 1 < k->n && less(&k->block[c + 1], &k->block[c], end))
			c++;
		if (!less(&k->block[c], &x, end))
			break;
		k->block[i] = k->block[c];
	}
	k->block[i] = x;
}

void
block_add_costliest(struct block_costliest *k, const struct block *b,
		    uint64_t end)
{
	if (k->n < k->room) {
		k->block[k->n++] = *b;
		if (k->n == k->room)
			for (size_t i = k->n; i-- > 0;)
				sift(k, i, end);
	} else if (k->n && less(&k->block[0], b, end)) {
		k->block[0] = *b;
		sift(k, 0, end);
	}
}

SORT_BY(by_birth, struct block, SORT_UP(born) SORT_UP(address))

void
block_sort_costliest(struct block_costliest *k)
{
	SORT(k->block, k->n, by_birth);
}

bool
block_path_means(const struct site *s, const char *symspec)
{
	const struct frame *f;

	for (f = s->leaf; f; f = f->parent)
		if (profile_means(f->func, symspec))
			return true;
	return false;
}

int
chunks_check(const struct profile *p, const struct options *o, struct err *e)
{
	size_t i;

	if (!o->chunks || !o->chunks_of)
		return 0;
	for (i = 0; i < p->nsites; i++)
		if (block_path_means(&p->sites[i], o->chunks_of))
			return 0;
	return err_set(e,
		       "--log=blocks:%s: no function on a call path has this "
		       "name; mpreduce -p --verbose=zero lists all names",
		       o->chunks_of);
}
