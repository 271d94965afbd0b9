/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What exports are made from: random blocks of a site, divided by when they are
 * live, add up to the known sums; numbers for strings and pairs; protocol
 * buffers.
 */
#include "display/export/export.h"
#include "display/text/intern.h"
#include "display/text/proto.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

static uint64_t seed = 1;

static unsigned
chance(unsigned n)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

/* -------------------------------------------------- when blocks are live -- */

static void
put(struct live_sum *a, uint64_t bytes)
{
	a->blocks++;
	a->bytes += bytes;
}

/*
 * A site of a few blocks of several sizes, each live at the peak and the end or
 * not.
 */
static struct live_known
site(void)
{
	struct live_known k = { { 0, 0 }, { 0, 0 }, { 0, 0 } };
	unsigned n = chance(9), sizes = 1 + chance(4), kinds = 1 + chance(4);

	while (n--) {
		uint64_t bytes = chance(sizes) * 8;
		unsigned kind = chance(kinds);

		put(&k.all, bytes);
		if (kind & 1)
			put(&k.peak, bytes);
		if (kind & 2)
			put(&k.end, bytes);
	}
	return k;
}

static bool
adds_up(const struct live_sum *g, int a, int b, const struct live_sum *want)
{
	return g[a].blocks + g[b].blocks == want->blocks &&
	       g[a].bytes + g[b].bytes == want->bytes;
}

static bool
right(const struct live_known *k, const struct live_sum g[4])
{
	struct live_sum rest = { k->all.blocks - k->peak.blocks,
				 k->all.bytes - k->peak.bytes };

	for (int i = 0; i < 4; i++)
		if (!g[i].blocks && g[i].bytes)
			return false;
	return adds_up(g, LIVE_PEAK, LIVE_BOTH, &k->peak) &&
	       adds_up(g, LIVE_END, LIVE_BOTH, &k->end) &&
	       adds_up(g, LIVE_NEITHER, LIVE_END, &rest);
}

static void
live_parts(void)
{
	unsigned bad = 0;
	struct live_sum g[4];
	struct live_known k = { { 2, 20 }, { 3, 40 }, { 1, 5 } };

	for (int i = 0; i < 200000; i++) {
		k = site();
		bad += !live_divide(&k, g) || !right(&k, g);
	}
	is_int(bad, 0, "parts of random sites add up");
	/* Estimates: more at the peak than in all. */
	k = (struct live_known){ { 2, 20 }, { 3, 40 }, { 1, 5 } };
	ok(live_divide(&k, g), "estimates that pass each other");
	is_int(g[LIVE_PEAK].blocks + g[LIVE_BOTH].blocks, 2, "are held");
	/* One block can't have two sizes. */
	k = (struct live_known){ { 1, 8 }, { 1, 4 }, { 1, 8 } };
	ok(!live_divide(&k, g), "what can't be is told");
	is_int(g[LIVE_END].bytes + g[LIVE_BOTH].bytes, 8, "the end is right");
}

/* ---------------------------------------------------------------- tables -- */

static void
tables(void)
{
	struct intern t = { 0 };
	unsigned bad = 0;
	char(*text)[8] = calloc(5000, sizeof *text);

	for (unsigned i = 0; text && i < 5000; i++) {
		snprintf(text[i], sizeof text[i], "s%u", i);
		bad += intern_text(&t, text[i]) != i;
	}
	for (unsigned i = 0; text && i < 5000; i++)
		bad += intern_text(&t, text[i]) != i;
	is_int(bad, 0, "strings have numbers in order, and keep them");
	intern_fini(&t);
	free(text);
	for (unsigned i = 0; i < 5000; i++)
		bad += intern_pair(&t, i % 70, i / 70) != i;
	for (unsigned i = 0; i < 5000; i++)
		bad += intern_pair(&t, i % 70, i / 70) != i;
	bad += intern_pair(&t, UINT64_MAX, 0) != 5000;
	is_int(bad, 0, "and so have pairs");
	intern_fini(&t);
}

static void
is_bytes(const struct proto *m, const char *want, size_t n, const char *name)
{
	ok(m->n == n && !memcmp(m->v, want, n), "%s", name);
}

static void
protocol(void)
{
	struct proto m = { 0 }, part = { 0 };

	proto_number(&m, 1, 150);
	proto_number(&m, 2, 0);
	is_bytes(&m, "\x08\x96\x01", 3, "a number; 0 is none");
	m.n = 0;
	proto_number(&m, 16, UINT64_MAX);
	is_bytes(&m, "\x80\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12,
		 "the largest, in a field of two bytes");
	m.n = 0;
	proto_item(&part, 3);
	proto_item(&part, 270);
	proto_message(&m, 4, &part);
	is_bytes(&m, "\x22\x03\x03\x8e\x02", 5, "a packed array");
	is_int(part.n, 0, "its part is empty then");
	m.n = 0;
	proto_text(&m, 6, "a\xff\xc3\xa9");
	is_bytes(&m,
		 "\x32\x04"
		 "a?\xc3\xa9",
		 6, "a string, what isn't UTF-8 left out of it");
	proto_fini(&m);
	proto_fini(&part);
}

int
main(void)
{
	live_parts();
	tables();
	protocol();
	return done_testing();
}
