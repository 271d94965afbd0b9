/* SPDX-License-Identifier: MIT */
/*
 * The results of a module: a file of lines, beside the data file and named
 * after the module; mon.out(5) has its format.
 */
#ifndef MEMMON_EVENTS_RESULTS_H
#define MEMMON_EVENTS_RESULTS_H

#include "monitor/events/places.h"

/* NULL: out of memory. */
struct results *mmi_results_open(struct driver *d, struct driver_module *o);

/* Add a row; add a line of text. */
void mmi_results_row(struct results *r, unsigned table,
		     const union memmon_cell *cell);
void mmi_results_note(struct results *r, const char *text);

/* Write the file.  If that fails, an earlier file stays. */
void mmi_results_write(struct results *r);

#endif
