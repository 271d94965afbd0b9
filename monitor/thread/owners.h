/* SPDX-License-Identifier: MIT */
/*
 * Lanes: whose cells are whose.
 *
 * A struct mmi_thread has many owners, one after the other, and its cells stay
 * with it.  So that the data file can say which thread allocated what, cells
 * are a lane's: a thread that takes over a struct gets a new lane as long as
 * there are not too many of them, nor too many cells.  Then it goes on with the
 * struct's lane, and if the two aren't the same item of the table of threads,
 * nothing is known of that lane.
 */
#ifndef MEMMON_LANES_H
#define MEMMON_LANES_H

#include "monitor/base/thread.h"

/*
 * What stands in a cell's key for the owner of t: its lane's number, twice that
 * plus 1.  One more: for cells in which it counts what isn't its own.
 */
#define MMI_LANES_OWNER(lane) (2 * (lane) + 1)

/* A new struct gets its first lane.  ctx: slow. */
void mmi_lanes_first(struct mmi_thread *t);

/*
 * A struct that others had before is a thread's now; or it is lent to an event
 * of the owner of `me' (NULL: of a thread that has ended).  ctx: slow.
 */
void mmi_lanes_begin(struct mmi_thread *t);
void mmi_lanes_lend(struct mmi_thread *t, const struct mmi_thread *me);

/*
 * What is in its lane is of row i of deeds.h; of the owner of `me'.  ctx: slow.
 */
void mmi_lanes_row(const struct mmi_thread *t, unsigned i);
void mmi_lanes_join(const struct mmi_thread *t, const struct mmi_thread *me);

/* Nothing is known of any lane: rows begin anew.  ctx: fork, any. */
void mmi_lanes_clear(void);

/*
 * For the data file: no lane has an item of the table of threads; row i has
 * one, of a number; so has the lane of t, whose owner runs; all are known now.
 * ctx: exit, one at a time.
 */
void mmi_lanes_items_begin(void);
void mmi_lanes_item_row(unsigned i, uint64_t number);
void mmi_lanes_item(const struct mmi_thread *t, uint64_t number);
void mmi_lanes_items_end(void);

/* Of the owner in a cell's key: its item's number, plus 1; 0: not known. */
uint64_t mmi_lanes_of(uint64_t owner);

/* How many there are.  ctx: any. */
uint32_t mmi_lanes_count(void);

#endif
