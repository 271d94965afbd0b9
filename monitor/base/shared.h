/* SPDX-License-Identifier: MIT */
/*
 * Counts in the process's image (image/image.h): those of each thread, and
 * those of the process, struct mmi_shared.  Once the image exists, it is mapped
 * over struct mmi_shared.
 */
#ifndef MEMMON_SHARED_H
#define MEMMON_SHARED_H

#include <sys/single_threaded.h>

#include "monitor/base/internal.h"

/*
 * While there is one thread, `live' is exact.  If there are several, each has a
 * difference of its own, below MMI_HEAP_SPREAD, and adds it to `live' when it
 * gets larger.  So `live' and `peak' may be wrong by MMI_HEAP_SPREAD times the
 * number of threads.  While memory grows, only `live' changes: the next thread
 * that frees something counts the new peak.  `peaks' is raised after each new
 * peak: a cell with an older number knows that its present blocks were live at
 * the peak.  Its upper bits are raised after each new snapshot of times.h: a
 * cell with an older number knows that its present counts are those at the
 * snapshot.
 */
struct mmi_heap {
	/* Written at each event while there is one thread, otherwise seldom. */
	uint64_t live, peak;
	uint64_t timed;	  /* the peak that ended at peak_at */
	uint64_t peak_at; /* ns on the monotonic clock */
	uint64_t high;	  /* the peak since the last snapshot */
	/* Every event reads this. */
	uint64_t peaks __attribute__((aligned(64)));
	int fresh;  /* the peak has grown noticeably since `timed' */
	int spread; /* there was more than one thread */
};

/* Peaks are counted below, snapshots from this bit on. */
#define MMI_HEAP_SNAPSHOT 44u
#define MMI_HEAP_PEAKS ((1ull << MMI_HEAP_SNAPSHOT) - 1)

/* Have two values of mmi_heap.peaks the same number of the peak? */
#define MMI_HEAP_SAME_PEAK(a, b) (!(((a) ^ (b)) & MMI_HEAP_PEAKS))

/*
 * A snapshot: counts at that time, since the start or the last reset.  Each
 * snapshot has a higher number than those before it; number 0: not a snapshot.
 */
struct mmi_snapshot {
	uint64_t number; /* set last */
	uint64_t at;	 /* ns on the monotonic clock */
	uint64_t allocs, bytes, frees, freed;
	uint64_t peak; /* most bytes live since the last snapshot */
	uint64_t rss;  /* bytes; UINT64_MAX: not known */
};
#define MMI_SNAPSHOTS 1024u

struct mmi_snapshots {
	uint64_t known; /* 1: snapshots are taken */
	uint64_t n;	/* in use; if an earlier one has its number or a higher
			 * one, it is being deleted */
	uint64_t notes_lost; /* atomic: 1: history.c lacks a note */
	uint64_t unused[5];
	struct mmi_snapshot snapshot[MMI_SNAPSHOTS];
};

/*
 * Where the memory of the process was at a moment of the run: the lines of
 * MONREC_MEMORY_LINES, bytes.  Moments are in ascending order; one with the
 * same time as the one before is being deleted.
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
 * Counters of one thread, named like their totals (monout.h); summed up when
 * the file is written.  Only the owner of the struct writes; others read with
 * LOAD.
 */
struct mmi_counters {
	MONOUT_COUNTERS(MONOUT_COUNTER)
};

/* The events of a thread, for the table of threads; allocs: see also seq. */
struct mmi_done {
	uint64_t allocs, bytes, frees, freed, of_others;
};

/*
 * The counts of the owner of a struct mmi_thread, in addition to its cells: a
 * struct of its own, because it is in the image.
 */
struct mmi_pub {
	uint64_t taken;	    /* 1 */
	uint64_t seq;	    /* allocations of all owners so far */
	uint64_t seq_first; /* those before its present owner */
	int64_t delta;	    /* live bytes not yet in the process's count */
	struct mmi_done done;
	struct mmi_done handlers; /* events that interrupted other events */
	struct mmi_counters count;
	uint32_t epoch; /* of control.h, for these counts */
	uint32_t unused;
	int64_t tid;   /* 0: no owner */
	uint64_t seen; /* its last timed event, ns on the monotonic clock */
	char name[16]; /* the owner's, when last looked at */
};

/* The events of threads that have ended: of one, or of many with one name. */
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
	/* For larger sizes without a place. */
	uint64_t big_allocs, big_bytes, big_frees, big_freed;
};

/* Recording is off, or counts were reset: see control.h. */
struct mmi_control {
	uint64_t off;	/* since when, ns on the monotonic clock; 0: it is on */
	uint32_t epoch; /* resets so far */
	uint32_t stops; /* how often it was switched off */
	uint32_t waits; /* a reset waits for the end of an event */
	bool gaps;	/* there was an off time, or a reset: some live blocks
			 * may not be known */
};

struct mmi_shared {
	struct mmi_heap heap;
	/* Allocations in threads that got no struct mmi_thread. */
	uint64_t lost_allocs, lost_bytes;
	struct mmi_control control;
	uint64_t nthreads[2]; /* threads that had an event, by the control's
			       * epoch, */
	uint32_t cells_first; /* like rows and bins; cells below this one */
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

/* A count of all threads: a single thread needs no bus lock.  ctx: hook. */
static inline void
mmi_shared_add(uint64_t *to, uint64_t n)
{
	if (LIKELY(__libc_single_threaded))
		arch_add_local(to, n);
	else
		FETCH_ADD(to, n);
}

/*
 * Is this memory this process's own?  The kernel clears the page in the child
 * of a fork, even one by the bare system call.
 */
struct mmi_memory {
	int mine; /* 0: it isn't, or nothing is set up yet */
	char rest[ARCH_PAGE_MAX - sizeof(int)];
} __attribute__((aligned(ARCH_PAGE_MAX)));
extern HIDDEN struct mmi_memory mmi_memory;

#endif
