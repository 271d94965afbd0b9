/* SPDX-License-Identifier: MIT */
/* The allocator's memory as the heap grows. */
#include "monitor/costs/footprint.h"

#include <string.h>

#include "monitor/base/process.h"
#include "monitor/costs/ever_used.h"
#include "monitor/costs/cache_lines.h"
#include "monitor/costs/mappings.h"
#include "monitor/thread/ended.h"

int mmi_footprint_due;
uint64_t mmi_footprint_free[MMI_COST_SIZES];

/*
 * Usable bytes: live; the most at a sample, at a look, and at a sample with
 * resident pages.
 */
static uint64_t live; /* atomic */
static uint64_t sampled, looked, paged;
static uint64_t largest;   /* most bytes ever used */
static uint64_t inherited; /* usable bytes from before a fork */
static int taking;	   /* atomic */

static struct mmi_footprint sample[MMI_FOOTPRINTS];
static unsigned nsamples, peak, heap;
static struct mmi_cache_lines look;

/* At the look near the peak: blocks by size, live and free. */
static struct {
	uint32_t live, free;
} at_peak[MMI_COST_SIZES];

static inline uint64_t
larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void
mmi_footprint_flush(struct mmi_costs *c)
{
	int64_t more = c->usable;
	uint64_t now;

	c->usable = 0;
	now = __atomic_add_fetch(&live, (uint64_t)more, __ATOMIC_RELAXED);
	if ((int64_t)now <= 0 || more <= 0)
		return;
	if (now >= LOAD(&sampled) + larger(LOAD(&sampled) / 256, 64 << 10) ||
	    mmi_ever_used_bytes() >=
		    LOAD(&largest) + larger(LOAD(&largest) / 64, 1 << 20))
		STORE(&mmi_footprint_due, 1);
}

/* ---------------------------------------------------------------- looks -- */

static void
sizes_at_peak(void)
{
	const struct mmi_costs *c;

	for (unsigned i = 0; i < MMI_COST_SIZES; i++) {
		uint64_t allocs = 0, frees = 0;

		for (c = mmi_costs_first(); c; c = c->next) {
			frees += LOAD(&c->size[i].frees);
			allocs += LOAD(&c->size[i].allocs);
		}
		if (!allocs && !at_peak[i].live && !at_peak[i].free)
			continue;
		at_peak[i].live =
			allocs > frees ? (uint32_t)(allocs - frees) : 0;
		at_peak[i].free = (uint32_t)LOAD(&mmi_footprint_free[i]);
	}
}

static uint64_t
blowup(void)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < MMI_COST_SIZES; i++)
		sum += LOAD(&mmi_footprint_free[i]) * mmi_cost_size_of(i);
	return sum;
}

/* Drop every second sample, except those of the peaks. */
static void
thin(void)
{
	unsigned k = 0;

	for (unsigned i = 0; i < nsamples; i++)
		if (i % 2 == 0 || i == peak || i == heap) {
			if (i == peak)
				peak = k;
			if (i == heap)
				heap = k;
			sample[k++] = sample[i];
		}
	nsamples = k;
}

/* Bytes that the program asked for and hasn't freed. */
static uint64_t
requested(void)
{
	struct mmi_done d;

	mmi_ended_sum(&d);
	return d.bytes > d.freed ? d.bytes - d.freed : 0;
}

/* last: at the end; then with a look unless the last look had more bytes. */
static void
take(uint64_t going, bool last)
{
	struct mmi_footprint *s;
	uint64_t usable = LOAD(&live), out = mmi_ever_used_bytes();
	const struct mmi_costs *c;

	for (c = mmi_costs_first(); c; c = c->next)
		usable += (uint64_t)LOAD(&c->usable);
	if ((int64_t)usable <= 0)
		return;
	if (nsamples == MMI_FOOTPRINTS)
		thin();
	s = &sample[nsamples];
	s->at = mmi_process_clock(CLOCK_MONOTONIC);
	s->usable = usable;
	s->requested = requested() + inherited + going;
	if (s->requested > usable)
		s->requested = usable;
	s->unused = out > usable ? out - usable : 0;
	s->blowup = blowup();
	mmi_mappings_learn(mmi_ever_used_newest());
	s->mapped = mmi_mappings_bytes();
	s->resident = UINT64_MAX;
	/*
	 * Asking for resident pages is fast; walking through all blocks isn't.
	 */
	if (usable >= paged + (last ? 0 : larger(paged / 32, 64 << 10))) {
		paged = usable;
		s->resident = mmi_mappings_resident();
	}
	if (usable >= looked + (last ? 0
				     : larger(looked / (going ? 32 : 8),
					      going ? 64 << 10 : 1 << 20))) {
		looked = usable;
		mmi_cache_lines_look(&look);
		look.at = s->at;
		sizes_at_peak();
	}
	if (!nsamples || usable >= sample[peak].usable)
		peak = nsamples;
	if (!nsamples || out >= LOAD(&largest)) {
		heap = nsamples;
		STORE(&largest, out);
	}
	nsamples++;
	STORE(&sampled, larger(sampled, usable));
}

void
mmi_footprint_take(uint64_t going)
{
	STORE(&mmi_footprint_due, 0);
	if (SWAP(&taking, 1))
		return;
	take(going, false);
	STORE_REL(&taking, 0);
}

/* ------------------------------------------------------------- the file -- */

const struct mmi_footprint *
mmi_footprint_all(unsigned *n, unsigned *at, unsigned *most)
{
	/* Changes since the last sample, or too small for one. */
	if (!SWAP(&taking, 1)) {
		take(0, true);
		STORE_REL(&taking, 0);
	}
	*n = nsamples;
	*at = peak;
	*most = heap;
	return sample;
}

const struct mmi_cache_lines *
mmi_footprint_look(void)
{
	return &look;
}

void
mmi_footprint_size(unsigned place, uint64_t *alive, uint64_t *free)
{
	*alive = at_peak[place].live;
	*free = at_peak[place].free;
}

void
mmi_footprint_fork(void)
{
	STORE(&taking, 0);
	mmi_mappings_fork();
	inherited = LOAD(&live);
	nsamples = peak = heap = 0;
	sampled = looked = paged = largest = 0;
	memset(&look, 0, sizeof(look));
	memset(at_peak, 0, sizeof(at_peak));
	memset(mmi_footprint_free, 0, sizeof(mmi_footprint_free));
}
