/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of struct life, and a pool of them. */
#include "reduce/model/life.h"
#include "reduce/model/counts.h"

#include <stdlib.h>
#include <string.h>

/*
 * Words of a life in the pool: those that all have, and those that come then
 * when some of the blocks were timed.  The bins that aren't 0 follow, and what
 * is between them.
 */
enum { LIFE_PLAIN = 7, LIFE_TIMED = 13 };

bool
life_is_empty(const struct life *x)
{
	return !(x->temps | x->near | x->by_others | x->moved | x->copied |
		 x->longest | x->timed);
}

/* How the row of MONREC_LIVES says that figures come together. */
#define FITS_FIELD(kind, how, name) FITS_##how(name)
#define FITS_KEY(name)
#define FITS_CAP(name)
#define FITS_MOST(name)
#define FITS_LEAST(name)
#define FITS_SUM(name) &&!__builtin_add_overflow(to->name, x->name, &sum)
#define FITS_IF(name, ...) __VA_ARGS__
#define FITS_LIST(name, ...)

bool
life_fits(const struct life *to, const struct life *x)
{
	uint64_t sum;

	return true MONREC_LIVES(FITS);
}

#define ADD_FIELD(kind, how, name) ADD_##how(name)
#define ADD_KEY(name)
#define ADD_SUM(name) to->name += x->name;
#define ADD_CAP(name) to->name = counts_capped(to->name, x->name);
#define ADD_MOST(name) \
	if (x->name > to->name) \
		to->name = x->name;
#define ADD_LEAST(name) \
	if (x->name < to->name) \
		to->name = x->name;
#define ADD_IF(name, ...) \
	if (x->name) { \
		__VA_ARGS__ \
	}
#define ADD_LIST(name, ...) \
	for (int i = 0; i < PROFILE_NLIFE; i++) \
		to->bin[i] += x->bin[i];

void
life_add(struct life *to, const struct life *x)
{
	if (x->timed && !to->timed)
		to->min = UINT64_MAX;
	MONREC_LIVES(ADD)
}

/* Words of what stands at w. */
static size_t
life_words(const uint64_t *w)
{
	return w[6] ? LIFE_TIMED + w[12] : LIFE_PLAIN;
}

size_t
life_put(struct life_pool *l, size_t old, const struct life *x)
{
	size_t first = 0, end = PROFILE_NLIFE, need = LIFE_PLAIN, at;
	uint64_t *w;

	while (x->timed && first < end && !x->bin[first])
		first++;
	while (x->timed && first < end && !x->bin[end - 1])
		end--;
	if (x->timed)
		need = LIFE_TIMED + (end - first);
	at = old && life_words(l->words + old - 1) >= need ? old - 1 : l->n;
	if (ARRAY_ROOM(l->words, l->room, at + need))
		return 0;
	w = l->words;
	if (at == l->n)
		l->n += need;
	memcpy(w + at,
	       (uint64_t[]){ x->temps, x->near, x->by_others, x->moved,
			     x->copied, x->longest, x->timed },
	       LIFE_PLAIN * sizeof(*w));
	if (!x->timed)
		return at + 1;
	memcpy(w + at + LIFE_PLAIN,
	       (uint64_t[]){ x->weight, x->sum, x->min, x->max, first,
			     end - first },
	       (LIFE_TIMED - LIFE_PLAIN) * sizeof(*w));
	memcpy(w + at + LIFE_TIMED, x->bin + first, (end - first) * sizeof(*w));
	return at + 1;
}

void
life_get(const struct life_pool *l, size_t place, struct life *x)
{
	const uint64_t *w;

	*x = (struct life){ 0 };
	if (!place)
		return;
	w = l->words + place - 1;
	x->temps = w[0];
	x->near = w[1];
	x->by_others = w[2];
	x->moved = w[3];
	x->copied = w[4];
	x->longest = w[5];
	x->timed = w[6];
	if (!x->timed)
		return;
	x->weight = w[7];
	x->sum = w[8];
	x->min = w[9];
	x->max = w[10];
	memcpy(x->bin + w[11], w + LIFE_TIMED, w[12] * sizeof(*w));
}

int
life_take(const struct life_pool *l, size_t place, struct arena *a,
	  struct life **to)
{
	struct life x;

	if (!place)
		return 0;
	if (!*to)
		*to = arena_alloc(a, sizeof(**to));
	if (!*to)
		return -1;
	life_get(l, place, &x);
	life_add(*to, &x);
	return 0;
}

void
life_fini(struct life_pool *l)
{
	free(l->words);
	*l = (struct life_pool){ 0 };
}
