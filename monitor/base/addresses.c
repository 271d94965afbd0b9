/* SPDX-License-Identifier: MIT */
/* Sets of addresses: open addressing, three quarters full at most. */
#include "monitor/base/addresses.h"

#include <string.h>

#include "monitor/base/arena.h"

#define SHIFT_MIN 4u
#define SHIFT_MAX 32u

/*
 * Free tables, by size, linked by their first word.  A list has the address of
 * its first table, and above it a count that tells one state of the list from
 * another.  Tables are never unmapped.
 */
static uint64_t idle[SHIFT_MAX];
#define IDLE_BITS 48u
#define IDLE_AT(head) ((uintptr_t *)((head) & ((1ull << IDLE_BITS) - 1)))

static uintptr_t *
idle_pop(unsigned shift)
{
	uint64_t head = LOAD_ACQ(&idle[shift]), next;

	do {
		if (!IDLE_AT(head))
			return NULL;
		next = ((head >> IDLE_BITS) + 1) << IDLE_BITS |
		       LOAD(IDLE_AT(head));
	} while (!CAS(&idle[shift], &head, next));
	return IDLE_AT(head);
}

static void
idle_push(uintptr_t *table, unsigned shift)
{
	uint64_t head = LOAD_ACQ(&idle[shift]);

	do
		STORE(table, (uintptr_t)IDLE_AT(head));
	while (!CAS(&idle[shift], &head,
		    ((head >> IDLE_BITS) + 1) << IDLE_BITS | (uintptr_t)table));
}

/* A table of zeros; NULL: no memory. */
static uintptr_t *
table_take(struct mmi_thread *t, unsigned shift)
{
	size_t size = sizeof(uintptr_t) << shift;
	uintptr_t *table;

	if (shift >= SHIFT_MAX)
		return NULL;
	table = idle_pop(shift);
	if (table)
		return memset(table, 0, size);
	return size < ARCH_PAGE ? mmi_arena_take(t, size, 16)
				: mmi_arena_map(size);
}

static size_t
first_of(const struct mmi_addresses *s, uintptr_t p)
{
	return p * 0x9e3779b97f4a7c15ull >> (64 - s->shift);
}

/* The address's place, or the place where it would be. */
static size_t
place_of(const struct mmi_addresses *s, uintptr_t p)
{
	size_t mask = ((size_t)1 << s->shift) - 1, i = first_of(s, p);

	while (s->slot[i] && s->slot[i] != p)
		i = (i + 1) & mask;
	return i;
}

static COLD bool
grow(struct mmi_thread *t, struct mmi_addresses *s)
{
	struct mmi_addresses old = *s;

	s->shift = old.slot ? old.shift + 1 : SHIFT_MIN;
	s->slot = table_take(t, s->shift);
	if (!s->slot) {
		*s = old;
		return false;
	}
	if (!old.slot)
		return true;
	for (size_t i = 0; i < (size_t)1 << old.shift; i++)
		if (old.slot[i])
			s->slot[place_of(s, old.slot[i])] = old.slot[i];
	idle_push(old.slot, old.shift);
	return true;
}

bool
mmi_addresses_add(struct mmi_thread *t, struct mmi_addresses *s, uintptr_t p,
		  bool *known)
{
	size_t i;

	*known = mmi_addresses_has(s, p);
	if (*known)
		return true;
	if (!s->slot || (s->used + 1) * 4ull > 3ull << s->shift)
		if (!grow(t, s))
			return false;
	i = place_of(s, p);
	s->slot[i] = p;
	s->used++;
	return true;
}

bool
mmi_addresses_has(const struct mmi_addresses *s, uintptr_t p)
{
	return s->slot && s->slot[place_of(s, p)] == p;
}

bool
mmi_addresses_remove(struct mmi_addresses *s, uintptr_t p)
{
	size_t mask = ((size_t)1 << s->shift) - 1, hole, i;

	if (!mmi_addresses_has(s, p))
		return false;
	hole = place_of(s, p);
	/* Later addresses that aren't at their first place move up. */
	for (i = (hole + 1) & mask; s->slot[i]; i = (i + 1) & mask)
		if (((i - first_of(s, s->slot[i])) & mask) >=
		    ((i - hole) & mask)) {
			s->slot[hole] = s->slot[i];
			hole = i;
		}
	s->slot[hole] = 0;
	s->used--;
	return true;
}

void
mmi_addresses_each(const struct mmi_addresses *s,
		   void (*f)(void *arg, uintptr_t p), void *arg)
{
	for (size_t i = 0; s->used && i < (size_t)1 << s->shift; i++)
		if (s->slot[i])
			f(arg, s->slot[i]);
}

void
mmi_addresses_clear(struct mmi_addresses *s)
{
	if (s->used)
		memset(s->slot, 0, sizeof(*s->slot) << s->shift);
	s->used = 0;
}

void
mmi_addresses_fini(struct mmi_addresses *s)
{
	if (s->slot)
		idle_push(s->slot, s->shift);
	*s = (struct mmi_addresses){ 0 };
}
