/* SPDX-License-Identifier: MIT */
/* How long a cell's blocks lived, and other figures of them. */
#include "monitor/counts/cells.h"

#include "monitor/image/image.h"

void
mmi_cells_life(struct mmi_lives *l, uint64_t ns, uint32_t weight)
{
	unsigned b = ns > 1 ? 63 - (unsigned)__builtin_clzll(ns) : 0;

	l->bin[b < MONOUT_LIFE_BINS ? b : MONOUT_LIFE_BINS - 1] += weight;
	l->weight += weight;
	l->sum += ns * weight;
	if (ns < l->min)
		l->min = ns;
	if (ns > l->max)
		l->max = ns;
}

static COLD struct mmi_lives *
lives_make(struct mmi_thread *t, struct mmi_fate *f)
{
	struct mmi_lives *l;

	if (mmi_arena_tight())
		return NULL;
	l = mmi_image_take(t, sizeof(*l));
	if (!l)
		return NULL;
	l->min = UINT64_MAX;
	for (unsigned i = 0; i < f->timed; i++)
		mmi_cells_life(l, f->few[i], 1);
	STORE_REL(&f->lives, l);
	return l;
}

void
mmi_cells_lived(struct mmi_thread *t, struct mmi_cell *c, uint64_t ns,
		uint32_t weight)
{
	struct mmi_fate *f = mmi_cells_fate(t, c, false);
	struct mmi_lives *l;

	if (!f) {
		t->pub->count.untimed++;
		return;
	}
	l = f->lives;
	if (!l && weight == 1 && f->timed < MMI_FEW) {
		f->few[f->timed] = ns;
		STORE_REL(&f->timed, f->timed + 1);
		return;
	}
	if (!l && !(l = lives_make(t, f))) {
		t->pub->count.untimed++;
		return;
	}
	mmi_cells_life(l, ns, weight);
	STORE_REL(&f->timed, f->timed + 1);
}

COLD struct monimg_figure *
mmi_cells_figures(struct mmi_thread *t, struct mmi_cell *c)
{
	struct mmi_fate *f = mmi_cells_fate(t, c, true);
	struct monimg_figure *x;

	if (!f || f->figures)
		return f ? f->figures : NULL;
	x = mmi_image_take(t, MONOUT_NFIGURE * sizeof(*x));
	if (x)
		STORE_REL(&f->figures, x);
	return x;
}
