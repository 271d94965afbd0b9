/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the threads did. */
#include "reduce/profile/threads.h"
#include "reduce/base/sort.h"
#include "reduce/base/text.h"

#include <stdlib.h>
#include <string.h>

/* The first threads, then the most bytes, then by name, then as they came. */
static int
threads_compare(const void *a, const void *b)
{
	const struct mon_thread *x = *(const struct mon_thread *const *)a;
	const struct mon_thread *y = *(const struct mon_thread *const *)b;
	bool main_x = x->flags & MONOUT_TH_MAIN;
	bool main_y = y->flags & MONOUT_TH_MAIN;
	int c;

	if (main_x != main_y)
		return main_x ? -1 : 1;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	c = strcmp(x->name, y->name);
	return c ? c : x < y ? -1 : x > y;
}

static int
threads_fill(struct profile *p, const struct mon_thread *all,
	     const struct mon_thread **sorted, size_t n)
{
	const struct mon_thread *x;
	size_t i;

	p->all_threads =
		arena_array(&p->priv->arena, n, sizeof(*p->all_threads));
	p->priv->thread_of =
		arena_array(&p->priv->arena, n, sizeof(*p->priv->thread_of));
	if (!p->all_threads || !p->priv->thread_of)
		return -1;
	for (i = 0; i < n; i++) {
		x = sorted[i];
		p->priv->thread_of[x - all] = (uint32_t)i;
		p->all_threads[i] = (struct thread){
			.name = text_clean(&p->priv->arena, x->name),
			.main = x->flags & MONOUT_TH_MAIN,
			.threads = x->threads,
			.allocs = x->allocs,
			.bytes = x->bytes,
			.frees = x->frees,
			.freed = x->freed,
			.of_others = x->of_others,
		};
		memcpy(p->all_threads[i].var, x->var, sizeof(x->var));
		if (!p->all_threads[i].name)
			return -1;
	}
	p->nthreads = n;
	return 0;
}

int
threads_make(struct profile *p, const struct mon *m)
{
	const struct mon_thread **sorted;
	size_t i, n = m->threads_known ? m->nthreads : 0;
	int status;

	sorted = malloc((n + 1) * sizeof(const struct mon_thread *));
	if (!sorted)
		return -1;
	for (i = 0; i < n; i++)
		sorted[i] = &m->threads[i];
	SORT(sorted, n, threads_compare);
	status = threads_fill(p, m->threads, sorted, n);
	free(sorted);
	return status;
}
