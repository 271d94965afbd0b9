/* SPDX-License-Identifier: MIT */
/* Records of ranges: found, made, told to the words. */
#include "monitor/shadow/ranges.h"

#include <sys/single_threaded.h>

#include "monitor/base/arch.h"
#include "monitor/base/wait.h"
#include "monitor/shadow/access_state.h"
#include "monitor/shadow/clock.h"
#include "monitor/shadow/overflow.h"
#include "monitor/shadow/shadow.h"

#define RECORDS 16u
/* How often a range has to come, one time behind the other, for a record. */
#define SEEN_MIN 3u
/* How often others may be in a record's way before it goes. */
#define CREDIT_MAX 8u
/* How long to wait for a record that another thread holds. */
#define PATIENCE (1000 * MMI_WAIT_MS)

/*
 * One range of one thread.  A place is held by who looks at more than its key;
 * if it isn't pending there is only the key, of the range that came last.
 */
struct record {
	uint64_t first, last;	/* granules */
	uint64_t reads, writes; /* in each */
	uint32_t begin, end;	/* epochs of the first access, of the last */
	uint32_t tag;		/* the thread's, not 0; 0: there is no key */
	uint32_t seen;		/* how often the range came, to SEEN_MIN */
	uint32_t credit;
	uint32_t held; /* who holds it; 0: nobody */
};

static struct record records[RECORDS];
uint32_t mmi_ranges_pending;

/* What tells the calling thread from others; not 0. */
static inline uint32_t
self(void)
{
	static TLS char mine;

	return (uint32_t)((uintptr_t)&mine >> 4) | 1;
}

static bool
hold(struct record *r)
{
	uint32_t no = 0;

	if (!__libc_single_threaded)
		return CAS(&r->held, &no, self());
	if (r->held)
		return false; /* a signal handler came in between */
	STORE(&r->held, self());
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return true;
}

static void
release(struct record *r)
{
	STORE_REL(&r->held, 0);
}

static bool
is_pending(const struct record *r)
{
	return LOAD(&mmi_ranges_pending) >> (r - records) & 1;
}

static void
set_pending(const struct record *r, bool on)
{
	uint32_t bit = 1u << (r - records);

	if (on)
		__atomic_fetch_or(&mmi_ranges_pending, bit, __ATOMIC_RELEASE);
	else
		__atomic_fetch_and(&mmi_ranges_pending, ~bit, __ATOMIC_RELEASE);
}

/* The part of a record that is in one block, as far as it is gone through. */
struct part {
	uint64_t from;	/* its first granule */
	uint32_t first; /* when it was touched first, as is entered there */
};

static void
part_first(struct part *p, uint32_t epoch)
{
	mmi_shadow_first(p->from, epoch);
	p->first = epoch;
}

/* What a record says of a granule, whose word is v, makes v that. */
static uint64_t
word_with(const struct record *r, struct part *p, uint64_t i, uint64_t v)
{
	uint64_t reads = mmi_word_reads(v) + r->reads;
	uint64_t writes = mmi_word_writes(v) + r->writes;
	uint32_t last = r->end;

	if (v & MMI_WORD_TOUCHED) {
		if (mmi_word_tag(v) && mmi_word_tag(v) != r->tag)
			v |= MMI_WORD_SHARED;
		if (mmi_word_stamp(v) > last)
			last = mmi_word_stamp(v);
		if (!(v & MMI_WORD_FIRST) && mmi_word_stamp(v) < p->first)
			part_first(p, mmi_word_stamp(v));
	}
	if (reads + writes > MMI_WORD_MOST) {
		mmi_overflow_add(i, reads, writes);
		reads = writes = 0;
		v |= MMI_WORD_OVERFLOW;
	}
	v &= ~(MMI_WORD_NOW | MMI_WORD_COUNTS);
	return v | MMI_WORD_FIRST | mmi_word_counts(reads, writes) |
	       (uint64_t)last << MEMMON_STAMP_SHIFT |
	       (uint64_t)r->tag << MEMMON_TAG_SHIFT;
}

/*
 * What a record holds goes to the words.  When they were touched first is
 * entered with the first of each block: all that is asked is when the block
 * was.  The caller holds the place.
 */
static COLD void
expand(struct record *r)
{
	uint64_t *c = mmi_shadow.cells, *b = mmi_shadow.blocks, v;
	struct part p = { 0, 0 };

	for (uint64_t i = r->first; i <= r->last; i++) {
		if (i == r->first || LOAD(&b[i]) & MMI_SHADOW_START) {
			p.from = i;
			part_first(&p, r->begin);
		}
		v = word_with(r, &p, i, LOAD(&c[i]));
		STORE(&c[i], i == p.from ? v | MMI_WORD_OWN : v);
	}
	set_pending(r, false);
}

/* The caller holds the place, which has the key. */
static COLD void
begin(struct record *r, uint32_t epoch)
{
	mmi_clock_start();
	r->reads = r->writes = 0;
	r->begin = epoch;
	r->credit = 0;
	set_pending(r, true);
}

/* Another range for the place, unless what is there is worth more. */
static COLD void
replace(struct record *r, uint64_t first, uint64_t last, uint32_t tag)
{
	if (is_pending(r)) {
		if (r->credit) {
			r->credit--;
			return;
		}
		expand(r);
	}
	STORE_REL(&r->first, first);
	STORE_REL(&r->last, last);
	r->tag = tag;
	r->seen = 1;
}

bool
mmi_ranges_add(uint64_t first, uint64_t last, uint64_t reads, uint64_t writes,
	       uint64_t now)
{
	uint32_t tag = mmi_word_tag(now);
	uint64_t h = (first + tag + (last << 20)) * 0x9e3779b97f4a7c15u;
	struct record *r = &records[h >> 60];
	bool ours;

	_Static_assert(RECORDS == 1u << 4, "the bits of h");
	if (UNLIKELY(!tag) || UNLIKELY(!hold(r)))
		return false;
	ours = r->first == first && r->last == last && r->tag == tag;
	if (LIKELY(ours) && r->seen + 1 < SEEN_MIN) {
		r->seen++;
		ours = false;
	} else if (ours) {
		if (UNLIKELY(!is_pending(r)))
			begin(r, mmi_word_stamp(now));
		r->reads += reads;
		r->writes += writes;
		r->end = mmi_word_stamp(now);
		r->credit += r->credit < CREDIT_MAX;
	} else {
		replace(r, first, last, tag);
	}
	release(r);
	return ours;
}

static bool
overlaps(const struct record *r, uint64_t i, uint64_t n)
{
	return LOAD_ACQ(&r->first) < i + n && LOAD_ACQ(&r->last) >= i &&
	       is_pending(r);
}

COLD void
mmi_ranges_settle_slow(uint64_t i, uint64_t n)
{
	struct record *r;
	struct mmi_wait wait = { 0, 0 };
	bool had;

	for (uint32_t m = LOAD(&mmi_ranges_pending); m; m &= m - 1) {
		r = &records[__builtin_ctz(m)];
		if (LIKELY(!overlaps(r, i, n)))
			continue;
		/* One that the interrupted thread itself holds is let go. */
		if (UNLIKELY(LOAD(&r->held) == self()))
			continue;
		while (!(had = hold(r)) && mmi_wait_more(&wait, PATIENCE))
			continue;
		if (!had)
			return;
		if (overlaps(r, i, n))
			expand(r);
		release(r);
	}
}

void
mmi_ranges_fork(bool has)
{
	for (struct record *r = records; r < records + RECORDS; r++) {
		if (!has || r->held) {
			set_pending(r, false);
			r->tag = 0;
		}
		r->held = 0;
	}
}
