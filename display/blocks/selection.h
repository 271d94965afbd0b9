/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantiles of many values, exactly and in little memory: the values come again
 * and again, and each time less of them is still in question.
 */
#ifndef MEMMON_SELECTION_H
#define MEMMON_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SELECTION_MOST = 9 };

/* Where a quantile is: from `low' on, 2^bits values. */
struct selection_range {
	uint64_t low;
	uint64_t rank; /* in the range, from 0 */
	unsigned bits; /* 0: it is known */
	size_t slot;   /* in selection.count; ranges that are equal share it */
};

/* All zero is an empty one; the caller calls selection_fini(). */
struct selection {
	uint64_t n; /* values */
	bool again; /* it isn't the first time */
	size_t nrange, nslot;
	struct selection_range range[SELECTION_MOST];
	uint64_t *count; /* by parts of ranges */
	uint64_t *value; /* or, if they are few, all of them */
	uint64_t room;
};

/*
 * Up to n values are to come, percent[] of them to be found, ascending, `many'
 * of these.  0, or -1 when out of memory.
 */
int selection_init(struct selection *s, uint64_t n, const unsigned *percent,
		   size_t many);

/* A value. */
void selection_add(struct selection *s, uint64_t x);

/* All have come.  1: they are to come again; 0; or -1, out of memory. */
int selection_next(struct selection *s);

/* The i-th one that was to be found; if there is any value. */
uint64_t selection_value(const struct selection *s, size_t i);

void selection_fini(struct selection *s);

#endif
