/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the allocator cost, from the operations that were timed.  Times are in
 * ns; cycles are ticks of the time stamp counter.
 */
#ifndef MEMMON_REDUCE_ALLOCATOR_H
#define MEMMON_REDUCE_ALLOCATOR_H

#include "monitor/monout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* System calls that the allocator made, and their names. */
enum allocator_call {
#define X(NAME, name) ALLOCATOR_##NAME,
	MONREC_COST_CALLS(X)
#undef X
		ALLOCATOR_NCALL
};
extern const char *const allocator_calls[ALLOCATOR_NCALL];

/* Events of the calling thread during an operation. */
enum allocator_event {
#define X(NAME, text) ALLOCATOR_##NAME,
	MONREC_COST_EVENTS(X)
#undef X
		ALLOCATOR_NEVENT
};

/* A number of events; the sum and the largest of their values. */
struct allocator_sum {
	uint64_t n, sum, most;
};

static inline void
allocator_sum_add(struct allocator_sum *to, const struct allocator_sum *x)
{
	/* Sums stop at the highest number rather than wrap. */
	if (__builtin_add_overflow(to->n, x->n, &to->n))
		to->n = UINT64_MAX;
	if (__builtin_add_overflow(to->sum, x->sum, &to->sum))
		to->sum = UINT64_MAX;
	if (x->most > to->most)
		to->most = x->most;
}

/* Time that operations took, ns; UINT64_MAX: none of them was timed. */
struct allocator_times {
	uint64_t all; /* of all of them, estimated from those that were timed */
	uint64_t mean, median, p99, most; /* of one that was timed */
	uint64_t cycles; /* the mean, in cycles of the clock */
};

/* Operations of one class, or of several. */
struct allocator_op {
	unsigned of; /* enum monout_op */
	const char *name; /* for example "malloc, small, new" */
	struct allocator_sum calls; /* all of them; bytes asked for */
	struct allocator_sum time;  /* those that were timed; cycles */
	struct allocator_times ns;
	uint64_t watched;	    /* those whose system calls were seen */
	struct allocator_sum remote; /* frees of other threads' blocks; bytes */
	struct allocator_sum kernel[ALLOCATOR_NCALL]; /* ns */
	struct allocator_sum bytes[ALLOCATOR_NCALL];
	struct allocator_sum event[ALLOCATOR_NEVENT]; /* n: operations whose
						       * events were counted */
	struct allocator_sum lock; /* locks taken; ns held */
	struct allocator_sum wait; /* contended ones among them; ns waited */
	uint64_t bin[MONOUT_COST_BINS];
};

/* A lock, over all classes of operations; ns. */
struct allocator_lock {
	uint64_t at; /* its address; 0: all locks that have no row */
	struct allocator_sum taken, wait;
};

/* Blocks of one usable size; above 64 KB, of all sizes up to the next row. */
struct allocator_size {
	uint64_t usable;
	struct allocator_sum made; /* bytes asked for */
	uint64_t live, free;	   /* at look_at */
};

/* Bytes at one time, ns after start; UINT64_MAX: not known. */
struct allocator_sample {
	uint64_t at;
#define X(name) uint64_t name;
	MONREC_COST_MEMORY(X)
#undef X
};

/* Cache lines with blocks of several threads, one of them of this site. */
struct site;
struct allocator_share {
	const struct site *site; /* NULL: all sites that have no row */
	uint64_t active, passive;
};

struct allocator {
	const char *path; /* of the object that contains it; NULL: unknown, or
			   * several */
	uint64_t cpu;	    /* that the process used, ns; 0: not known */
	uint64_t hz;	    /* of the clock; of several runs, the fastest */
	uint64_t timer;	    /* cycles that reading the clock takes, subtracted
			     * from each time */
	uint64_t threshold; /* blocks of this many usable bytes or more are
			     * big */
	uint64_t one_in;    /* one operation in this many is timed */
	uint64_t uncounted; /* operations that are in no class */
	uint64_t no_counters; /* errno of the CPU's counters, 0: none */
	uint64_t lock_slots; /* calls of locks in its object that are
			      * recorded */
	const char *probe;   /* what the pre-run found; NULL: nothing */
	struct allocator_op *ops; /* by class */
	size_t nops;
	struct allocator_op all;
	struct allocator_lock *locks; /* by time waited, then times taken,
				       * descending */
	size_t nlocks;
	struct allocator_size *sizes; /* ascending */
	size_t nsizes;
	struct allocator_sample *samples; /* by time; none for several runs */
	size_t nsamples, peak, largest;	  /* indices: the most usable bytes;
					   * the most usable plus unused */
	/* The last look at all blocks, near the peak; look_at UINT64_MAX:
	 * none. */
	uint64_t look_at, look_bytes, guessed;
	uint64_t lines, pages, active, passive;
	struct allocator_share *shares; /* most first; of one run only */
	size_t nshares;
};

/* An allocator's costs, measured on this machine. */
struct allocator_reference {
	const char *name; /* of its object, without directories */
	const struct allocator *a;
};

/* Predicted times with another allocator, ns; UINT64_MAX: not known. */
struct allocator_prediction {
	uint64_t in;	/* in the allocator */
	uint64_t cpu;	/* that the process would use in all */
	uint64_t known; /* operations of classes that were measured with both
			 * allocators */
};

/*
 * Predict the times of *a's run with another allocator.  The time that *a spent
 * in its allocator is scaled by the ratio of two sums over its operations: with
 * the other allocator's times per class, and with its own, both from v[n].
 * After MemPerf, "Prediction on Performance Impact", which doesn't scale the
 * measured time.  name: the object of the other allocator.
 */
struct allocator_prediction allocator_predict(
	const struct allocator *a, const struct allocator_reference *v,
	size_t n, const char *name);

/*
 * The time that all operations of *a would take if each took the mean of its
 * class in the reference of *a's own allocator in v[n], ns.  Compare it with
 * the measured time to see how good that reference is.  UINT64_MAX: not known.
 */
uint64_t allocator_by_reference(const struct allocator *a,
				const struct allocator_reference *v, size_t n);

/* The file name of an allocator's object, no folder; NULL: not known. */
const char *allocator_object(const struct allocator *a);

/* The name of an operation's function, without its class: "malloc". */
const char *allocator_function(unsigned of);

#endif
