/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The monitor's live map: several threads with blocks of the same pages. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "tests/unit/live.h"

#define PAGE 4096u
#define PLACES 512u

/* Another thread began to move a page's entries while this one reads them. */
static void
moving(void)
{
	uintptr_t p = 0x668000000000;
	uint64_t *page, word, *place, was;
	bool gone;

	put(p, 2000, entry_of(1));
	page = mmi_live_page(p);
	word = *page;
	place = MMI_LIVE_BUCKET(word);
	place += !*place;
	*page = word | LOCKED;
	was = SWAP(place, MOVED);
	is_int(bucket_take_out(page, word, MMI_LIVE_OFF(p), &gone), 0,
	       "a block on its way to a larger bucket isn't found");
	ok(!gone, "nor said to be gone");
	*place = was;
	*page = word;
	bucket_take_out(page, word, MMI_LIVE_OFF(p + 16), &gone);
	ok(gone, "one that never was is");
	is_int(take(p), entry_of(1), "with the page at rest it is found");
}

/* A block is about to be put outside its line, and the page becomes flat. */
static void
flat_meanwhile(void)
{
	uintptr_t p = 0x669000000000;
	uint64_t *page, word, entry = 0, *place;

	for (unsigned i = 0; i < 33; i++)
		put(p + 16 * i, 64, entry_of(i + 1));
	page = mmi_live_page(p);
	word = *page & ~MMI_LIVE_SPILLED;
	is_int(word_shift(word), SHIFT_MAX, "a bucket of eight lines");
	place = MMI_LIVE_BUCKET(word);
	for (uint64_t off = 1; place == MMI_LIVE_BUCKET(word); off++)
		if (mmi_live_line(off, MMI_LIVE_N(word)) == 0)
			entry = off << MMI_LIVE_OFF_SHIFT, place += 8;
	*page = word;
	ok(spills(page, word, entry, place), "beside its line there is room");
	is_int(*page, (int64_t)(word | MMI_LIVE_SPILLED), "which is said");
	for (unsigned i = 33; i < 250; i++)
		put(p + 16 * i, 64, entry_of(i + 1));
	is_int(word_shift(*page), SHIFT_FLAT, "the page becomes flat");
	ok(!spills(page, word, entry, place), "then there is no line");
	ok(!(*page & MMI_LIVE_SPILLED), "nor is anything said");
	is_int(take(p + 16 * 40), entry_of(41), "its blocks are found");
}

#define SHARED_PAGES 20000u
static const uintptr_t pages_base = 0x6a0000000000;
static unsigned page_now;

/* Puts and takes one block of each page, while another thread grows it. */
static void *
looker(void *arg)
{
	struct mmi_thread *t = calloc(1, sizeof(*t));
	size_t wrong = 0;
	unsigned i;
	bool ok;

	while ((i = LOAD(&page_now)) < SHARED_PAGES) {
		uintptr_t a = pages_base + (uintptr_t)i * PAGE;

		wrong += mmi_live_put(t, at(a), 2000, entry_of(1), &ok) != 0 ||
			 !ok;
		wrong += (mmi_live_take(at(a)) & ALL_OF_IT) != entry_of(1);
	}
	(void)arg;
	return (void *)wrong;
}

static void
grown_beside(void)
{
	pthread_t id;
	void *wrong;

	pthread_create(&id, NULL, looker, NULL);
	for (; LOAD(&page_now) < SHARED_PAGES; FETCH_ADD(&page_now, 1))
		for (unsigned k = 2; k < 200; k += 2)
			put(pages_base + (uintptr_t)page_now * PAGE + 8 * k,
			    2000, entry_of(k));
	pthread_join(id, &wrong);
	is_int((size_t)wrong, 0, "%u pages, grown while a thread uses them",
	       SHARED_PAGES);
}

/* Two threads take the same blocks: each block goes to one of them. */
static unsigned taken[2], places;
static uintptr_t shared_page;
static pthread_barrier_t both;

static void *
taker(void *arg)
{
	unsigned *mine = arg;

	for (unsigned round = 0; round < 200; round++) {
		pthread_barrier_wait(&both);
		for (unsigned i = 0; i < places; i++)
			*mine += take(shared_page + 8 * i) != 0;
		pthread_barrier_wait(&both);
	}
	return NULL;
}

static void
contended(uintptr_t page, unsigned n, uint64_t size)
{
	pthread_t id[2];

	shared_page = page;
	places = n;
	taken[0] = taken[1] = 0;

	pthread_barrier_init(&both, NULL, 3);
	for (int i = 0; i < 2; i++)
		pthread_create(&id[i], NULL, taker, &taken[i]);
	for (unsigned round = 0; round < 200; round++) {
		for (unsigned i = 0; i < n; i++)
			put(page + 8 * i, size, entry_of(i + 1));
		pthread_barrier_wait(&both);
		pthread_barrier_wait(&both);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(id[i], NULL);
	is_int(taken[0] + taken[1], 200 * n,
	       "two threads that take the same blocks get each once");
}

static uint64_t held; /* a page's word, locked by a thread of lower priority */

static void *
holder(void *arg)
{
	STORE_REL(&held, *(uint64_t *)arg);
	return NULL;
}

/* Two real-time threads on one CPU: the urgent one waits for the other. */
static void
urgent(void)
{
	struct sched_param low = { 1 }, high = { 2 };
	uint64_t word = 0x1000 | MMI_LIVE_SMALL;
	struct timespec a, b;
	pthread_attr_t attr;
	cpu_set_t one;
	pthread_t id;

	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	pthread_attr_init(&attr);
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
	pthread_attr_setschedparam(&attr, &low);
	held = word | LOCKED;
	if (sched_setaffinity(0, sizeof(one), &one) != 0 ||
	    pthread_setschedparam(pthread_self(), SCHED_FIFO, &high) != 0 ||
	    pthread_create(&id, &attr, holder, &word) != 0) {
		ok(1, "# SKIP no real-time threads here");
		return;
	}
	clock_gettime(CLOCK_MONOTONIC, &a);
	is_int(page_wait(&held), (int64_t)word,
	       "the holder of less priority is let run");
	clock_gettime(CLOCK_MONOTONIC, &b);
	ok(b.tv_sec - a.tv_sec < 5, "at once");
	pthread_join(id, NULL);
	high.sched_priority = 0;
	pthread_setschedparam(pthread_self(), SCHED_OTHER, &high);
}

int
main(void)
{
	/* Pages begin with buckets. */
	nflat = FLAT_FIRST;
	flat_meanwhile();
	/* As in a program with several threads, from here on. */
	__libc_single_threaded = 0;
	moving();
	urgent();
	grown_beside();
	contended(0x650000000000, PLACES, 8);
	contended(0x651000000000, 32, 64);
	return done_testing();
}
