/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the allocator's table. */
#ifndef MEMMON_DISPLAY_ALLOCATOR_H
#define MEMMON_DISPLAY_ALLOCATOR_H

#include "display/grid/table.h"
#include "display/text/writer.h"

/* Call to(arg, text) with a sentence for each problem, if there are any. */
typedef void allocator_say(void *arg, const char *text);
void allocator_verdict(const struct profile *p, allocator_say *to, void *arg);

/* Write the problems as an array of texts, "verdicts". */
void allocator_verdicts(const struct profile *p, struct writer *w);

/*
 * Print the time that the run would take with other allocators, from
 * measurements on this machine; and a comparison of several runs.  0, or -1
 * when out of memory.
 */
int allocator_predictions(struct tables *t);
int allocator_compare(struct tables *t);

/* Print the operations, with system calls, events and locks. */
void allocator_operations(struct tables *t);

/* Print the allocator's memory.  0, or -1 when out of memory. */
int allocator_memory(struct tables *t);

#endif
