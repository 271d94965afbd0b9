/* SPDX-License-Identifier: MIT */
/*
 * Memory of the monitor, straight from the kernel, and arrays that grow in
 * chunks.  Items are never moved.
 */
#ifndef MEMMON_ARENA_H
#define MEMMON_ARENA_H

#include "monitor/base/internal.h"

/*
 * Zeroed memory of `size' bytes, aligned to a page; NULL: no memory, or
 * MEMMON_MAXMEM is used up.  ctx: slow, init.  Doesn't change errno.
 */
void *mmi_arena_map(size_t size);

/*
 * The same for a table in which the caller will soon touch `touched' bytes:
 * only these bytes count.  The call maps and counts, or does neither: no caller
 * has to undo half of it.
 */
void *mmi_arena_map_part(size_t size, size_t touched);

/*
 * The same for a table whose bytes don't count until mmi_arena_commit() counts
 * them.  Leaves the last mapping that the process may have to the program.
 */
void *mmi_arena_reserve(size_t size);

/*
 * Was a mapping of `size' bytes, or a smaller one, refused shortly before?
 * Then another attempt would cost system calls and fail, too.  ctx: hook.
 */
bool mmi_arena_refused(size_t size);

/* `size' bytes of a reserved table are about to be touched.  False: don't. */
bool mmi_arena_commit(size_t size);

/* Undoes mmi_arena_commit(): the bytes won't be touched. */
void mmi_arena_uncommit(size_t size);

/* Give back memory of mmi_arena_map(), map_part() or reserve(). */
void mmi_arena_unmap(void *p, size_t size);
void mmi_arena_unmap_part(void *p, size_t size, size_t touched);

/*
 * The same for a variable that points to such memory, or is NULL.  It becomes
 * NULL before the memory is given back: another thread may fork between the
 * two, and the child maps other memory there.
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
 * Memory of mmi_arena_map() isn't needed any more, but may still be read: it
 * becomes all 0 and takes no memory.
 */
void mmi_arena_empty(void *p, size_t size);

/*
 * `size' zeroed bytes from the thread's pool, aligned to `align', a power of
 * two; NULL: no memory.  ctx: hook (slow now and then).
 */
void *mmi_arena_take(struct mmi_thread *t, size_t size, size_t align);

/*
 * Bytes in use: mapped, or counted by mmi_arena_commit().  _show: keeps this
 * number in *at from now on; NULL: nowhere.  ctx: any; _show: init, slow, fork.
 */
uint64_t mmi_arena_used(void);
void mmi_arena_show(uint64_t *at);

/*
 * Is less than an eighth of MEMMON_MAXMEM left?  The rest is for the totals:
 * for blocks and their cells, not for call paths or times.  ctx: hook.
 */
bool mmi_arena_tight(void);

/* Sets the limit in bytes; 0: no limit.  ctx: init. */
void mmi_arena_limit(uint64_t bytes);
uint64_t mmi_arena_limited(void); /* ctx: any */

/*
 * An array of items of one size in chunks of 2^shift items.  Invariant: an
 * index below `used' was given out, alone or in a batch; its chunk, if it could
 * be mapped, stays until mmi_array_give().
 */
struct mmi_array {
	void **chunk; /* directory, `chunks' long */
	uint32_t chunks;
	uint32_t shift;
	uint32_t size; /* bytes of an item */
	uint32_t used; /* atomic */
	/* Gives chunks from other memory than ours; NULL: none. */
	const struct mmi_array_home *home;
	unsigned kind; /* the kind of items for home */
	void *spare;   /* a list of chunks that were given back */
};

/*
 * A place for chunks that is asked first, like the image (image/image.h).
 * take: zeroed memory for `size' bytes of items from number `first' on, or
 * NULL.  outside: `items' more items are in other memory.  give: takes the
 * chunk back; false: the chunk isn't from there.  ctx: slow.
 */
struct mmi_array_home {
	void *(*take)(unsigned kind, uint32_t first, size_t size);
	void (*outside)(unsigned kind, uint32_t items);
	bool (*give)(void *chunk);
};

/* The next item will be the first of a new chunk.  ctx: fork. */
void mmi_array_skip(struct mmi_array *a);

/*
 * Takes the next index.  Returns the item, zeroed, and its index in *i; NULL:
 * no memory.  ctx: hook (slow once a chunk).
 */
void *mmi_array_add(struct mmi_array *a, uint32_t *i);

/*
 * Takes n indices in a row, the first in *i.  2^shift and `used' are always
 * multiples of n.  False: no memory.  ctx: hook (slow).
 */
bool mmi_array_add_many(struct mmi_array *a, uint32_t n, uint32_t *i);

/*
 * Chunk c isn't needed any more.  Readers find `instead', NULL or other items,
 * in its place; its memory is reused for later chunks.  No other thread uses
 * the array meanwhile.  ctx: slow.
 */
void mmi_array_give(struct mmi_array *a, uint32_t c, void *instead);

/* Item i of mmi_array_add(); NULL: it got no memory.  ctx: any. */
static inline void *
mmi_array_at(const struct mmi_array *a, uint32_t i)
{
	char *c = LOAD_ACQ(&a->chunk[i >> a->shift]);

	if (UNLIKELY(!c))
		return NULL;
	return c + (size_t)(i & ((1u << a->shift) - 1)) * a->size;
}

#endif
