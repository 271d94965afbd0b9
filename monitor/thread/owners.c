/* SPDX-License-Identifier: MIT */
/* The owner of each cell. */
#include "monitor/thread/owners.h"

#include <string.h>

#include "monitor/base/shared.h"
#include "monitor/base/table.h"
#include "monitor/counts/cells.h"

/* Each struct has one counter owner; in addition, threads get this many, */
#define STRUCTS (1u << 16)
#define MORE 1024u
/* but only while there are fewer cells than this. */
#define CELLS_FEW (1u << 12)

/*
 * In a state: a row's number, plus 1; or another counter owner's, and JOINED.
 */
#define JOINED (1u << 31)
#define MIXED (JOINED - 1)
_Static_assert(MMI_OWNERS_KEY(STRUCTS + MORE) + 1 <
		       1u << (64 - MMI_CELL_SIZE_BITS),
	       "room in a cell's key");

static struct owner {
	uint32_t state; /* atomic; 0: no owner yet, or its owner runs */
	uint32_t item;	/* for the file: its item's number, plus 1 */
} owners[STRUCTS + MORE] MMI_TABLE;
static uint32_t nowners; /* atomic: how many are used; */
static uint32_t nmore;	 /* of these, those that aren't a struct's first */

static uint32_t row_item[MMI_THREAD_ROWS];

static void
owner_set(struct mmi_thread *t, uint32_t owner)
{
	t->counter_owner = owner;
	t->owner = MMI_OWNERS_KEY(owner);
}

void
mmi_owners_first(struct mmi_thread *t)
{
	owner_set(t, FETCH_ADD(&nowners, 1));
}

/* Use another counter owner, if there may be one more. */
static void
owner_new(struct mmi_thread *t)
{
	uint32_t n = LOAD(&mmi_cells.items.used) - mmi_shared.cells_first;

	if (n >= CELLS_FEW || LOAD(&nmore) >= MORE)
		return;
	if (FETCH_ADD(&nmore, 1) >= MORE) {
		FETCH_ADD(&nmore, -1u);
		return;
	}
	owner_set(t, FETCH_ADD(&nowners, 1));
	/* These cells belong to the old one. */
	memset(t->cells, 0, sizeof(t->cells));
}

/* Set the contents of the counter owner.  MIXED if there are others, too. */
static void
owner_mark(const struct mmi_thread *t, uint32_t state)
{
	uint32_t none = 0;

	if (!CAS(&owners[t->counter_owner].state, &none, state) &&
	    none != state)
		STORE(&owners[t->counter_owner].state, MIXED);
}

void
mmi_owners_begin(struct mmi_thread *t)
{
	if (LOAD(&owners[t->counter_owner].state))
		owner_new(t);
}

void
mmi_owners_nested(struct mmi_thread *t, const struct mmi_thread *me)
{
	uint32_t state = LOAD(&owners[t->counter_owner].state);

	if (state && (!me || state != (JOINED | me->counter_owner)))
		owner_new(t);
	if (me)
		mmi_owners_join(t, me);
}

int
mmi_owners_row_before(const struct mmi_thread *t)
{
	uint32_t state = LOAD(&owners[t->counter_owner].state);

	return state & JOINED || state == MIXED ? -1 : (int)state - 1;
}

void
mmi_owners_row(const struct mmi_thread *t, unsigned i)
{
	owner_mark(t, i + 1);
}

void
mmi_owners_join(const struct mmi_thread *t, const struct mmi_thread *me)
{
	owner_mark(t, JOINED | me->counter_owner);
}

void
mmi_owners_clear(void)
{
	for (uint32_t i = 0; i < LOAD(&nowners); i++)
		STORE(&owners[i].state, 0);
}

void
mmi_owners_items_begin(void)
{
	for (uint32_t i = 0; i < LOAD(&nowners); i++)
		owners[i].item = 0;
	memset(row_item, 0, sizeof(row_item));
}

void
mmi_owners_item_row(unsigned i, uint64_t number)
{
	row_item[i] = (uint32_t)number + 1;
}

void
mmi_owners_item(const struct mmi_thread *t, uint64_t number)
{
	owners[LOAD(&t->counter_owner)].item = (uint32_t)number + 1;
}

void
mmi_owners_items_end(void)
{
	uint32_t n = LOAD(&nowners), state;
	struct owner *l;

	for (l = owners; l < &owners[n]; l++) {
		state = LOAD(&l->state);
		if (!state || state & JOINED)
			continue;
		/* Is it of a thread that has ended, and of one that runs? */
		l->item = state == MIXED || l->item ? 0 : row_item[state - 1];
	}
	for (l = owners; l < &owners[n]; l++) {
		state = LOAD(&l->state);
		if (state & JOINED)
			l->item = l->item ? 0 : owners[state & ~JOINED].item;
	}
}

uint64_t
mmi_owners_of(uint64_t owner)
{
	/* Odd keys are for cells with the owner's own blocks. */
	return owner & 1 ? owners[owner >> 1].item : 0;
}

uint32_t
mmi_owners_count(void)
{
	return LOAD(&nowners);
}
