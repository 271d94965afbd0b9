/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the views besides the tables are made from: the heap over time, counts
 * by site, thread and size, single blocks.  All of it is the profile's.
 */
#ifndef MEMMON_REDUCE_VIEWS_H
#define MEMMON_REDUCE_VIEWS_H

#include "reduce/model/figures.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct site;
struct thread;

/* What a site's (or type's ...) counts are from a snapshot on. */
struct time_change {
	uint32_t snapshot;    /* ascending within a row */
	struct amounts count; /* of all before it, since the start */
};

/* Before its first change all counts of a row are 0. */
struct time_row {
	const struct time_change *change;
	size_t n;
};

/* A mark of the program's, under a filter too. */
struct time_mark {
	const char *name;
	uint64_t time;	   /* ns after start */
	uint64_t live;	   /* bytes at it, of the whole program; UINT64_MAX: not
			  * known */
	uint32_t snapshot; /* the last one not after it, plus 1; 0: none is */
};

/*
 * The heap over time, at snapshots that are about equally far from each other;
 * the last one is the run's end, or what profile_options.when.at says.
 */
struct profile_time {
	bool known;
	const char *why;    /* if not: what to do about it; never NULL */
	uint64_t step;	    /* ns between snapshots, about */
	size_t n;	    /* snapshots */
	const uint64_t *at; /* ns after start */
	const struct amounts *total;
	const uint64_t *peak; /* most bytes live since the snapshot before;
			       * UINT64_MAX not known; or NULL */
	const uint64_t *rss;  /* bytes; UINT64_MAX not known; or NULL */
	/* By number in profile.sites; NULL: not known, and why. */
	const struct time_row *sites;
	const char *sites_why;
	/* By number in profile.all_threads, and one more for those that aren't
	 * known; NULL: not known. */
	const struct time_row *threads;
	/* By number in profile.items, if those are wanted; or NULL. */
	const struct time_row *items;
	const struct time_mark *marks; /* by time */
	size_t nmarks;
};

/*
 * Memory of the process, by the kernel: at the last snapshot that has it, and
 * at the one with most of it.
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
 * What one thread (or several of one name) allocated at a site, of one size:
 * the finest that is counted.  Items of a site add up to its counts.  Where
 * some of the live blocks are known to be of another type, they are items of
 * their own.
 *
 * What was live at the peak adds up, too, modulo 2^64, whether it is known or
 * not: it is right for all items of a site and size together, though not for
 * each thread's or type's.
 */
struct item {
	const struct site *site;
	const struct thread *thread; /* NULL not known */
	const char *type;	     /* NULL not known */
	char type_mark;
	uint64_t size; /* of each block, bytes; of `any': not known */
	bool any;
	WITH_FIGURES; /* frees: of these threads' blocks, by whomever */
};

/* A block of a log.  Times: ns after start. */
struct block {
	const struct site *site;     /* NULL not known */
	const struct thread *thread; /* NULL not known */
	const struct thread *freer;  /* likewise, or it lives */
	uint64_t size;		     /* bytes */
	uint64_t address;
	uint64_t born, died; /* died: UINT64_MAX: it lives at the end */
	bool by_others;	     /* freed by another thread than the allocator's */
	bool resized;	     /* what became of it is another block */
	bool early;	     /* born before there was a clock: 0 */
	bool used;	     /* these are known: */
	uint64_t reads, writes, first, last; /* first, last: times; UINT64_MAX:
					      * none */
	uint64_t low, high; /* bytes before the first granule accessed, and up
			     * to the end of the last; UINT64_MAX: none, or
			     * not known */
	bool placed; /* are these, and `shared', known? */
	bool shared; /* several threads accessed it */
};

/* A log of blocks, if there is one. */
struct profile_log {
	bool known;
	const char *why; /* if not: what to do about it; never NULL */
	bool accesses;	 /* are in it */
	bool live;	 /* so are blocks live at the end */
	uint64_t blocks; /* in it, whatever a filter leaves */
	uint64_t folded; /* blocks that are only in the counts, as the log had
			  * no room */
	uint64_t whole_from; /* ns after start: blocks that died before this
			      * may be missing, 0 if none are */
	uint64_t missed;     /* blocks of which there was no record */
	uint64_t damaged;    /* that should be there and can't be read */
	int error;	     /* errno of why it couldn't be written, or 0 */
};

/* A file that functions are in: the program or a library. */
struct profile_module {
	const char *path;     /* as recorded */
	const char *build_id; /* in hexadecimal digits, "" none */
	uint64_t start, end;  /* where it was in memory, in one of the runs */
	uint64_t bias;	      /* address there minus that in the file */
	bool program;	      /* no library */
};

/* Poisson sampling by bytes (MEMMON_SAMPLE). */
struct profile_sample {
	uint64_t rate; /* mean bytes from one sample to the next; 0: all blocks
			* were recorded, all figures are exact */
	uint64_t blocks; /* that were sampled */
	bool some;	 /* of several runs only some were; or at other rates,
			  * of which this is the largest */
	const char *why; /* why none was though it was asked for; or NULL */
	/* Counted of all, exactly, to compare with; or not known. */
	bool all_known;
	uint64_t all_allocs, all_bytes;
};

/*
 * Which time, or span between two, all figures are of.  Where `other' is
 * set, they are as those that a filter has left (see struct profile_filtered)
 * with `less' and `part': what is known only of the run's end isn't known.
 */
struct profile_snapshot {
	const char *note; /* which it is, in lines; NULL: nothing was asked */
	bool other;	  /* not the run's end */
	bool span;	  /* what was allocated between two times */
	bool peak;	  /* what was live at the peak */
	uint64_t at;	  /* ns after start */
	/*
	 * Which blocks of the log count: those allocated from `from' to before
	 * `to'.  A block that was freed after `until' counts as live.  At the
	 * peak only live blocks count.
	 */
	struct {
		uint64_t from, to, until;
	} blocks;
	/* What a span keeps at the end, at most; tables have the least. */
	uint64_t kept_blocks, kept_bytes;
	/* The two that growth is to be told between: so many snapshots of
	 * struct profile_time aren't after it; NULL: it wasn't asked for. */
	struct {
		size_t n;
		const char *name;
	} grown[2];
};

/* Which times a profile is to be of.  All NULL: the run's end. */
struct profile_when {
	const char *at;	       /* TIME, peak, mark:NAME, end */
	const char *from, *to; /* likewise: what came between these */
	const char *grown[2];  /* likewise: what grew between; or NULL */
};

#endif
