/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells and vtables of a struct mon: in order, each once, and true. */
#ifndef MEMMON_REDUCE_CELLS_H
#define MEMMON_REDUCE_CELLS_H

#include "reduce/file/mon.h"

/*
 * The class of a cell's blocks, 0 to MONOUT_NCLASS - 1.
 */
unsigned cells_class(const struct mon_cell *c);

/*
 * After the last record of a file: find the cells' threads, add up those that
 * are to be one, and see whether those of each site are its counts.  Where a
 * thread's can't be, they go to thread 0; where that can't, a class's sizes go
 * together.  What isn't a site's after all is dropped.  False: it was.  Sets
 * cells_threads; m's other figures must be there.
 */
bool cells_check(struct mon *m);

/*
 * The same for vtables.  Returns how many were dropped, as there were more of a
 * site than it has allocated.
 */
uint64_t cells_check_vtables(struct mon *m);

/*
 * Put n cells, vtables, pins, links and so on from a on in order; what is of
 * the same site, size and thread, or site, module and address, or site, or has
 * the same keys, is added up.  Returns
 * how many are left.  A sum stays below 2^64, or the caller sees to it.
 */
size_t cells_order(struct mon_cell *a, size_t n);
size_t cells_order_vtables(struct mon_vtable *a, size_t n);
size_t cells_order_pins(struct mon_pin *a, size_t n);
size_t cells_order_links(struct mon_link *a, size_t n);
size_t cells_order_mappings(struct mon_mapping *a, size_t n);
size_t cells_order_endings(struct mon_ending *a, size_t n);

/*
 * From the number of a thread in the file, plus 1, to its place, plus 1; 0: not
 * known, or not there.
 */
uint32_t cells_thread(const struct mon *m, uint32_t number);

/* Which of two cells comes first?  Below 0: a does. */
int cells_compare(const void *a, const void *b);

/*
 * Are both of one site and size, or of any size of one class?  Pointers to
 * structs that have these: cells, shares, changes.
 */
#define CELLS_ALIKE(a, b) \
	((a)->site == (b)->site && (a)->any == (b)->any && \
	 (a)->size == (b)->size)

/* to += x, all but what they are of. */
void cells_add(struct mon_cell *to, const struct mon_cell *x);

/* Does it say nothing? */
bool cells_is_empty(const struct mon_cell *c);

/* Is none of them of a thread that isn't known? */
bool cells_have_threads(const struct mon *m);

#endif
