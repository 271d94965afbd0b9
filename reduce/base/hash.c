/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table from three numbers to one: open addressing, linear probing. */
#define _GNU_SOURCE
#include "reduce/base/hash.h"
#include "reduce/base/arena.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

struct hash_slot {
	uint64_t a, b, c;
	uint32_t value; /* HASH_NONE: the slot is empty */
};

/*
 * A number that differs from process to process, so that no file can be made
 * whose keys all fall on one slot.  No result depends on the order of slots.
 */
static uint64_t
hash_seed(void)
{
	static uint64_t kept;
	uint64_t seed = __atomic_load_n(&kept, __ATOMIC_RELAXED);
	const void *random;

	/* All threads read the same number. */
	if (!seed) {
		random = (const void *)getauxval(AT_RANDOM);
		if (random)
			memcpy(&seed, random, sizeof(seed));
		seed |= 1;
		__atomic_store_n(&kept, seed, __ATOMIC_RELAXED);
	}
	return seed;
}

static uint64_t
hash_mix(uint64_t x, uint64_t y)
{
	unsigned __int128 m = (unsigned __int128)(x ^ hash_seed()) *
			      (y ^ 0x9e3779b97f4a7c15u);

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

/* The slot where the key is, or the empty one where it would go. */
static struct hash_slot *
hash_slot_find(const struct hash *h, uint64_t a, uint64_t b, uint64_t c)
{
	size_t mask = h->nslots - 1;
	size_t i = hash_mix(hash_mix(a, b), c ^ 0xbf58476d1ce4e5b9u) & mask;
	struct hash_slot *s;

	for (;; i = (i + 1) & mask) {
		s = &h->slots[i];
		if (s->value == HASH_NONE)
			return s;
		if (s->a == a && s->b == b && s->c == c)
			return s;
	}
}

static void
hash_grow(struct hash *h)
{
	struct hash old = *h, new = { .used = h->used };
	struct hash_slot *s;
	size_t i, bytes;

	new.nslots = old.nslots ? old.nslots * 2 : 64;
	if (__builtin_mul_overflow(new.nslots, sizeof(*s), &bytes))
		heap_out();
	new.slots = heap_new(bytes);
	memset(new.slots, 0xff, bytes);
	for (i = 0; i < old.nslots; i++) {
		s = &old.slots[i];
		if (s->value != HASH_NONE)
			*hash_slot_find(&new, s->a, s->b, s->c) = *s;
	}
	free(old.slots);
	*h = new;
}

uint32_t
hash_intern(struct hash *h, uint64_t a, uint64_t b, uint64_t c, uint32_t fresh)
{
	struct hash_slot *s;

	/* At most two slots of three are taken. */
	if (h->used + 1 > h->nslots / 3 * 2)
		hash_grow(h);
	s = hash_slot_find(h, a, b, c);
	if (s->value == HASH_NONE) {
		*s = (struct hash_slot){ a, b, c, fresh };
		h->used++;
	}
	return s->value;
}

uint32_t
hash_find(const struct hash *h, uint64_t a, uint64_t b, uint64_t c)
{
	return h->nslots ? hash_slot_find(h, a, b, c)->value : HASH_NONE;
}

void
hash_fini(struct hash *h)
{
	free(h->slots);
	*h = (struct hash){ 0 };
}
