/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory, memory that is freed all at once, and arrays that grow.
 *
 * No function here fails: when out of memory, the process prints a message and
 * ends with status 1.  Where the size comes from a file that may be damaged,
 * call malloc() and check its result.
 *
 * An arena returns zeroed memory that lives until arena_fini().  Single pieces
 * are never freed.
 */
#ifndef MEMMON_REDUCE_ARENA_H
#define MEMMON_REDUCE_ARENA_H

#include <stddef.h>

/* n bytes of any content. */
void *heap_new(size_t n);

/* An array of n zeroed items. */
void *heap_array(size_t n, size_t size);

/* realloc() */
void *heap_grow(void *p, size_t n);

/* A copy of s, or of its first n bytes at most. */
char *heap_text(const char *s);
char *heap_part(const char *s, size_t n);

/* printf into new memory. */
char *heap_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print that the process is out of memory, and end it. */
_Noreturn void heap_out(void);

/* The program's name in that message. */
extern const char *heap_program;

/* Let heap_out() call f(arg) before it prints; NULL: nothing. */
void heap_before_end(void (*f)(void *arg), void *arg);

struct arena_block;

/* The caller owns the struct; all zero is an empty arena. */
struct arena {
	struct arena_block *blocks; /* the newest first */
};

/* n zeroed bytes, aligned for any type. */
void *arena_alloc(struct arena *a, size_t n);

/* An array of count zeroed items. */
void *arena_array(struct arena *a, size_t count, size_t size);

/* A copy of n bytes and a NUL after it. */
char *arena_copy(struct arena *a, const void *from, size_t n);

/* printf into the arena. */
char *arena_print(struct arena *a, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Move all memory of `from' to a; `from' is empty afterwards. */
void arena_take(struct arena *a, struct arena *from);

void arena_fini(struct arena *a);

/*
 * Make room for `need' items of `size' bytes in an array from malloc() that has
 * room for *room items.  Returns the array, which may have moved.  The array
 * grows by half of its size, so adding items one by one takes linear time.
 */
void *array_grow(void *array, size_t *room, size_t need, size_t size);

/*
 * ARRAY_ROOM makes room for `need' items in the array v, which has room for
 * `room' items.  ARRAY_ADD appends an item to the n items of v.
 */
#define ARRAY_ROOM(v, room, need) \
	((v) = (need) <= (room) \
		       ? (v) \
		       : array_grow((void *)(v), &(room), need, sizeof(*(v))))
#define ARRAY_ADD(v, room, n, ...) \
	(ARRAY_ROOM(v, room, (n) + 1), (void)((v)[(n)++] = (__VA_ARGS__)))

/* Pieces of memory from malloc() that are freed together.  All 0: none. */
struct owned {
	void **v;
	size_t n, room;
};

/* Let owned_free() free `what', which may be NULL.  Returns `what'. */
void *owned_add(struct owned *k, void *what);

void owned_free(struct owned *k);

#endif
