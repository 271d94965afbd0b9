/* SPDX-License-Identifier: MIT */
/*
 * Counter owners: which thread a cell belongs to.
 *
 * A struct mmi_thread has many owners, one after the other, and the cells stay
 * with the struct.  The data file says which thread allocated what, so each
 * cell belongs to a counter owner.  A thread that takes over a struct gets a
 * new counter owner, unless there are too many of them, or too many cells.
 * Then it continues the struct's counter owner.  If it has the same name as the
 * threads before it, they are one item of the table of threads; else the
 * threads of that counter owner are unknown.
 */
#ifndef MEMMON_OWNERS_H
#define MEMMON_OWNERS_H

#include "monitor/base/thread.h"

/*
 * The owner of t in a cell's key: the number of its counter owner, times 2,
 * plus 1.  One more than that: for cells that count other threads' blocks.
 */
#define MMI_OWNERS_KEY(owner) (2 * (owner) + 1)

/* A new struct gets its first counter owner.  ctx: slow. */
void mmi_owners_first(struct mmi_thread *t);

/*
 * _begin: a thread takes over a used struct.  _nested: the struct is for a
 * nested event of the owner of `me' (NULL: of a thread that has ended).  ctx:
 * slow.
 */
void mmi_owners_begin(struct mmi_thread *t);
void mmi_owners_nested(struct mmi_thread *t, const struct mmi_thread *me);

/*
 * The row of ended.h for everything in the counter owner of t, except the
 * totals of t's present owner; -1: none.  ctx: slow.
 */
int mmi_owners_row_before(const struct mmi_thread *t);

/*
 * _row: the contents of t's counter owner belong to row i of ended.h.  _join:
 * they belong to the owner of `me'.  ctx: slow.
 */
void mmi_owners_row(const struct mmi_thread *t, unsigned i);
void mmi_owners_join(const struct mmi_thread *t, const struct mmi_thread *me);

/* Forget all about counter owners: rows start again.  ctx: fork, any. */
void mmi_owners_clear(void);

/*
 * For the data file.  _begin: no counter owner has an item of the table of
 * threads yet.  _row: row i has the item `number'.  _item: so has the counter
 * owner of t, whose owner runs.  _end: all items are known.  ctx: exit, one at
 * a time.
 */
void mmi_owners_items_begin(void);
void mmi_owners_item_row(unsigned i, uint64_t number);
void mmi_owners_item(const struct mmi_thread *t, uint64_t number);
void mmi_owners_items_end(void);

/* The item of the owner in a cell's key: its number plus 1; 0: unknown. */
uint64_t mmi_owners_of(uint64_t owner);

/* How many counter owners there are.  ctx: any. */
uint32_t mmi_owners_count(void);

#endif
