/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Items of the tables that come after the bins: peaks, lives, threads. */
#include "reduce/file/items.h"

#include <stdlib.h>

static int
items_compare_number(const void *key, const void *site)
{
	uint64_t a = *(const uint64_t *)key;
	uint64_t b = ((const struct mon_site *)site)->number;

	return a < b ? -1 : a > b;
}

struct mon_site *
items_find_site(const struct mon *m, uint64_t number)
{
	if (number > MON_NUMBER_MAX)
		return NULL;
	/* Mostly none is missing before it. */
	if (number < m->nsites && m->sites[number].number == number)
		return &m->sites[number];
	if (!m->nsites)
		return NULL;
	return bsearch(&number, m->sites, m->nsites, sizeof(*m->sites),
		       items_compare_number);
}

int
items_peak(struct items *it, struct cursor *c)
{
	struct mon *m = it->mon;
	uint64_t number = cursor_number(c), blocks = cursor_number(c);
	uint64_t bytes = cursor_number(c);
	struct mon_site *s;

	if (c->bad)
		return 0;
	s = items_find_site(m, number);
	if (!s) {
		it->lost_rows++;
	} else if (s->peak_blocks || (bytes && !blocks) ||
		   blocks > counts_sum(s->count.allocs) ||
		   bytes > counts_sum(s->count.bytes)) {
		it->bad_rows++;
	} else {
		s->peak_blocks = blocks;
		s->count.peak = bytes;
		/* No more than the sites' sums, so they fit. */
		m->peak_blocks += blocks;
		m->peak_bytes += bytes;
	}
	return 0;
}

/* The histogram.  False when it has bins beyond the last, or a sum too large.
 */
static bool
items_histogram(struct cursor *c, struct life *x)
{
	uint64_t first = cursor_number(c), n = cursor_number(c), i, v, sum = 0;
	bool good = first < PROFILE_NLIFE && n <= PROFILE_NLIFE - first;

	for (i = 0; i < n && !c->bad; i++) {
		v = cursor_number(c);
		good = good && !__builtin_add_overflow(sum, v, &sum);
		if (good)
			x->bin[first + i] = v;
	}
	return good && sum == x->weight;
}

/* Do the figures of the timed blocks go together?  There are some. */
static bool
items_times_sane(const struct life *x)
{
	unsigned low = life_bin(x->min), high = life_bin(x->max), i;
	unsigned __int128 weight = x->weight;

	if (x->min > x->max || x->weight < x->timed || !x->bin[low] ||
	    !x->bin[high])
		return false;
	for (i = 0; i < PROFILE_NLIFE; i++) {
		if ((i < low || i > high) && x->bin[i])
			return false;
	}
	return x->sum == UINT64_MAX ||
	       (x->sum >= weight * x->min && x->sum <= weight * x->max);
}

/* Could a monitor have counted this for blocks of the site? */
static bool
items_life_sane(const struct life *x, const struct mon_site *s)
{
	uint64_t frees = counts_sum(s->count.frees);

	return x->temps <= x->near && x->near <= frees && x->foreign <= frees &&
	       x->timed <= frees && x->moved <= s->reallocs &&
	       (x->moved || !x->copied) && (!x->timed || items_times_sane(x));
}

int
items_life(struct items *it, struct cursor *c)
{
	struct mon *m = it->mon;
	struct life x = { 0 };
	struct mon_site *s;
	bool good = true;

	s = items_find_site(m, cursor_number(c));
	x.temps = cursor_number(c);
	x.near = cursor_number(c);
	x.foreign = cursor_number(c);
	x.moved = cursor_number(c);
	x.copied = cursor_number(c);
	x.longest = cursor_number(c);
	x.timed = cursor_number(c);
	if (x.timed) {
		x.weight = cursor_number(c);
		x.sum = cursor_number(c);
		x.min = cursor_number(c);
		x.max = cursor_number(c);
		good = items_histogram(c, &x);
	}
	if (c->bad)
		return 0;
	if (!s) {
		it->lost_rows++;
		return 0;
	}
	if (!good || s->life || !items_life_sane(&x, s) ||
	    !life_fits(&m->life, &x)) {
		it->bad_rows++;
		return 0;
	}
	if (life_is_empty(&x))
		return 0;
	life_add(&m->life, &x);
	s->life = life_put(&m->lives, 0, &x);
	return s->life ? 0 : -1;
}

int
items_thread(struct items *it, struct cursor *c, uint64_t number)
{
	struct mon *m = it->mon;
	struct mon_thread o = { .flags = cursor_number(c) }, *a;
	struct counts n = { 0 };
	const unsigned char *name;
	uint64_t length;

	o.threads = cursor_number(c);
	length = cursor_number(c);
	name = cursor_bytes(c, length);
	n.allocs[0] = o.allocs = cursor_number(c);
	n.bytes[0] = o.bytes = cursor_number(c);
	n.frees[0] = o.frees = cursor_number(c);
	n.freed[0] = o.freed = cursor_number(c);
	o.foreign = cursor_number(c);
	if (c->bad)
		return 0;
	/* A thread may free more than it allocates. */
	if (!o.threads || o.foreign > o.frees || (!o.allocs && o.bytes) ||
	    (!o.frees && o.freed) ||
	    !sums_add(&m->thread_sums, &n, o.threads)) {
		it->bad_rows++;
		return 0;
	}
	a = array_grow(m->threads, &m->thread_room, m->nthreads + 1,
		       sizeof(*a));
	if (!a)
		return -1;
	m->threads = a;
	o.number = number > MON_NUMBER_MAX ? MON_MISSING : (uint32_t)number;
	o.name = arena_copy(&m->arena, name, length);
	if (!o.name)
		return -1;
	a[m->nthreads++] = o;
	return 0;
}
