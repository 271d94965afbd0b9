/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Standard errors of estimates: see table.h. */
#include "display/grid/table.h"

#include "display/text/number.h"

#include <math.h>

enum { WIDTH = 8 };

static bool
errors_sampled(const struct tables *t)
{
	return t->p->sample.rate != 0;
}

size_t
errors_width(const struct tables *t)
{
	return errors_sampled(t) ? WIDTH : 0;
}

uint64_t
errors_thousandths(double var)
{
	double e = var > 0 ? 1000 * sqrt(var) : 0;

	return e < 0x1p63 ? (uint64_t)(e + 0.5) : UINT64_MAX;
}

/*
 * "+-4.3%" of the figure; "+-?" if it is unknown; "" for no figure.  buf has
 * NUMBER_SIZE bytes.
 */
static char *
as_text(char *buf, uint64_t figure, double var)
{
	double part;

	buf[0] = '\0';
	if (!figure)
		return buf;
	if (isinf(var)) {
		snprintf(buf, NUMBER_SIZE, "+-?");
		return buf;
	}
	part = var > 0 ? sqrt(var) / (double)figure * 100 : 0;
	if (part < 9.95)
		snprintf(buf, NUMBER_SIZE, "+-%.1f%%", part);
	else
		snprintf(buf, NUMBER_SIZE, "+-%.0f%%", part < 999 ? part : 999);
	return buf;
}

void
errors_blank(struct tables *t)
{
	line_right(&t->line, errors_width(t), "");
}

void
errors_head(struct tables *t)
{
	if (errors_sampled(t))
		line_right(&t->line, WIDTH, "+-");
}

void
errors_add(struct tables *t, uint64_t figure, double var)
{
	char buf[NUMBER_SIZE];

	if (errors_sampled(t))
		line_right(&t->line, WIDTH, as_text(buf, figure, var));
}

void
errors_lone(struct tables *t, uint64_t figure, double var)
{
	char buf[NUMBER_SIZE];

	if (errors_sampled(t) && figure)
		line_add(&t->line, " (%s)", as_text(buf, figure, var));
}

void
errors_legend(struct tables *t)
{
	if (!errors_sampled(t))
		return;
	line_block(&t->line,
		   "\n+-          one standard error of the figure before "
		   "it, in percent: in two of\n            three cases the "
		   "true figure is within one error, and in 95 "
		   "of\n            100 within two, if the figure is of more "
		   "than a few recorded\n            blocks; +-100%: a "
		   "single block\n");
}
