/* SPDX-License-Identifier: MIT */
/* Sampling: which blocks are recorded, and how many each one represents. */
#include "monitor/record/sample.h"

#include "monitor/counts/heap.h"
#include "monitor/counts/live.h"

/* For threads without a struct: atomic. */
static uint64_t strange_state, strange_allocs, strange_bytes;

static uint64_t seed;

/* The totals at the last fork or reset. */
static uint64_t before_allocs, before_bytes;

void
mmi_sample_seed(uint64_t n)
{
	seed = n;
	strange_state = ~n;
}

/* ----------------------------------------------------------- countdown -- */

/*
 * Is this block recorded?  For a thread that has ended or can't have a struct.
 */
static COLD bool
due_stranger(uint64_t size)
{
	uint64_t state = FETCH_ADD(&strange_state, 0x9e3779b97f4a7c15u);

	FETCH_ADD(&strange_allocs, 1);
	FETCH_ADD(&strange_bytes, size);
	return mmi_sample_gap(&state, mmi_sample_rate) <= size;
}

/* Puts the next sampling point n bytes ahead. */
static void
gap(struct mmi_sample *s, uint64_t n)
{
	s->spent += n - (uint64_t)s->left;
	s->left = (int64_t)n;
}

ARCH_REALIGN COLD bool
mmi_sample_spares(struct mmi_sample *s)
{
	struct mmi_thread *t;

	if (LIKELY(s->seeded)) {
		gap(s, mmi_sample_gap(&s->random, mmi_sample_rate));
		return false;
	}
	t = (struct mmi_thread *)((char *)s -
				  offsetof(struct mmi_thread, sample));
	s->seeded = true;
	s->random = seed + t->index * 0xd1342543de82ef95u;
	gap(s, mmi_sample_gap(&s->random, mmi_sample_rate) + (uint64_t)s->left);
	return s->left >= 0 || mmi_sample_spares(s);
}

ARCH_REALIGN COLD bool
mmi_sample_skips_slow(uint64_t size)
{
	struct mmi_thread *t = mmi_thread_me;

	if (!t) {
		t = mmi_thread_enter();
		if (t)
			mmi_thread_leave(t);
	}
	t = mmi_thread_self();
	if (!t)
		return !due_stranger(size);
	if (!mmi_thread_apart())
		mmi_sample_mine = &t->sample;
	t->sample.allocs++;
	t->sample.left -= (int64_t)size + 1;
	return t->sample.left >= 0 || mmi_sample_spares(&t->sample);
}

void
mmi_sample_refund(uint64_t size)
{
	struct mmi_thread *t = mmi_thread_self();
	struct mmi_sample *s;

	if (LOAD(&mmi_next_ready) != MMI_NEXT_SAMPLED)
		return;
	if (!t) {
		FETCH_ADD(&strange_allocs, -1ull);
		FETCH_ADD(&strange_bytes, -size);
		return;
	}
	s = &t->sample;
	s->allocs--;
	s->spent -= size + 1;
	/* An impossibly large size may have wrapped around. */
	if (size >= MMI_SAMPLE_MAX)
		gap(s, mmi_sample_gap(&s->random, mmi_sample_rate));
}

/* ------------------------------------------------------------- weights -- */

double
mmi_sample_weight(uint64_t size)
{
	return 1 /
	       mmi_sample_rest(((double)size + 1) / (double)mmi_sample_rate);
}

double
mmi_sample_share(uint64_t of, uint64_t n)
{
	uint64_t state = seed + of * 0xd1342543de82ef95u + n;

	return mmi_sample_even(&state);
}

/* Always the same for blocks of the same size. */
uint64_t
mmi_sample_weigh(uint64_t size)
{
	return (uint64_t)((double)size * mmi_sample_weight(size) + 0.5);
}

void
mmi_sample_lost(uint64_t size, uint64_t *blocks, uint64_t *bytes)
{
	uint64_t state, n = 1;

	if (mmi_sample_on()) {
		state = FETCH_ADD(&strange_state, 0x9e3779b97f4a7c15u);
		n = (uint64_t)(mmi_sample_weight(size) +
			       mmi_sample_even(&state));
		size = mmi_sample_weigh(size);
	}
	FETCH_ADD(blocks, n);
	FETCH_ADD(bytes, size);
}

/* Returns whole blocks; *rest keeps the fraction for the thread's next one. */
static uint64_t
whole(double *rest, double weight)
{
	uint64_t n;

	*rest += weight;
	n = (uint64_t)*rest;
	*rest -= (double)n;
	return n;
}

COLD void
mmi_sample_made(struct mmi_thread *t, uint64_t size)
{
	uint64_t more = mmi_sample_weigh(size) - size;

	t->pub->done.allocs +=
		whole(&t->sample.rest[0], mmi_sample_weight(size) - 1);
	t->pub->done.bytes += more;
	mmi_heap_grow(t, more);
}

COLD void
mmi_sample_gone(struct mmi_thread *t, uint64_t size, bool by_other)
{
	double weight = mmi_sample_weight(size) - 1;
	uint64_t more = mmi_sample_weigh(size) - size;

	t->pub->done.frees += whole(&t->sample.rest[1], weight);
	t->pub->done.freed += more;
	if (by_other)
		t->pub->done.of_others += whole(&t->sample.rest[2], weight);
	mmi_heap_shrink(t, more);
}

/* -------------------------------------------------------------- totals -- */

static void
totals(uint64_t *allocs, uint64_t *bytes)
{
	const struct mmi_thread *t = NULL;
	uint64_t n;

	*allocs = LOAD(&strange_allocs);
	*bytes = LOAD(&strange_bytes);
	while ((t = mmi_thread_next(t))) {
		n = LOAD(&t->sample.allocs);
		*allocs += n;
		*bytes += LOAD(&t->sample.spent) -
			  (uint64_t)LOAD(&t->sample.left) - n;
	}
}

void
mmi_sample_totals(uint64_t *allocs, uint64_t *bytes)
{
	totals(allocs, bytes);
	*allocs -= LOAD(&before_allocs);
	*bytes -= LOAD(&before_bytes);
}

void
mmi_sample_reset(void)
{
	uint64_t allocs, bytes;

	if (!mmi_sample_rate)
		return;
	totals(&allocs, &bytes);
	STORE(&before_allocs, allocs);
	STORE(&before_bytes, bytes);
}
