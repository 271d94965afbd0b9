/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact quantiles of many values in little memory.  The caller adds all values
 * several times; in each round fewer of them can still be the quantile.
 */
#ifndef MEMMON_SELECTION_H
#define MEMMON_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SELECTION_MOST = 9 };

/* The range that contains a quantile: 2^bits values from `low' on. */
struct selection_range {
	uint64_t low;
	uint64_t rank; /* rank in the range, from 0 */
	unsigned bits; /* 0: `low' is the quantile */
	size_t slot;   /* index in selection.count; equal ranges share it */
};

/* All zero is an empty selection.  The caller calls selection_fini(). */
struct selection {
	uint64_t n; /* values */
	bool again; /* after the first round */
	size_t nrange, nslot;
	struct selection_range range[SELECTION_MOST];
	uint64_t *count; /* by parts of ranges */
	uint64_t *value; /* all values, if they are few */
	uint64_t room;
};

/*
 * Expect up to n values, and find the `many' quantiles of percent[], which must
 * ascend.  0, or -1 when out of memory.
 */
int selection_init(struct selection *s, uint64_t n, const unsigned *percent,
		   size_t many);

/* Add a value. */
void selection_add(struct selection *s, uint64_t x);

/*
 * All values were added.  1: add all of them again; 0: the quantiles are known;
 * -1: out of memory.
 */
int selection_next(struct selection *s);

/* The i-th quantile, if there is any value. */
uint64_t selection_value(const struct selection *s, size_t i);

void selection_fini(struct selection *s);

#endif
