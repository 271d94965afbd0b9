/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of the profile (result.h, which includes this) about whole runs and
 * live blocks: data files, marks, leak checks, suppressions.
 */
#ifndef MEMMON_REDUCE_RUNS_H
#define MEMMON_REDUCE_RUNS_H

#include "reduce/model/allocator.h"
#include "reduce/model/figures.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The limits of a leak check. */
struct run_leak_limits {
	uint64_t blind;	  /* threads whose registers it didn't see */
	uint64_t unread;  /* bytes that it couldn't search */
	uint64_t places;  /* number of areas with these bytes */
	uint64_t odd;	  /* lost blocks with pointers at odd addresses */
	uint64_t tagged;  /* lost blocks with pointers that have other bits
			   * set */
	uint64_t unknown; /* 1: there may be unrecorded blocks */
	uint64_t held, held_bytes; /* blocks that only stack frames lead to */
};

/*
 * The data files FILE.PID beside a data file, or files of another name pattern:
 * of the programs that its process started, directly or not.  unknown: too many
 * files to look at.
 */
struct run_family {
	const char *const *file;
	size_t n;
	size_t before; /* the last ones, of programs that the process ran
			* before */
	bool unknown;
};

/* One input file. */
struct run {
	const char *path;     /* of the data file */
	const char *problem;  /* why it couldn't be read: then all other numbers
			       * are 0, and texts ""; NULL: it could be read */
	const char *program;  /* of the executable, as recorded */
	const char *command;  /* arguments joined by blanks, quoted for sh */
	const char *end;      /* "exit", "signal 11 (Segmentation fault)" ... */
	const char *version;  /* of the monitor */
	const char *cut_why;  /* what is missing in a truncated file, or NULL */
	const char *leak_why; /* why there was no leak check, or NULL */
	const char *host;     /* "" not known */
	const char *job;      /* the job of this run; "" none is known */
	uint64_t rank;	      /* in the job */
	bool rank_known;
	uint64_t pid;
	uint64_t ppid;
	uint64_t root;	     /* pid of the program that memmon ran; 0: none */
	const char *pattern; /* of the data files' names; "" unknown */
	uint64_t start;	     /* ns since 1970 UTC */
	uint64_t length;     /* ns */
	uint64_t seen;	     /* ns after start of the last event timed */
	uint64_t off_time;   /* ns for which recording was off */
	uint64_t reset;	     /* ns after start: counts begin there */
	uint64_t leak_check; /* ns after start of the leak check */
	struct run_leak_limits leak_limits;
	bool killed;		     /* ended without writing its end, or still
				      * runs */
	bool running, running_known; /* it ran when the file was read */
	bool seen_known, was_reset;
	bool alive;    /* written while it ran */
	bool signal;   /* a signal ended it */
	bool executed; /* the process executed another program */
	bool image;    /* an image: the process didn't write a data file */
	unsigned own;  /* functions that the program itself defines:
			* MONOUT_OWN_* */
	bool attached; /* memmon attached to it: earlier events are missing */
	bool off;      /* recording was off at the end */
	bool leak_asked;		  /* a leak check at the end was asked
					   * for */
	bool memory_known;		  /* where its memory was is known */
	bool mapped_known;		  /* memory that it mapped itself is
					   * known */
	bool endings_known;		  /* the call paths that freed its
					   * blocks are known */
	bool leaks_known;		  /* there was a leak check */
	bool leaks_all;			  /* all runs of a sum had one */
	bool forked;			  /* counts start at a fork */
	bool cut;			  /* the file isn't whole */
	bool sum;			  /* itself a mon.sum */
	bool peak_known;		  /* if not, peak is 0 */
	uint64_t allocs, bytes;		  /* in all */
	uint64_t live_blocks, live, peak; /* live, peak: bytes */
	uint64_t size;			  /* bytes of file */
	uint64_t nmodules, nnodes, nsites, nbins; /* items found */
	const struct allocator *allocator;	  /* of this run; or NULL */
};

/* What limits or changes the memory of a process: SYSTEM in mon.out(5). */
struct fact {
	const char *name, *value;
};

/*
 * Where the memory of the process was: one line of MONREC_MEMORY_LINES.  bytes:
 * the sum over runs; means: an explanation.
 */
struct memory_line {
	const char *name;
	uint64_t bytes;
	const char *means;
	bool part; /* one of those that add up to `resident' */
};

/*
 * The same at a time of the run: the bytes of each line.  Indices are those of
 * the lines in struct profile.
 */
enum {
#define X(NAME, name) MEMORY_##NAME,
	MONREC_MEMORY_LINES(X)
#undef X
};
struct memory_snapshot {
	uint64_t at; /* ns after the start */
	uint64_t bytes[MONREC_MEMORY_COUNT];
};

/*
 * Memory that the allocator can't return because of a site's live blocks.
 * blocks: live blocks that are in memory; alone: of these, the ones that are
 * the only block on a page; resident: bytes of `blocks' in memory; pinned: free
 * bytes on their pages, divided equally between the blocks of a page.
 */
struct pins {
	uint64_t blocks, alone, resident, pinned;
};

/*
 * Memory that the program mapped itself at a call path: see MAPPINGS in
 * mon.out(5).  most: UINT64_MAX: not known, for example of several rows
 * together.
 */
struct mapping {
	const struct site *site; /* only its call path is meant */
	const char *kind;	 /* what it mapped, in words */
	uint64_t kinds;		 /* the same as bits of MAPPING_KINDS */
	uint64_t maps, bytes, live, most, resident;
	uint64_t ended, life; /* mappings that ended; the sum of their lifetimes
			       * in ns */
};

/*
 * The timed blocks of one call path that another one freed.  blocks: timed
 * blocks; weight, bytes, life: number, bytes and ns of life of all blocks,
 * estimated from the timed ones.
 */
struct ending {
	const struct site *site;
	const struct site *by;	  /* its call path freed them; NULL: unknown */
	const struct frame *leaf; /* of by, or NULL */
	uint64_t blocks, weight, bytes, life;
};

/* X(bit, its name) */
#define MAPPING_KINDS(X) \
	X(1, "private") \
	X(2, "file") \
	X(4, "shared") \
	X(8, "break")

static inline void
mapping_add(struct mapping *to, const struct mapping *x)
{
	/* Their largest sizes may be of different times. */
	to->most = to->maps ? UINT64_MAX : x->most;
	to->kinds |= x->kinds;
	to->maps += x->maps;
	to->bytes += x->bytes;
	to->live += x->live;
	to->resident += x->resident;
	to->ended += x->ended;
	to->life += x->life;
}

/* A time that the program named, and the totals at that time. */
struct mark {
	const char *name;
	uint64_t time; /* ns after the start */
	WITH_AMOUNTS;
	bool restart; /* counts were reset between the previous mark and this
		       * one */
};

/* The most sentences about the limits of leak checks. */
#define PROFILE_LEAK_NOTES 8u

/* A leak check's result for a live block. */
enum profile_leak {
#define K(with, id, ...) PROFILE_##id,
	MEASURES_KINDS(K, )
#undef K
		PROFILE_NLEAK
};

/*
 * Results of leak checks of a site, or of several, without suppressed blocks:
 * for these see struct counts.
 */
struct leak {
	MEASURES_LEAK(MEASURES_MEMBER)
};

/* to += x.  The caller knows that nothing overflows. */
static inline void
leak_add(struct leak *to, const struct leak *x)
{
	MEASURES_LEAK(MEASURES_ADD)
}

/* Lost plus indirectly lost blocks or bytes of a struct leak. */
static inline uint64_t
leak_leaked(const uint64_t v[PROFILE_NLEAK])
{
	uint64_t sum = v[PROFILE_LOST];

	MEASURES_CAP(sum, v[PROFILE_INDIRECT]);
	return sum;
}

/*
 * A source line with calls that allocated.  `self': blocks that its calls of
 * malloc and the like got (wrappers are skipped).  `total': blocks that were
 * allocated while any call on it was active.  Each block counts once, even if
 * the line occurs several times in a call path.
 */
struct source_line {
	unsigned line;
	struct account self, total;
	const struct func *funcs; /* that have calls on it, by name */
	size_t nfuncs;
};

/*
 * A source file, and the sums of all its lines.  modules: paths of the programs
 * and libraries that were compiled from it.
 */
struct source {
	const char *path;     /* without "." and ".." */
	const char *recorded; /* as the compiler recorded it */
	struct account self, total;
	struct source_line *lines; /* ascending */
	size_t nlines;
	const char **modules;
	size_t nmodules;
};

/* A suppression and the blocks that it hid. */
struct suppression {
	/* As in its file, without "leak:"; NULL: the rule for libraries. */
	const char *pattern;
	uint64_t blocks, bytes;		      /* of blocks that were kept */
	uint64_t leaked_blocks, leaked_bytes; /* lost or indirect */
};

/*
 * The effect of the options of struct profile_filter.  If `less' is set,
 * figures count only the blocks that the filter keeps, there are no marks, and
 * p.threads is 0.  These figures still count all blocks: lost and the other
 * troubles of recording, frames, same, chains, deepest, own, maxmem, off and
 * pool_*, timing.  peak is what the kept blocks held at the peak of the whole
 * program.
 */
struct profile_filtered {
	const char *options;	/* "--focus=f --only=size:8"; NULL: none */
	bool less;		/* some blocks are left out */
	uint64_t allocs, bytes; /* these: of the whole program */
	/* Of some sites only some threads or sizes were kept: lives, uses,
	 * leaks and numbers of reallocs aren't known, and reallocs is 0
	 * everywhere. */
	bool part;
	bool missed; /* one of the options matched nothing */
	/* Of a class of sizes that is only partly in the filter: left out. */
	uint64_t unsized_allocs, unsized_bytes;
	/* Their call paths lack the outer part, which the filter might
	 * match. */
	uint64_t outer_allocs, outer_bytes;
};

#endif
