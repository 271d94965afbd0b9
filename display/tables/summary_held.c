/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The summary: what holds most of the live memory. */
#include "display/tables/held.h"
#include "display/tables/summary.h"
#include "display/text/amount.h"
#include "display/text/conditions.h"
#include "display/text/number.h"

/* Name a root if it retains more than a fifth of all bytes. */
enum { SHARE = 5, ROOTS = 2, STEPS = 6 };

/* The number of steps of the path that begins at `at'. */
static size_t
path_length(const struct links *l, size_t at)
{
	size_t n = 1;

	while (at + n < l->nsteps && l->steps[at + n].site == l->steps[at].site)
		n++;
	return n;
}

/* Does step k of a path of n lead to a block of the same site, as in a list? */
static bool
is_link(const struct step *s, size_t k, size_t n)
{
	return k && s[k].holder == (k + 1 < n ? s[k + 1].holder : s->site);
}

/* The number of steps that lead to another site. */
static size_t
path_sites(const struct step *s, size_t n)
{
	size_t sites = 0;

	for (size_t k = 0; k < n; k++)
		sites += !is_link(s, k, n);
	return sites;
}

/*
 * The first step of the path through most sites, from the root to blocks that
 * retain at least half of its memory; SIZE_MAX: no path does.
 */
static size_t
path_of(const struct links *l, const struct root *r)
{
	size_t best = SIZE_MAX, length = 0, n;

	for (size_t i = 0; i < l->nsteps; i += n) {
		n = path_length(l, i);
		if (l->steps[i].root != r ||
		    path_sites(&l->steps[i], n) <= length ||
		    l->retained[l->steps[i].site].bytes < r->bytes / 2)
			continue;
		best = i;
		length = path_sites(&l->steps[i], n);
	}
	return best;
}

/* Print how much was never read, or when the last use was, if long ago. */
static void
put_used(struct summary *s, const struct root *r)
{
	const struct links *l = &s->t->p->links;
	const struct holding *h = l->holdings;
	unsigned percent;
	size_t i = 0;

	while (i < l->nholdings && h[i].root != r)
		i++;
	if (!l->used || i == l->nholdings || !h[i].all_bytes)
		return;
	percent = (unsigned)(100.0 * (double)h[i].unread /
			     (double)h[i].all_bytes);
	if (percent >= 99)
		line_add(&s->t->line, ", never read");
	else if (percent >= 100 / SHARE)
		line_add(&s->t->line, ", %u%% of it never read", percent);
	else if (h[i].last < l->at / 2)
		line_add(&s->t->line, ", last used %.3g s after the start",
			 (double)h[i].last / 1e9);
}

/*
 * Were other blocks live when the graph was made?  Then its time is printed.
 * The graph at the end of a run is made before destructors and needs no time.
 */
static bool
is_early(const struct profile *p)
{
	uint64_t live = amount_kept(&p->total), then = p->links.bytes;
	uint64_t differ = live > then ? live - then : then - live;

	return p->nruns == 1 && (p->links.at + 1000000000 < p->runs->length ||
				 (p->runs->alive && differ > live / SHARE));
}

static void
put_time(struct summary *s)
{
	char buf[NUMBER_SIZE];

	if (is_early(s->t->p))
		line_add(&s->t->line, ", %s s after %s",
			 number_seconds(buf, s->t->p->links.at),
			 conditions_since(s->t->p));
}

static void
put_amount(struct summary *s, uint64_t bytes, uint64_t blocks, uint64_t all)
{
	line_add(&s->t->line, ": ");
	summary_blocks(s, bytes, blocks);
	line_add(&s->t->line, ", %u%% of what was live",
		 (unsigned)(100.0 * (double)bytes / (double)all));
}

/*
 * Print what no root retains alone: the first of the roots that point to most
 * of it, and the number of others.
 */
static void
put_several(struct summary *s, const struct holding *h, uint64_t all)
{
	const struct links *l = &s->t->p->links;
	const struct holding *most = NULL;
	const struct edge *root = NULL;
	size_t more = 0;

	for (size_t i = 0; i < l->nholdings; i++)
		if (l->holdings[i].parent == (uint32_t)(h - l->holdings) &&
		    (!most || l->holdings[i].all_bytes > most->all_bytes))
			most = &l->holdings[i];
	for (size_t i = 0; most && i < l->nedges; i++) {
		if (l->edges[i].held != most->site)
			continue;
		more++;
		if (!root && l->edges[i].root)
			root = &l->edges[i];
	}
	summary_title(s, "Held by several roots");
	put_time(s);
	put_amount(s, h->all_bytes, h->all_blocks, all);
	summary_fits(s, "; --holders");
	summary_end(s);
	if (!root)
		return;
	line_add(&s->t->line, "  ");
	held_root(s->t, root->root);
	held_member(s->t, root->member,
		    root->root->kind == ROOT_STACK ? 0 : root->offset);
	if (more > 1)
		line_add(&s->t->line, ", and %zu more", more - 1);
	line_add(&s->t->line, " -> ");
	held_site(s->t, most->site, false);
	summary_end(s);
}

static void
put_root(struct summary *s, const struct root *r, uint64_t all)
{
	const struct links *l = &s->t->p->links;
	size_t at = path_of(l, r), n;

	summary_title(s, "Held by");
	line_add(&s->t->line, " ");
	held_root(s->t, r);
	if (r->kind == ROOT_STACK)
		held_member(s->t, held_place(l, r), 0);
	put_time(s);
	put_amount(s, r->bytes, r->blocks, all);
	put_used(s, r);
	summary_fits(s, "; --retained, --path-to");
	summary_end(s);
	if (at == SIZE_MAX)
		return;
	n = path_length(l, at);
	line_add(&s->t->line, "  ");
	for (size_t i = 1; i < n && path_sites(&l->steps[at], n) <= STEPS;
	     i++) {
		if (is_link(&l->steps[at], i, n))
			continue;
		line_add(&s->t->line, "-> ");
		held_site(s->t, l->steps[at + i].holder, false);
		held_member(s->t, l->steps[at + i].member,
			    l->steps[at + i].offset);
		line_add(&s->t->line, " ");
	}
	line_add(&s->t->line,
		 path_sites(&l->steps[at], n) > STEPS ? "... -> " : "-> ");
	held_site(s->t, l->steps[at].site, false);
	summary_end(s);
}

static void
put_ring(struct summary *s, const struct ring *r)
{
	summary_title(s, "Lost in rings");
	line_add(&s->t->line, ": ");
	summary_blocks(s, r->bytes, r->blocks);
	summary_fits(s, "; -L");
	summary_end(s);
	line_add(&s->t->line, "  ");
	for (size_t i = 0; i < r->n && r->n <= STEPS; i++) {
		held_site(s->t, r->step[i].holder, false);
		held_member(s->t, r->step[i].member, r->step[i].offset);
		line_add(&s->t->line, " -> ");
	}
	line_add(&s->t->line, r->n > STEPS ? "... -> the first" : "the first");
	summary_end(s);
}

void
summary_held(struct summary *s)
{
	const struct links *l = &s->t->p->links;
	uint64_t all = s->t->p->links.bytes;
	const struct holding *several = held_several(l);

	for (size_t i = 0; i < l->nroots && i < ROOTS; i++)
		if (l->roots[i].bytes > all / SHARE)
			put_root(s, &l->roots[i], all);
	if (several && several->all_bytes > all / SHARE)
		put_several(s, several, all);
	if (l->nrings && l->rings[0].bytes > all / SHARE / SHARE)
		put_ring(s, &l->rings[0]);
}
