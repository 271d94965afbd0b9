/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions made from the rows of monrec.h, for items that are combined:
 * compare their keys, add up their figures, and renumber what they refer to.
 */
#ifndef MEMMON_REDUCE_COMBINE_H
#define MEMMON_REDUCE_COMBINE_H

#include "reduce/base/sort.h"
#include "reduce/monout/mon.h"

#include <stdlib.h>
#include <string.h>

/* combine_sum_cell() and so on: to += x, except the keys. */
#define COMBINE_SUM_FIELD(kind, sum, name) COMBINE_SUM_##sum(name)
#define COMBINE_SUM_KEY(name)
#define COMBINE_SUM_OWN(name)
#define COMBINE_SUM_OR(name) to->name |= x->name;
#define COMBINE_SUM_MOST(name) \
	if (x->name > to->name) \
		to->name = x->name;
/* Unsigned, so that negative numbers wrap and give the right result. */
#define COMBINE_SUM_SUM(name) \
	to->name = (__typeof__(to->name))((uint64_t)to->name + \
					  (uint64_t)x->name);
#define COMBINE_SUM_CAP(name) \
	if (__builtin_add_overflow(to->name, x->name, &to->name)) \
		to->name = UINT64_MAX;
#define COMBINE_SUM_IF(name, ...) __VA_ARGS__

/*
 * combine_compare_vtable() and so on: compare the keys, in the order of the
 * fields.
 */
#define COMBINE_COMPARE_FIELD(kind, sum, name) COMBINE_COMPARE_##sum(kind, name)
#define COMBINE_COMPARE_OWN(kind, name)
#define COMBINE_COMPARE_OR(kind, name)
#define COMBINE_COMPARE_SUM(kind, name)
#define COMBINE_COMPARE_CAP(kind, name)
#define COMBINE_COMPARE_MOST(kind, name)
#define COMBINE_COMPARE_KEY(kind, name) COMBINE_COMPARE_##kind(name)
#define COMBINE_COMPARE_NUMBER(name) \
	if (x->name != y->name) \
		return x->name < y->name ? -1 : 1;
#define COMBINE_COMPARE_IF(name, ...) __VA_ARGS__
#define COMBINE_COMPARE_SITE(name) COMBINE_COMPARE_NUMBER(name)
#define COMBINE_COMPARE_NODE(name) COMBINE_COMPARE_NUMBER(name)
#define COMBINE_COMPARE_MODULE(name) COMBINE_COMPARE_NUMBER(name)
#define COMBINE_COMPARE_TEXT(name) \
	if (strcmp(x->name, y->name)) \
		return strcmp(x->name, y->name);

/* combine_copy_mark(): copy the texts of the item. */
#define COMBINE_COPY_FIELD(kind, sum, name) COMBINE_COPY_##kind(name)
#define COMBINE_COPY_NUMBER(name)
#define COMBINE_COPY_TEXT(name) \
	x->name = arena_copy(a, x->name, strlen(x->name));

/* For the numbers of items in a file, their numbers in another struct mon. */
struct combine_maps {
	uint32_t *modules, *nodes, *sites, *threads;
};

/*
 * combine_move_cell() and so on: turn the numbers of a file into those of the
 * other.
 */
#define COMBINE_MOVE_FIELD(kind, sum, name) COMBINE_MOVE_##kind(name)
#define COMBINE_MOVE_NUMBER(name)
#define COMBINE_MOVE_ZIGZAG(name)
#define COMBINE_MOVE_SIGNED(name)
#define COMBINE_MOVE_SIZE(name)
#define COMBINE_MOVE_SITE(name) x->name = map->sites[x->name];
#define COMBINE_MOVE_NODE(name) x->name = map->nodes[x->name];
#define COMBINE_MOVE_MODULE(name) x->name = map->modules[x->name];
#define COMBINE_MOVE_THREAD(name) \
	if (x->name) \
		x->name = map->threads[x->name - 1] + 1;
#define COMBINE_MOVE_IF(name, ...) __VA_ARGS__
#define COMBINE_MOVE_LIST(name, ...)

#define COMBINE_SUM(item, name) \
	static inline void combine_sum_##item(struct mon_##item *to, \
					      const struct mon_##item *x) \
	{ \
		(void)to, (void)x; \
		MONREC_##name(COMBINE_SUM) \
	}
COMBINE_SUM(module, MODULES)
COMBINE_SUM(bin, BINS)
COMBINE_SUM(thread, THREADS)
COMBINE_SUM(cell, CELLS)
COMBINE_SUM(vtable, VTABLES)

#define COMBINE_MOVE(item, name) \
	static inline void combine_move_##item(struct mon_##item *x, \
					       const struct combine_maps *map) \
	{ \
		MONREC_##name(COMBINE_MOVE) \
	}
COMBINE_MOVE(cell, CELLS)
COMBINE_MOVE(vtable, VTABLES)
COMBINE_MOVE(change, CHANGES)
COMBINE_MOVE(group, GROUPS)
COMBINE_MOVE(field, FIELDS)

#define COMBINE_COMPARE(item, name) \
	static inline int combine_compare_##item(const void *a, const void *b) \
	{ \
		const struct mon_##item *x = a, *y = b; \
\
		MONREC_##name(COMBINE_COMPARE) return 0; \
	}
COMBINE_COMPARE(vtable, VTABLES)

/* combine_sum_pin(), combine_move_pin() and so on. */
#define S(name, item, items) \
	COMBINE_SUM(item, name) \
	COMBINE_MOVE(item, name) \
	COMBINE_COMPARE(item, name)
MONREC_TABLES(MONREC_SUMMED)
#undef S

#define COMBINE_COPY(item, name) \
	static inline void combine_copy_##item(struct arena *a, \
					       struct mon_##item *x) \
	{ \
		MONREC_##name(COMBINE_COPY) \
	}
COMBINE_COPY(mark, MARKS)

#endif
