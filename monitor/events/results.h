/* SPDX-License-Identifier: MIT */
/*
 * The results of a module: a file of lines, beside the data file and named
 * after the module; mon.out(5) has its layout.
 */
#ifndef MEMMON_EVENTS_RESULTS_H
#define MEMMON_EVENTS_RESULTS_H

#include "monitor/events/places.h"

/* NULL: there is no memory. */
struct results *results_open(struct driver *d, struct driver_module *o);

/* A row, a line of text. */
void results_row(struct results *r, unsigned table,
		 const union memmon_cell *cell);
void results_note(struct results *r, const char *text);

/* Write the file, or leave what was there. */
void results_write(struct results *r);

#endif
