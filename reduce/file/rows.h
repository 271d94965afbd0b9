/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the rows of monrec.h say of items that come together: which are of the
 * same, what becomes of their figures, and of the numbers of what they refer to
 * when these have others.
 */
#ifndef MEMMON_REDUCE_ROWS_H
#define MEMMON_REDUCE_ROWS_H

#include "reduce/base/sort.h"
#include "reduce/file/mon.h"

#include <stdlib.h>
#include <string.h>

/* rows_sum_cell() and so on: to += x, all but what they are of. */
#define ROWS_SUM_FIELD(kind, sum, name) ROWS_SUM_##sum(name)
#define ROWS_SUM_KEY(name)
#define ROWS_SUM_OWN(name)
#define ROWS_SUM_OR(name) to->name |= x->name;
#define ROWS_SUM_MOST(name) \
	if (x->name > to->name) \
		to->name = x->name;
/* Below 0 is two's complement here, so that it wraps and comes out right. */
#define ROWS_SUM_SUM(name) \
	to->name = (__typeof__(to->name))((uint64_t)to->name + \
					  (uint64_t)x->name);
#define ROWS_SUM_IF(name, ...) __VA_ARGS__

/* rows_compare_vtable(): by what they are of, in the order of the fields. */
#define ROWS_COMPARE_FIELD(kind, sum, name) ROWS_COMPARE_##sum(kind, name)
#define ROWS_COMPARE_OWN(kind, name)
#define ROWS_COMPARE_OR(kind, name)
#define ROWS_COMPARE_SUM(kind, name)
#define ROWS_COMPARE_MOST(kind, name)
#define ROWS_COMPARE_KEY(kind, name) ROWS_COMPARE_##kind(name)
#define ROWS_COMPARE_NUMBER(name) \
	if (x->name != y->name) \
		return x->name < y->name ? -1 : 1;
#define ROWS_COMPARE_SITE(name) ROWS_COMPARE_NUMBER(name)
#define ROWS_COMPARE_MODULE(name) ROWS_COMPARE_NUMBER(name)
#define ROWS_COMPARE_TEXT(name) \
	if (strcmp(x->name, y->name)) \
		return strcmp(x->name, y->name);

/* rows_copy_mark(): with texts of its own; 0, or -1 when out of memory. */
#define ROWS_COPY_FIELD(kind, sum, name) ROWS_COPY_##kind(name)
#define ROWS_COPY_NUMBER(name)
#define ROWS_COPY_TEXT(name) \
	x->name = arena_copy(a, x->name, strlen(x->name)); \
	if (!x->name) \
		return -1;

/* The numbers that items of a file have in another struct mon. */
struct rows_maps {
	uint32_t *modules, *nodes, *sites, *threads;
};

/* rows_move_cell(): from the numbers of a file to those of the other. */
#define ROWS_MOVE_FIELD(kind, sum, name) ROWS_MOVE_##kind(name)
#define ROWS_MOVE_NUMBER(name)
#define ROWS_MOVE_ZIGZAG(name)
#define ROWS_MOVE_SIGNED(name)
#define ROWS_MOVE_SIZE(name)
#define ROWS_MOVE_SITE(name) x->name = map->sites[x->name];
#define ROWS_MOVE_MODULE(name) x->name = map->modules[x->name];
#define ROWS_MOVE_THREAD(name) \
	if (x->name) \
		x->name = map->threads[x->name - 1] + 1;
#define ROWS_MOVE_IF(name, ...) __VA_ARGS__
#define ROWS_MOVE_LIST(name, ...)

#define ROWS_SUM(item, name) \
	static inline void rows_sum_##item(struct mon_##item *to, \
					   const struct mon_##item *x) \
	{ \
		(void)to, (void)x; \
		MONREC_##name(ROWS_SUM) \
	}
ROWS_SUM(module, MODULES)
ROWS_SUM(bin, BINS)
ROWS_SUM(thread, THREADS)
ROWS_SUM(cell, CELLS)
ROWS_SUM(vtable, VTABLES)

#define ROWS_MOVE(item, name) \
	static inline void rows_move_##item(struct mon_##item *x, \
					    const struct rows_maps *map) \
	{ \
		MONREC_##name(ROWS_MOVE) \
	}
ROWS_MOVE(cell, CELLS)
ROWS_MOVE(vtable, VTABLES)
ROWS_MOVE(change, CHANGES)
ROWS_MOVE(group, GROUPS)
ROWS_MOVE(field, FIELDS)

#define ROWS_COMPARE(item, name) \
	static inline int rows_compare_##item(const void *a, const void *b) \
	{ \
		const struct mon_##item *x = a, *y = b; \
\
		MONREC_##name(ROWS_COMPARE) return 0; \
	}
ROWS_COMPARE(vtable, VTABLES)

#define ROWS_COPY(item, name) \
	static inline int rows_copy_##item(struct arena *a, \
					   struct mon_##item *x) \
	{ \
		MONREC_##name(ROWS_COPY) return 0; \
	}
ROWS_COPY(mark, MARKS)

/*
 * Put n items in order, those that compare as the same into one: to += x by
 * sum(to, x).  Returns how many are left.
 */
#define ROWS_ONCE(function, item, compare, sum) \
	size_t function(struct mon_##item *a, size_t n) \
	{ \
		size_t i, k = 0; \
\
		SORT(a, n, compare); \
		for (i = 0; i < n; i++) { \
			if (k && !compare(&a[k - 1], &a[i])) \
				sum(&a[k - 1], &a[i]); \
			else \
				a[k++] = a[i]; \
		} \
		return k; \
	}

#endif
