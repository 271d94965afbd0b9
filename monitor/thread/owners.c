/* SPDX-License-Identifier: MIT */
/* Lanes: whose cells are whose. */
#include "monitor/thread/owners.h"

#include <string.h>

#include "monitor/base/shared.h"
#include "monitor/counts/cells.h"

/* Each struct has one; besides, threads get so many more, */
#define STRUCTS (1u << 16)
#define MORE 1024u
/* ... and while cells are fewer than this. */
#define CELLS_FEW (1u << 15)

/* Of a lane's state: a row's number, plus 1; another lane's, and JOINED. */
#define JOINED (1u << 31)
#define MIXED (JOINED - 1)
_Static_assert(MMI_LANES_OWNER(STRUCTS + MORE) + 1 <
		       1u << (64 - MMI_CELL_SIZE_BITS),
	       "room in a cell's key");

static struct lane {
	uint32_t state; /* atomic; 0: nobody's yet, or its owner runs */
	uint32_t item;	/* for the file: its item's number, plus 1 */
} lanes[STRUCTS + MORE];
static uint32_t nlanes; /* atomic: in use; */
static uint32_t nmore;	/* of these, those that weren't a struct's first */

static uint32_t row_item[MMI_THREAD_ROWS];

static void
lane_set(struct mmi_thread *t, uint32_t lane)
{
	t->lane = lane;
	t->owner = MMI_LANES_OWNER(lane);
}

void
mmi_lanes_first(struct mmi_thread *t)
{
	lane_set(t, FETCH_ADD(&nlanes, 1));
}

/* Another lane, if there may be one more. */
static void
lane_new(struct mmi_thread *t)
{
	uint32_t n = LOAD(&mmi_cells.items.used) - mmi_shared.cells_first;

	if (n >= CELLS_FEW || LOAD(&nmore) >= MORE)
		return;
	if (FETCH_ADD(&nmore, 1) >= MORE) {
		FETCH_ADD(&nmore, -1u);
		return;
	}
	lane_set(t, FETCH_ADD(&nlanes, 1));
	/* These are of the other. */
	memset(t->cells, 0, sizeof(t->cells));
}

/* What is in the lane is that.  Or is something else, too? */
static void
lane_settle(const struct mmi_thread *t, uint32_t state)
{
	uint32_t none = 0;

	if (!CAS(&lanes[t->lane].state, &none, state) && none != state)
		STORE(&lanes[t->lane].state, MIXED);
}

void
mmi_lanes_begin(struct mmi_thread *t)
{
	if (LOAD(&lanes[t->lane].state))
		lane_new(t);
}

void
mmi_lanes_lend(struct mmi_thread *t, const struct mmi_thread *me)
{
	uint32_t state = LOAD(&lanes[t->lane].state);

	if (state && (!me || state != (JOINED | me->lane)))
		lane_new(t);
	if (me)
		mmi_lanes_join(t, me);
}

void
mmi_lanes_row(const struct mmi_thread *t, unsigned i)
{
	lane_settle(t, i + 1);
}

void
mmi_lanes_join(const struct mmi_thread *t, const struct mmi_thread *me)
{
	lane_settle(t, JOINED | me->lane);
}

void
mmi_lanes_clear(void)
{
	for (uint32_t i = 0; i < LOAD(&nlanes); i++)
		STORE(&lanes[i].state, 0);
}

void
mmi_lanes_items_begin(void)
{
	for (uint32_t i = 0; i < LOAD(&nlanes); i++)
		lanes[i].item = 0;
	memset(row_item, 0, sizeof(row_item));
}

void
mmi_lanes_item_row(unsigned i, uint64_t number)
{
	row_item[i] = (uint32_t)number + 1;
}

void
mmi_lanes_item(const struct mmi_thread *t, uint64_t number)
{
	lanes[LOAD(&t->lane)].item = (uint32_t)number + 1;
}

void
mmi_lanes_items_end(void)
{
	uint32_t n = LOAD(&nlanes), state;
	struct lane *l;

	for (l = lanes; l < &lanes[n]; l++) {
		state = LOAD(&l->state);
		if (!state || state & JOINED)
			continue;
		/* Of one that has ended, and of one that runs? */
		l->item = state == MIXED || l->item ? 0 : row_item[state - 1];
	}
	for (l = lanes; l < &lanes[n]; l++) {
		state = LOAD(&l->state);
		if (state & JOINED)
			l->item = l->item ? 0 : lanes[state & ~JOINED].item;
	}
}

uint64_t
mmi_lanes_of(uint64_t owner)
{
	/* Odd for what is its own. */
	return owner & 1 ? lanes[owner >> 1].item : 0;
}

uint32_t
mmi_lanes_count(void)
{
	return LOAD(&nlanes);
}
