/* SPDX-License-Identifier: MIT */
/* What is counted of only some blocks: see figures.h. */
#include "monitor/record/figures.h"

#include "monitor/monimg.h"
#include "monitor/record/sample.h"

static void
figure_set(struct monimg_figure *x, uint64_t sum, double variance)
{
	STORE(&x->sum, sum);
	__atomic_store(&x->variance, &variance, __ATOMIC_RELAXED);
}

/*
 * A block is recorded with probability p.  Its n then counts as n / p; the
 * estimate of the variance is n^2 (1 - p) / p^2.
 */
static COLD void
figures_add(struct mmi_thread *t, struct mmi_cell *c, enum monout_figure what,
	    uint64_t n, uint64_t size)
{
	struct monimg_figure *x = mmi_cells_figures(t, c);
	double w, v = (double)n;

	if (!x)
		return;
	x += what;
	w = mmi_sample_weight(size);
	figure_set(x, x->sum + (uint64_t)(v * w * MONIMG_FIGURE_UNIT + .5),
		   x->variance + v * v * w * (w - 1));
}

COLD void
mmi_figures_resized(struct mmi_thread *t, struct mmi_cell *c,
		    const struct mmi_made *m, const struct mmi_gone *g,
		    bool moved)
{
	struct mmi_fate *f = mmi_cells_fate(t, c, true);
	uint64_t n = g->size < m->size ? g->size : m->size;

	if (!f)
		return;
	STORE(&f->reallocs, f->reallocs + 1);
	if (moved) {
		STORE(&f->moved, f->moved + 1);
		STORE(&f->copied, f->copied + n);
	}
	if (m->resized > f->longest)
		STORE(&f->longest, m->resized);
	if (!moved || !mmi_sample_on())
		return;
	figures_add(t, c, MONOUT_FIGURE_MOVED, 1, m->size);
	figures_add(t, c, MONOUT_FIGURE_COPIED, n, m->size);
}

void
mmi_figures_move(struct monimg_figure *x, struct monimg_figure *y, uint64_t n)
{
	static const enum monout_figure of[] = { MONOUT_FIGURE_MOVED,
						 MONOUT_FIGURE_COPIED };
	uint64_t sum;
	double v;

	for (unsigned i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		sum = x[of[i]].sum / n;
		v = x[of[i]].variance / (double)n;
		figure_set(&x[of[i]], x[of[i]].sum - sum,
			   x[of[i]].variance - v);
		figure_set(&y[of[i]], y[of[i]].sum + sum,
			   y[of[i]].variance + v);
	}
}
