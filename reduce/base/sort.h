/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compare items, sort arrays, and find a place in a sorted array. */
#ifndef MEMMON_REDUCE_SORT_H
#define MEMMON_REDUCE_SORT_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/*
 * SORT_BY(name, type, keys): a function for qsort() that compares items of the
 * type by the keys; the first key matters most.  SORT_BY_POINTER(): the same
 * for an array of pointers to items.  SORT_KEYS(): the same inside a function
 * that has pointers x and y to the two items.  A key is SORT_UP(field),
 * SORT_DOWN(field) with the largest first, or SORT_TEXT(field) for a string
 * that ends in NUL.
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
/* Compares numbers, for ascending order. */
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

/* qsort() of n items.  If n is 0, v may be NULL. */
#define SORT(v, n, compare) \
	do { \
		if (n) \
			qsort(v, n, sizeof(*(v)), compare); \
	} while (0)

/*
 * Sort n items, and merge items that compare as the same into one by add(to,
 * x), with pointers to both: to += x.  n becomes the number of items left.
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
 * nkeys.  Items of the same key keep their order.  The items of key k are
 * to[start[k]] to to[start[k + 1] - 1].  start[] has nkeys + 2 elements, all 0
 * at first; the expressions item and key use i.
 */
#define SORT_NUMBERED(to, item, key, i, n, start, nkeys) \
	do { \
		for (i = 0; i < (n); i++) \
			(start)[(key) + 2]++; \
		for (size_t k_ = 2; k_ < (nkeys) + 2; k_++) \
			(start)[k_] += (start)[k_ - 1]; \
		/* This moves each start[k + 1] to the end of its items. */ \
		for (i = 0; i < (n); i++) \
			(to)[(start)[(key) + 1]++] = item; \
	} while (0)

/*
 * The number of n items that come before a place: the lowest i for which
 * `before', an expression with i in it, is false.  O(log n).
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
