/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of struct life, and a pool of them. */
#include "reduce/model/life.h"
#include "reduce/model/counts.h"

#include <stdlib.h>
#include <string.h>

/*
 * The words of a life in the pool.  Each has the first LIFE_PLAIN words.  If
 * some blocks were timed, words up to LIFE_TIMED follow.  The last two of these
 * are the index of the first bin that isn't 0, and the number of bins from it
 * to the last bin that isn't 0.  These bins follow.
 */
enum {
	LIFE_PLAIN = offsetof(struct life, weight) / sizeof(uint64_t),
	LIFE_BINS = offsetof(struct life, bin) / sizeof(uint64_t),
	LIFE_TIMED = LIFE_BINS + 2
};

_Static_assert(offsetof(struct life, timed) ==
		       (LIFE_PLAIN - 1) * sizeof(uint64_t),
	       "timed is the last that all have");

bool
life_is_empty(const struct life *x)
{
	return !(x->temps | x->near | x->by_others | x->moved | x->copied |
		 x->longest | x->timed);
}

/* Each row of MONREC_LIVES says how its figures are combined. */
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
	for (int i = 0; i < MONOUT_NFIGURE; i++) {
		to->figure[i] = counts_capped(to->figure[i], x->figure[i]);
		to->var[i] += x->var[i];
	}
}

/* The number of words of the life at w. */
static size_t
life_words(const uint64_t *w)
{
	return w[LIFE_PLAIN - 1] ? LIFE_TIMED + w[LIFE_TIMED - 1] : LIFE_PLAIN;
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
	ARRAY_ROOM(l->words, l->room, at + need);
	w = l->words;
	if (at == l->n)
		l->n += need;
	memcpy(w + at, x, (x->timed ? LIFE_BINS : LIFE_PLAIN) * sizeof(*w));
	if (!x->timed)
		return at + 1;
	w[at + LIFE_BINS] = first;
	w[at + LIFE_BINS + 1] = end - first;
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
	memcpy(x, w, LIFE_PLAIN * sizeof(*w));
	if (!x->timed)
		return;
	memcpy(x, w, LIFE_BINS * sizeof(*w));
	memcpy(x->bin + w[LIFE_BINS], w + LIFE_TIMED,
	       w[LIFE_BINS + 1] * sizeof(*w));
}

void
life_take(const struct life_pool *l, size_t place, struct arena *a,
	  struct life **to)
{
	struct life x;

	if (!place)
		return;
	if (!*to)
		*to = arena_alloc(a, sizeof(**to));
	life_get(l, place, &x);
	life_add(*to, &x);
}

void
life_fini(struct life_pool *l)
{
	free(l->words);
	*l = (struct life_pool){ 0 };
}
