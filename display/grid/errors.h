/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Standard errors of figures that are estimates from samples: each stands in a
 * field behind its figure.  Where all blocks were recorded there are no such
 * fields, and these functions do nothing.
 */
#ifndef MEMMON_ERRORS_H
#define MEMMON_ERRORS_H

#include "display/grid/table.h"
#include "reduce/profile/profile.h"

/* Columns that a field takes: 0 or 8. */
size_t errors_width(const struct tables *t);

/* The heading of a field, without any text or with "+-"; and the field. */
void errors_blank(struct tables *t);
void errors_head(struct tables *t);
void errors_add(struct tables *t, uint64_t figure, double var);

/* Behind a figure in a line of text: " (+-4.3%)". */
void errors_lone(struct tables *t, uint64_t figure, double var);

/* The end of each legend. */
void errors_legend(struct tables *t);

/* The standard error in thousandths of a byte or block, rounded. */
uint64_t errors_thousandths(double var);

#endif
