/* SPDX-License-Identifier: MIT */
/* Blocks as they come and go: their shadow set up, and folded into cells. */
#include "monitor/use/use.h"

#include <string.h>
#include <sys/single_threaded.h>

#include "monitor/base/arena.h"
#include "monitor/counts/live.h"
#include "monitor/counts/timed.h"
#include "monitor/shadow/clock.h"
#include "monitor/shadow/read_shadow.h"

uint64_t mmi_use_lost, mmi_use_odd;
uint64_t mmi_use_largest = MMI_USE_MEDIUM >> MEMMON_GRANULE_SHIFT;

static void
clear_words(uint64_t from, uint64_t n, uint64_t word)
{
	mmi_use_clear(&mmi_shadow.cells[from], n, word);
}

/* The same with 0, without touching pages of which nothing is there. */
static void
zero_words(uint64_t i, uint64_t n)
{
	uint64_t *c = &mmi_shadow.cells[i], *end = c + n;
	const mmi_words none = { 0, 0 };

	for (; end - c >= 4; c += 4) {
		mmi_words *p = (mmi_words *)c, any = p[0] | p[1];

		if (any[0] | any[1])
			p[0] = p[1] = none;
	}
	for (; c < end; c++)
		STORE(c, 0);
}

/* The words of n granules from i on: not touched. */
static void
fresh(uint64_t i, uint64_t n, uint64_t word)
{
	uint64_t lo, hi;

	if (LIKELY(n < MMI_CARRY_LARGE)) {
		clear_words(i, n, word);
		return;
	}
	if (n < MMI_CARRY_HUGE) {
		zero_words(i, n);
		return;
	}
	mmi_shadow_drop(mmi_shadow.cells, i, n, &lo, &hi);
	clear_words(i, lo - i, word);
	clear_words(hi, i + n - hi, word);
}

void
mmi_use_made_slow(struct mmi_thread *t, const void *p, uint64_t size,
		  bool growing, const struct mmi_carry *carry)
{
	uint64_t i = mmi_shadow_granule((uintptr_t)p), info, kept = 0;
	uint64_t n = mmi_shadow_granules(size), word = mmi_state_word(t);
	uint64_t most = LOAD(&mmi_use_largest);

	if (UNLIKELY(!n || !mmi_shadow_takes(p, size)))
		return;
	mmi_ranges_settle(i, n);
	while (UNLIKELY(n > most) && !CAS(&mmi_use_largest, &most, n))
		;
	info = MMI_SHADOW_INFO | (growing ? MMI_SHADOW_GROWING : 0);
	if (UNLIKELY(carry && carry->birth)) {
		info |= carry->birth |
			(uint64_t)carry->first << MMI_SHADOW_FIRST_SHIFT |
			(carry->info & MMI_SHADOW_HANDED);
		kept = carry->granules < n ? carry->granules : n;
	} else {
		info |= mmi_word_stamp(word);
	}
	if (UNLIKELY(kept))
		info |= mmi_carry_over(i, kept, carry);
	STORE(&mmi_shadow.blocks[i + 1], info);
	fresh(i + kept, n - kept, word);
}

#define USEFUL_ONE (1ull << MONOUT_USEFUL_BITS)

/* When a block was in use, in units of the clock, and for which part of it. */
struct used {
	uint64_t life, early, late; /* idle, at first and at last */
	uint64_t useful; /* in 2^-MONOUT_USEFUL_BITS */
};

static inline __attribute__((always_inline)) struct used
used_of(const struct mmi_found *f, uint64_t born, uint64_t died)
{
	struct used x = { .life = died - born };
	uint64_t first, last;

	if (!f->reads && !f->writes)
		return x;
	x.useful = USEFUL_ONE;
	if (UNLIKELY(!x.life))
		return x;
	first = mmi_clock_units(f->first);
	last = mmi_clock_units(f->last);
	x.early = first - born;
	x.late = died - last;
	/* Both are below 2^40 unless the run lasts for years. */
	if (last - first < x.life)
		x.useful = ((last - first) << MONOUT_USEFUL_BITS) / x.life;
	return x;
}

/* Its flags, as bits. */
static inline __attribute__((always_inline)) unsigned
flags(const struct mmi_found *f, uint64_t size, const struct used *x,
      uint64_t died)
{
	unsigned m = 0;

	m |= (x->life == 0 || x->life * 1000 < died) << MONOUT_BRIEF;
	m |= f->growing << MONOUT_GROWING;
	if (!f->reads && !f->writes)
		return m | 1u << MONOUT_UNUSED;
	m |= !f->reads << MONOUT_WRITE_ONLY;
	m |= !f->writes << MONOUT_READ_ONLY;
	m |= f->shared << MONOUT_SHARED;
	m |= (2 * f->cover < size) << MONOUT_LOW_COVER;
	m |= (2 * x->early > x->life) << MONOUT_EARLY;
	m |= (2 * x->late > x->life) << MONOUT_LATE;
	return m;
}

static inline void
add(uint64_t *to, uint64_t n)
{
	STORE(to, *to + n);
}

/* What there is of any size to be told by size. */
static COLD void
add_sizes(struct mmi_use *u, bool handed, uint64_t size, unsigned m)
{
	add(&u->bytes, size);
	if (handed)
		add(&u->handed_bytes, size);
	for (; m; m &= m - 1)
		add(&u->flag_bytes[__builtin_ctz(m)], size);
}

static inline __attribute__((always_inline)) bool
use_add(struct mmi_thread *t, struct mmi_use *u, const struct mmi_found *f,
	uint64_t size, uint32_t epoch)
{
	uint64_t born = mmi_clock_units(f->birth);
	uint64_t died = mmi_clock_units(epoch);
	bool rw = f->reads && f->writes;
	struct used x;
	unsigned m;

	if (UNLIKELY(died < born))
		died = born;
	x = used_of(f, born, died);
	m = flags(f, size, &x, died);
	add(&u->blocks, 1);
	add(&u->life, x.life);
	if (UNLIKELY(!u->grain || f->handed)) {
		add(&u->reads, f->reads);
		add(&u->writes, f->writes);
	} else if (UNLIKELY(f->cut[0] | f->cut[1])) {
		add(&u->reads, f->cut[0]);
		add(&u->writes, f->cut[1]);
	}
	if (UNLIKELY(f->handed)) {
		m &= MMI_USE_SURE;
		add(&u->handed, 1);
	} else {
		add(&u->span[rw], f->span);
		add(&u->cover[rw], f->cover);
		add(&u->useful, x.useful);
	}
	if (UNLIKELY(u->flag_bytes))
		add_sizes(u, f->handed, size, m);
	for (; m; m &= m - 1)
		add(&u->flag[__builtin_ctz(m)], 1);
	return mmi_groups_add(t, &u->time->groups, f->birth, epoch, 1);
}

bool
mmi_use_add(struct mmi_thread *t, struct mmi_use *u, const struct mmi_found *f,
	    uint64_t size, uint32_t epoch)
{
	return use_add(t, u, f, size, epoch);
}

/* The counts of granule i that its word doesn't hold; which there are. */
COLD unsigned
mmi_use_overflow(uint64_t i, uint64_t *grain)
{
	uint64_t r, w;

	mmi_overflow_read(i, true, &r, &w);
	add(&grain[0], r);
	add(&grain[1], w);
	return (r ? MMI_USE_READ : 0) | (w ? MMI_USE_WRITTEN : 0);
}

/* Words of n granules from i on have several tags: whose, of those touched? */
COLD unsigned
mmi_use_shared(uint64_t i, unsigned n)
{
	uint64_t v, one = 0;
	bool any = false;

	for (uint64_t k = i; k < i + n; k++) {
		v = LOAD(&mmi_shadow.cells[k]);
		if (!(v & MMI_WORD_TOUCHED))
			continue;
		one = any ? one : v;
		any = true;
		if (v & MMI_WORD_SHARED || mmi_word_tag(v) != mmi_word_tag(one))
			return MMI_USE_SHARED;
	}
	return 0;
}

/* Not all of its granules were touched. */
COLD void
mmi_use_partial(struct mmi_use *u, unsigned touched, unsigned kind,
		uint64_t size)
{
	unsigned rw = (kind & 3) == 3, lo = (unsigned)__builtin_ctz(touched);
	unsigned hi = 32 - (unsigned)__builtin_clz(touched);
	uint64_t cover = 0, span = 16 * (hi - lo);

	for (unsigned m = touched; m; m &= m - 1)
		cover += 16;
	if (16 * hi > size) {
		cover -= 16 * hi - size;
		span -= 16 * hi - size;
	}
	add(&u->partial[rw], 1);
	add(&u->cover[rw], cover);
	add(&u->span[rw], span);
	if (2 * cover < size)
		add(&u->flag[MONOUT_LOW_COVER], 1);
}

/* The clock has moved: what was pending goes to its group. */
COLD void
mmi_use_tick(struct mmi_thread *t, struct mmi_use_time *w, uint32_t epoch)
{
	uint64_t n = w->pending;

	if (n && !mmi_groups_add(t, &w->groups, w->tick, w->tick, n))
		FETCH_ADD(&mmi_use_lost, n);
	STORE(&w->pending, 0);
	STORE(&w->tick, epoch);
}

static inline struct mmi_use *
use_of(struct mmi_thread *t, struct mmi_cell *c)
{
	struct mmi_use *u = c->use;

	if (UNLIKELY(!u)) {
		u = mmi_use_of(t, c, t->index);
		STORE_REL(&c->use, u);
	}
	return u;
}

void
mmi_use_gone_slow(struct mmi_thread *t, struct mmi_cell *c, const void *p,
		  uint64_t size)
{
	uint64_t i = mmi_shadow_granule((uintptr_t)p);
	uint64_t n = mmi_shadow_granules(size), info, now = mmi_state_word(t);
	struct mmi_use *u;
	struct mmi_found f;

	if (UNLIKELY(!n))
		return;
	if (UNLIKELY(!mmi_shadow_had(p))) {
		FETCH_ADD(&mmi_use_odd, c != NULL);
		return;
	}
	info = LOAD(&mmi_shadow.blocks[i + 1]);
	STORE(&mmi_shadow.blocks[i + 1], 0);
	u = c ? use_of(t, c) : NULL;
	mmi_shadow_read(&f, i, size, info, u ? mmi_use_grain(u, info) : NULL,
			true);
	if (UNLIKELY(!u || !use_add(t, u, &f, size, mmi_word_stamp(now))))
		FETCH_ADD(&mmi_use_lost, c != NULL);
	if (UNLIKELY(n >= MMI_CARRY_HUGE))
		mmi_carry_drop(i, n);
}
