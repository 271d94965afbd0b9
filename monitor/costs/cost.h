/* SPDX-License-Identifier: MIT */
/*
 * Counts of the next allocator's operations, for each thread that calls it.
 *
 * Only one owner at a time writes to a struct mmi_costs.  When a thread ends,
 * the next new thread takes over its struct with the counts.
 */
#ifndef MEMMON_COST_H
#define MEMMON_COST_H

#include <sys/single_threaded.h>

#include "monitor/base/internal.h"

enum mmi_cost_call {
#define X(NAME, name) MMI_COST_##NAME,
	MONREC_COST_CALLS(X)
#undef X
		MMI_COST_NCALL
};

enum mmi_cost_event {
#define X(NAME, name) MMI_COST_##NAME,
	MONREC_COST_EVENTS(X)
#undef X
		MMI_COST_NEVENT,
	/* The last of these are the CPU's counters: see pmu.h. */
	MMI_COST_COUNTED = MMI_COST_INSTRUCTIONS,
	MMI_COST_NCOUNTER = MMI_COST_NEVENT - MMI_COST_COUNTED
};

/* A page for each counter of a thread; NULL: none. */
struct perf_event_mmap_page;
struct mmi_pmu {
	struct perf_event_mmap_page *page[MMI_COST_NCOUNTER];
};

/* Calls of one kind: cycles, bytes. */
struct mmi_cost_kernel {
	uint64_t n, cycles, longest, bytes, largest;
};

/* One class of operation: monout.h has its number. */
struct mmi_cost_op {
	uint64_t n, bytes, largest;
	/* Of the timed operations, which are in the bins. */
	uint64_t cycles, longest;
	uint64_t watched; /* of n, operations whose system calls were seen */
	uint64_t remote, remote_bytes; /* frees of another thread's blocks */
	uint64_t with_events; /* of n, operations whose events were counted */
	/* Of these, operations with the CPU's counters. */
	uint64_t with_counters;
	uint64_t event[MMI_COST_NEVENT], most[MMI_COST_NEVENT];
	struct mmi_cost_kernel kernel[MMI_COST_NCALL];
	uint64_t bin[MONOUT_COST_BINS];
};

/* Blocks by usable size: each size up to 64 KB, then 8 classes per octave. */
#define MMI_COST_EXACT 65536u
#define MMI_COST_SIZES (MMI_COST_EXACT / 8 + 1 + 32 * 8)
struct mmi_cost_size {
	uint64_t allocs, bytes, most, frees;
};

/* Locks that the operation under way has taken. */
#define MMI_COST_TAKEN 8u
struct mmi_cost_lock {
	uintptr_t at; /* 0: several locks, as there was no room for more */
	uint64_t n, held, longest, contended, waited, most;
	uint64_t since; /* since when it is held; 0: it isn't held */
};

struct mmi_costs {
	uintptr_t busy; /* stack address of the operation under way; 0: none */
	uint8_t selector; /* of system call dispatch; the kernel reads it */
	uint8_t who;	 /* of ever_used.h */
	bool fresh;	 /* no operation has been counted yet */
	bool watched;	 /* its system calls are seen */
	bool seen;	 /* a system call was seen in this operation */
	bool is_timed;	 /* this operation is timed */
	bool has_events; /* its events are counted */
	bool has_counters;  /* and the CPU's counters are known */
	uint32_t to_timed;  /* operations until the next timed one */
	uint32_t to_events; /* operations until the next one with events */
	uint32_t turn;	    /* counts requests for a usable size */
	uint32_t nlocks; /* of lock[] */
	uint64_t random;
	uint64_t ours;	 /* cycles of this operation that the monitor caused */
	int64_t usable;	 /* live bytes that aren't in the process's sum yet */
	void *going;	 /* the block that the operation frees */
	uint64_t before[MMI_COST_NEVENT], after[MMI_COST_NEVENT];
	struct mmi_pmu counters;
	struct mmi_cost_kernel kernel[MMI_COST_NCALL]; /* of this operation */
	struct mmi_cost_lock lock[MMI_COST_TAKEN];
	struct mmi_costs *next;	     /* all of them; set once */
	struct mmi_costs *next_free; /* for structs without a thread */
	struct mmi_cost_op op[MONOUT_NOP];
	struct mmi_cost_size size[MMI_COST_SIZES];
};

/* The thread's own struct; NULL: none yet, or no more. */
extern HIDDEN TLS struct mmi_costs *mmi_costs_mine;

/* The thread's first operation: its struct, or NULL.  ctx: slow. */
struct mmi_costs *mmi_costs_take(void);

/* All structs, newest first.  ctx: any. */
struct mmi_costs *mmi_costs_first(void);

/* Do several threads use the allocator now?  ctx: any. */
bool mmi_costs_parallel(void);

/*
 * mmi_costs_timer: cycles between two readings of the clock around an empty
 * call.  mmi_costs_ticks: cycles between two calls of arch_ticks().
 */
extern HIDDEN uint64_t mmi_costs_timer, mmi_costs_ticks;

/* One of so many operations is timed; from this usable size on it is big. */
extern HIDDEN uint32_t mmi_costs_one_in;
extern HIDDEN uint64_t mmi_costs_threshold;

/* The size's place in mmi_costs.size, and the least size of a place. */
static inline unsigned
mmi_cost_size(uint64_t usable)
{
	return usable <= MMI_COST_EXACT
		       ? (unsigned)(usable >> 3)
		       : MMI_COST_EXACT / 8 + 1 + monout_eighth(usable) -
				 monout_eighth(MMI_COST_EXACT);
}

static inline uint64_t
mmi_cost_size_of(unsigned place)
{
	return place <= MMI_COST_EXACT / 8
		       ? (uint64_t)place << 3
		       : monout_eighth_from(place - MMI_COST_EXACT / 8 - 1 +
					    monout_eighth(MMI_COST_EXACT));
}

/* a - b, or 0 if that is below 0, as clocks may differ a little. */
static inline uint64_t
mmi_cost_less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Set *to to v if v is larger. */
static inline void
mmi_cost_most(uint64_t *to, uint64_t v)
{
	if (v > *to)
		*to = v;
}

static inline void
mmi_cost_kernel_add(struct mmi_cost_kernel *to, const struct mmi_cost_kernel *k)
{
	to->n += LOAD(&k->n);
	to->cycles += LOAD(&k->cycles);
	to->bytes += LOAD(&k->bytes);
	mmi_cost_most(&to->longest, LOAD(&k->longest));
	mmi_cost_most(&to->largest, LOAD(&k->largest));
}

/* *p += v, where several threads may add. */
static inline void
mmi_cost_add(uint64_t *p, uint64_t v)
{
	if (__libc_single_threaded)
		STORE(p, LOAD(p) + v);
	else
		FETCH_ADD(p, v);
}

#endif
