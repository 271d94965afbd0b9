/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the allocator's table. */
#ifndef MEMMON_DISPLAY_ALLOCATOR_H
#define MEMMON_DISPLAY_ALLOCATOR_H

#include "display/grid/table.h"
#include "display/text/writer.h"

/*
 * Give what is wrong to to(arg, text), a sentence with its figures at a time;
 * nothing if nothing is.
 */
typedef void allocator_say(void *arg, const char *text);
void allocator_verdict(const struct profile *p, allocator_say *to, void *arg);

/* The same as an array of texts, "verdicts". */
void allocator_verdicts(const struct profile *p, struct writer *w);

/*
 * What the run would take with other allocators, by those measured on this
 * machine; and several runs side by side.  0, or -1 when out of memory.
 */
int allocator_predictions(struct tables *t);
int allocator_compare(struct tables *t);

/* Its operations, with system calls, events and locks.  The same result. */
int allocator_operations(struct tables *t);

/* The allocator's memory.  0, or -1 when out of memory. */
int allocator_memory(struct tables *t);

#endif
