/* SPDX-License-Identifier: MIT */
/* The next allocator's functions, each timed. */
#include "monitor/costs/operations.h"

#include <string.h>

#include "monitor/base/next.h"
#include "monitor/base/peek.h"
#include "monitor/costs/pmu.h"
#include "monitor/costs/footprint.h"
#include "monitor/costs/ever_used.h"
#include "monitor/costs/kernel.h"
#include "monitor/costs/locks.h"
#include "monitor/record/event.h"

static struct mmi_next real; /* the allocator's own */
static uint64_t uncounted;   /* atomic: operations */

/* Cycles of asking for the usable size of a cached block: sum, times, mean. */
static uint64_t probes, nprobes, probe;

/* Count the events of one operation in this many: that takes system calls. */
#define EVENTS_EACH 400u
/* Time the request for the usable size once in this many. */
#define PROBE_EACH 256u

uint64_t
mmi_operations_uncounted(void)
{
	return LOAD(&uncounted);
}

bool
mmi_operations_sizes(void)
{
	return real.malloc_usable_size != NULL;
}

bool
mmi_operations_on(void)
{
	return real.malloc != NULL;
}

/* The cost of asking for p's usable size if the block is in the cache. */
static COLD uint64_t
usable_timed(void *p)
{
	uint64_t t = arch_ticks_begin(), n = real.malloc_usable_size(p);

	t = mmi_cost_less(arch_ticks_end() - t, mmi_costs_timer);
	/* Skip it if the thread was taken off its processor. */
	if (t < 1000) {
		t += FETCH_ADD(&probes, t);
		STORE(&probe, t / (FETCH_ADD(&nprobes, 1) + 1));
	}
	return n;
}

/* The usable size of a cached block; now and then, time it. */
static inline uint64_t
usable_of(struct mmi_costs *c, void *p, uint64_t size)
{
	uint64_t n;

	if (UNLIKELY(!real.malloc_usable_size))
		return size;
	n = LIKELY(++c->turn % PROBE_EACH != 0) ? real.malloc_usable_size(p)
						: usable_timed(p);
	/* tcmalloc's function returns too little until tcmalloc is set up. */
	return LIKELY(n >= size) ? n : size;
}

/*
 * The same for an unknown block that the program frees.  It may have been freed
 * before: then the libc says so and ends the program.  malloc_usable_size()
 * doesn't check that; it adds the size in front of the block to its address and
 * reads there.
 */
static COLD uint64_t
usable_of_stray(const void *p)
{
	const uintptr_t *size = (const uintptr_t *)p - 1;
	const void *at = size;

	if (!mmi_peek_each(&at, 1))
		return 0;
	at = (const char *)size + (*size & ~7ull);
	/* glibc's mark of a block with a mapping of its own. */
	if (!(*size & 2) && !mmi_peek_each(&at, 1))
		return 0;
	return real.malloc_usable_size((void *)p);
}

static inline uint64_t
usable_of_freed(void *p)
{
	return LIKELY(mmi_event_stray != ~(uintptr_t)p)
		       ? real.malloc_usable_size(p)
		       : usable_of_stray(p);
}

/*
 * Operations until the next one, if one in n is wanted: n on average, but
 * random, as a program's operations come in patterns.
 */
static inline uint32_t
gap(struct mmi_costs *c, uint32_t n)
{
	if (LIKELY(n == 1))
		return 1;
	c->random = c->random * 6364136223846793005ull + 1442695040888963407ull;
	return 1 + (uint32_t)((c->random >> 32) * (2 * (uint64_t)n - 1) >> 32);
}

/*
 * An operation begins.  Returns the struct to count it in.  NULL: there is no
 * struct, or this is part of another operation, which began further out on the
 * stack.  An operation that a handler left by a jump is over.  gone: the block
 * that is freed, or NULL.
 */
static inline __attribute__((always_inline)) struct mmi_costs *
begin(void *gone)
{
	uintptr_t sp = (uintptr_t)__builtin_frame_address(0);
	struct mmi_costs *c = mmi_costs_mine;

	if ((UNLIKELY(!c) && !(c = mmi_costs_take())) ||
	    (UNLIKELY(c->busy != 0) && c->busy > sp)) {
		FETCH_ADD(&uncounted, 1);
		return NULL;
	}
	c->busy = sp;
	if (UNLIKELY(LOAD(&mmi_footprint_due)))
		mmi_footprint_take(gone && real.malloc_usable_size
					   ? usable_of_freed(gone)
					   : 0);
	c->is_timed = --c->to_timed == 0;
	if (c->is_timed)
		c->to_timed = gap(c, mmi_costs_one_in);
	c->has_events = UNLIKELY(--c->to_events == 0);
	if (c->has_events) {
		c->to_events = gap(c, EVENTS_EACH);
		mmi_kernel_events(c->before);
		c->has_counters = mmi_pmu_read(&c->counters,
					       c->before + MMI_COST_COUNTED);
	}
	c->ours = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	c->selector = c->watched;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return c;
}

/* Add the operation's system calls, locks and events to its class. */
static COLD void
add_rare(struct mmi_costs *c, unsigned of)
{
	struct mmi_cost_op *o = &c->op[of];
	uint64_t v;

	if (c->has_events) {
		unsigned n =
			c->has_counters ? MMI_COST_NEVENT : MMI_COST_COUNTED;

		o->with_events++;
		o->with_counters += c->has_counters;
		for (unsigned i = 0; i < n; i++) {
			v = mmi_cost_less(c->after[i], c->before[i]);
			o->event[i] += v;
			mmi_cost_most(&o->most[i], v);
		}
	}
	for (unsigned i = 0; c->seen && i < MMI_COST_NCALL; i++)
		mmi_cost_kernel_add(&o->kernel[i], &c->kernel[i]);
	if (c->seen)
		memset(c->kernel, 0, sizeof(c->kernel));
	c->seen = false;
	if (c->nlocks)
		mmi_locks_add(c, of);
}

/* The operation took t cycles between two clock readings: count it. */
static inline __attribute__((always_inline)) struct mmi_cost_op *
count(struct mmi_costs *c, unsigned of, uint64_t size, uint64_t t)
{
	struct mmi_cost_op *o;
	unsigned bin;

	if (UNLIKELY(c->fresh)) {
		c->fresh = false;
		of = (of & MONOUT_OP_MASK) | MONOUT_OP_FIRST;
	} else if (mmi_costs_parallel()) {
		of |= MONOUT_OP_PARALLEL;
	}
	o = &c->op[of];
	o->n++;
	o->bytes += size;
	mmi_cost_most(&o->largest, size);
	o->watched += c->watched;
	if (LIKELY(c->is_timed)) {
		/*
		 * The clock's own time is subtracted from the mean when it is
		 * written: the clock may tick in steps that are longer than an
		 * operation.
		 */
		o->cycles += t - c->ours;
		t = mmi_cost_less(t, mmi_costs_timer + c->ours);
		mmi_cost_most(&o->longest, t);
		bin = monout_eighth(t);
		o->bin[bin < MONOUT_COST_BINS ? bin : MONOUT_COST_BINS - 1]++;
	}
	if (UNLIKELY(c->seen | c->has_events | (c->nlocks != 0)))
		add_rare(c, of);
	return o;
}

/* The allocator has returned. */
static inline void
returned(struct mmi_costs *c)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	c->selector = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	/* Read them before the monitor's code adds faults and instructions. */
	if (UNLIKELY(c->has_events)) {
		c->has_counters &=
			mmi_pmu_read(&c->counters, c->after + MMI_COST_COUNTED);
		mmi_kernel_events(c->after);
	}
}

static inline void
over(struct mmi_costs *c)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	c->busy = 0;
}

static inline void
size_made(struct mmi_costs *c, uint64_t usable, uint64_t size)
{
	struct mmi_cost_size *s = &c->size[mmi_cost_size(usable)];

	if (UNLIKELY(!mmi_operations_sizes()))
		return;
	s->allocs++;
	s->bytes += size;
	mmi_cost_most(&s->most, size);
	mmi_footprint_made(c, usable);
}

static inline void
size_gone(struct mmi_costs *c, uint64_t usable)
{
	if (UNLIKELY(!mmi_operations_sizes()))
		return;
	c->size[mmi_cost_size(usable)].frees++;
	mmi_footprint_gone(c, usable);
}

/* `size' bytes were asked for: they are at p, or (NULL) were refused. */
static inline __attribute__((always_inline)) void
made(struct mmi_costs *c, unsigned op, void *p, uint64_t size, uint64_t t)
{
	uint64_t usable;

	returned(c);
	if (UNLIKELY(!p)) {
		if (size >= mmi_costs_threshold)
			op |= MONOUT_OP_BIG;
		count(c, op, 0, t); /* refused */
		over(c);
		return;
	}
	usable = usable_of(c, p, size);
	if (usable >= mmi_costs_threshold)
		op |= MONOUT_OP_BIG;
	if (mmi_ever_used_add((uintptr_t)p, usable, c->who))
		op |= MONOUT_OP_REUSED;
	count(c, op, size, t);
	size_made(c, usable, size);
	over(c);
}

/*
 * Before a block is freed: its size.  The clock runs meanwhile, since reading
 * the size may bring the block into the cache for the allocator.  The usual
 * time of reading it is subtracted again.
 */
static inline uint64_t
going(struct mmi_costs *c, void *p)
{
	c->going = p;
	if (UNLIKELY(!real.malloc_usable_size))
		return 0;
	c->ours += LOAD(&probe);
	return usable_of_freed(p);
}

static inline void
gone(struct mmi_costs *c, uint64_t usable, uint64_t t)
{
	unsigned of = MONOUT_OP_FREE |
		      (usable >= mmi_costs_threshold ? MONOUT_OP_BIG : 0);
	struct mmi_cost_op *o;

	returned(c);
	o = count(c, of, usable, t);
	if (c->going && !mmi_ever_used_by((uintptr_t)c->going, c->who)) {
		o->remote++;
		o->remote_bytes += usable;
	}
	size_gone(c, usable);
	over(c);
}

/* ------------------------------------------------------------ functions -- */

/* Read the clock if the operation is timed. */
static inline uint64_t
clock_begin(const struct mmi_costs *c)
{
	return LIKELY(c->is_timed) ? arch_ticks_begin() : 0;
}

static inline uint64_t
clock_end(const struct mmi_costs *c)
{
	return LIKELY(c->is_timed) ? arch_ticks_end() : 0;
}

/* `call' of the allocator, timed; c is busy. */
#define TIMED(t, call) \
	({ \
		__typeof__(call) r_; \
\
		t = clock_begin(c); \
		r_ = (call); \
		t = clock_end(c) - t; \
		r_; \
	})

#define MAKE(op, size, call) \
	do { \
		struct mmi_costs *c = begin(NULL); \
		uint64_t t; \
		void *p; \
\
		if (UNLIKELY(!c)) \
			return call; \
		p = TIMED(t, call); \
		made(c, op, p, size, t); \
		return p; \
	} while (0)

static void *
timed_malloc(size_t size)
{
	MAKE(MONOUT_OP_MALLOC, size, real.malloc(size));
}

static void *
timed_calloc(size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		bytes = SIZE_MAX;
	MAKE(MONOUT_OP_CALLOC, bytes, real.calloc(n, size));
}

static void *
timed_memalign(size_t align, size_t size)
{
	MAKE(MONOUT_OP_MEMALIGN, size, real.memalign(align, size));
}

static void *
timed_aligned_alloc(size_t align, size_t size)
{
	MAKE(MONOUT_OP_MEMALIGN, size, real.aligned_alloc(align, size));
}

static void *
timed_valloc(size_t size)
{
	MAKE(MONOUT_OP_MEMALIGN, size, real.valloc(size));
}

static void *
timed_pvalloc(size_t size)
{
	MAKE(MONOUT_OP_MEMALIGN, size, real.pvalloc(size));
}

static int
timed_posix_memalign(void **p, size_t align, size_t size)
{
	struct mmi_costs *c = begin(NULL);
	uint64_t t;
	int r;

	if (UNLIKELY(!c))
		return real.posix_memalign(p, align, size);
	r = TIMED(t, real.posix_memalign(p, align, size));
	made(c, MONOUT_OP_MEMALIGN, r == 0 ? *p : NULL, size, t);
	return r;
}

static void *
timed_realloc(void *old, size_t size)
{
	struct mmi_costs *c = begin(NULL);
	uint64_t t, had = 0, has;
	unsigned op = MONOUT_OP_REALLOC;
	void *p;

	if (UNLIKELY(!c))
		return real.realloc(old, size);
	/* Without a block, realloc is a malloc. */
	if (!old)
		op = MONOUT_OP_MALLOC;
	t = clock_begin(c);
	if (old)
		had = going(c, old);
	p = real.realloc(old, size);
	t = clock_end(c) - t;
	if (!p || !old) {
		/* realloc to 0 bytes: the block is freed. */
		if (old && !size)
			size_gone(c, had);
		made(c, op, p, size, t);
		return p;
	}
	returned(c);
	has = usable_of(c, p, size);
	if (has >= mmi_costs_threshold)
		op |= MONOUT_OP_BIG;
	if (mmi_ever_used_add((uintptr_t)p, has, c->who) && p != old)
		op |= MONOUT_OP_REUSED;
	count(c, p == old ? op | MONOUT_OP_SAME : op, size, t);
	size_gone(c, had);
	size_made(c, has, size);
	over(c);
	return p;
}

#define FREE(p, call) \
	do { \
		struct mmi_costs *c = begin(p); \
		uint64_t t, usable; \
\
		if (UNLIKELY(!c)) { \
			call; \
			return; \
		} \
		t = clock_begin(c); \
		usable = going(c, p); \
		call; \
		t = clock_end(c) - t; \
		gone(c, usable, t); \
	} while (0)

static void
timed_free(void *p)
{
	FREE(p, real.free(p));
}

static void
timed_free_sized(void *p, size_t size)
{
	FREE(p, real.free_sized(p, size));
}

static void
timed_free_aligned_sized(void *p, size_t align, size_t size)
{
	FREE(p, real.free_aligned_sized(p, align, size));
}

/* When an operator new or delete began. */
static TLS uint64_t began;

bool
mmi_operations_begin(void)
{
	if (!mmi_operations_on() || !begin(NULL))
		return false;
	began = clock_begin(mmi_costs_mine);
	return true;
}

void
mmi_operations_made(void *p, size_t size)
{
	struct mmi_costs *c = mmi_costs_mine;

	made(c, MONOUT_OP_MALLOC, p, size, clock_end(c) - began);
}

uint64_t
mmi_operations_going(void *p)
{
	return going(mmi_costs_mine, p);
}

void
mmi_operations_gone(uint64_t usable)
{
	struct mmi_costs *c = mmi_costs_mine;

	gone(c, usable, clock_end(c) - began);
}

#define TAKE(name) \
	if (mmi_next.name) \
	mmi_next.name = timed_##name

void
mmi_operations_take(void)
{
	real = mmi_next;
	TAKE(malloc);
	TAKE(calloc);
	TAKE(realloc);
	TAKE(free);
	TAKE(posix_memalign);
	TAKE(aligned_alloc);
	TAKE(memalign);
	TAKE(valloc);
	TAKE(pvalloc);
	TAKE(free_sized);
	TAKE(free_aligned_sized);
}

uintptr_t
mmi_operations_allocator(void)
{
	return (uintptr_t)real.malloc;
}
