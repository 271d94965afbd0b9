/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums of struct life (figures.h), and a pool that stores many of them
 * compactly: most have a narrow histogram, or none.
 */
#ifndef MEMMON_REDUCE_LIFE_H
#define MEMMON_REDUCE_LIFE_H

#include "monitor/monout.h"
#include "reduce/base/arena.h"
#include "reduce/model/figures.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

_Static_assert((int)PROFILE_NLIFE == (int)MONOUT_LIFE_BINS, "the same bins");

/* The caller owns it; all zero is an empty pool. */
struct life_pool {
	uint64_t *words;
	size_t n, room; /* words */
};

/* The members that struct life and an item of LIVES have in common. */
#define LIFE_INIT_FIELD(kind, how, name) LIFE_INIT_##how(name)
#define LIFE_INIT_KEY(name)
#define LIFE_INIT_SUM(name) .name = x->name,
#define LIFE_INIT_CAP(name) .name = x->name,
#define LIFE_INIT_MOST(name) .name = x->name,
#define LIFE_INIT_LEAST(name) .name = x->name,
#define LIFE_INIT_IF(name, ...) __VA_ARGS__
#define LIFE_INIT_LIST(name, ...)
/* The bin for a lifetime in ns; longer ones count in the last bin. */
static inline unsigned
life_bin(uint64_t ns)
{
	unsigned b = ns < 2 ? 0 : 63 - (unsigned)__builtin_clzll(ns);

	return b < PROFILE_NLIFE ? b : PROFILE_NLIFE - 1;
}

/* Are all figures 0? */
bool life_is_empty(const struct life *x);

/*
 * Can x be added to `to' without a sum beyond 64 bits?  The sum of lifetimes
 * doesn't count: life_add() stops it at UINT64_MAX.
 */
bool life_fits(const struct life *to, const struct life *x);

/* to += x; the caller knows that it fits. */
void life_add(struct life *to, const struct life *x);

/*
 * Put x into the pool.  old: the place of the life that x replaces, or 0.
 * Returns the place of x, never 0.
 */
size_t life_put(struct life_pool *l, size_t old, const struct life *x);

/* Fill *x with the life at this place; all 0 for place 0. */
void life_get(const struct life_pool *l, size_t place, struct life *x);

/*
 * Add the life at this place to **to.  If *to is NULL, make it in arena a.
 * Place 0: nothing is done.
 */
void life_take(const struct life_pool *l, size_t place, struct arena *a,
	       struct life **to);

void life_fini(struct life_pool *l);

#endif
