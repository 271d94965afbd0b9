/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums of struct life (figures.h), and a pool that holds many of them in little
 * room: most have a narrow histogram, or none.
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
/* The bin for a lifetime in ns; the last one has all that is longer, too. */
static inline unsigned
life_bin(uint64_t ns)
{
	unsigned b = ns < 2 ? 0 : 63 - (unsigned)__builtin_clzll(ns);

	return b < PROFILE_NLIFE ? b : PROFILE_NLIFE - 1;
}

/* Is there nothing in it? */
bool life_is_empty(const struct life *x);

/*
 * Can x be added to `to' without a sum beyond 64 bits?  The sum of lifetimes
 * doesn't count: life_add() stops it at UINT64_MAX.
 */
bool life_fits(const struct life *to, const struct life *x);

/* to += x; the caller knows that it fits. */
void life_add(struct life *to, const struct life *x);

/*
 * Put x into the pool; old is the place of what it takes the place of, or 0.
 * Returns its place, never 0, or 0 when out of memory.
 */
size_t life_put(struct life_pool *l, size_t old, const struct life *x);

/* Fill *x with what is in that place; place 0 has nothing: all is 0. */
void life_get(const struct life_pool *l, size_t place, struct life *x);

/*
 * Add it to *to, which is made in a when it isn't there; nothing for place 0.
 * 0, or -1 out of memory.
 */
int life_take(const struct life_pool *l, size_t place, struct arena *a,
	      struct life **to);

void life_fini(struct life_pool *l);

#endif
