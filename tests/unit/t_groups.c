/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of allocations: small cases by hand; then random chunks, folded as
 * during a run, whose length isn't known yet, and compared with the definition:
 * chunks sorted by time, a new group at each gap above tau.
 */
#include "reduce/monout/groups.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

static struct mon_group
group(uint32_t site, uint64_t first, uint64_t last, uint64_t end,
      uint64_t blocks, uint64_t life)
{
	return (struct mon_group){ .site = site,
				   .first = first,
				   .last = last,
				   .end = end,
				   .blocks = blocks,
				   .life = life };
}

static bool
same(const struct mon_group *a, const struct mon_group *b)
{
	return a->site == b->site && a->first == b->first &&
	       a->last == b->last && a->end == b->end &&
	       a->blocks == b->blocks && a->life == b->life;
}

/* -------------------------------------------------------------- the gap -- */

static void
gaps(void)
{
	is_int(groups_gap(0, 1000000000, 200000), 1000000, "0.1%% by itself");
	is_int(groups_gap(0, 300001999, 200000), 300001,
	       "cut, as a gap is whole");
	is_int(groups_gap(0, 999, 200000), 200000,
	       "at least a step of the clock");
	is_int(groups_gap(0.009, 1000000000, 200000), 9000000,
	       "no rounding error");
	is_int(groups_gap(0.5, 700001, 200000), 350000, "half");
	is_int(groups_gap(-1, 1000000000, 200000), 1000000, "not a share");
	is_int(groups_gap(NAN, 1000000000, 200000), 1000000, "not a number");
	ok(groups_gap(1e9, 5, 200000) == UINT64_MAX, "everything is near");
	ok(groups_gap(1, UINT64_MAX, 200000) == UINT64_MAX, "the longest run");
	ok(groups_gap(2, UINT64_MAX, 200000) == UINT64_MAX, "and twice that");
}

/* -------------------------------------------------------------- by hand -- */

static void
score(uint64_t end, uint64_t blocks, uint64_t life, double want,
      const char *what)
{
	struct mon_group g = group(0, 5, 0, end, blocks, life);

	ok(fabs(groups_score(&g) - want) < 1e-15, "score: %s", what);
}

static void
by_hand(void)
{
	/* Out of order; the second's end is the latest, gaps of 10 and 11. */
	struct mon_group v[] = {
		group(1, 131, 0, 5, 1, 5),   group(1, 100, 5, 500, 2, 505),
		group(1, 115, 5, 20, 3, 30), group(0, 100, 0, 0, 1, 0),
		group(2, 0, 90, 100, 4, 50), group(2, 30, 10, 200, 5, 60),
	};
	const struct mon_group want[] = {
		group(0, 100, 0, 0, 1, 0),
		group(1, 100, 20, 500, 5, 535),
		group(1, 131, 0, 5, 1, 5),
		group(2, 0, 90, 230, 9, 110),
	};
	struct mon_group final[3] = { group(0, 5, 0, 1, 1, 1),
				      group(0, 1, 0, 1, 1, 1),
				      group(0, 2, 0, 1, 1, 1) };
	size_t n = groups_merge(v, 6, 10), i;

	is_int(n, 4, "a gap of tau doesn't part, one of tau and 1 does");
	for (i = 0; i < 4; i++)
		ok(same(&v[i], &want[i]) && v[i].final, "group %zu", i);
	is_int(groups_merge(v, 4, 1000), 4, "what is final stays");
	is_int(groups_merge(v, 0, 1), 0, "none");
	final[0].final = final[1].final = true;
	is_int(groups_merge(final, 3, 1000), 3, "final and not");
	ok(final[0].first == 5 && final[1].first == 1 && final[2].first == 2,
	   "the final ones in front, as they stood");
	score(0, 3, 0, 1, "no time between first and last: 1");
	score(10, 1, 10, 1, "one block all the time: 1");
	score(10, 2, 10, 0.5, "two, half of the time each");
	score(10, 4, 0, 0, "none lives as long as a step");
	score(10, 1, 20, 1, "never above 1");
	score(UINT64_MAX, UINT64_MAX, UINT64_MAX, 1 / 0x1p64, "large numbers");
	v[0] = group(0, 0, 0, 9, 1, UINT64_MAX - 1);
	v[1] = group(0, 0, 0, 9, 1, 5);
	is_int(groups_merge(v, 2, 0), 1, "at the same time");
	ok(v[0].life == UINT64_MAX, "lifetimes stop at the largest number");
}

/* --------------------------------------------------------------- random -- */

enum { CHUNKS = 300, LISTS = 3, SITES = 2 };

struct chunk {
	uint32_t site;
	uint64_t birth, death;
};

static uint64_t state = 0x9e3779b97f4a7c15;

static uint64_t
random_below(uint64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % n;
}

static int
by_birth(const void *a, const void *b)
{
	const struct chunk *x = a, *y = b;

	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	return x->birth < y->birth ? -1 : x->birth > y->birth;
}

/* Some near one another, some far; most are short. */
static uint64_t
make(struct chunk *c, size_t n)
{
	uint64_t now = 0, length;
	size_t i;

	for (i = 0; i < n; i++) {
		now += random_below(10) ? random_below(40)
					: random_below(20000);
		c[i].site = (uint32_t)random_below(SITES);
		c[i].birth = now;
		c[i].death = now + (random_below(3) ? random_below(30)
						    : random_below(50000));
	}
	for (length = i = 0; i < n; i++)
		length = c[i].death > length ? c[i].death : length;
	return length;
}

/* By the definition, from all chunks.  O(n^2): each looks for its group. */
static size_t
naive(const struct chunk *from, size_t n, uint64_t tau, struct mon_group *to)
{
	struct chunk c[CHUNKS];
	size_t i, k, m = 0;
	bool first;

	memcpy(c, from, n * sizeof(*c));
	qsort(c, n, sizeof(*c), by_birth);
	for (i = 0; i < n; i++) {
		/* Is there an earlier chunk no further away than tau? */
		for (first = true, k = 0; k < i; k++) {
			if (c[k].site == c[i].site &&
			    c[i].birth - c[k].birth <= tau)
				first = false;
		}
		if (first)
			to[m++] = group(c[i].site, c[i].birth, 0, 0, 0, 0);
		to[m - 1].last = c[i].birth - to[m - 1].first;
		if (c[i].death - to[m - 1].first > to[m - 1].end)
			to[m - 1].end = c[i].death - to[m - 1].first;
		to[m - 1].blocks++;
		to[m - 1].life += c[i].death - c[i].birth;
	}
	return m;
}

/*
 * As during a run: chunks are spread over lists (threads, sizes) and come in
 * order of birth.  A chunk joins the latest group of its list if the gap is at
 * most a thousandth of the run's time so far.  Deaths are added in any order.
 * Now and then a group is closed without a reason.
 */
static size_t
fold(const struct chunk *c, size_t n, double tau, struct mon_group *to)
{
	size_t last[LISTS][SITES], of[CHUNKS], i, k, m = 0, list;
	struct mon_group *g;

	memset(last, 0xff, sizeof(last));
	for (i = 0; i < n; i++) {
		list = random_below(LISTS);
		k = last[list][c[i].site];
		if (k == SIZE_MAX || !random_below(20) ||
		    (double)(c[i].birth - to[k].first - to[k].last) >
			    tau * (double)c[i].birth) {
			k = last[list][c[i].site] = m;
			to[m++] = group(c[i].site, c[i].birth, 0, 0, 0, 0);
		}
		to[k].last = c[i].birth - to[k].first;
		of[i] = k;
	}
	for (i = n; i-- > 0;) {
		g = &to[of[i]];
		g->blocks++;
		g->life += c[i].death - c[i].birth;
		if (c[i].death - g->first > g->end)
			g->end = c[i].death - g->first;
	}
	/* Threads end in any order. */
	for (i = m; i > 1; i--) {
		struct mon_group swap = to[i - 1];

		k = random_below(i);
		to[i - 1] = to[k];
		to[k] = swap;
	}
	return m;
}

static void
at_random(void)
{
	struct mon_group want[CHUNKS], have[CHUNKS];
	struct chunk c[CHUNKS];
	int turn, wrong = 0, merged = 0;
	size_t n, m, k, i;
	uint64_t tau;

	for (turn = 0; turn < 2000; turn++) {
		n = 1 + random_below(CHUNKS);
		tau = groups_gap(0, make(c, n), MONOUT_STEP);
		m = naive(c, n, tau, want);
		k = fold(c, n, 0.001, have);
		merged += k > m;
		k = groups_merge(have, k, tau);
		wrong += k != m;
		for (i = 0; i < m && k == m; i++)
			wrong += !same(&have[i], &want[i]);
	}
	is_int(wrong, 0, "folded groups are those of the definition");
	ok(merged > 1000, "most runs have groups to merge: %d", merged);
}

int
main(void)
{
	gaps();
	by_hand();
	at_random();
	return done_testing();
}
