/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that is freed all at once, and arrays that grow.
 *
 * An arena hands out zeroed memory which lives until arena_fini(); single
 * pieces are never freed.
 */
#ifndef MEMMON_REDUCE_ARENA_H
#define MEMMON_REDUCE_ARENA_H

#include <stddef.h>

struct arena_block;

/* The caller owns it; all zero is an empty arena. */
struct arena {
	struct arena_block *blocks; /* the newest first */
};

/* n zeroed bytes, aligned for any type; NULL when out of memory. */
void *arena_alloc(struct arena *a, size_t n);

/* An array of count zeroed items; NULL also when the product overflows. */
void *arena_array(struct arena *a, size_t count, size_t size);

/* A copy of n bytes and a NUL after it; NULL when out of memory. */
char *arena_copy(struct arena *a, const void *from, size_t n);

/* printf into the arena; NULL when out of memory. */
char *arena_print(struct arena *a, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* a has all that `from' had, which is empty then. */
void arena_take(struct arena *a, struct arena *from);

void arena_fini(struct arena *a);

/*
 * Make room for `need' items of `size' bytes in a malloc'ed array of which
 * *room are there already.  Returns the array, moved perhaps, or NULL when out
 * of memory: the old one is then still there.  Grows by halves, so that
 * adding one by one is linear.
 */
void *array_grow(void *array, size_t *room, size_t need, size_t size);

/*
 * Make room in an array v of `room' items for `need' of them; append an item to
 * the n that v has.  0, or -1 when out of memory.
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

/* Memory from malloc() that goes all at once.  All 0: none. */
struct owned {
	void **v;
	size_t n, room;
};

/*
 * Have `what' freed by owned_free().  Returns it; NULL if it is NULL, or memory
 * is short and it was freed at once.
 */
void *owned_add(struct owned *k, void *what);

void owned_free(struct owned *k);

#endif
