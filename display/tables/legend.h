/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The texts that explain the tables. */
#ifndef MEMMON_DISPLAY_LEGEND_H
#define MEMMON_DISPLAY_LEGEND_H

#include "display/tables/table.h"

extern const char legend_threads[];
extern const char legend_leaks[];
extern const char legend_kinds[];
extern const char legend_marks[];
extern const char legend_peak[];
extern const char legend_timeline[];
extern const char legend_lives[];
extern const char legend_bins[];
extern const char legend_types[];
extern const char legend_waste[];
extern const char legend_direct[];
extern const char legend_graph[];
extern const char legend_scores[];
extern const char legend_fields[];
extern const char legend_annotate[];
extern const char legend_diff[];

/* Print a legend, unless options say no. */
void legend_print(struct tables *t, const char *legend);

#endif
