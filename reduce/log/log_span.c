/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The blocks allocated between two times, and their frees, from the log.
 *
 * Blocks are counted by site, thread and size.  From SPAN_MOST cells on, new
 * ones are by size class instead of size.
 */
#include "reduce/base/hash.h"
#include "reduce/monout/cells.h"
#include "reduce/log/log.h"
#include "reduce/model/stages.h"

#include <stdlib.h>

#define SPAN_MOST (1u << 20)

struct span {
	const struct mon *m;
	const struct merge_first *l;
	struct log *g;
	const struct log_span *which;
	uint32_t *site; /* plus 1, by node of the merged data; 0: none */
	struct hash where;
	struct mon_cell *cell;
	size_t n, room;
	uint64_t read, counted; /* blocks of the whole log */
	bool strange;		/* a block has no site */
};

static uint32_t
span_thread(const struct span *s, uint32_t owner)
{
	uint32_t k = owner < s->g->nowner ? s->g->owner[owner] : MON_MISSING;

	return k < s->m->nthreads && s->m->threads[k].number == k ? k + 1 : 0;
}

/* The cell of a block. */
static struct mon_cell *
span_cell(struct span *s, uint32_t site, uint32_t thread, uint64_t size)
{
	struct mon_cell c = { .site = site, .thread = thread, .size = size };
	uint64_t who = (uint64_t)site << 32 | thread;
	uint32_t i = hash_find(&s->where, who, size, 0);

	if (i == HASH_NONE && s->n >= SPAN_MOST) {
		c.size = cells_class(&c);
		c.any = true;
	}
	if (i == HASH_NONE)
		i = hash_intern(&s->where, who, c.size, c.any, (uint32_t)s->n);
	if (i == s->n)
		ARRAY_ADD(s->cell, s->room, s->n, c);
	return &s->cell[i];
}

static void
span_add(struct span *s, const struct log_block *b)
{
	uint32_t node = b->node < s->l->nnodes ? s->l->nodes[b->node] : 0;
	uint32_t site = node < s->m->nnodes ? s->site[node] : 0;
	struct mon_cell *c;

	s->counted++;
	s->strange |= !site;
	if (!site || b->born < s->which->from || b->born >= s->which->to)
		return;
	c = span_cell(s, site - 1, span_thread(s, b->owner), b->size);
	c->allocs++;
	c->bytes += b->size;
	if (b->end != UINT64_MAX && b->end <= s->which->until) {
		c->frees++;
		c->freed += b->size;
	}
}

/* All blocks of the log. */
static void
span_read(struct span *s, FILE *f)
{
	struct log_reader r;
	uint32_t k;
	size_t i;

	log_reader_init(&r, f);
	for (i = 0; i < s->g->nchunks; i++) {
		if (!log_reader_blocks(&r, &s->g->chunks[i], s->g->head.flags))
			continue;
		s->read += s->g->chunks[i].count;
		for (k = 0; k < s->g->chunks[i].count; k++)
			if (log_counts(s->g, &r.block[k]))
				span_add(s, &r.block[k]);
	}
	log_reader_fini(&r);
}

/* May the log have all blocks of the span?  span_has() checks that it does. */
static bool
span_may(const struct span *s, const struct profile_log *log)
{
	return log->live && !log->missed && !log->damaged &&
	       (!log->folded || log->whole_from <= s->which->from) &&
	       s->g->reset <= s->which->from;
}

/* Did the log have all counted blocks, as far as the counts can show that? */
static bool
span_has(const struct span *s, const struct profile_log *log)
{
	return !s->strange && s->read == log->blocks &&
	       (log->folded || s->counted == s->m->sums.allocs);
}

/* Find the site of each node of the merged data. */
static void
span_sites(struct span *s)
{
	size_t i;

	s->site = heap_array(s->m->nnodes + 1, sizeof(*s->site));
	for (i = 0; i < s->m->nsites; i++)
		if (s->m->sites[i].node < s->m->nnodes)
			s->site[s->m->sites[i].node] = (uint32_t)i + 1;
}

size_t
log_span(struct mon_cell **cells, struct arena *a, const struct mon *m,
	 const struct merge_first *l, const struct log_span *which)
{
	struct profile_log log = { 0 };
	struct log g = { 0 };
	struct span s = { .m = m, .l = l, .g = &g, .which = which };
	FILE *f = log_begin(&g, a, l, &log);
	size_t n = SIZE_MAX;

	*cells = NULL;
	if (f && span_may(&s, &log)) {
		span_sites(&s);
		span_read(&s, f);
		if (span_has(&s, &log)) {
			n = s.n;
			*cells = s.cell ? s.cell
					: heap_array(1, sizeof(*s.cell));
			s.cell = NULL;
		}
	}
	if (f)
		fclose(f);
	hash_fini(&s.where);
	free(s.site);
	free(s.cell);
	log_fini(&g);
	return n;
}
