/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that is freed all at once, and arrays that grow.
 *
 * An arena returns zeroed memory that lives until arena_fini().  Single pieces
 * are never freed.
 */
#ifndef MEMMON_REDUCE_ARENA_H
#define MEMMON_REDUCE_ARENA_H

#include <stddef.h>

struct arena_block;

/* The caller owns the struct; all zero is an empty arena. */
struct arena {
	struct arena_block *blocks; /* the newest first */
};

/* n zeroed bytes, aligned for any type; NULL when out of memory. */
void *arena_alloc(struct arena *a, size_t n);

/*
 * An array of count zeroed items; NULL when out of memory or if count * size
 * overflows.
 */
void *arena_array(struct arena *a, size_t count, size_t size);

/* A copy of n bytes and a NUL after it; NULL when out of memory. */
char *arena_copy(struct arena *a, const void *from, size_t n);

/* printf into the arena; NULL when out of memory. */
char *arena_print(struct arena *a, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Move all memory of `from' to a; `from' is empty afterwards. */
void arena_take(struct arena *a, struct arena *from);

void arena_fini(struct arena *a);

/*
 * Make room for `need' items of `size' bytes in an array from malloc() that has
 * room for *room items.  Returns the array, which may have moved, or NULL when
 * out of memory; the old array is still valid then.  The array grows by half of
 * its size, so adding items one by one takes linear time.
 */
void *array_grow(void *array, size_t *room, size_t need, size_t size);

/*
 * ARRAY_ROOM makes room for `need' items in the array v, which has room for
 * `room' items.  ARRAY_ADD appends an item to the n items of v.  Both return 0,
 * or -1 when out of memory.
 */
#define ARRAY_ROOM(v, room, need) \
	__extension__({ \
		void *grown_ = (need) <= (room) \
				       ? (void *)(v) \
				       : array_grow((void *)(v), &(room), \
						    need, sizeof(*(v))); \
\
		if (grown_) \
			(v) = grown_; \
		grown_ ? 0 : -1; \
	})
#define ARRAY_ADD(v, room, n, ...) \
	(ARRAY_ROOM(v, room, (n) + 1) ? -1 : ((v)[(n)++] = (__VA_ARGS__), 0))

/* Pieces of memory from malloc() that are freed together.  All 0: none. */
struct owned {
	void **v;
	size_t n, room;
};

/*
 * Let owned_free() free `what'.  Returns `what'.  Returns NULL if `what' is
 * NULL, or when out of memory; `what' is freed at once then.
 */
void *owned_add(struct owned *k, void *what);

void owned_free(struct owned *k);

#endif
