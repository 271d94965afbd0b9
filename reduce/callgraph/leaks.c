/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of leak checks, without those that suppressions hide. */
#include "reduce/callgraph/leaks.h"
#include "reduce/base/clean.h"

_Static_assert((int)PROFILE_NLEAK == (int)MONOUT_NLEAK, "the same kinds");

void
leaks_init(struct profile *p, const struct mon *m, const struct suppress *s,
	   bool show_runtime)
{
	size_t i;

	p->suppressions = arena_array(&p->priv->arena, s->n + 1,
				      sizeof(*p->suppressions));
	p->priv->hidden = arena_array(&p->priv->arena, m->nsites,
				      sizeof(*p->priv->hidden));
	p->priv->leaked_hidden = arena_array(&p->priv->arena, m->nsites,
					     sizeof(*p->priv->leaked_hidden));
	for (i = 0; i < s->n; i++)
		p->suppressions[i].pattern =
			clean_name(&p->priv->arena, s->pattern[i]);
	p->nsuppressions = s->n;
	if (!show_runtime)
		p->suppressions[p->nsuppressions++].pattern = NULL;
}

/* Blocks and bytes of the site that weren't freed. */
static void
leaks_kept(const struct mon_site *s, uint64_t *blocks, uint64_t *bytes)
{
	*blocks = counts_sum(s->count.allocs) - counts_sum(s->count.frees);
	*bytes = counts_sum(s->count.bytes) - counts_sum(s->count.freed);
}

static void
leaks_hide(struct suppression *by, const struct mon_site *from,
	   const struct leak *x, struct suppressed *hidden)
{
	leaks_kept(from, &hidden->blocks, &hidden->bytes);
	by->blocks += hidden->blocks;
	by->bytes += hidden->bytes;
	if (!x)
		return;
	by->leaked_blocks += leak_leaked(x->blocks);
	by->leaked_bytes += leak_leaked(x->bytes);
}

/*
 * Hide the blocks of the site that the C and C++ libraries keep: all except
 * those that were lost.
 */
static void
leaks_keep(struct suppression *by, const struct mon_site *from,
	   const struct leak *x, struct leak *to, struct suppressed *hidden)
{
	static const enum monout_leak lost[] = { MONOUT_LOST, MONOUT_INDIRECT };
	uint64_t blocks, bytes;

	leaks_kept(from, &blocks, &bytes);
	for (int i = 0; x && i < 2; i++) {
		to->blocks[lost[i]] = x->blocks[lost[i]];
		to->bytes[lost[i]] = x->bytes[lost[i]];
		blocks -= x->blocks[lost[i]] < blocks ? x->blocks[lost[i]]
						      : blocks;
		bytes -= x->bytes[lost[i]] < bytes ? x->bytes[lost[i]] : bytes;
	}
	*hidden = (struct suppressed){ blocks, bytes };
	by->blocks += blocks;
	by->bytes += bytes;
}

/*
 * Do the site's blocks belong to the C and C++ libraries, and should they be
 * hidden?
 */
static bool
leaks_is_runtime(const struct profile *p, const struct mon_site *from,
		 enum runtime runtime)
{
	uint64_t blocks, bytes;

	if (!p->nsuppressions || p->suppressions[p->nsuppressions - 1].pattern)
		return false;
	leaks_kept(from, &blocks, &bytes);
	return blocks && runtime_keeps(runtime, blocks, p->nruns);
}

void
leaks_add(struct profile *p, const struct mon *m, const struct mon_site *from,
	  uint32_t by, enum runtime runtime, struct leak **to,
	  struct counts *count)
{
	const struct leak *x = from->leak ? &m->leaks[from->leak].found : NULL;
	bool keep = !by && leaks_is_runtime(p, from, runtime);
	struct suppressed hidden = { 0, 0 };
	struct leak one = { .holds = { 0, 0 } };

	if (!x && !by && !keep)
		return;
	if (!*to)
		*to = arena_alloc(&p->priv->arena, sizeof(**to));
	if (x && !by && !keep)
		one = *x;
	else if (x && !by)
		one.holds = x->holds;
	if (by)
		leaks_hide(&p->suppressions[by - 1], from, x, &hidden);
	if (keep)
		leaks_keep(&p->suppressions[p->nsuppressions - 1], from, x,
			   &one, &hidden);
	if (by || keep) {
		counts_suppress(count, hidden);
		p->priv->hidden[from - m->sites] = hidden;
		p->priv->leaked_hidden[from - m->sites] = by;
	}
	leak_add(*to, &one);
	leak_add(&p->leak, &one);
}

void
leaks_cells(struct profile *p, const struct mon *m)
{
	struct suppressed left = { 0, 0 }, *v;
	const struct mon_cell *c;
	size_t i;

	if (!p->nsuppressions)
		return;
	v = arena_array(&p->priv->arena, m->ncells, sizeof(*v));
	for (i = 0; i < m->ncells; i++) {
		c = &m->cells[i];
		if (!i || c[-1].site != c->site)
			left = p->priv->hidden[c->site];
		if (c->allocs > c->frees)
			suppressed_move(&v[i], &left, c->allocs - c->frees,
					c->bytes - c->freed);
	}
	p->priv->cell_hidden = v;
}

void
leaks_finish(struct profile *p)
{
	size_t i, n = 0;

	for (i = 0; i < p->nsuppressions; i++) {
		if (p->suppressions[i].blocks ||
		    p->suppressions[i].leaked_blocks)
			p->suppressions[n++] = p->suppressions[i];
	}
	p->nsuppressions = n;
}
