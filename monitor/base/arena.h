/* SPDX-License-Identifier: MIT */
/*
 * Memory of the monitor's own, straight from the kernel, and arrays that grow
 * by chunks.  What was handed out is never moved.
 */
#ifndef MEMMON_ARENA_H
#define MEMMON_ARENA_H

#include "monitor/base/internal.h"

/*
 * Zeroed memory of `size' bytes, aligned to a page; NULL when there is none, or
 * none left of what MEMMON_MAXMEM allows.  ctx: slow, init.  Leaves errno
 * alone.
 */
void *mmi_arena_map(size_t size);

/*
 * The same for a table that the caller will soon touch `touched' bytes in: only
 * these bytes count.  The call maps and counts, or does neither: no caller has
 * to undo a half.
 */
void *mmi_arena_map_part(size_t size, size_t touched);

/*
 * The same for a table whose bytes don't count until mmi_arena_commit() counts
 * them.  The last mapping that the process may have is left to the program.
 */
void *mmi_arena_reserve(size_t size);

/*
 * Was a mapping of `size' bytes, or a smaller one, refused a moment ago?  Then
 * another attempt would cost system calls and fail, too.  ctx: hook.
 */
bool mmi_arena_refused(size_t size);

/* `size' bytes of a reserved table are about to be touched.  False: don't. */
bool mmi_arena_commit(size_t size);

/* Undo mmi_arena_commit(): the bytes won't be touched. */
void mmi_arena_uncommit(size_t size);

/* Give back what mmi_arena_map(), map_part() or reserve() gave just now. */
void mmi_arena_unmap(void *p, size_t size);
void mmi_arena_unmap_part(void *p, size_t size, size_t touched);

/*
 * The same for a variable that points to such memory, or is NULL.  It becomes
 * NULL before the memory goes: another thread may fork between the two, and the
 * child maps other memory there.
 */
#define MMI_ARENA_DROP_PART(p, size, touched) \
	do { \
		size_t size_ = (size), touched_ = (touched); \
		void *p_ = LOAD(&(p)); \
		STORE_REL(&(p), NULL); \
		__atomic_thread_fence(__ATOMIC_SEQ_CST); \
		if (p_) \
			mmi_arena_unmap_part(p_, size_, touched_); \
	} while (0)
#define MMI_ARENA_DROP(p, size) MMI_ARENA_DROP_PART(p, size, size_)
void mmi_arena_unreserve(void *p, size_t size);

/*
 * What mmi_arena_map() gave isn't needed any more, but may still be read: it is
 * all 0 and takes no memory.
 */
void mmi_arena_empty(void *p, size_t size);

/*
 * `size' zeroed bytes out of the thread's pool, aligned to `align', a power of
 * two; NULL when there are none.  ctx: hook (slow now and then).
 */
void *mmi_arena_take(struct mmi_thread *t, size_t size, size_t align);

/*
 * Bytes in use: mapped, or accounted for by mmi_arena_commit().  _show: keep
 * this number in *at from now on; NULL: keep it nowhere.  ctx: any; _show:
 * init, slow, fork.
 */
uint64_t mmi_arena_used(void);
void mmi_arena_show(uint64_t *at);

/*
 * Is less than an eighth of what MEMMON_MAXMEM allows left?  That is for what
 * the totals need: blocks and their cells, not chains or times.  ctx: hook.
 */
bool mmi_arena_tight(void);

/* No more than this many bytes; 0: no limit.  ctx: init. */
void mmi_arena_limit(uint64_t bytes);
uint64_t mmi_arena_limited(void); /* ctx: any */

/*
 * An array of items of one size in chunks of 2^shift items.  Invariant: an
 * index below `used' was handed out, alone or in a batch; its chunk, if it
 * could be mapped, stays until mmi_array_give().
 */
struct mmi_array {
	void **chunk; /* directory, `chunks' long */
	uint32_t chunks;
	uint32_t shift;
	uint32_t size; /* bytes of an item */
	uint32_t used; /* atomic */
	/* Where chunks stand that aren't in memory of our own; NULL: none. */
	const struct mmi_array_home *home;
	unsigned kind; /* what home calls these */
	void *spare;   /* chunks that were given back, each with the next */
};

/*
 * A place for chunks that comes first, as the image is (image/image.h).  take:
 * zeroed memory for `size' bytes of items from number `first' on, or NULL: it
 * has none.  outside: `items' more items are in other memory.  give: take the
 * chunk back; false: the chunk isn't from there.  ctx: slow.
 */
struct mmi_array_home {
	void *(*take)(unsigned kind, uint32_t first, size_t size);
	void (*outside)(unsigned kind, uint32_t items);
	bool (*give)(void *chunk);
};

/* The next item is the first of a new chunk.  ctx: fork. */
void mmi_array_skip(struct mmi_array *a);

/*
 * Take the next index.  Returns the item, zeroed, and its index in *i; NULL
 * when there is no memory.  ctx: hook (slow once a chunk).
 */
void *mmi_array_add(struct mmi_array *a, uint32_t *i);

/*
 * Take n indices in a row, the first in *i.  2^shift is a multiple of n, and
 * `used' always is.  False when there is no memory.  ctx: hook (slow).
 */
bool mmi_array_add_many(struct mmi_array *a, uint32_t n, uint32_t *i);

/*
 * Chunk c isn't needed any more, and `instead' stands there from now on, NULL
 * or what is to be read of its items; its memory is for the next ones.  Nobody
 * else uses the array meanwhile.  ctx: slow.
 */
void mmi_array_give(struct mmi_array *a, uint32_t c, void *instead);

/* Item i, which mmi_array_add() gave; NULL if it had no memory.  ctx: any. */
static inline void *
mmi_array_at(const struct mmi_array *a, uint32_t i)
{
	char *c = LOAD_ACQ(&a->chunk[i >> a->shift]);

	if (UNLIKELY(!c))
		return NULL;
	return c + (size_t)(i & ((1u << a->shift) - 1)) * a->size;
}

#endif
