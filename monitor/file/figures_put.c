/* SPDX-License-Identifier: MIT */
/* The table FIGURES: see figures_put.h. */
#include "monitor/file/figures_put.h"

#include <string.h>

#include "monitor/base/put.h"
#include "monitor/base/sampling.h"
#include "monitor/monimg.h"

static struct mmi_emit figures_out = MMI_EMIT(4096);
static struct monimg_figure figures_sum[MONOUT_NFIGURE]; /* of a site */

void
mmi_figures_put_begin(struct mmi_emit *o)
{
	mmi_emit_table_after(&figures_out, o, MONOUT_FIGURES);
}

void
mmi_figures_put_clear(void)
{
	memset(figures_sum, 0, sizeof(figures_sum));
}

void
mmi_figures_put_read(const struct mmi_fate *f)
{
	const struct monimg_figure *x = LOAD_ACQ(&f->figures);
	double variance;

	for (unsigned i = 0; x && i < MONOUT_NFIGURE; i++) {
		__atomic_load(&x[i].variance, &variance, __ATOMIC_RELAXED);
		figures_sum[i].sum += LOAD(&x[i].sum);
		figures_sum[i].variance += variance;
	}
}

void
mmi_figures_put_site(uint64_t number)
{
	for (unsigned i = 0; i < MONOUT_NFIGURE; i++) {
		struct monrec_figure x = { number, i, figures_sum[i].sum, 0 };

		if (mmi_sample_on())
			monimg_figure_estimate(&figures_sum[i], &x.n,
					       &x.variance);
		if (x.n)
			mmi_put_figure(&figures_out, &x);
	}
}

uint64_t
mmi_figures_put_end(void)
{
	return mmi_emit_end(&figures_out);
}
