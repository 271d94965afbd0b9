/* SPDX-License-Identifier: MIT */
/* The live map: address of a block -> site and size. */
#include "monitor/live.h"

#include <sys/mman.h>

#include "monitor/arena.h"

/*
 * 47 bits of address: 13 for the root, 14 for a middle table (16 GiB of address
 * space), 20 for a leaf (1 MiB, 65,536 slots of 16 bytes of heap each).
 */
#define LEAF_BITS 20u
#define MID_BITS 14u
#define ROOT_BITS (ARCH_ADDR_BITS - LEAF_BITS - MID_BITS)
#define LEAF_SIZE (sizeof(uint64_t) << (LEAF_BITS - 4))

/* Slots for starts at 16n and, apart, at 16n + 8. */
struct leaf {
	uint64_t *plane[2];
};

static struct leaf *root[1u << ROOT_BITS];

/*
 * A slot: site (26 bits, above), generation (6 bits), size (32 bits).  A size
 * of SIZE_BIG or more stands in the next slot, which lies in the block too.
 */
#define SIZE_BIG 0xffffffffull
#define GEN_BITS 6u
#define GEN_MASK ((1u << GEN_BITS) - 1)

static unsigned generation; /* forks above us, modulo 64 */

static inline uint64_t
slot_make(uint32_t site, unsigned gen, uint64_t size)
{
	return (uint64_t)site << (32 + GEN_BITS) | (uint64_t)gen << 32 |
	       (size < SIZE_BIG ? size : SIZE_BIG);
}

/* The part of the tree that is missing for address a; NULL: no memory. */
static COLD uint64_t *
plane_grow(uintptr_t a)
{
	struct leaf **mid = &root[a >> (LEAF_BITS + MID_BITS)];
	struct leaf *m = LOAD_ACQ(mid), *no_mid = NULL;
	uint64_t **plane, *s, *no_plane = NULL;

	if (!m) {
		m = mmi_arena_map(sizeof(*m) << MID_BITS);
		if (!m)
			return NULL;
		if (!CAS(mid, &no_mid, m)) {
			mmi_arena_unmap(m, sizeof(*m) << MID_BITS);
			m = no_mid;
		}
	}
	plane = &m[a >> LEAF_BITS & ((1u << MID_BITS) - 1)].plane[a >> 3 & 1];
	s = mmi_arena_map(LEAF_SIZE);
	if (!s)
		return LOAD_ACQ(plane);
	/* A huge page per leaf would cost 2 MiB for a few blocks. */
	ARCH_SYS(SYS_madvise, s, LEAF_SIZE, MADV_NOHUGEPAGE, 0, 0, 0);
	if (!CAS(plane, &no_plane, s)) {
		mmi_arena_unmap(s, LEAF_SIZE);
		s = no_plane;
	}
	return s;
}

/* The slot of address a, or NULL when its part of the tree isn't there. */
static inline uint64_t *
slot_find(uintptr_t a)
{
	struct leaf *m;
	uint64_t *s;

	if (UNLIKELY(a >> ARCH_ADDR_BITS || (a & 7)))
		return NULL;
	m = LOAD_ACQ(&root[a >> (LEAF_BITS + MID_BITS)]);
	if (UNLIKELY(!m))
		return NULL;
	m += a >> LEAF_BITS & ((1u << MID_BITS) - 1);
	s = LOAD_ACQ(&m->plane[a >> 3 & 1]);
	if (UNLIKELY(!s))
		return NULL;
	return s + (a >> 4 & ((1u << (LEAF_BITS - 4)) - 1));
}

static inline uint64_t *
slot_intern(uintptr_t a)
{
	uint64_t *s = slot_find(a);

	if (LIKELY(s))
		return s;
	if (a >> ARCH_ADDR_BITS || (a & 7))
		return NULL;
	s = plane_grow(a);
	return s ? s + (a >> 4 & ((1u << (LEAF_BITS - 4)) - 1)) : NULL;
}

static inline struct mmi_block
slot_read(uintptr_t a, uint64_t v)
{
	struct mmi_block b;
	uint64_t *big;

	b.site = (uint32_t)(v >> (32 + GEN_BITS));
	b.inherited = (v >> 32 & GEN_MASK) != LOAD(&generation);
	b.size = v & SIZE_BIG;
	if (UNLIKELY(b.size == SIZE_BIG && b.site)) {
		big = slot_find(a + 16);
		if (big)
			b.size = LOAD(big);
	}
	return b;
}

/* Enter a block of some generation.  Returns the slot's old value. */
static inline uint64_t
slot_write(uint64_t *s, uintptr_t a, uint64_t v, uint64_t size, bool *ok)
{
	uint64_t *big;

	if (UNLIKELY(size >= SIZE_BIG)) {
		big = slot_intern(a + 16);
		if (!big) {
			*ok = false;
			return 0;
		}
		STORE(big, size);
	}
	*ok = true;
	return SWAP(s, v);
}

struct mmi_block
mmi_live_put(const void *p, uint32_t site, uint64_t size, bool *ok)
{
	uintptr_t a = (uintptr_t)p;
	uint64_t *s = slot_intern(a);
	struct mmi_block was = { 0 };

	if (UNLIKELY(!s)) {
		*ok = false;
		return was;
	}
	/*
	 * What stands there goes first, with the slot that its size may have.
	 */
	if (UNLIKELY(LOAD(s)))
		was = mmi_live_take(p);
	slot_write(s, a, slot_make(site, LOAD(&generation), size), size, ok);
	return was;
}

struct mmi_block
mmi_live_take(const void *p)
{
	uintptr_t a = (uintptr_t)p;
	uint64_t *s = slot_find(a);
	struct mmi_block b = { 0 };
	uint64_t v;

	if (UNLIKELY(!s))
		return b;
	v = SWAP(s, 0);
	if (UNLIKELY(!v))
		return b;
	b = slot_read(a, v);
	if (UNLIKELY(b.size >= SIZE_BIG)) {
		s = slot_find(a + 16);
		if (s)
			STORE(s, 0);
	}
	return b;
}

void
mmi_live_restore(const void *p, struct mmi_block b)
{
	uintptr_t a = (uintptr_t)p;
	uint64_t *s = slot_find(a);
	unsigned gen = LOAD(&generation);
	bool ok;

	if (!s)
		return;
	if (b.inherited)
		gen = (gen - 1) & GEN_MASK;
	slot_write(s, a, slot_make(b.site, gen, b.size), b.size, &ok);
}

/* Forget all blocks: generation numbers start over. */
static COLD void
live_clear(void)
{
	for (size_t r = 0; r < 1u << ROOT_BITS; r++)
		for (size_t m = 0; root[r] && m < 1u << MID_BITS; m++)
			for (int i = 0; i < 2; i++)
				if (root[r][m].plane[i])
					ARCH_SYS(SYS_madvise,
						 root[r][m].plane[i], LEAF_SIZE,
						 MADV_DONTNEED, 0, 0, 0);
}

void
mmi_live_fork(void)
{
	generation = (generation + 1) & GEN_MASK;
	if (generation == 0)
		live_clear();
}
