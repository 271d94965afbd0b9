/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranges of accesses in records, among accesses that are counted at once, by
 * several threads, as time goes on: what is known of a block when it goes is
 * what a list of all accesses says.
 */
#define MEMMON_ACCESS
#include "monitor/base/arch.h"

/* How often somebody waited. */
static unsigned long pauses;
#define arch_pause() (pauses++)
#include "monitor/shadow/overflow.c"
#include "monitor/shadow/ranges.c"
#include "monitor/shadow/read_shadow.c"
#include "monitor/shadow/read_shadow.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

#define BLOCKS 6u
#define EACH 300u /* granules of a block */
#define ALL (BLOCKS * EACH + 1)
#define THREADS 3u

/* What the module needs of others. */
struct mmi_shadow mmi_shadow;
int mmi_clock_started = 1;
void
mmi_clock_start_slow(void)
{
}

void *
mmi_arena_reserve(size_t size)
{
	return calloc(1, size);
}

void
mmi_arena_unreserve(void *p, size_t size)
{
	(void)size;
	free(p);
}

void
mmi_shadow_first(uint64_t i, uint32_t epoch)
{
	uint64_t *b = &mmi_shadow.blocks[i];
	uint64_t mask = MMI_SHADOW_STAMP << MMI_SHADOW_FIRST_SHIFT;
	uint64_t first = (uint64_t)epoch << MMI_SHADOW_FIRST_SHIFT;

	b += (*b & MMI_SHADOW_START) != 0;
	if (!(*b & MMI_SHADOW_INFO))
		*b |= MMI_SHADOW_FIRST;
	if (!(*b & mask) || (*b & mask) > first)
		*b = (*b & ~mask) | first;
}

static uint64_t cells[ALL], blocks[ALL];

/* What is to be known of each block, and granule. */
static struct want {
	uint64_t reads[EACH], writes[EACH];
	uint32_t first, last, tags;
} wants[BLOCKS];

static uint32_t now = 1;
static uint64_t seed = 1;

static uint32_t
some(uint32_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % n;
}

static uint64_t
word(uint32_t tag)
{
	return (uint64_t)tag << MEMMON_TAG_SHIFT |
	       (uint64_t)now << MEMMON_STAMP_SHIFT;
}

static void
made(uint32_t b)
{
	uint64_t i = b * EACH;

	mmi_ranges_settle(i, EACH);
	memset(&blocks[i], 0, EACH * sizeof(*blocks));
	blocks[i] = MMI_SHADOW_START;
	blocks[i + 1] = MMI_SHADOW_INFO | now;
	for (uint32_t k = 0; k < EACH; k++)
		cells[i + k] = word(1);
	wants[b] = (struct want){ 0 };
}

/* As the code that is added to a program and its slow path. */
static void
access_one(uint64_t i, uint32_t tag, uint64_t reads, uint64_t writes)
{
	uint64_t v = cells[i];

	if (v & MMI_WORD_GUARDS) {
		mmi_overflow_add(i, mmi_word_reads(v), mmi_word_writes(v));
		v = (v & ~MMI_WORD_COUNTS) | MMI_WORD_OVERFLOW;
	}
	if (v & MMI_WORD_TOUCHED) {
		if (mmi_word_tag(v) != tag)
			v |= MMI_WORD_SHARED;
		if (mmi_word_stamp(v) != now && !(v & MMI_WORD_FIRST)) {
			mmi_shadow_first(i, mmi_word_stamp(v));
			v |= MMI_WORD_FIRST | MMI_WORD_OWN;
		}
	}
	v = (v & ~MMI_WORD_NOW) | word(tag);
	cells[i] = v + (reads << MEMMON_READ_SHIFT) +
		   (writes << MEMMON_WRITE_SHIFT);
}

/* Granules from `lo' to `hi' of block b. */
static unsigned
access_range(uint32_t b, uint32_t lo, uint32_t hi, uint32_t tag, bool whole)
{
	uint64_t reads = some(2) * some(30000), writes = some(3) + !reads;
	uint64_t i = b * EACH;
	struct want *w = &wants[b];
	bool noted = whole &&
		     mmi_ranges_add(i + lo, i + hi, reads, writes, word(tag));

	for (uint32_t k = lo; k <= hi; k++) {
		if (!noted)
			access_one(i + k, tag, reads, writes);
		w->reads[k] += reads;
		w->writes[k] += writes;
	}
	w->first = w->first ? w->first : now;
	w->last = now;
	w->tags |= 1u << tag;
	return noted;
}

static bool
same(uint32_t b)
{
	const struct want *w = &wants[b];
	uint64_t grain[2 * EACH] = { 0 }, i = b * EACH;
	struct mmi_found f;

	mmi_ranges_settle(i, EACH);
	mmi_shadow_read(&f, i, EACH * 16, blocks[i + 1], grain, true);
	for (uint32_t k = 0; k < EACH; k++)
		if (grain[2 * k] != w->reads[k] ||
		    grain[2 * k + 1] != w->writes[k])
			return false;
	return f.first == w->first && f.last == w->last &&
	       f.shared == ((w->tags & (w->tags - 1)) != 0);
}

static void
at_random(unsigned steps)
{
	unsigned noted = 0, bad = 0, gone = 0;

	for (uint32_t b = 0; b < BLOCKS; b++)
		made(b);
	while (steps--) {
		uint32_t b = some(BLOCKS), lo = some(3) * 20;
		uint32_t hi = EACH - 1 - some(2) * 90;
		uint32_t tag = 1 + (some(8) ? b % THREADS : some(THREADS));

		switch (some(20)) {
		case 0:
			bad += !same(b);
			gone++;
			made(b);
			break;
		case 1:
			now += some(3);
			break;
		case 2:
			lo = some(EACH);
			access_range(b, lo, lo, tag, false);
			break;
		default:
			noted += access_range(b, lo, hi, tag, true);
		}
	}
	is_int(bad, 0, "blocks that something else is said of");
	ok(noted > 1000 && gone > 100, "%u ranges in records, %u blocks", noted,
	   gone);
}

/* A range that comes twice has no record, nor has one without a thread. */
static void
few(void)
{
	made(0);
	ok(!mmi_ranges_add(0, EACH - 1, 1, 0, word(0)), "no thread");
	ok(!mmi_ranges_add(0, EACH - 1, 1, 0, word(0)), "not even again");
	ok(!mmi_ranges_add(0, EACH - 1, 1, 0, word(1)), "the first time");
	ok(!mmi_ranges_add(0, EACH - 1, 1, 0, word(1)), "the second");
	ok(mmi_ranges_add(0, EACH - 1, 1, 0, word(1)), "the third");
	is_int(mmi_word_reads(cells[5]), 0, "the words don't have it yet");
	mmi_ranges_settle(EACH, EACH);
	is_int(mmi_word_reads(cells[5]), 0, "nor when another block goes");
	mmi_ranges_settle(EACH - 1, 1);
	is_int(mmi_word_reads(cells[5]), 1, "when it is asked for they do");
	ok(mmi_ranges_add(0, EACH - 1, 1, 0, word(1)), "again");
	mmi_ranges_fork(false);
	mmi_ranges_settle(0, EACH);
	is_int(mmi_word_reads(cells[5]), 1, "a child without the words");
	ok(!mmi_ranges_add(0, EACH - 1, 1, 0, word(1)), "it begins anew");
	ok(!mmi_ranges_add(0, EACH - 1, 1, 0, word(1)), "and goes on");
	ok(mmi_ranges_add(0, EACH - 1, 1, 0, word(1)), "with them ...");
	mmi_ranges_fork(true);
	mmi_ranges_settle(0, EACH);
	is_int(mmi_word_reads(cells[5]), 2, "... it has the records, too");
}

/* A handler strikes while the thread looks at a record: nobody waits for it. */
static void
interrupted(void)
{
	made(1);
	for (unsigned k = 0; k < SEEN_MIN; k++)
		mmi_ranges_add(EACH, 2 * EACH - 1, 1, 0, word(1));
	for (unsigned k = 0; k < RECORDS; k++)
		STORE(&records[k].held, self());
	ok(!mmi_ranges_add(EACH, 2 * EACH - 1, 1, 0, word(1)),
	   "a record that the thread looks at isn't for its handler");
	mmi_ranges_settle(EACH, EACH);
	is_int(pauses, 0, "who asks for it doesn't wait for itself");
	for (unsigned k = 0; k < RECORDS; k++)
		STORE(&records[k].held, 0);
	mmi_ranges_settle(EACH, EACH);
	is_int(mmi_word_reads(cells[EACH]), 1, "later it is told");
}

int
main(void)
{
	mmi_shadow.cells = cells;
	mmi_shadow.blocks = blocks;
	few();
	interrupted();
	at_random(100000);
	return done_testing();
}
