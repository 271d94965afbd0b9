/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data for other views than the tables: the heap over time, counts by site,
 * thread and size, single blocks.  The profile owns all of it.
 */
#ifndef MEMMON_REDUCE_VIEWS_H
#define MEMMON_REDUCE_VIEWS_H

#include "reduce/model/figures.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct site;
struct thread;

/* The counts of a site (or type ...) from this snapshot on. */
struct time_change {
	uint32_t snapshot;    /* ascending within a row */
	struct amounts count; /* sums since the start */
};

/* Before its first change, all counts of a row are 0. */
struct time_row {
	const struct time_change *change;
	size_t n;
};

/* A mark that the program set; filters keep all marks. */
struct time_mark {
	const char *name;
	uint64_t time;	   /* ns after start */
	uint64_t live;	   /* bytes live then, of the whole program; UINT64_MAX:
			    * not known */
	uint32_t snapshot; /* the last one before or at it, plus 1; 0: none */
};

/*
 * The heap over time, at snapshots at about equal distances.  The last one is
 * the run's end, or the time of profile_options.when.at.
 */
struct profile_time {
	bool known;
	const char *why;    /* why not, and what to do about it; never NULL */
	uint64_t step;	    /* ns between snapshots, about */
	size_t n;	    /* snapshots */
	const uint64_t *at; /* ns after start */
	const struct amounts *total;
	const uint64_t *peak; /* most bytes live since the previous snapshot;
			       * UINT64_MAX not known; or NULL */
	const uint64_t *rss;  /* bytes; UINT64_MAX not known; or NULL */
	/* By index in profile.sites; NULL: not known, and why. */
	const struct time_row *sites;
	const char *sites_why;
	/* By index in profile.all_threads, then one for unknown threads; NULL:
	 * not known. */
	const struct time_row *threads;
	/* By index in profile.items, if these were asked for; or NULL. */
	const struct time_row *items;
	const struct time_mark *marks; /* by time */
	size_t nmarks;
};

/*
 * The memory of the process as the kernel counts it: at the last snapshot with
 * this figure, and at the snapshot with the largest one.
 */
struct profile_resident {
	bool known;
	bool end; /* last is of the run's end, or of when the file was made */
	struct profile_rss {
		uint64_t rss;  /* bytes, RSS */
		uint64_t live; /* bytes in blocks then */
		uint64_t at;   /* ns after start */
	} last, most;
};

/*
 * Allocations of one thread (or several of one name) at a site, of one size:
 * the finest counts.  Items of a site add up to its counts.  If some of the
 * live blocks are known to be of another type, these have items of their own.
 *
 * The bytes live at the peak add up, too, modulo 2^64, even if they aren't
 * known: they are right for all items of a site and size together, but not
 * always for one thread or type.
 */
struct item {
	const struct site *site;
	const struct thread *thread; /* NULL not known */
	const char *type;	     /* NULL not known */
	char type_mark;
	uint64_t size; /* of each block, bytes; if `any' is set, not known */
	bool any;
	WITH_FIGURES; /* frees: of these threads' blocks, by any thread */
	double var[PROFILE_NERROR]; /* variances; INFINITY: unknown */
};

/* A block of a log.  Times: ns after start. */
struct block {
	const struct site *site;     /* NULL not known */
	const struct thread *thread; /* NULL not known */
	const struct thread *freer;  /* NULL not known, or live */
	uint64_t size;		     /* bytes */
	uint64_t address;
	uint64_t born, died; /* died: UINT64_MAX: live at the end */
	bool by_others;	     /* freed by a thread that didn't allocate it */
	bool resized;	     /* realloc replaced it with another block */
	bool early;	     /* allocated before there was a clock: born is 0 */
	bool used;	     /* the next members are known: */
	uint64_t reads, writes, first, last; /* first, last: times; UINT64_MAX:
					      * none */
	uint64_t low, high; /* bytes before the first granule accessed; bytes up
			     * to the end of the last one; UINT64_MAX: none, or
			     * not known */
	bool placed; /* low, high and `shared' are known */
	bool shared; /* several threads accessed it */
};

/* A log of blocks, if there is one. */
struct profile_log {
	bool known;
	const char *why; /* why not, and what to do about it; never NULL */
	bool accesses;	 /* the log has accesses */
	bool live;	 /* the log has blocks live at the end */
	uint64_t blocks; /* in the log, before any filter */
	uint64_t folded; /* blocks that are counted but missing in the log,
			  * because it had no room */
	uint64_t whole_from; /* ns after start: blocks that died before may be
			      * missing; 0: none are */
	uint64_t missed;     /* blocks that the monitor did not log */
	uint64_t damaged;    /* blocks whose record can't be read */
	int error;	     /* errno of the write that failed, or 0 */
};

/* A file that functions are in: the program or a library. */
struct profile_module {
	const char *path;     /* as recorded */
	const char *build_id; /* in hexadecimal digits, "" none */
	uint64_t start, end;  /* where it was in memory, in one of the runs */
	uint64_t bias;	      /* address there minus that in the file */
	bool program;	      /* not a library */
};

/* Poisson sampling by bytes (MEMMON_SAMPLE). */
struct profile_sample {
	uint64_t rate; /* mean bytes between two samples; 0: all blocks were
			* recorded, all figures are exact */
	uint64_t blocks; /* that were sampled */
	bool some;	 /* only some of several runs were sampled, or the runs
			  * had different rates: rate is the largest */
	const char *why; /* why there was no sampling though it was asked for;
			  * or NULL */
	/* Exact counts of all blocks, for comparison; if known. */
	bool all_known;
	uint64_t all_allocs, all_bytes;
};

/*
 * The time, or the span between two times, of all figures.  If `other' is set,
 * figures are like those behind a filter (see struct profile_filtered) with
 * `less' and `part': figures that are known only for the run's end are unknown.
 */
struct profile_snapshot {
	const char *note; /* a text about the time, in lines, without these
			   * figures; NULL: no time was asked for */
	bool other;	  /* not the run's end */
	bool span;	  /* blocks allocated between two times */
	bool peak;	  /* blocks live at the peak */
	uint64_t at;	  /* ns after start */
	/*
	 * The blocks of the log that count: those allocated from `from' to
	 * before `to'.  A block that was freed after `until' counts as live.
	 * At the peak only live blocks count.
	 */
	struct {
		uint64_t from, to, until;
	} blocks;
	/* Blocks of a span that are live at the run's end: upper and lower
	 * bounds; tables show the lower ones.  logged: exact, from the log. */
	uint64_t kept_blocks, kept_bytes, least_blocks, least_bytes;
	bool logged;
	/* What the mark at this time counted, if it is later than `at'. */
	bool marked;
	uint64_t mark_blocks, mark_bytes;
	/* The two times that growth is shown between.  n: snapshots of struct
	 * profile_time before or at the time.  name NULL: wasn't asked for. */
	struct {
		size_t n;
		const char *name;
	} grown[2];
};

/* The time of a profile.  All NULL: the run's end. */
struct profile_when {
	const char *at;	       /* TIME, peak, mark:NAME, end */
	const char *from, *to; /* the same forms: blocks between these times */
	const char *grown[2];  /* the same forms: growth between these; or
				* NULL */
};

#endif
