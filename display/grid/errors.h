/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Standard errors of figures that are estimated from samples.  Each has a field
 * after its figure.  If all blocks were recorded, there are no such fields, and
 * these functions do nothing.
 */
#ifndef MEMMON_ERRORS_H
#define MEMMON_ERRORS_H

#include "display/grid/table.h"
#include "reduce/profile/profile.h"

/* The width of a field: 0 or 8 columns. */
size_t errors_width(const struct tables *t);

/* Print the head of a field, blank or "+-"; print the field. */
void errors_blank(struct tables *t);
void errors_head(struct tables *t);
void errors_add(struct tables *t, uint64_t figure, double var);

/* Print the error after a figure in a line of text: " (+-4.3%)". */
void errors_lone(struct tables *t, uint64_t figure, double var);

/* Print the end of a legend, about standard errors. */
void errors_legend(struct tables *t);

/* The standard error in thousandths of a byte or block, rounded. */
uint64_t errors_thousandths(double var);

#endif
