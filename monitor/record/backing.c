/* SPDX-License-Identifier: MIT */
/* Backing: found by address, in lists of records that only grow. */
#include "monitor/record/backing.h"

#include "monitor/base/arena.h"
#include "monitor/base/table.h"
#include "monitor/counts/cells.h"

/* The key of a record that is being made. */
#define BUSY 1u

#define SHIFT 7u
#define BACKINGS_MAX (1u << 24)
#define LISTS_SHIFT 12u

static MMI_TABLE void *backing_dir[BACKINGS_MAX >> SHIFT];
static struct mmi_array backings = {
	.chunk = backing_dir,
	.chunks = BACKINGS_MAX >> SHIFT,
	.shift = SHIFT,
	.size = sizeof(struct mmi_backing),
	.used = 1,
};
static uint32_t backing_list[1u << LISTS_SHIFT];
uint32_t mmi_backings;

static uint32_t *
list_of(const void *p)
{
	return &backing_list[(uintptr_t)p * 0x9e3779b97f4a7c15ull >>
			     (64 - LISTS_SHIFT)];
}

static struct mmi_backing *
backing_at(uint32_t i)
{
	return mmi_array_at(&backings, i);
}

static COLD struct mmi_backing *
backing_find(uintptr_t key)
{
	uint32_t i = LOAD_ACQ(list_of((const void *)key));

	while (i && LOAD_ACQ(&backing_at(i)->key) != key)
		i = backing_at(i)->next;
	return i ? backing_at(i) : NULL;
}

COLD struct mmi_backing *
mmi_backing_new(const void *p)
{
	uint32_t *list = list_of(p), i = LOAD_ACQ(list), head;
	struct mmi_backing *b;
	uintptr_t none;

	for (; i; i = b->next) {
		b = backing_at(i);
		none = 0;
		if (CAS(&b->key, &none, BUSY))
			return b;
	}
	b = mmi_array_add(&backings, &i);
	if (!b)
		return NULL;
	b->key = BUSY;
	head = LOAD_ACQ(list);
	do
		b->next = head;
	while (!CAS(list, &head, i));
	return b;
}

COLD bool
mmi_backing_gone_slow(const void *p)
{
	uintptr_t key = (uintptr_t)p;
	struct mmi_backing *b = backing_find(key);

	if (!b || !CAS(&b->key, &key, 0))
		return false;
	FETCH_ADD(&mmi_backings, -1u);
	return true;
}

void
mmi_backing_ready(struct mmi_backing *b, const void *p)
{
	FETCH_ADD(&mmi_backings, 1);
	STORE_REL(&b->key, (uintptr_t)p);
}

uint64_t
mmi_backing_sum(uint32_t (*life)(uint32_t pool))
{
	uint32_t n = LOAD_ACQ(&backings.used);
	const struct mmi_backing *b;
	uint64_t sum = 0;

	for (uint32_t i = 1; i < n; i++) {
		b = backing_at(i);
		if (!b || LOAD_ACQ(&b->key) <= BUSY ||
		    mmi_cells_inherited(LOAD(&b->cell)))
			continue;
		if (!b->pool || life(b->pool) == LOAD(&b->life))
			sum += LOAD(&b->size);
	}
	return sum;
}
