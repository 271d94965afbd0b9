/* SPDX-License-Identifier: MIT */
/* Blocks that are freed: their shadow's counts are added to sums. */
#include "monitor/use/use.h"

#include "monitor/base/sampling.h"
#include "monitor/shadow/clock.h"
#include "monitor/shadow/read_shadow.h"

uint64_t mmi_use_lost, mmi_use_odd;

#define USEFUL_ONE (1ull << MONOUT_USEFUL_BITS)

/* The times when a block was in use, in units of the clock, and their share. */
struct used {
	uint64_t life, early, late; /* idle at the start, at the end */
	uint64_t useful; /* in 2^-MONOUT_USEFUL_BITS */
};

static inline struct used
used_of(const struct mmi_found *f, uint64_t born, uint64_t died)
{
	struct used x = { .life = died - born };
	uint64_t first, last;

	if (!f->reads && !f->writes)
		return x;
	x.useful = USEFUL_ONE;
	if (UNLIKELY(!x.life))
		return x;
	first = f->first == f->birth ? born : mmi_clock_units(f->first);
	last = f->last == f->first ? first : mmi_clock_units(f->last);
	x.early = first - born;
	x.late = died - last;
	/* Both are below 2^40 unless the run lasts for years. */
	if (last - first < x.life)
		x.useful = ((last - first) << MONOUT_USEFUL_BITS) / x.life;
	return x;
}

/*
 * Did it live for less than 0.1% of the run so far?  For samples the exact
 * lifetime counts.
 */
static inline bool
was_brief(const struct mmi_thread *t, const struct used *x, uint64_t died)
{
	if (mmi_sample_on())
		return t->lived < died * MMI_CLOCK_UNIT / 1000;
	return x->life == 0 || x->life * 1000 < died;
}

/* The block's flags, as bits. */
static inline __attribute__((always_inline)) unsigned
flags(const struct mmi_found *f, uint64_t size, const struct used *x,
      bool brief)
{
	unsigned m = 0;

	m |= brief << MONOUT_BRIEF;
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
	*to += n;
}

/* Adds bytes to sums of several sizes. */
static inline void
add_sizes(struct mmi_use *u, bool handed, uint64_t size, unsigned m)
{
	add(&u->bytes->blocks, size);
	if (handed)
		add(&u->bytes->handed, size);
	for (; m; m &= m - 1)
		add(&u->bytes->flag[__builtin_ctz(m)], size);
}

/* Adds the squares of a sample's counts of reads and writes. */
static void
add_squares(struct mmi_use *u, uint64_t reads, uint64_t writes)
{
	u->squares[0] += (unsigned __int128)reads * reads;
	u->squares[1] += (unsigned __int128)writes * writes;
}

bool
mmi_use_add(struct mmi_thread *t, struct mmi_use *u, const struct mmi_found *f,
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
	m = flags(f, size, &x, was_brief(t, &x, died));
	add(&u->blocks, 1);
	add(&u->life, x.life);
	if (!u->grain || UNLIKELY(f->handed)) {
		add(&u->reads, f->reads);
		add(&u->writes, f->writes);
		if (mmi_sample_on())
			add_squares(u, f->reads, f->writes);
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
	if (u->bytes)
		add_sizes(u, f->handed, size, m);
	for (; m; m &= m - 1)
		add(&u->flag[__builtin_ctz(m)], 1);
	return mmi_groups_add(t, &u->time->groups, f->birth, epoch, 1, x.life);
}

/*
 * Adds the counts of granule i that are not in its word; returns their kinds.
 */
static unsigned
add_overflow(uint64_t i, uint64_t *grain)
{
	uint64_t r, w;

	mmi_overflow_read(i, true, &r, &w);
	add(&grain[0], r);
	add(&grain[1], w);
	return (r ? MMI_USE_READ : 0) | (w ? MMI_USE_WRITTEN : 0);
}

/*
 * The words of n granules from i on have several tags, or some of their counts
 * are elsewhere.  Adds those counts.  Returns the kinds of accesses.
 */
COLD unsigned
mmi_use_more(struct mmi_use *u, uint64_t i, unsigned n)
{
	uint64_t v, one = 0;
	unsigned kind = 0;

	for (unsigned k = 0; k < n; k++) {
		v = LOAD(&mmi_shadow.cells[i + k]);
		if (!(v & MMI_WORD_TOUCHED))
			continue;
		if (v & MMI_WORD_OVERFLOW)
			kind |= add_overflow(i + k, &u->grain[2 * k]);
		one = one ? one : v;
		if (v & MMI_WORD_SHARED || mmi_word_tag(v) != mmi_word_tag(one))
			kind |= MMI_USE_SHARED;
	}
	return kind;
}

/* A block with a short life, only some of whose granules were accessed. */
static void
add_partial(struct mmi_use *u, unsigned kind, uint64_t cover, uint64_t span,
	    uint64_t size)
{
	unsigned rw = (kind & 3) == 3;
	bool low = 2 * cover < size;

	add(&u->partial[rw], 1);
	add(&u->cover[rw], cover);
	add(&u->span[rw], span);
	if (low)
		add(&u->flag[MONOUT_LOW_COVER], 1);
	if (LIKELY(!u->bytes))
		return;
	add(&u->bytes->partial[rw], size);
	if (low)
		add(&u->bytes->flag[MONOUT_LOW_COVER], size);
}

/* The clock has moved: adds the pending blocks to their group. */
COLD void
mmi_use_tick(struct mmi_thread *t, struct mmi_use_time *w, uint32_t epoch)
{
	uint64_t n = w->pending;

	if (n && !mmi_groups_add(t, &w->groups, w->tick, w->tick, n, 0))
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
		/* Samples need sums that the inline code doesn't add. */
		if (!mmi_sample_on())
			STORE_REL(&c->use, u);
	}
	return u;
}

COLD void
mmi_use_square(struct mmi_use *u, uint64_t i, uint64_t size, uint64_t info)
{
	struct mmi_found f;

	mmi_shadow_read(&f, i, size, info, NULL, false);
	add_squares(u, f.reads, f.writes);
}

/* The bits of INFO that an ordinary block may have. */
#define USUAL \
	(MMI_SHADOW_INFO | MMI_SHADOW_SAMPLE | MMI_SHADOW_GROWING | \
	 MMI_SHADOW_STAMP | MMI_SHADOW_STAMP << MMI_SHADOW_FIRST_SHIFT)

/* A block with known words: granules, accessed ones as bits, and sums. */
struct words {
	uint64_t n, mask;
	struct mmi_words_bits bits;
	struct mmi_words_sum sum;
};

static inline uint64_t
cover_of(const struct words *x, uint64_t size)
{
	uint64_t rest = x->mask >> (x->n - 1) ? 16 * x->n - size : 0;

	return 16 * mmi_shadow_count(x->mask) - rest;
}

/* From the first accessed granule to the last. */
static inline uint64_t
span_of(const struct words *x, uint64_t size)
{
	uint64_t rest = x->mask >> (x->n - 1) ? 16 * x->n - size : 0;
	int lo = __builtin_ctzll(x->mask), hi = 64 - __builtin_clzll(x->mask);

	return 16 * (uint64_t)(hi - lo) - rest;
}

COLD void
mmi_use_partial(struct mmi_use *u, uint64_t i, unsigned kind, uint64_t size)
{
	struct words x = { .n = mmi_shadow_granules(size) };

	x.mask = mmi_shadow_touched(&x.bits, &mmi_shadow.cells[i], x.n);
	add_partial(u, kind, cover_of(&x, size), span_of(&x, size), size);
}

/* The block lived for less than a step of the clock. */
static inline void
gone_brief(struct mmi_thread *t, struct mmi_use *u, const struct words *x,
	   uint64_t size, uint32_t epoch)
{
	unsigned kind = (x->sum.reads ? MMI_USE_READ : 0) |
			(x->sum.writes ? MMI_USE_WRITTEN : 0) |
			(x->bits.any & MMI_WORD_SHARED ? MMI_USE_SHARED : 0);

	if (!u->grain) {
		add(&u->reads, x->sum.reads);
		add(&u->writes, x->sum.writes);
	}
	/* Some granules weren't accessed. */
	if (x->mask & (x->mask + 1) || (x->mask && !(x->mask >> (x->n - 1))))
		add_partial(u, kind, cover_of(x, size), span_of(x, size), size);
	add(&u->quick[kind], 1);
	if (u->bytes)
		add(&u->bytes->quick[kind], size);
	mmi_use_pending(t, u->time, epoch);
}

static inline bool
gone_old(struct mmi_thread *t, struct mmi_use *u, const struct words *x,
	 uint64_t size, uint64_t info, uint32_t epoch)
{
	uint32_t first = (uint32_t)(x->sum.first >> MMI_SHADOW_OF_STAMP);
	uint32_t known = mmi_shadow_read_epoch(info);
	struct mmi_found f;

	f.reads = x->sum.reads;
	f.writes = x->sum.writes;
	f.cut[0] = f.cut[1] = 0;
	f.span = f.cover = 0;
	f.birth = info & MMI_SHADOW_STAMP;
	f.first = f.last = 0;
	f.shared = (x->bits.any & MMI_WORD_SHARED) != 0;
	f.growing = (info & MMI_SHADOW_GROWING) != 0;
	f.handed = false;
	if (LIKELY(x->mask)) {
		f.cover = cover_of(x, size);
		f.span = span_of(x, size);
		f.first = known && known < first ? known : first;
		f.last = (uint32_t)(x->sum.last >> MMI_SHADOW_OF_STAMP);
	}
	return mmi_use_add(t, u, &f, size, epoch);
}

/*
 * Adds a block of up to 64 granules if INFO and its words have all its data;
 * false: they don't, and nothing was added.  *ok: there was memory.
 */
static inline bool
gone_usual(struct mmi_thread *t, struct mmi_use *u, uint64_t i, uint64_t size,
	   uint64_t info, bool *ok)
{
	uint64_t now = mmi_state_word(t);
	const uint64_t *c = &mmi_shadow.cells[i];
	struct words x = {
		mmi_shadow_granules(size), 0, { 0, ~0ull }, { .first = ~0ull }
	};

	x.mask = mmi_shadow_touched(&x.bits, c, x.n);
	if (UNLIKELY(x.bits.any & (MMI_WORD_OVERFLOW | MMI_WORD_OWN)) ||
	    (x.mask && !(x.bits.any & MMI_WORD_SHARED) &&
	     (x.bits.any ^ x.bits.all) >> MEMMON_TAG_SHIFT))
		return false;
	*ok = true;
	if (info == mmi_use_info(now) && !mmi_sample_on()) {
		mmi_shadow_sum_some(&x.sum, c, x.mask, u->grain, false);
		gone_brief(t, u, &x, size, mmi_word_stamp(now));
	} else {
		mmi_shadow_sum_some(&x.sum, c, x.mask, u->grain, true);
		*ok = gone_old(t, u, &x, size, info, mmi_word_stamp(now));
	}
	return true;
}

/* gone_usual() for any block. */
static COLD bool
gone_any(struct mmi_thread *t, struct mmi_use *u, uint64_t i, uint64_t size,
	 uint64_t info)
{
	uint32_t now = mmi_word_stamp(mmi_state_word(t));
	struct mmi_found f;

	mmi_shadow_read(&f, i, size, info, u ? mmi_use_grain(u, info) : NULL,
			true);
	return u && mmi_use_add(t, u, &f, size, now);
}

void
mmi_use_gone_slow(struct mmi_thread *t, struct mmi_cell *c, const void *p,
		  uint64_t size)
{
	uint64_t i = mmi_shadow_granule((uintptr_t)p);
	uint64_t n = mmi_shadow_granules(size), info;
	struct mmi_use *u;
	bool ok;

	if (UNLIKELY(!n || !mmi_shadow.blocks))
		return;
	if (UNLIKELY(!mmi_shadow_had(p))) {
		FETCH_ADD(&mmi_use_odd, c != NULL);
		return;
	}
	mmi_ranges_settle(i, n);
	info = LOAD(&mmi_shadow.blocks[i + 1]);
	STORE(&mmi_shadow.blocks[i + 1], 0);
	u = LIKELY(c) ? use_of(t, c) : NULL;
	if (mmi_sample_on()) {
		if (u && mmi_use_grain(u, info))
			mmi_use_square(u, i, size, info);
	}
	if (UNLIKELY(!u) || UNLIKELY(n > 64) || UNLIKELY(info & ~USUAL) ||
	    UNLIKELY(!gone_usual(t, u, i, size, info, &ok)))
		ok = gone_any(t, u, i, size, info);
	if (UNLIKELY(!ok))
		FETCH_ADD(&mmi_use_lost, c != NULL);
	if (UNLIKELY(n >= MMI_CARRY_HUGE))
		mmi_carry_drop(i, n);
	else if (mmi_sample_on())
		mmi_use_clear(&mmi_shadow.cells[i], n, 0);
}
