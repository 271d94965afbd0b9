/* SPDX-License-Identifier: MIT */
/*
 * Counter owners: whose cells are whose.
 *
 * A struct mmi_thread has many owners, one after the other, and its cells stay
 * with it.  So that the data file can say which thread allocated what, cells
 * are a counter owner's: a thread that takes over a struct is a new one as long
 * as there are not too many of them, nor too many cells.  Then it goes on with
 * the struct's counter owner, and if it has the name of those before it, they
 * are one item of the table of threads; else nothing is known of that counter
 * owner.
 */
#ifndef MEMMON_OWNERS_H
#define MEMMON_OWNERS_H

#include "monitor/base/thread.h"

/*
 * What stands in a cell's key for the owner of t: its counter owner's number,
 * twice that plus 1.  One more: for cells in which it counts what isn't its
 * own.
 */
#define MMI_OWNERS_KEY(owner) (2 * (owner) + 1)

/* A new struct gets its first counter owner.  ctx: slow. */
void mmi_owners_first(struct mmi_thread *t);

/*
 * A struct that others had before is a thread's now; or it is for a nested
 * event of the owner of `me' (NULL: of a thread that has ended).  ctx: slow.
 */
void mmi_owners_begin(struct mmi_thread *t);
void mmi_owners_nested(struct mmi_thread *t, const struct mmi_thread *me);

/*
 * The row of ended.h that all is of which its counter owner has, but for what
 * the owner of t did; -1: none.  ctx: slow.
 */
int mmi_owners_row_before(const struct mmi_thread *t);

/*
 * What its counter owner has is of row i of ended.h; of the owner of `me'.
 * ctx: slow.
 */
void mmi_owners_row(const struct mmi_thread *t, unsigned i);
void mmi_owners_join(const struct mmi_thread *t, const struct mmi_thread *me);

/* Nothing is known of any counter owner: rows begin anew.  ctx: fork, any. */
void mmi_owners_clear(void);

/*
 * For the data file: no counter owner has an item of the table of threads; row
 * i has one, of a number; so has the counter owner of t, whose owner runs; all
 * are known now. ctx: exit, one at a time.
 */
void mmi_owners_items_begin(void);
void mmi_owners_item_row(unsigned i, uint64_t number);
void mmi_owners_item(const struct mmi_thread *t, uint64_t number);
void mmi_owners_items_end(void);

/* Of the owner in a cell's key: its item's number, plus 1; 0: not known. */
uint64_t mmi_owners_of(uint64_t owner);

/* How many there are.  ctx: any. */
uint32_t mmi_owners_count(void);

#endif
