/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranges of accesses in records, among accesses that are counted at once, by
 * several threads, as time goes on.  When a block is freed, its figures are
 * those of a list of all accesses.
 */
#define MEMMON_ACCESS
#include "monitor/shadow/overflow.c"
#include "monitor/shadow/ranges.c"
#include "monitor/shadow/read_shadow.c"
#include "tests/tap.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

bool
mmi_shadow_there(struct mmi_shadow_pages *p)
{
	p->from = p->to;
	p->to = p->end;
	return p->from < p->end;
}

#define BLOCKS 6u
#define EACH 300u /* granules of a block */
#define ALL ((BLOCKS * EACH / MMI_RANGES_CARD + 1) * MMI_RANGES_CARD)
#define THREADS 3u

/* What the shadow needs from other files. */
struct mmi_shadow mmi_shadow;
int mmi_clock_started = 1;
uint32_t mmi_clock_now = 1;
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

static struct mmi_thread threads[THREADS + 1];
TLS struct mmi_thread *mmi_thread_me = &threads[0];
struct mmi_thread mmi_thread_ended;
const struct mmi_thread *
mmi_thread_next(const struct mmi_thread *t)
{
	if (!t)
		return &threads[0];
	return t < &threads[THREADS] ? t + 1 : NULL;
}

static struct ends records[ALL / MMI_RANGES_CARD];
static uint64_t cells[ALL], blocks[ALL];

/* The expected figures of each block and granule. */
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

	mmi_ranges_clear(i, EACH);
	memset(&blocks[i], 0, EACH * sizeof(*blocks));
	blocks[i] = MMI_SHADOW_START;
	blocks[i + 1] = MMI_SHADOW_INFO | now;
	for (uint32_t k = 0; k < EACH; k++)
		cells[i + k] = word(1);
	wants[b] = (struct want){ 0 };
}

/* Does what the code added to a program and its slow path do. */
static void
access_one(uint64_t i, uint32_t tag, uint64_t reads, uint64_t writes)
{
	uint64_t v = cells[i];

	if (v & MMI_WORD_GUARD) {
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
	cells[i] = v + mmi_word_counts(reads, writes);
}

/* The calling thread becomes the one with that tag. */
static void
be(uint32_t tag)
{
	mmi_thread_me = &threads[tag];
	mmi_thread_me->access_state.now = word(tag);
}

/* Accesses granules `lo' to `hi' of block b. */
static unsigned
access_range(uint32_t b, uint32_t lo, uint32_t hi, uint32_t tag, bool whole)
{
	uint32_t reads = some(2) * some(30000), writes = some(3) + !reads;
	uint64_t i = b * EACH, from = 1, to = 0;
	struct want *w = &wants[b];

	if (whole) {
		from = (i + lo + MMI_RANGES_CARD - 1) / MMI_RANGES_CARD;
		to = (i + hi + 1) / MMI_RANGES_CARD;
		/* Counts that don't fit any more happen, too. */
		if (some(50) == 0)
			reads = MUCH - 1 - some(1000);
		be(tag);
		if (!mmi_ranges_add(from, to - 1, reads, writes))
			from = to = 0;
	}
	for (uint32_t k = lo; k <= hi; k++) {
		uint64_t c = (i + k) / MMI_RANGES_CARD;

		if (c < from || c >= to) {
			if (reads >= MEMMON_ADD_MAX) {
				mmi_overflow_add(i + k, reads, 0);
				access_one(i + k, tag, 0, writes);
				cells[i + k] |= MMI_WORD_OVERFLOW;
			} else {
				access_one(i + k, tag, reads, writes);
			}
		}
		w->reads[k] += reads;
		w->writes[k] += writes;
	}
	w->first = w->first ? w->first : now;
	w->last = now;
	w->tags |= 1u << tag;
	return to > from;
}

static bool
same(uint32_t b)
{
	const struct want *w = &wants[b];
	uint64_t grain[2 * EACH] = { 0 }, i = b * EACH, reads = 0, writes = 0;
	struct mmi_found f;

	mmi_ranges_settle(i, EACH);
	mmi_shadow_read(&f, i, EACH * 16, blocks[i + 1], grain, true);
	/* The last granules have only sums. */
	for (uint32_t k = 0; k < EACH; k++) {
		if (k < MMI_SHADOW_GRAINS
			    ? grain[2 * k] != w->reads[k] ||
				      grain[2 * k + 1] != w->writes[k]
			    : grain[2 * k] || grain[2 * k + 1])
			return false;
		if (k >= MMI_SHADOW_GRAINS) {
			reads += w->reads[k];
			writes += w->writes[k];
		}
	}
	if (f.cut[0] != reads || f.cut[1] != writes)
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

#define CARDS (EACH / MMI_RANGES_CARD)

static void
few(void)
{
	made(0);
	mmi_thread_me = &mmi_thread_ended;
	ok(!mmi_ranges_add(0, CARDS - 1, 1, 0), "no thread");
	be(1);
	ok(mmi_ranges_add(0, CARDS - 1, 1, 0), "a thread, the first time");
	is_int(mmi_word_reads(cells[5]), 0, "the words don't have it yet");
	mmi_ranges_settle(EACH, EACH);
	is_int(mmi_word_reads(cells[5]), 0, "nor when another block goes");
	mmi_ranges_settle(0, EACH);
	is_int(mmi_word_reads(cells[5]), 1, "when it is asked for they do");
	is_int(mmi_word_reads(cells[CARDS * MMI_RANGES_CARD]), 0,
	       "but for what is no whole card");
	mmi_ranges_settle(0, EACH);
	is_int(mmi_word_reads(cells[5]), 1, "and no second time");
	mmi_ranges_add(0, CARDS - 1, 1, 0);
	mmi_ranges_clear(0, EACH);
	mmi_ranges_settle(0, EACH);
	is_int(mmi_word_reads(cells[5]), 1, "another block has none of it");
	mmi_ranges_add(1, CARDS - 1, 1, 0);
	records[1] = (struct ends){ .tag = 0 };
	mmi_ranges_settle(0, EACH);
	is_int(mmi_word_reads(cells[5]), 2,
	       "what ends and began before is of all up to there");
	is_int(mmi_word_reads(cells[CARDS * MMI_RANGES_CARD - 1]), 2, "...");
}

/*
 * A handler interrupts the thread that adds: it doesn't wait for its own
 * thread.
 */
static void
interrupted(void)
{
	made(1);
	be(1);
	threads[1].in_range = UINTPTR_MAX;
	ok(mmi_ranges_add(20, 30, 1, 0), "its handler adds to records");
	is_int(threads[1].in_range == UINTPTR_MAX, 1, "it is still at it then");
	ok(!mmi_ranges_hold(), "so its handler doesn't read them");
	threads[1].in_range = 16;
	ok(mmi_ranges_add(20, 30, 1, 0), "a handler has left for good");
	is_int(threads[1].in_range, 0, "that is known then");
	ok(mmi_ranges_hold(), "records are read");
	be(2);
	__libc_single_threaded = 0;
	ok(!mmi_ranges_add(20, 30, 1, 0), "others don't add meanwhile");
	mmi_ranges_release();
	ok(mmi_ranges_add(20, 30, 1, 0), "but afterwards");
	threads[1].in_range = 1;
	mmi_ranges_fork(true);
	ok(mmi_ranges_hold(), "in a child others are gone");
	mmi_ranges_release();
	mmi_ranges_clear(0, ALL);
}

#define TIMES 200000

static void *
add_many(void *arg)
{
	be((uint32_t)(uintptr_t)arg);
	for (unsigned k = 0; k < TIMES; k++)
		while (!mmi_ranges_add(k % 4, CARDS - 1 - k % 3, 1, 1))
			continue;
	return NULL;
}

/*
 * Threads that add at the same time lose nothing, and a reader sees whole
 * ranges.
 */
static void
together(void)
{
	pthread_t t[THREADS];
	unsigned bad = 0;
	uint64_t n[2] = { 0, 0 };

	made(0);
	be(0);
	for (uintptr_t k = 0; k < THREADS; k++)
		pthread_create(&t[k], NULL, add_many, (void *)(k + 1));
	for (unsigned k = 0; k < 200; k++) {
		if (!mmi_ranges_hold())
			continue;
		for (unsigned c = 0; c < CARDS; c++)
			n[0] += READS_OF(records[c].began) -
				READS_OF(records[c].ended);
		bad += n[0] != 0;
		n[0] = 0;
		mmi_ranges_release();
	}
	for (unsigned k = 0; k < THREADS; k++)
		pthread_join(t[k], NULL);
	is_int(bad, 0, "a range that is seen is seen whole");
	mmi_ranges_settle(0, EACH);
	mmi_overflow_read(5 * MMI_RANGES_CARD, true, &n[0], &n[1]);
	is_int(n[0] + mmi_word_reads(cells[5 * MMI_RANGES_CARD]),
	       THREADS * TIMES, "none is lost");
	ok(cells[5 * MMI_RANGES_CARD] & MMI_WORD_SHARED, "by several threads");
}

int
main(void)
{
	mmi_shadow.cells = cells;
	mmi_shadow.blocks = blocks;
	mmi_shadow.ends = (uint64_t *)(void *)records;
	mmi_shadow.ranged = calloc(1, MMI_SHADOW_REGIONS);
	few();
	interrupted();
	__libc_single_threaded = 1;
	at_random(100000);
	__libc_single_threaded = 0;
	together();
	return done_testing();
}
