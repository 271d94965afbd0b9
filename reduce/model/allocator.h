/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the allocator cost, as far as operations on it were timed.  Times are
 * ns; cycles, ticks of the time stamp counter.
 */
#ifndef MEMMON_REDUCE_ALLOCATOR_H
#define MEMMON_REDUCE_ALLOCATOR_H

#include "monitor/monout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* System calls in it, and their names. */
enum allocator_call {
#define X(NAME, name) ALLOCATOR_##NAME,
	MONREC_COST_CALLS(X)
#undef X
		ALLOCATOR_NCALL
};
extern const char *const allocator_calls[ALLOCATOR_NCALL];

/* What happened to its thread. */
enum allocator_event {
#define X(NAME, text) ALLOCATOR_##NAME,
	MONREC_COST_EVENTS(X)
#undef X
		ALLOCATOR_NEVENT
};

/* How often, how much in all, and at most. */
struct allocator_sum {
	uint64_t n, sum, most;
};

static inline void
allocator_sum_add(struct allocator_sum *to, const struct allocator_sum *x)
{
	/* They stop at the highest number rather than wrap. */
	if (__builtin_add_overflow(to->n, x->n, &to->n))
		to->n = UINT64_MAX;
	if (__builtin_add_overflow(to->sum, x->sum, &to->sum))
		to->sum = UINT64_MAX;
	if (x->most > to->most)
		to->most = x->most;
}

/* What operations took, ns; UINT64_MAX: none of them was timed. */
struct allocator_times {
	uint64_t all; /* of all of them: what those that were timed stand for */
	uint64_t mean, median, p99, most; /* of one that was timed */
	uint64_t cycles; /* the mean, of the clock */
};

/* Operations of one class, or of several. */
struct allocator_op {
	unsigned of; /* enum monout_op */
	const char *name; /* as "malloc, small, new" */
	struct allocator_sum calls; /* all of them; bytes asked for */
	struct allocator_sum time;  /* those that were timed; cycles */
	struct allocator_times ns;
	uint64_t watched;	    /* those whose system calls were seen */
	struct allocator_sum remote; /* frees of others' blocks; bytes */
	struct allocator_sum kernel[ALLOCATOR_NCALL]; /* ns */
	struct allocator_sum bytes[ALLOCATOR_NCALL];
	struct allocator_sum event[ALLOCATOR_NEVENT]; /* n: of so many */
	struct allocator_sum lock; /* taken; ns held */
	struct allocator_sum wait; /* of these contended; ns waited */
	uint64_t bin[MONOUT_COST_BINS];
};

/* A lock, of all classes; ns. */
struct allocator_lock {
	uint64_t at; /* its address; 0: others */
	struct allocator_sum taken, wait;
};

/* Blocks of one usable size: of all sizes up to the next, above 64 KB. */
struct allocator_size {
	uint64_t usable;
	struct allocator_sum made; /* bytes asked for */
	uint64_t live, free;	   /* at the look */
};

/* Bytes at a time, ns after start; UINT64_MAX: not known. */
struct allocator_sample {
	uint64_t at;
#define X(name) uint64_t name;
	MONREC_COST_MEMORY(X)
#undef X
};

/* Cache lines with blocks of several threads, in which a site has one. */
struct site;
struct allocator_share {
	const struct site *site; /* NULL: others */
	uint64_t active, passive;
};

struct allocator {
	const char *path; /* of the object it is in; NULL: unknown, several */
	uint64_t cpu;	    /* that the process used, ns; 0: not known */
	uint64_t hz;	    /* of the clock; of several runs, the fastest */
	uint64_t timer;	    /* cycles of the clock, taken out of each */
	uint64_t threshold; /* usable bytes from which on a block is big */
	uint64_t one_in;    /* operations of which one is timed */
	uint64_t uncounted; /* operations that aren't in any class */
	uint64_t no_counters; /* errno of the CPU's counters, 0: none */
	uint64_t lock_slots; /* calls of locks in its object that are seen */
	const char *probe;   /* what the pre-run found; NULL: nothing */
	struct allocator_op *ops; /* by class */
	size_t nops;
	struct allocator_op all;
	struct allocator_lock *locks; /* most time waited, then taken, first */
	size_t nlocks;
	struct allocator_size *sizes; /* ascending */
	size_t nsizes;
	struct allocator_sample *samples; /* by time; none of several runs */
	size_t nsamples, peak, largest;	  /* most usable, most handed out */
	/* The look nearest to the peak; look_at UINT64_MAX: there was none. */
	uint64_t look_at, look_bytes, guessed;
	uint64_t lines, pages, active, passive;
	struct allocator_share *shares; /* most first; of one run only */
	size_t nshares;
};

/* An allocator as it was measured on this machine. */
struct allocator_reference {
	const char *name; /* of its object, without directories */
	const struct allocator *a;
};

/* What a run would take with another allocator, ns; UINT64_MAX: not known. */
struct allocator_prediction {
	uint64_t in;	/* in the allocator */
	uint64_t cpu;	/* that the process would use */
	uint64_t known; /* operations of classes of which both were measured */
};

/*
 * *a has taken so long in the allocator, and would take so much more or less
 * with another one as the two differ in v[n] for operations of these classes:
 * after MemPerf, "Prediction on Performance Impact", which takes what was
 * measured as it is.  name: of the other one's object.
 */
struct allocator_prediction allocator_predict(
	const struct allocator *a, const struct allocator_reference *v,
	size_t n, const char *name);

/*
 * What all operations of *a would take by what those of its own object took
 * when they were measured, ns: how good v[n] is for it.  UINT64_MAX: not known.
 */
uint64_t allocator_by_reference(const struct allocator *a,
				const struct allocator_reference *v, size_t n);

/* The name of an allocator's object without directories; NULL: not known. */
const char *allocator_object(const struct allocator *a);

/* What an operation is called, without its class: "malloc". */
const char *allocator_function(unsigned of);

#endif
