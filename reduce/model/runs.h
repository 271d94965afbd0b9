/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of the profile (result.h, which includes this) that tell of whole runs
 * and of what was live: data files, marks, leak checks, suppressions.
 */
#ifndef MEMMON_REDUCE_RUNS_H
#define MEMMON_REDUCE_RUNS_H

#include "reduce/model/allocator.h"
#include "reduce/model/figures.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a leak check could not know. */
struct run_leak_limits {
	uint64_t blind;	  /* threads whose registers it didn't see */
	uint64_t unread;  /* bytes that it couldn't search, */
	uint64_t places;  /* in so many pieces */
	uint64_t odd;	  /* lost blocks with pointers at odd addresses */
	uint64_t tagged;  /* or with other bits set */
	uint64_t unknown; /* 1: there may be blocks that weren't recorded */
	uint64_t held, held_bytes; /* blocks that only frames lead to */
};

/*
 * The data files FILE.PID beside a data file, or of other names by the same
 * pattern: those of programs that its process started, or that these started.
 * unknown: too many to look at.
 */
struct run_family {
	const char *const *file;
	size_t n;
	bool unknown;
};

/* One input file. */
struct run {
	const char *path;     /* of the data file */
	const char *problem;  /* why it couldn't be read: then all else is 0,
			      * and the texts are ""; NULL: it was */
	const char *program;  /* of the executable as recorded */
	const char *command;  /* arguments joined by blanks, quoted for sh */
	const char *end;      /* "exit", "signal 11 (Segmentation fault)" ... */
	const char *version;  /* of the monitor */
	const char *cut_why;  /* what is missing as the run was cut, or NULL */
	const char *leak_why; /* why there was no leak check, or NULL */
	const char *host;     /* "" not known; */
	const char *job;      /* that it was part of; "" none is known */
	uint64_t rank;	      /* there */
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
	bool killed;		     /* ended without a word, or not yet; */
	bool running, running_known; /* still, when it was read */
	bool seen_known, was_reset;
	bool alive;    /* written while it ran */
	bool signal;   /* a signal ended it */
	bool image;    /* an image: the process has written no data file */
	unsigned own;  /* what the program itself defines: MONOUT_OWN_* */
	bool attached; /* memmon attached to it: nothing from before is here */
	bool off;      /* recording was off at the end */
	bool leak_asked;		  /* one was to be made at the end */
	bool memory_known;		  /* where its memory was */
	bool mapped_known;		  /* what it mapped by itself */
	bool endings_known;		  /* by what its blocks were freed */
	bool leaks_known;		  /* there was a leak check ... */
	bool leaks_all;			  /* ... in all runs of a sum */
	bool forked;			  /* counts start at a fork */
	bool cut;			  /* the file isn't whole */
	bool sum;			  /* itself a mon.sum */
	bool peak_known;		  /* or else peak is 0 */
	uint64_t allocs, bytes;		  /* in all */
	uint64_t live_blocks, live, peak; /* live, peak: bytes */
	uint64_t size;			  /* bytes of file */
	uint64_t nmodules, nnodes, nsites, nbins; /* items found */
	const struct allocator *allocator;	  /* of this run; or NULL */
};

/*
 * Where the memory of the process was: a line of MONREC_MEMORY_LINES, bytes of
 * it, added up over runs, and what the line says.
 */
struct memory_line {
	const char *name;
	uint64_t bytes;
	const char *means;
	bool part; /* one of those that add up to `resident' */
};

/*
 * The same at a moment of the run: bytes of each line, of the numbers that the
 * lines have in struct profile.
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
 * What live blocks of a site keep the allocator from returning: how many are in
 * memory; of these, those alone on a page; their bytes in memory; the free
 * bytes on their pages, in equal parts for each block of a page.
 */
struct pins {
	uint64_t blocks, alone, resident, pinned;
};

/*
 * What the program has mapped by itself at a call path: see MAPPINGS in
 * mon.out(5).  most: UINT64_MAX: not known, as of several together.
 */
struct mapping {
	const struct site *site; /* for its call path alone */
	const char *kind;	 /* what it mapped, in words */
	uint64_t kinds;		 /* the same, bits of MAPPING_KINDS */
	uint64_t maps, bytes, live, most, resident;
	uint64_t ended, life; /* mappings that ended, and their ns in all */
};

/*
 * The timed blocks of a call path that another one freed: how many, and, of the
 * blocks that they stand for, how many, their bytes and ns of life.
 */
struct ending {
	const struct site *site;
	const struct site *by;	  /* for its call path; NULL: unknown */
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
	/* They may have had it at different times. */
	to->most = to->maps ? UINT64_MAX : x->most;
	to->kinds |= x->kinds;
	to->maps += x->maps;
	to->bytes += x->bytes;
	to->live += x->live;
	to->resident += x->resident;
	to->ended += x->ended;
	to->life += x->life;
}

/* A time that the program gave a name, and the totals then. */
struct mark {
	const char *name;
	uint64_t time; /* ns after the start */
	uint64_t allocs, bytes, frees, freed;
	bool restart; /* counts were reset between the mark before and it */
};

/* So many sentences there are at most of what leak checks don't know. */
#define PROFILE_LEAK_NOTES 8u

/* What a leak check makes of a live block. */
enum profile_leak {
	PROFILE_LOST,	   /* nothing points to it or into it */
	PROFILE_INDIRECT,  /* only lost blocks do */
	PROFILE_INTERIOR,  /* reachable, but somewhere only by its inside */
	PROFILE_REACHABLE, /* by pointers to its start */
	PROFILE_NLEAK
};

/*
 * What leak checks found of a site, or of several.  What suppressions took away
 * isn't in it: see struct counts.
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

/* Lost or indirectly lost, of the blocks or the bytes of a struct leak. */
static inline uint64_t
leak_leaked(const uint64_t v[PROFILE_NLEAK])
{
	uint64_t sum = v[PROFILE_LOST];

	MEASURES_CAP(sum, v[PROFILE_INDIRECT]);
	return sum;
}

/*
 * A line of the source on which calls were made that allocated.  `self' is what
 * its calls of malloc and the like (wrappers are skipped) got, `total' what was
 * allocated while any call on it was active: each block once, however often the
 * line is on the chain.
 */
struct source_line {
	unsigned line;
	struct account self, total;
	const struct func *funcs; /* that have calls on it, by name */
	size_t nfuncs;
};

/*
 * A source file, and the same of all its lines.  The paths of the modules are
 * those of the programs and libraries that were made from it.
 */
struct source {
	const char *path;     /* without "." and ".." */
	const char *recorded; /* as the compiler had it */
	struct account self, total;
	struct source_line *lines; /* ascending */
	size_t nlines;
	const char **modules;
	size_t nmodules;
};

/* A suppression and what it took away. */
struct suppression {
	/* As in its file, without "leak:"; NULL: what libraries keep. */
	const char *pattern;
	uint64_t blocks, bytes;		      /* of those kept */
	uint64_t leaked_blocks, leaked_bytes; /* lost or indirect */
};

/*
 * What the options of struct profile_filter have done.  Where `less' is set,
 * all figures but the following are of the blocks that are left: lost and the
 * other troubles of recording, frames, same, chains, deepest, own, maxmem, off
 * and pool_*, timing.  There are no marks then, and p.threads is 0.  peak is
 * what these blocks held at the peak of the whole program.
 */
struct profile_filtered {
	const char *options;	/* "--focus=f --only=size:8"; NULL: none */
	bool less;		/* some blocks are left out */
	uint64_t allocs, bytes; /* with these: of the whole program */
	/* Of some sites a part is left, by thread or size: lives, uses, leaks
	 * and numbers of reallocs aren't known, and reallocs is 0 all over. */
	bool part;
	bool missed; /* something was asked for that nothing matches */
	/* Of a class of sizes that the filter cuts in two: left out. */
	uint64_t unsized_allocs, unsized_bytes;
	/* Of paths whose outer part isn't known: it might be meant. */
	uint64_t outer_allocs, outer_bytes;
};

#endif
