/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words of bytes (shadow.h), compared at random with an array of them; and
 * their memory.  Bytes that are stored in a regular order need no memory,
 * except where they differ.  Workers that share them out (parts.h) find the
 * same words.
 */
#include "monitor/module/memmon_module.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { BYTES = 1 << 12, MANY = 1 << 20 };

static void *
map(struct memmon_host *h, size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	(void)h;
	return p == MAP_FAILED ? NULL : p;
}

static void
unmap(struct memmon_host *h, void *p, size_t size)
{
	(void)h;
	munmap(p, size);
}

static struct memmon_host host = { .map = map, .unmap = unmap };
static const uint64_t base = 0x7f0000400000u - BYTES / 2;

static unsigned
below(unsigned n)
{
	return (unsigned)rand() % n;
}

/* n bytes from `at' on, or fewer if there are fewer. */
static unsigned
within(unsigned at, unsigned n)
{
	return n < BYTES - at ? n : BYTES - at;
}

/* Words that are near each other, far, of few instructions, or of many. */
static uint64_t
word(uint64_t now)
{
	uint64_t node = below(8) ? 1 + below(3) : below(4000000);

	return (node << 40 | now) & ~MEMMON_SPLIT;
}

static void
set(struct memmon_bytes *b, uint64_t *all, unsigned at, unsigned n, uint64_t v)
{
	if (n <= 8 && !(n & (n - 1)) && !(at & (n - 1)))
		memmon_bytes_set_aligned(b, base + at, n, v);
	else
		memmon_bytes_set(b, base + at, n, v);
	for (unsigned i = at; i < at + n; i++)
		all[i] = v;
}

/* Do the word of n bytes, and the runs in more bytes, agree with the array? */
static bool
same(struct memmon_bytes *b, const uint64_t *all, unsigned at, unsigned n)
{
	unsigned from = at;
	uint64_t v, run;

	if (n <= 8 && !(n & (n - 1)) && !(at & (n - 1))) {
		v = memmon_bytes_aligned(b, base + at, n);
		for (unsigned i = at; v != MEMMON_SPLIT && i < at + n; i++)
			if (all[i] != v)
				return false;
		if (n == 1 && v != all[at])
			return false;
	}
	for (; from < at + n; from += (unsigned)run) {
		run = memmon_bytes_run(b, base + from, at + n - from, &v);
		for (unsigned i = from; i < from + run; i++)
			if (all[i] != v || memmon_bytes_get(b, base + i) != v)
				return false;
		if (from + run < at + n && all[from + run] == v)
			return false;
	}
	return true;
}

static void
at_random(unsigned seed)
{
	struct memmon_bytes b = { 0 };
	uint64_t *all = calloc(BYTES, sizeof(*all)), now = 1;
	unsigned bad = 0;

	srand(seed);
	if (!memmon_bytes_init(&b, &host))
		now = 0;
	for (unsigned i = 0; now && i < 200000; i++) {
		unsigned n = 1u << below(4), at = below(BYTES), k = below(40);
		uint64_t v = word(now);

		now += below(16) ? 1 : 5000;
		if (!below(4))
			n = 1 + below(below(8) ? 60 : 600);
		if (below(3))
			at &= ~(n - 1);
		n = within(at, n);
		if (k == 0) {
			memmon_bytes_clear(&b, base + at, n);
			memset(all + at, 0, n * sizeof(*all));
		} else if (k < 8) { /* one by one, up or down */
			for (unsigned j = 0; j < n; j++)
				set(&b, all, k & 1 ? at + j : at + n - 1 - j, 1,
				    v + j);
		} else {
			set(&b, all, at, n, v);
		}
		at = below(BYTES);
		bad += !same(&b, all, at, within(at, 1 + below(60)));
	}
	for (unsigned i = 0; now && i < BYTES; i++)
		bad += !same(&b, all, i, 1);
	ok(now && !bad, "words of bytes are what was set, seed %u", seed);
	free(all);
}

/*
 * Each worker gets the runs that begin at its own bytes: together all, each
 * once.
 */
static void
parted(uint32_t workers)
{
	static uint64_t all[BYTES], found[BYTES];
	struct memmon_bytes b[8] = { 0 };
	struct memmon_batch batch = { .workers = workers };
	unsigned bad = 0;

	memset(all, 0, sizeof(all));
	for (uint32_t w = 0; w < workers; w++)
		bad += !memmon_bytes_init(&b[w], &host);
	for (unsigned i = 0; !bad && i < 20000; i++) {
		unsigned at = below(BYTES), n;

		n = within(at, 1 + below(below(8) ? 16 : 900));
		memset(found, 0, sizeof(found));
		for (uint32_t w = 0; w < workers; w++) {
			batch.worker = w;
			memmon_each_mine (r, &b[w], &batch, base + at, n)
				found[r.at - base] += r.word;
		}
		for (unsigned k = at; k < at + n; k++)
			bad += found[k] !=
			       (k > at && all[k] == all[k - 1] ? 0 : all[k]);
		for (unsigned k = at; k < at + n; k++)
			all[k] = i / 3;
		for (uint32_t w = 0; w < workers; w++) {
			batch.worker = w;
			memmon_set_mine(&b[w], &batch, base + at, n, i / 3);
		}
	}
	ok(!bad, "%u workers find each run once", workers);
}

/*
 * The order in which bytes are stored: place, instruction and time of the i-th
 * store.
 */
struct order {
	const char *name;
	unsigned size;	   /* of a store */
	unsigned together; /* stores at one time, each by its own instruction */
	unsigned left;	   /* bytes after those that are left out */
	bool down;
	unsigned ticks; /* time between stores: 1 to this many */
};

static void
in_order(const struct order *o, unsigned rounds)
{
	struct memmon_bytes b = { 0 };
	uint64_t now = 1;

	if (!memmon_bytes_init(&b, &host)) {
		ok(false, "%s: no memory", o->name);
		return;
	}
	for (unsigned r = 0; r < rounds; r++) {
		for (uint64_t i = 0, k = 0; i + o->size <= MANY; k++) {
			uint64_t node = 1 + k % o->together;
			uint64_t at = o->down ? MANY - o->size - i : i;

			memmon_bytes_set_aligned(&b, base + BYTES + at, o->size,
						 node << 40 | now);
			i += o->size;
			if (node < o->together)
				continue;
			i += o->left;
			now += 1 + below(o->ticks);
		}
		now += 100000;
	}
	ok(b.nsplit <= 4, "%s, %u times: %u granules take more", o->name,
	   rounds, b.nsplit);
	ok(b.npatterns < 40000, "... which differ in %u ways", b.npatterns);
}

int
main(void)
{
	static const struct order orders[] = {
		{ "bytes", 1, 1, 0, false, 1 },
		{ "bytes, downwards", 1, 1, 0, true, 1 },
		{ "bytes, in a loop with another one in it", 1, 1, 0, false,
		  9 },
		{ "three bytes at a time", 1, 3, 0, false, 1 },
		{ "three bytes of four", 1, 3, 1, false, 1 },
		{ "one of four", 1, 1, 3, false, 1 },
		{ "four bytes at a time", 1, 4, 0, false, 1 },
		{ "pairs of bytes", 2, 1, 0, false, 1 },
		{ "pairs of bytes, downwards", 2, 1, 0, true, 1 },
		{ "two pairs at a time", 2, 2, 0, false, 3 },
	};

	for (unsigned seed = 1; seed <= 5; seed++)
		at_random(seed);
	for (uint32_t workers = 1; workers <= 8; workers *= 2)
		parted(workers);
	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
		in_order(&orders[i], 1);
		in_order(&orders[i], 3);
	}
	return done_testing();
}
