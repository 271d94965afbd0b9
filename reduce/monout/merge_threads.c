/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merge several struct mon into one: threads, by their names. */
#include "reduce/monout/merge.h"
#include "reduce/monout/mon.h"

#include <stdio.h>
#include <string.h>

/*
 * The most threads of a file that get separate names, and the room for a name.
 */
enum { MERGE_TOLD = 512, MERGE_NAME = 64 };

/* Append a thread, numbered by its place. */
static void
merge_new_thread(struct mon *all, const struct mon_thread *x)
{
	struct mon_thread a = { .number = (uint32_t)all->nthreads,
				.flags = x->flags };

	a.name = arena_copy(&all->arena, x->name, strlen(x->name));
	if (all->nthreads >= MON_NUMBER_MAX)
		heap_out();
	mon_add_thread(all, &a);
}

/*
 * Find or add the threads of that name and flags in `all'.  Returns their
 * number, or HASH_NONE.
 */
static uint32_t
merge_thread(struct merge *g, const struct mon_thread *x)
{
	struct mon *all = &g->all;
	uint64_t key = hash_bytes(HASH_BYTES, x->name, strlen(x->name)), turn;
	uint32_t n;

	for (turn = 0;; turn++) {
		n = hash_intern(&g->threads, key, x->flags, turn,
				(uint32_t)all->nthreads);
		if (n == all->nthreads) {
			merge_new_thread(all, x);
			return n;
		}
		if (!strcmp(all->threads[n].name, x->name))
			return n;
	}
}

/* Does another thread of the file have the name of thread i? */
static bool
merge_name_shared(const struct mon *m, size_t i)
{
	size_t k;

	for (k = 0; k < m->nthreads && k < MERGE_TOLD; k++)
		if (k != i && !strcmp(m->threads[k].name, m->threads[i].name))
			return true;
	return false;
}

/*
 * If threads are kept separate, give thread i another name than threads of the
 * same name: x->name becomes "NAME #i".
 */
static void
merge_tell(struct merge *g, const struct mon *m, size_t i, struct mon_thread *x)
{
	char name[MERGE_NAME];

	if (!g->each_thread || i >= MERGE_TOLD || x->threads != 1 ||
	    x->flags & MONOUT_TH_MAIN || !merge_name_shared(m, i))
		return;
	snprintf(name, sizeof(name), "%s #%zu", x->name, i);
	x->name = arena_copy(&g->all.arena, name, strlen(name));
}

void
merge_threads(struct merge *g, const struct mon *m, uint32_t *map)
{
	struct mon_thread x, *to;
	uint32_t n;
	size_t i;

	for (i = 0; i < m->nthreads; i++) {
		x = m->threads[i];
		merge_tell(g, m, i, &x);
		n = merge_thread(g, &x);
		map[i] = n;
		to = &g->all.threads[n];
		combine_sum_thread(to, &x);
		counts_add_errors(to->var, x.var);
	}
}
