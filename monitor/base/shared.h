/* SPDX-License-Identifier: MIT */
/*
 * Counts that stand in the process's image (image/image.h): of each thread, and
 * the process's own, struct mmi_shared, which the image is mapped over once it
 * is there.
 */
#ifndef MEMMON_SHARED_H
#define MEMMON_SHARED_H

#include <sys/single_threaded.h>

#include "monitor/base/internal.h"

/*
 * While there is one thread `live' is exact.  Of several each keeps a
 * difference of its own, below MMI_HEAP_SPREAD, and adds it when it gets
 * larger: so `live' and `peak' are right to that times the number of threads.
 * While memory grows, `live' alone does: that it was a new peak is counted by
 * who is about to free something.  `peaks' is raised after each new peak, which
 * tells the cells that what they hold now is what they held then; its upper
 * bits after each new snapshot of times.h, which tells them that what they
 * counted till now is of before.
 */
struct mmi_heap {
	/* Written at each event while there is one thread, else seldom. */
	uint64_t live, peak;
	uint64_t timed;	  /* the peak whose end peak_at is */
	uint64_t peak_at; /* ns on the monotonic clock */
	uint64_t high;	  /* the peak since the last snapshot */
	/* What every event reads. */
	uint64_t peaks __attribute__((aligned(64)));
	int fresh;  /* the peak has grown by more than a little since timed */
	int spread; /* there was more than one thread */
};

/* Peaks are counted below, snapshots from this bit on. */
#define MMI_HEAP_SNAPSHOT 44u
#define MMI_HEAP_PEAKS ((1ull << MMI_HEAP_SNAPSHOT) - 1)

/* The same number of the peak?  Of mmi_heap.peaks both. */
#define MMI_HEAP_SAME_PEAK(a, b) (!(((a) ^ (b)) & MMI_HEAP_PEAKS))

/*
 * A snapshot: what there was then, counts since the start or the last reset.
 * Each has a higher number than those before it; number 0: it isn't one.
 */
struct mmi_snapshot {
	uint64_t number; /* set last */
	uint64_t at;	 /* ns on the monotonic clock */
	uint64_t allocs, bytes, frees, freed;
	uint64_t peak; /* most bytes live since the snapshot before */
	uint64_t rss;  /* bytes; UINT64_MAX: not known */
};
#define MMI_SNAPSHOTS 1024u

struct mmi_snapshots {
	uint64_t known; /* 1: snapshots are taken */
	uint64_t n;	/* in use; one of no higher number than one before it
			 * is just being left out */
	uint64_t notes_lost; /* atomic: 1: history.c couldn't note something */
	uint64_t unused[5];
	struct mmi_snapshot snapshot[MMI_SNAPSHOTS];
};

/*
 * Where the memory of the process was at a moment of the run: the lines of
 * MONREC_MEMORY_LINES, bytes.  They are ascending; of the same time as the one
 * before: it is just being left out.
 */
struct mmi_moment {
	uint64_t at; /* ns on the monotonic clock; set last; 0: being made */
	uint64_t line[MONREC_MEMORY_COUNT];
};
#define MMI_MOMENTS 64u

struct mmi_moments {
	uint64_t n; /* in use */
	struct mmi_moment moment[MMI_MOMENTS];
};

/*
 * Counters of one thread, by the totals that they become (monout.h); summed
 * when the file is written.  Only the owner of the struct writes; others read
 * with LOAD.
 */
struct mmi_counters {
	MONOUT_COUNTERS(MONOUT_COUNTER)
};

/* What a thread did, for the table of threads; allocs besides its seq. */
struct mmi_done {
	uint64_t allocs, bytes, frees, freed, of_others;
};

/*
 * What the owner of a struct mmi_thread counts, besides its cells: apart, since
 * it stands in the image.
 */
struct mmi_pub {
	uint64_t taken;	    /* 1 */
	uint64_t seq;	    /* allocations of all its owners so far */
	uint64_t seq_first; /* before its present owner's first */
	int64_t delta;	    /* live bytes not yet in the process's count */
	struct mmi_done done;
	struct mmi_done handlers; /* of events that interrupted its own */
	struct mmi_counters count;
	uint32_t epoch; /* of control.h, that the counts are of */
	uint32_t unused;
	int64_t tid;   /* 0: nobody's */
	uint64_t seen; /* its last timed event, ns on the monotonic clock */
	char name[16]; /* the owner's, when last looked at */
};

/* What threads did that have ended: of each, or of many of one name. */
struct mmi_thread_row {
	int state; /* atomic: 0 free, 1 being named, 2 in use */
	bool main;
	char name[16];
	uint64_t threads;
	struct mmi_done done;
};
#define MMI_THREAD_ROWS 256u

/* Counts of blocks of one size; size 0: entry not used. */
struct mmi_bin {
	uint64_t size, allocs, frees;
};

/* Entries in the table, used or not. */
#define MMI_BINS 4096u

struct mmi_bins {
	uint64_t allocs[MONOUT_BIN_MAX + 1]; /* by size */
	uint64_t frees[MONOUT_BIN_MAX + 1];
	struct mmi_bin other[MMI_BINS];
	/* Of larger sizes that found no place. */
	uint64_t big_allocs, big_bytes, big_frees, big_freed;
};

/* Recording is off, or counts were reset: see control.h. */
struct mmi_control {
	uint64_t off;	/* since when, ns on the monotonic clock; 0: it's on */
	uint32_t epoch; /* resets so far */
	uint32_t stops; /* times that it was switched off */
	uint32_t waits; /* a reset has to wait for the end of an event */
	bool gaps;	/* there was an off time, or a reset: blocks may live
			 * that aren't known */
};

struct mmi_shared {
	struct mmi_heap heap;
	/* Allocations that no struct mmi_thread could be had for. */
	uint64_t lost_allocs, lost_bytes;
	struct mmi_control control;
	uint64_t nthreads[2]; /* that had an event; by the control's epoch, */
	uint32_t cells_first; /* as the next two are; cells below this one */
	uint32_t unused;      /* are from before the last fork or reset */
	uint64_t off_total;   /* ns of off times that are over */
	uint64_t reset_at;    /* monotonic clock; 0: there was none */
	struct mmi_thread_row rows[2][MMI_THREAD_ROWS];
	struct mmi_bins bins[2]; /* blocks of the cells for all sizes */
	uint64_t unused2[2];
	struct mmi_snapshots snapshots; /* aligned, as each of them is */
	struct mmi_moments moments;
} __attribute__((aligned(ARCH_PAGE_MAX)));
extern HIDDEN struct mmi_shared mmi_shared;

/* A count of all threads: one alone needs no bus lock.  ctx: hook. */
static inline void
mmi_shared_add(uint64_t *to, uint64_t n)
{
	if (LIKELY(__libc_single_threaded))
		arch_add_local(to, n);
	else
		FETCH_ADD(to, n);
}

/*
 * Is this memory this process's own?  The kernel wipes the page in a child that
 * a fork made, be it by the bare system call.
 */
struct mmi_memory {
	int mine; /* 0: not, or nothing is set up yet */
	char rest[ARCH_PAGE_MAX - sizeof(int)];
} __attribute__((aligned(ARCH_PAGE_MAX)));
extern HIDDEN struct mmi_memory mmi_memory;

#endif
