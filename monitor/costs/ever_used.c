/* SPDX-License-Identifier: MIT */
/* Which addresses have been in a block. */
#include "monitor/costs/ever_used.h"

#include <sys/single_threaded.h>

#include "monitor/base/arena.h"

#define LEAF_BITS 26u
#define LEAVES ((size_t)1 << (ARCH_ADDR_BITS - LEAF_BITS))
#define LEAF_BYTES ((uintptr_t)1 << LEAF_BITS)
#define WORDS (LEAF_BYTES / 8 / 64)

/*
 * used: a bit for each 8 bytes that have been in a block.  passed: a bit if the
 * block that begins there has an address that another thread's block had
 * before.  owner: for each 16 bytes, `who' of the last block.
 */
struct leaf {
	uint64_t used[WORDS];
	uint64_t passed[WORDS];
	uint8_t owner[LEAF_BYTES / 16];
};

static void *leaves; /* of struct leaf, LEAVES of them */
static uint64_t bytes;	     /* atomic */
static uintptr_t newest;     /* atomic: the last block on unused memory */

/*
 * Make a zeroed table at *at; about `touched' bytes of it will be used.  NULL:
 * no memory.
 */
static COLD void *
table_make(void **at, size_t size, size_t touched)
{
	void *new = mmi_arena_map_part(size, touched), *there = NULL;

	if (!new || CAS(at, &there, new))
		return new;
	mmi_arena_unmap_part(new, size, touched);
	return there;
}

static struct leaf *
leaf_of(uintptr_t a, bool make)
{
	void **all = LOAD_ACQ(&leaves);
	struct leaf *l;

	if (UNLIKELY(!all) && make)
		all = table_make(&leaves, LEAVES * sizeof(*all), ARCH_PAGE_NOW);
	if (UNLIKELY(!all) || UNLIKELY(a >> ARCH_ADDR_BITS))
		return NULL;
	l = LOAD_ACQ(&all[a >> LEAF_BITS]);
	if (LIKELY(l != NULL) || !make)
		return l;
	return table_make(&all[a >> LEAF_BITS], sizeof(*l), 16 * ARCH_PAGE_NOW);
}

/* Set bits of a word.  Returns the bits that weren't set before. */
static inline uint64_t
set_bits(uint64_t *w, uint64_t mask)
{
	uint64_t was = LOAD(w);

	if ((was & mask) == mask)
		return 0;
	if (__libc_single_threaded)
		STORE(w, was | mask);
	else
		was = __atomic_fetch_or(w, mask, __ATOMIC_RELAXED);
	return mask & ~was;
}

static inline uint64_t
clear_bits(uint64_t *w, uint64_t mask)
{
	uint64_t was = LOAD(w);

	if (!(was & mask))
		return 0;
	if (__libc_single_threaded)
		STORE(w, was & ~mask);
	else
		was = __atomic_fetch_and(w, ~mask, __ATOMIC_RELAXED);
	return mask & was;
}

/* Set or clear all bits of [p, p + n).  Returns how many bytes changed. */
static uint64_t
change(uintptr_t p, uint64_t n, bool make)
{
	uint64_t changed = 0;

	for (uintptr_t at = p >> 3, end = (p + n + 7) >> 3; at < end;) {
		struct leaf *l = leaf_of(at << 3, make);
		uintptr_t stop = (at | (LEAF_BYTES / 8 - 1)) + 1;

		if (stop > end)
			stop = end;
		if (!l) {
			at = stop;
			continue;
		}
		while (at < stop) {
			unsigned first = at & 63;
			uintptr_t word = (at & (LEAF_BYTES / 8 - 1)) >> 6;
			uint64_t k =
				stop - at < 64 - first ? stop - at : 64 - first;
			uint64_t mask = (k < 64 ? (1ull << k) - 1 : ~0ull)
					<< first;

			mask = make ? set_bits(&l->used[word], mask)
				    : clear_bits(&l->used[word], mask);
			changed += 8 * (uint64_t)__builtin_popcountll(mask);
			at += k;
		}
	}
	return changed;
}

bool
mmi_ever_used_add(uintptr_t p, uint64_t n, uint8_t who)
{
	struct leaf *l = leaf_of(p, true);
	uintptr_t at = (p & (LEAF_BYTES - 1)) >> 3;
	uint64_t mask = 1ull << (at & 63), bits, more;
	bool was;

	if (UNLIKELY(!l))
		return false;
	was = LOAD(&l->used[at >> 6]) & mask;
	if (UNLIKELY(LOAD(&l->owner[at >> 1]) != who)) {
		if (was)
			set_bits(&l->passed[at >> 6], mask);
		STORE(&l->owner[at >> 1], who);
	} else {
		clear_bits(&l->passed[at >> 6], mask);
	}
	/* Usually it is a small block on memory that was used before. */
	if (LIKELY((at & 63) + (n + 7) / 8 < 64)) {
		bits = ((1ull << (n + 7) / 8) - 1) << (at & 63) | mask;
		if (LIKELY((LOAD(&l->used[at >> 6]) & bits) == bits))
			return true;
	}
	more = change(p, n ? n : 1, true);
	if (more) {
		FETCH_ADD(&bytes, more);
		STORE(&newest, p);
	}
	return was;
}

void
mmi_ever_used_unmap(uintptr_t p, uint64_t n)
{
	uint64_t fewer = change(p, n, false);

	if (fewer)
		FETCH_ADD(&bytes, -fewer);
}

/* The bit for the 8 bytes at p in a leaf. */
static bool
bit_of(const uint64_t *bits, uintptr_t p)
{
	uintptr_t at = (p & (LEAF_BYTES - 1)) >> 3;

	return LOAD(&bits[at >> 6]) >> (at & 63) & 1;
}

bool
mmi_ever_used(uintptr_t p)
{
	struct leaf *l = leaf_of(p, false);

	return l && bit_of(l->used, p);
}

bool
mmi_ever_used_by(uintptr_t p, uint8_t who)
{
	struct leaf *l = leaf_of(p, false);

	return l && LOAD(&l->owner[(p & (LEAF_BYTES - 1)) >> 4]) == who;
}

bool
mmi_ever_used_passed(uintptr_t p)
{
	struct leaf *l = leaf_of(p, false);

	return l && bit_of(l->passed, p);
}

uintptr_t
mmi_ever_used_newest(void)
{
	return LOAD(&newest);
}

uint64_t
mmi_ever_used_bytes(void)
{
	return LOAD(&bytes);
}
