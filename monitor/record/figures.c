/* SPDX-License-Identifier: MIT */
/* What is counted of only some blocks: see figures.h. */
#include "monitor/record/figures.h"

#include "monitor/base/next.h"
#include "monitor/monimg.h"
#include "monitor/record/sample.h"
#include "monitor/shadow/apart.h"

/* The size that the next allocator gives to the block p of `size' bytes. */
static uint64_t
usable_size(const void *p, uint64_t size)
{
	return mmi_apart_has(p) ? mmi_apart_elsewhere(size)
				: mmi_next.malloc_usable_size((void *)p);
}

static void
figure_set(struct monimg_figure *x, uint64_t sum, double variance)
{
	STORE(&x->sum, sum);
	__atomic_store(&x->variance, &variance, __ATOMIC_RELAXED);
}

/*
 * A block is recorded with probability p = 1 / w.  Its n then counts as n / p;
 * the estimate of the variance is n^2 (1 - p) / p^2.
 */
static void
figure_add(struct monimg_figure *x, uint64_t n, double w)
{
	double v = (double)n;

	figure_set(x, x->sum + (uint64_t)(v * w * MONIMG_FIGURE_UNIT + .5),
		   x->variance + v * v * w * (w - 1));
}

/*
 * Adds what a sample of realloc stands for.  A block that is apart says nothing
 * about moves: without memmon it might have stayed.  If the old block was no
 * sample, only its usable size is known: then the usable sizes are compared.
 */
static COLD void
add_sampled(struct mmi_thread *t, struct mmi_cell *c, const struct mmi_made *m,
	    const struct mmi_gone *g, bool moved)
{
	bool usable = !g->at; /* only this size is known */
	struct monimg_figure *x = mmi_cells_figures(t, c);
	double w = mmi_sample_weight(m->size);
	uint64_t size = m->size;

	if (!x)
		return;
	if (moved && !mmi_apart_has(m->p)) {
		figure_add(&x[MONOUT_FIGURE_MOVED], 1, w);
		figure_add(&x[MONOUT_FIGURE_COPIED],
			   g->size < size ? g->size : size, w);
	}
	if (!g->size || (m->other && usable))
		return;
	if (usable)
		size = usable_size(m->p, size);
	if (size > g->size)
		figure_add(&x[MONOUT_FIGURE_ENLARGED], size - g->size, w);
}

COLD void
mmi_figures_resized(struct mmi_thread *t, struct mmi_cell *c,
		    const struct mmi_made *m, const struct mmi_gone *g,
		    bool moved)
{
	struct mmi_fate *f = mmi_cells_fate(t, c, true);
	uint64_t n = g->size < m->size ? g->size : m->size;
	struct monimg_figure *x;

	if (!f)
		return;
	STORE(&f->reallocs, f->reallocs + 1);
	if (moved) {
		STORE(&f->moved, f->moved + 1);
		STORE(&f->copied, f->copied + n);
	}
	if (m->resized > f->longest)
		STORE(&f->longest, m->resized);
	if (mmi_sample_on())
		add_sampled(t, c, m, g, moved);
	else if (m->size > n &&
		 (x = f->figures ? f->figures : mmi_cells_figures(t, c)))
		STORE(&x[MONOUT_FIGURE_ENLARGED].sum,
		      x[MONOUT_FIGURE_ENLARGED].sum + m->size - n);
}

void
mmi_figures_move(struct monimg_figure *x, struct monimg_figure *y, uint64_t n)
{
	uint64_t sum;
	double v;

	for (unsigned i = 0; i < MONOUT_NFIGURE; i++) {
		sum = x[i].sum / n;
		v = x[i].variance / (double)n;
		figure_set(&x[i], x[i].sum - sum, x[i].variance - v);
		figure_set(&y[i], y[i].sum + sum, y[i].variance + v);
	}
}
