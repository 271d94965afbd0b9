/* SPDX-License-Identifier: MIT */
/* Annotations: pools and their blocks. */
#include "monitor/record/pool.h"

#include "monitor/base/addresses.h"
#include "monitor/base/arena.h"
#include "monitor/base/table.h"
#include "monitor/counts/cells.h"
#include "monitor/counts/live.h"
#include "monitor/record/backing.h"
#include "monitor/record/event.h"
#include "monitor/record/record.h"
#include "monitor/record/sample.h"
#include "monitor/thread/control.h"
#include "monitor/thread/enter.h"
#ifdef MEMMON_ACCESS
#include "monitor/use/use.h"
#endif

/*
 * Pools are found by address, in lists of records that only grow.  A record
 * without an address is free for a later pool of the same list.
 */
struct pool {
	uintptr_t key; /* atomic; 0: free */
	uint32_t next; /* set once */
	uint32_t life; /* changes at the end of the pool; never 0 */
	struct mmi_addresses blocks;
};

#define SHIFT 7u
#define POOLS_MAX (1u << 20)
#define LISTS_SHIFT 12u

static MMI_TABLE void *pool_dir[POOLS_MAX >> SHIFT];
static struct mmi_array pools = {
	.chunk = pool_dir,
	.chunks = POOLS_MAX >> SHIFT,
	.shift = SHIFT,
	.size = sizeof(struct pool),
	.used = 1,
};
static uint32_t pool_list[1u << LISTS_SHIFT];

#ifdef MEMMON_ACCESS
#define CARRY_FIND(entry, old, size) \
	struct mmi_carry carry_; \
	mmi_event_realloc_carry(entry, old, size, &carry_)
#define CARRY (&carry_)
#define CARRY_FREE(old, new) mmi_carry_free(CARRY, old, new)
#else
#define CARRY_FIND(entry, old, size)
#define CARRY NULL
#define CARRY_FREE(old, new)
#endif

static uint32_t *
list_of(uintptr_t key)
{
	return &pool_list[key * 0x9e3779b97f4a7c15ull >> (64 - LISTS_SHIFT)];
}

static struct pool *
pool_at(uint32_t i)
{
	return mmi_array_at(&pools, i);
}

/* The number of a pool; 0: not found. */
static uint32_t
pool_find(uintptr_t key)
{
	uint32_t i = key ? LOAD_ACQ(list_of(key)) : 0;

	while (i && LOAD_ACQ(&pool_at(i)->key) != key)
		i = pool_at(i)->next;
	return i;
}

/* The number of a pool, made if necessary; 0: no memory. */
static uint32_t
pool_intern(uintptr_t key)
{
	uint32_t *list = list_of(key), head, i = pool_find(key);
	uintptr_t none;
	struct pool *p;

	if (LIKELY(i) || !key)
		return i;
	for (i = LOAD_ACQ(list); i; i = pool_at(i)->next) {
		none = 0;
		if (CAS(&pool_at(i)->key, &none, key))
			return i;
	}
	p = mmi_array_add(&pools, &i);
	if (!p)
		return 0;
	p->life = 1;
	p->key = key;
	head = LOAD_ACQ(list);
	do
		p->next = head;
	while (!CAS(list, &head, i));
	return i;
}

static uint32_t
pool_life(uint32_t pool)
{
	return LOAD(&pool_at(pool)->life);
}

uint64_t
mmi_pool_backing(void)
{
	return mmi_backing_sum(pool_life);
}

/* The block of an entry, which was taken out of the map, is now the pool's. */
static COLD void
backing_add(struct mmi_thread *t, uint32_t pool, const void *p, uint64_t entry)
{
	struct mmi_backing *b = mmi_backing_new(p);
	struct mmi_gone g;

	mmi_record_known(entry, &g);
	mmi_event_divided(t, entry, p);
	/* Without a record its free will be that of an unknown block. */
	if (!b)
		return;
	STORE(&b->cell, mmi_live_cell(entry));
	STORE(&b->pool, pool);
	STORE(&b->life, pool ? pool_at(pool)->life : 0);
	STORE(&b->size, mmi_sample_on() ? mmi_sample_weigh(g.size) : g.size);
	mmi_backing_ready(b, p);
}

/*
 * Makes a place for the pool's new block at p.  The map may have there a block
 * of the same pool whose free wasn't reported, or a backing block.  False: no
 * memory, or the map can't have this address.
 */
static bool
place(struct mmi_thread *t, uint32_t pool, const void *p)
{
	bool known = false;
	uint64_t entry;

	if ((uintptr_t)p % 8)
		return false;
	if (pool &&
	    !mmi_addresses_add(t, &pool_at(pool)->blocks, (uintptr_t)p, &known))
		return false;
	entry = mmi_live_take(p);
	if (LIKELY(!entry))
		return true;
	if (known) {
		t->pub->count.reused++;
		mmi_event_gone(t, entry, p);
	} else {
		backing_add(t, pool, p, entry);
	}
	return true;
}

/*
 * While blocks are sampled: is this one, of `size' bytes, recorded?  If not,
 * removes an old block at p from the map.
 */
static COLD bool
sampled(const void *p, uint64_t size)
{
	struct mmi_thread *t;

	if (mmi_control_off() || !mmi_sample_skips(size))
		return true;
	if (!mmi_sample_marked(p))
		return false;
	t = mmi_thread_enter_on();
	if (t) {
		place(t, 0, p);
		mmi_thread_leave(t);
	}
	return false;
}

/* Takes an annotated block out of the map; returns its entry, 0: not there. */
static uint64_t
take(const void *p)
{
	uint64_t entry = mmi_live_take(p);

	if (mmi_sample_on() && entry)
		mmi_sample_unmark(p);
	return entry;
}

void
mmi_pool_alloc(const void *key, bool pooled, const void *p, uint64_t size,
	       const struct arch_entry *e)
{
	struct mmi_thread *t;
	uint32_t pool = 0;

	if (!p || (mmi_sample_on() && !sampled(p, size)))
		return;
	t = mmi_thread_enter_on();
	if (!t) {
		mmi_event_missed(size);
		return;
	}
	if (pooled)
		pool = pool_intern((uintptr_t)key);
	if ((pooled && !pool) || !place(t, pool, p))
		mmi_record_lost(t, size);
	else if (!mmi_event_annotated(t, p, size, e) && pool)
		mmi_addresses_remove(&pool_at(pool)->blocks, (uintptr_t)p);
	mmi_thread_leave(t);
}

/* Removes p from the pool's set; false: it wasn't there. */
static bool
removed(const void *key, const void *p)
{
	uint32_t pool = pool_find((uintptr_t)key);

	return pool &&
	       mmi_addresses_remove(&pool_at(pool)->blocks, (uintptr_t)p);
}

void
mmi_pool_free(const void *key, bool pooled, const void *p)
{
	uint64_t entry = !pooled || removed(key, p) ? take(p) : 0;
	struct mmi_thread *t;

	/* If the block wasn't recorded, its free doesn't count. */
	if (!entry && (uintptr_t)p % 8)
		return;
	t = entry ? mmi_thread_enter() : mmi_thread_enter_on();
	if (!t)
		return;
	if (entry)
		mmi_event_gone(t, entry, p);
	else
		mmi_event_unseen(t);
	mmi_thread_leave(t);
}

static void
take_one(void *t, uintptr_t p)
{
	uint64_t entry = take((const void *)p);

	if (entry)
		mmi_event_gone(t, entry, (const void *)p);
}

/* Frees all blocks of a pool, if there is one. */
static void
pool_empty(uint32_t pool)
{
	struct mmi_thread *t = pool ? mmi_thread_enter() : NULL;

	if (!t)
		return;
	mmi_addresses_each(&pool_at(pool)->blocks, take_one, t);
	mmi_addresses_clear(&pool_at(pool)->blocks);
	mmi_thread_leave(t);
}

/* Ends the pool's life: the blocks that it divided aren't backing any more. */
static void
pool_end(uint32_t pool)
{
	uint32_t life = pool_at(pool)->life + 1;

	pool_empty(pool);
	mmi_addresses_fini(&pool_at(pool)->blocks);
	STORE(&pool_at(pool)->life, life ? life : 1);
}

void
mmi_pool_create(const void *pool)
{
	uint32_t i = pool_intern((uintptr_t)pool);

	/* The end of the old pool wasn't reported. */
	if (i)
		pool_end(i);
}

void
mmi_pool_add(const void *pool, const void *base)
{
	uint32_t i = base ? pool_intern((uintptr_t)pool) : 0;
	struct mmi_thread *t = i ? mmi_thread_enter() : NULL;
	uint64_t entry;

	if (!t)
		return;
	if (!mmi_addresses_has(&pool_at(i)->blocks, (uintptr_t)base) &&
	    (entry = mmi_live_take(base)))
		backing_add(t, i, base, entry);
	mmi_thread_leave(t);
}

void
mmi_pool_realloc(const void *pool, const void *old, const void *p,
		 uint64_t size, const struct arch_entry *e)
{
	uint32_t i = old && p ? pool_find((uintptr_t)pool) : 0;
	struct mmi_thread *t;
	uint64_t entry = 0;

	if (i && mmi_addresses_remove(&pool_at(i)->blocks, (uintptr_t)old))
		entry = take(old);
	if (!entry) {
		/* An unknown block: count an unknown free and a new block. */
		if (old)
			mmi_pool_free(pool, true, old);
		mmi_pool_alloc(pool, true, p, size, e);
#ifdef MEMMON_ACCESS
		/* It may be an older block: its earlier accesses are
		 * unknown. */
		if (mmi_sample_on() && old && p)
			mmi_use_unknown(p);
#endif
		return;
	}
	CARRY_FIND(entry, old, size);
	if (mmi_sample_on() && !sampled(p, size))
		p = NULL;
	t = mmi_thread_enter();
	if (!t)
		return;
	if (!p) {
		/* The new block isn't recorded. */
	} else if (!mmi_control_off() && !place(t, i, p)) {
		mmi_record_lost(t, size);
		p = NULL;
	}
	if (!mmi_event_resized(t, entry, old, p, size, e, CARRY) && p)
		mmi_addresses_remove(&pool_at(i)->blocks, (uintptr_t)p);
	CARRY_FREE(old, p);
	mmi_thread_leave(t);
}

void
mmi_pool_discard(const void *pool)
{
	pool_empty(pool_find((uintptr_t)pool));
}

void
mmi_pool_destroy(const void *pool)
{
	uint32_t i = pool_find((uintptr_t)pool);

	if (!i)
		return;
	pool_end(i);
	STORE_REL(&pool_at(i)->key, 0);
}
