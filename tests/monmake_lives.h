/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The directives of tests/monmake.c for the tables that come after the bins:
 * peak, life, thread.  For that one program only.
 */
#ifndef MEMMON_TESTS_MONMAKE_LIVES_H
#define MEMMON_TESTS_MONMAKE_LIVES_H

#include "tests/monmake.h"

static inline void
do_peak(void)
{
	static size_t room;

	peaks = grow(peaks, &room, npeaks + 1, sizeof(*peaks));
	peaks[npeaks++] =
		(struct peak){ find_site(word(1)), number(2), number(3) };
}

/* NS:BLOCKS[:WEIGHT]: BLOCKS blocks with lifetime NS; adds them to bins. */
static inline void
life_time(struct life *x, char *s, uint64_t bins[64])
{
	char *blocks = strchr(s, ':'), *weight;
	uint64_t ns, n, w;

	if (!blocks)
		die("NS:BLOCKS expected");
	*blocks++ = '\0';
	weight = strchr(blocks, ':');
	if (weight)
		*weight++ = '\0';
	ns = to_number(s);
	n = to_number(blocks);
	w = weight ? to_number(weight) : n;
	if (!x->n[LIFE_TIMED] || ns < x->n[LIFE_MIN])
		x->n[LIFE_MIN] = ns;
	if (ns > x->n[LIFE_MAX])
		x->n[LIFE_MAX] = ns;
	x->n[LIFE_TIMED] += n;
	x->n[LIFE_WEIGHT] += w;
	x->n[LIFE_SUM] += ns * w;
	bins[ns < 2 ? 0 : 63 - __builtin_clzll(ns)] += w;
}

/* Turns bins of all lifetimes into those of the item. */
static inline void
life_bins(struct life *x, const uint64_t bins[64])
{
	size_t first = 0, end = MONOUT_LIFE_BINS, i;
	uint64_t low[64];

	/* The last bin has all longer lifetimes. */
	memcpy(low, bins, sizeof(low));
	for (i = end; i < 64; i++)
		low[end - 1] += low[i];
	while (first < end && !low[first])
		first++;
	while (end > first && !low[end - 1])
		end--;
	x->n[LIFE_FIRST] = first < end ? first : 0;
	x->n[LIFE_N] = end - first;
	for (i = first; i < end; i++)
		x->bins[i - first] = low[i];
}

/* Times first: the other words then replace values in the file. */
static inline void
do_life(void)
{
	static const char *const keys[LIFE_NKEYS] = {
		NULL,	  "temps",   "near",  "by_others", "moved",
		"copied", "longest", "timed", "weight",	 "sum",
		"min",	  "max",     "first", "n"
	};
	static size_t room;
	struct life x = { .site = find_site(word(1)) };
	uint64_t bins[64] = { 0 };
	size_t i, k;

	for (i = 2; i < nwords; i += 2) {
		if (!strcmp(words[i], "time"))
			life_time(&x, word(i + 1), bins);
	}
	life_bins(&x, bins);
	for (i = 2; i < nwords; i += 2) {
		k = key(keys, LIFE_NKEYS, words[i]);
		if (k)
			x.n[k] = number(i + 1);
		else if (!strncmp(words[i], "bin", 3))
			x.bins[to_number(words[i] + 3) % 64] = number(i + 1);
		else if (strcmp(words[i], "time") != 0)
			die("no such word for a life");
	}
	lives = grow(lives, &room, nlives + 1, sizeof(x));
	lives[nlives++] = x;
}

static inline void
do_thread(void)
{
	static const char *const keys[] = { NULL,    "allocs", "bytes",
					    "frees", "freed",  "of_others" };
	static size_t room;
	struct thread x = { .name = word(1), .threads = 1 };
	size_t i, k;

	if (!strcmp(x.name, "-"))
		x.name = words[1] + 1;
	for (i = 2; i < nwords; i += 2) {
		k = key(keys, 6, words[i]);
		if (k)
			x.n[k - 1] = number(i + 1);
		else if (!strcmp(words[i], "threads"))
			x.threads = number(i + 1);
		else if (!strcmp(words[i], "flags"))
			x.flags = number(i + 1);
		else
			die("no such word for a thread");
	}
	threads = grow(threads, &room, nthreads + 1, sizeof(x));
	threads[nthreads++] = x;
}

#endif
