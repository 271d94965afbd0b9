/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells and vtables of a struct mon: sort them, merge equal ones, check them.
 */
#ifndef MEMMON_REDUCE_CELLS_H
#define MEMMON_REDUCE_CELLS_H

#include "reduce/monout/mon.h"

/*
 * The class of a cell's blocks, 0 to MONOUT_NCLASS - 1.
 */
unsigned cells_class(const struct mon_cell *c);

/*
 * Call this after the last record of a file.  Find the cells' threads, merge
 * equal cells, and check that the cells of each site add up to its counts.  If
 * the threads' cells can't be right, they are merged into thread 0; if that
 * fails, the sizes of a class are merged.  If the sums are still wrong, all
 * cells are dropped and false is returned.  Sets cells_threads.  m's other
 * figures must be set.
 */
bool cells_check(struct mon *m);

/*
 * The same for vtables.  Vtables with more blocks than their site allocated are
 * dropped.  Returns how many.
 */
uint64_t cells_check_vtables(struct mon *m);

/*
 * Sort n cells or vtables, and add up those with the same keys: site, size and
 * thread for cells; site, module and address for vtables.  Returns how many are
 * left.  The caller ensures that sums stay below 2^64.
 */
size_t cells_order(struct mon_cell *a, size_t n);
size_t cells_order_vtables(struct mon_vtable *a, size_t n);

/* The same for each list of m whose form is SUMMED (monrec.h). */
void cells_order_summed(struct mon *m);

/*
 * From a thread's number in the file plus 1 to its place plus 1.  0 if the
 * number is 0 or unknown.
 */
uint32_t cells_thread(const struct mon *m, uint32_t number);

/* Order of two cells, for qsort(): below 0 if a comes first. */
int cells_compare(const void *a, const void *b);

/*
 * Do both have the same site and size, or any size of the same class?  Works on
 * pointers to structs with these fields: cells, shares, changes.
 */
#define CELLS_ALIKE(a, b) \
	((a)->site == (b)->site && (a)->any == (b)->any && \
	 (a)->size == (b)->size)

/* to += x, except the keys. */
void cells_add(struct mon_cell *to, const struct mon_cell *x);

/* Are all counts of the cell 0? */
bool cells_is_empty(const struct mon_cell *c);

/* Do all cells have a known thread? */
bool cells_have_threads(const struct mon *m);

#endif
