/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays in order: comparing, sorting, and finding a place in one. */
#ifndef MEMMON_REDUCE_SORT_H
#define MEMMON_REDUCE_SORT_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/*
 * SORT_BY(name, type, keys): a function for qsort() that compares items of the
 * type by the keys, the first one first.  SORT_BY_POINTER(): of an array of
 * pointers to such.  SORT_KEYS(): the same within a function that has pointers
 * x and y to the two.  A key is SORT_UP(field), SORT_DOWN(field), the largest
 * first, or SORT_TEXT(field), of bytes that end in NUL.
 */
#define SORT_BY(name, type, ...) \
	static int name(const void *a, const void *b) \
	{ \
		const type *x = a, *y = b; \
\
		SORT_KEYS(__VA_ARGS__) \
	}
#define SORT_BY_POINTER(name, type, ...) \
	static int name(const void *a, const void *b) \
	{ \
		const type *x = *(const type *const *)a; \
		const type *y = *(const type *const *)b; \
\
		SORT_KEYS(__VA_ARGS__) \
	}
/* Of an array of numbers, ascending. */
#define SORT_NUMBERS(name, type) \
	static int name(const void *a, const void *b) \
	{ \
		const type *x = a, *y = b; \
\
		return (*x > *y) - (*x < *y); \
	}
#define SORT_KEYS(...) \
	int c_ = 0; \
\
	__VA_ARGS__ \
	return c_;
#define SORT_UP(field) \
	if (x->field != y->field) \
		return x->field < y->field ? -1 : 1;
#define SORT_DOWN(field) \
	if (x->field != y->field) \
		return x->field > y->field ? -1 : 1;
#define SORT_TEXT(field) \
	c_ = strcmp(x->field, y->field); \
	if (c_) \
		return c_;

/* qsort() of n items, which may be none, at no address then. */
#define SORT(v, n, compare) \
	do { \
		if (n) \
			qsort(v, n, sizeof(*(v)), compare); \
	} while (0)

/*
 * Sort n items, and make one of those that compare as the same: to += x by
 * add(to, x), pointers to them.  n becomes how many are left.
 */
#define SORT_ONCE(v, n, compare, add) \
	do { \
		size_t k_ = 0; \
\
		SORT(v, n, compare); \
		for (size_t i_ = 0; i_ < (n); i_++) { \
			if (k_ && !compare(&(v)[k_ - 1], &(v)[i_])) \
				add(&(v)[k_ - 1], &(v)[i_]); \
			else \
				(v)[k_++] = (v)[i_]; \
		} \
		(n) = k_; \
	} while (0)

/*
 * Put item, for each i below n, into to[] in order of its key, a number below
 * nkeys, those of the same key as they come: that of key k are to[start[k]] to
 * to[start[k + 1] - 1].  start[] has nkeys + 2 elements, all 0 at first; item
 * and key are of i.
 */
#define SORT_NUMBERED(to, item, key, i, n, start, nkeys) \
	do { \
		for (i = 0; i < (n); i++) \
			(start)[(key) + 2]++; \
		for (size_t k_ = 2; k_ < (nkeys) + 2; k_++) \
			(start)[k_] += (start)[k_ - 1]; \
		/* Behind this each moves to where the next one's begin. */ \
		for (i = 0; i < (n); i++) \
			(to)[(start)[(key) + 1]++] = item; \
	} while (0)

/*
 * How many of n items come before what is looked for: of all i the first for
 * which `before', an expression with i in it, is false.  O(log n).
 */
#define SORT_PLACE(i, n, before) \
	__extension__({ \
		size_t low_ = 0, high_ = (n); \
\
		while (low_ < high_) { \
			size_t i = low_ + (high_ - low_) / 2; \
\
			if (before) \
				low_ = i + 1; \
			else \
				high_ = i; \
		} \
		low_; \
	})

#endif
