/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profile: made by reduce/ from one or more mon.out files, printed by
 * display/.  All of it lives until profile_fini().  All strings are
 * NUL-terminated, owned by the profile, and never NULL unless the comment says
 * that they may be.
 *
 * Bytes are the sizes that the program asked for.  "kept" is the memory that
 * was allocated and not freed when the file was written, without blocks that
 * suppressions cover: bytes - freed - hidden.bytes.
 */
#ifndef MEMMON_REDUCE_RESULT_H
#define MEMMON_REDUCE_RESULT_H

#include "reduce/model/allocator.h"
#include "reduce/model/figures.h"
#include "reduce/model/findings.h"
#include "reduce/model/known.h"
#include "reduce/model/ranks.h"
#include "reduce/model/runs.h"
#include "reduce/model/typed.h"
#include "reduce/model/links.h"
#include "reduce/model/views.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Flags of a block's use: MEASURES_FLAGS has their words.  TOP_BYTES: the site
 * is in the top tenth by the most bytes live at once, if the file has peaks, or
 * else by bytes in all.
 */
enum profile_flag {
#define F(id, ...) PROFILE_##id,
	MEASURES_FLAGS(F) MEASURES_SITE_FLAGS(F)
#undef F
		PROFILE_NFLAG
};

/* Indices of a use's variances, like enum profile_error. */
enum profile_use_error {
#define E(id, name) PROFILE_UE_##id,
	MEASURES_USE_ERRORS(E)
#undef E
		PROFILE_NUSE_ERROR
};

/* How the blocks of a site (or of several) were used. */
struct use {
	MEASURES_USE(MEASURES_MEMBER)
	uint64_t groups;  /* groups of allocations near in time */
	double group_sum; /* sum of their scores, 0 to 1 each */
	uint64_t coarse;  /* groups of several blocks for which the clock is too
			   * coarse: see groups_coarse() */
	const struct site *first; /* of a site: the first of the sites with the
				   * same innermost callers, which share one
				   * use; each has the whole use */
	const struct mon_group *group; /* of a site: its groups, for code that
					* joins sites; or NULL */
};

/* to += x, except groups.  The caller knows that nothing overflows. */
static inline void
use_add(struct use *to, const struct use *x)
{
	MEASURES_USE(MEASURES_ADD)
}

/* The scores of a use, 0 to 1, 1 the best. */
struct score {
	double lifetime; /* mean over the groups of all blocks */
	double usage;	 /* share of the bytes within the span touched */
	double useful;	 /* mean of the blocks' useful parts */
	double cover;	 /* share of the bytes really touched */
	double severity; /* geometric mean of the known ones of the first three,
			  * each taken as 0.01 at least */
	unsigned step;	 /* severity as a step: 1 is fine, 12 the worst */
	uint64_t saving; /* bytes x (1 - severity), rounded down */
	bool known;	 /* severity, step, saving and usage are known */
	bool lived;	 /* lifetime is known: no samples, and a fine enough
			  * clock */
	bool timed;	 /* useful is known: a fine enough clock */
};

struct arc;

/* Who a function belongs to. */
enum profile_whose {
	PROFILE_OWN,	  /* the program, or a library that it uses */
	PROFILE_STANDARD, /* std:: or the like, in any object */
	PROFILE_RUNTIME	  /* a library of libc or of the compiler */
};

/*
 * A function: one (module, function) pair, never merged by name; or, with
 * profile_options.lines, one line of it that calls other functions.  `self'
 * counts blocks that it allocated directly (after allocation wrappers are
 * skipped).  `total' counts blocks whose call path contains the function: each
 * block once, even if the function occurs several times.
 */
struct func {
	const char *name;    /* demangled, or "[module+0xoff]" */
	const char *linkage; /* its symbol's name; NULL: the same, or not
			      * known */
	const char *module;  /* file name without directories; "" unknown */
	unsigned in;	     /* index in profile.modules; 0: none */
	const char *file;    /* source file, "" unknown */
	unsigned line;	     /* of the definition, 0 unknown */
	uint64_t addr;	     /* in the module's file; breaks ties; 0: only
			      * inlined */
	/* With profile_options.lines, the source line of the calls.  "" and 0:
	 * all calls whose line isn't known. */
	const char *call_file;
	unsigned call_line;
	unsigned whole; /* a number that all lines of a function share */
	enum profile_whose whose;
	bool ambiguous; /* another function has the same name */
	bool inlined;	/* into its caller, in all call paths */
	struct counts self;
	struct counts total;
	struct life life;     /* of self */
	struct use use;	      /* of self */
	uint64_t reallocs;    /* of self */
	uint64_t calls;	      /* allocating calls from other functions; of a
			       * cycle's member: from outside the function */
	uint64_t recursive;   /* allocating calls from itself; a lower bound if
			       * profile.folded isn't 0 */
	uint64_t outcalls;    /* allocating calls it made to other functions */
	unsigned cycle;	      /* number of its cycle from 1; 0: in none */
	unsigned order;	      /* for ties, callers before callees: how near the
			       * outer end of call paths it was first found */
	struct arc **callers; /* arcs in, in no order */
	size_t ncallers;
	struct arc **callees; /* arcs out */
	size_t ncallees;
};

/*
 * An arc.  `count' is what was allocated while the arc was active: each block
 * once.  `calls' is how often the program passed over the arc on the way to an
 * allocation; each occurrence in a call path counts.  Within a cycle, `calls'
 * is a lower bound if profile.folded isn't 0.  An arc may lead from a function
 * to itself.
 */
struct arc {
	struct func *caller;
	struct func *callee;
	struct counts count;
	uint64_t calls;
	bool inlined; /* callee into caller, in all call paths */
};

/*
 * A cycle: two or more functions that call one another (strongly connected).
 * `total' is what was allocated while at least one member was active: each
 * block once.  A function that only calls itself is in no cycle.
 */
struct cycle {
	unsigned number; /* from 1 */
	struct func **members;
	size_t nmembers;
	struct counts self; /* sum of the members' self */
	struct counts total;
	uint64_t calls;	      /* over arcs from outside */
	uint64_t internal;    /* over arcs between members, from a member to
			       * itself, too */
	struct carc *callers; /* functions outside that call a member */
	size_t ncallers;
	struct carc *callees; /* functions outside that a member calls */
	size_t ncallees;
};

/*
 * All arcs between an outside function and the members of one cycle together.
 * `count' has each block once, though its call path may contain several of the
 * arcs.
 */
struct carc {
	struct func *other; /* the function outside */
	struct counts count;
	uint64_t calls;
};

/*
 * A frame of the tree of call paths.  Two frames with the same parent differ in
 * func or, when offsets or calls were asked for, in call site.  The tree has no
 * frame for the root: parent NULL means an outermost frame.
 */
struct frame {
	struct frame *parent; /* the caller's frame */
	struct func *func;
	const char *site; /* "func+0xoff (file:line)" of the frame's call; only
			   * with offsets, else NULL */
	bool inlined;	  /* inlined into its parent */
	unsigned depth;	  /* 1 for an outermost frame */
	unsigned start;	  /* enum profile_start of the whole call path */
	uint64_t addr;	  /* return address, in the module's file; without
			   * offsets or calls, one of several */
	const char *file; /* source of that call, "" unknown */
	unsigned line;	  /* 0 unknown */
	/*
	 * The frames from the first to the last one of a function are one
	 * element of a path: a cycle.  Elements that share a frame are joined.
	 * `entry': if an element ends at this frame, the frame where it begins;
	 * NULL: here.
	 *
	 * nfuncs: how many functions the path has up to here; the lines of a
	 * function count once.  funcs: the sum of their marks; equal sets of
	 * functions have equal sums.
	 */
	const struct frame *entry;
	unsigned nfuncs;
	uint64_t funcs;
};

/* The callers before the outermost frame. */
enum profile_start {
	PROFILE_START_MAIN,   /* none: it is main, or a thread's start
			       * routine */
	PROFILE_START_OTHER,  /* none: constructors, exit handlers ... */
	PROFILE_START_CUT,    /* missing: deeper, or more paths, than a limit at
			       * run time */
	PROFILE_START_STOPPED /* missing: the unwinder couldn't go on */
};

/* An allocation site: a call path (its innermost frame) and its counts. */
struct site {
	struct frame *leaf; /* NULL: the call path isn't known at all */
	struct counts count;
	uint64_t reallocs;
	uint64_t peak_blocks;	 /* live at the peak; bytes: count.peak */
	const struct life *life; /* NULL: all 0 */
	const struct use *use;	 /* NULL: not known for any block */
	const struct leak *leak; /* NULL: all 0 */
	const char *type;	 /* of its blocks; NULL not known */
	char type_mark;		 /* '=' or '~': see typed.h */
	enum profile_confidence type_confidence;
	uint64_t type_size; /* bytes, 0 not known */
};

/*
 * Allocations of one type, known with one certainty: a type has a row for each
 * of its marks.  Allocations of unknown type have a row with the name "".  All
 * rows together are the profile's total.
 */
struct type_row {
	const char *name;
	char mark;     /* '?' also in the row of unknown types */
	uint64_t size; /* of the type, bytes; 0 not known */
	WITH_FIGURES;
	uint64_t sites; /* that have such blocks */
	uint64_t confidence
		[PROFILE_NCONFIDENCE]; /* allocs, by how the type is known */
	uint64_t elements;	       /* elements of arrays; 1 for a block that
					* isn't a multiple of the size, 0 if it
					* is smaller */
	bool multiple;		       /* all blocks are multiples of size */
	struct use use;
	struct holes holes; /* only if options.waste was set */
	/* Bytes that the allocator added to the sizes asked for; exact if it
	 * was asked for the size of every block. */
	uint64_t rounded;
	bool rounded_known, rounded_exact;
	double var[PROFILE_NERROR];
};

/* Blocks of one size.  The sum of all bins is the profile's total. */
struct bin {
	uint64_t size; /* bytes */
	WITH_ACCOUNT;
	struct bin_type *types; /* best guess first */
	size_t ntypes;
	double var[PROFILE_NERROR];
};

/* Counts of one thread, or of several with the same name. */
struct thread {
	const char *name; /* "" not known */
	bool main;	  /* the first thread of a program */
	uint64_t threads; /* how many threads */
	WITH_AMOUNTS;
	uint64_t of_others; /* of these frees, those of other threads' blocks */
	/*
	 * Bytes of its allocations: not freed by any thread; live at the peak,
	 * to within peak_slack.
	 */
	uint64_t kept, peak;
	bool kept_known, peak_known;
	double var[PROFILE_NERROR]; /* INFINITY: unknown */
};

/*
 * The whole profile.  Invariants (tested): total is the sum of all sites; it is
 * also the sum of funcs' self and of the sites whose call path isn't known.
 * The bins' allocs and frees, with `big', add up to total.  Outside of cycles,
 * a function's total is its self plus the blocks that its callees allocated for
 * it alone.
 */
struct profile {
	struct run *runs;
	size_t nruns;
	size_t nunread; /* runs with a problem */
	bool listed;	/* only runs and warnings are filled */
	WITH_KNOWN;	/* of every run, but leaks_known: of one of them */
	struct counts total;
	uint64_t reallocs;
	uint64_t peak;	      /* bytes; of several runs, the largest one's;
			       * total.peak, if that is known */
	uint64_t peak_at;     /* when the peak ended, ns after the start of that
			       * run */
	uint64_t peak_blocks; /* sum over sites; peaks_known: it is known, and
			       * total.peak, from sites of that run */
	uint64_t peak_slack;  /* bytes: peak is exact to within this */
	uint64_t timing;      /* one block in this many is timed; 0: none, or
			       * not the same number in all runs */
	struct life life;     /* of all sites */
	uint64_t threads;
	uint64_t frames, same; /* for the prolog's c: of these call paths: */
	uint64_t chains;       /* 0: not known; long runs record only some */
	uint64_t deepest;      /* for the prolog's m */
	uint64_t cut, stopped; /* call paths */
	/* folded: cycles of calls that were folded when they were recorded.
	 * joined: those that were joined with cycles of the same functions;
	 * joined_ends: with cycles that only begin and end alike. */
	uint64_t folded, joined, joined_ends;
	/* Not recorded because the program had too many: blocks without types,
	 * libraries without names, marks. */
	uint64_t untyped, unnamed, unmarked;
	/* Garbage collections, and the frees that they made. */
	uint64_t collections, collected;
	bool lisp; /* classes of blocks are those of Lisp objects: conses,
		    * floats, structures and vectors, others */
	/* The part of total in sites that have only their innermost frames,
	 * because the run reached its limit of call paths. */
	struct counts limited;
	/* The allocations in total whose sites know only the class of their
	 * sizes. */
	uint64_t classed;
	uint64_t lost, lost_bytes; /* unrecorded allocations */
	uint64_t unseen, inherited, reused, failed;
	uint64_t own;		     /* bytes of memory of the monitor */
	uint64_t maxmem;	     /* limit on it, 0 if there is none */
	uint64_t shortened, untimed; /* allocs, blocks; for lack of memory */
	bool incomplete; /* a file was truncated: totals are lower bounds */

	struct func **funcs; /* in no order; one array: funcs[i] is funcs[0] +
			      * i */
	size_t nfuncs;
	const struct frame *tree; /* all frames, callers before callees */
	size_t ntree;
	struct profile_module *modules; /* from 1 */
	size_t nmodules;		/* including item 0 */
	struct arc **arcs;
	size_t narcs;
	struct cycle *cycles; /* by number */
	size_t ncycles;
	struct site *sites;
	size_t nsites;
	struct bin *bins; /* ascending by size */
	size_t nbins;
	struct thread *all_threads; /* main first, then by bytes and name */
	size_t nthreads;	    /* 0: not known for every run */

	/* All runs together.  NULL: the allocator's operations weren't
	 * timed. */
	const struct allocator *allocator;
	struct allocator_reference *references; /* by name */
	size_t nreferences;

	/* The memory of the process, in the order of mon.out(5); none: not
	 * known. */
	struct memory_line *memory;
	size_t nmemory;
	struct fact *facts; /* of all runs, each once */
	size_t nfacts;
	/* The memory at times of the run, ascending; the last one is when the
	 * file was made, if that is known.  Only of one run. */
	struct memory_snapshot *memory_snapshots;
	size_t nmemory_snapshots;
	struct pins *pins;	  /* of each site; NULL: not known */
	size_t npins;		  /* the number of sites, or 0 */
	struct mapping *mappings; /* by call path, in no order */
	size_t nmappings;
	bool mappings_known;	/* for every run */
	uint64_t mappings_lost; /* calls that aren't in mappings */
	struct ending *endings; /* by site */
	size_t nendings;
	bool endings_known;    /* for every run */
	uint64_t endings_lost; /* timed blocks that aren't in endings */
	struct links links;

	/* Only of a single run. */
	struct mark *marks; /* by time */
	size_t nmarks;
	bool marks_dropped; /* there were marks, but of several runs */

	/* Results of leak checks, if there were any. */
	struct leak leak;			    /* sum of the sites' */
	struct leak_note {
		const char *before; /* a sentence */
		/* If not NULL, "BYTES bytes" and this follow. */
		const char *after;
		uint64_t bytes;
	} leak_notes[PROFILE_LEAK_NOTES]; /* limits of the checks */
	size_t nleak_notes;
	struct {
		uint64_t blocks, bytes; /* memory that wasn't searched */
	} leak_unread;
	struct suppression *suppressions; /* those that matched something */
	size_t nsuppressions;

	/* Recording was switched off and on, or counts were reset. */
	uint64_t off_frees, off_freed; /* made while it was off; bytes */
	uint64_t off_unseen; /* frees of blocks that were allocated while it was
			      * off */
	/* Blocks of the program's own allocators. */
	uint64_t pool_allocs, pool_bytes;
	uint64_t pool_backing; /* live bytes in blocks that pools divide */

	/* The use of blocks. */
	const char *uses_why; /* why it is unknown; "" no reason is known */
	uint64_t way;	      /* how accesses were recorded, bits: 1 plugin, 2
			       * calls */
	uint64_t step;	      /* ns, longest step of the accesses' clock */
	uint64_t uses_joined; /* sites that share their use with other sites:
			       * see struct use, first */
	bool groups_apart;    /* each group is of one site: several runs */
	uint64_t tau;	      /* ns, longest gap within a group, of the longest
			       * run; 0: not known, a file is a sum */
	uint64_t reads, writes;
	double access_var[2]; /* variances of these, as in struct use */
	/* Blocks without scores: unfolded: for lack of memory; unplaced:
	 * because other blocks are within 32 bytes.  unplaced_known false:
	 * unfolded counts both. */
	uint64_t unfolded, unplaced;
	bool unplaced_known;
	/* Blocks of code whose accesses aren't recorded; they are in no use. */
	struct {
		uint64_t sites, blocks, bytes;
	} unobserved;
	bool ticked; /* the clock had a thread of its own */
	/* Over the sites with scores: lifetime, usage, useful. */
	struct {
		double mean;	 /* geometric; each is 0.01 at least */
		double variance; /* of the scores themselves */
		uint64_t sites;	 /* that have this score */
	} program[3];
	uint64_t program_sites;
	struct type_row *types; /* by descending bytes; unknown type last */
	size_t ntypes;
	struct fields *fields; /* only if asked for; those of types first, then
				* by descending accesses */
	size_t nfields;

	/* Sizes above 1024 without a bin in the monitor. */
	struct account big;
	/* Under a filter: blocks whose size isn't known, only its class.  The
	 * sum of bins, of these and of big is the total. */
	struct account unsized[PROFILE_NCLASS];
	/* Suppressed blocks of unknown size: bins, big and unsized count them
	 * as not freed. */
	struct suppressed hidden_unsized;
	struct profile_filtered filter;

	struct source *sources; /* only if asked for; by path */
	size_t nsources;

	struct profile_ranks ranks; /* only if asked for */
	struct profile_snapshot snapshot;

	struct profile_time time;
	struct profile_resident resident; /* of one run */
	struct item *items; /* only if asked for; by site, size, thread; after
			     * those of one size, those of any size */
	size_t nitems;
	const char *items_why; /* why threads and most sizes aren't known; NULL:
				* they are */
	struct profile_log log;
	struct profile_sample sample;
	struct findings *findings; /* of the modules that were asked for */
	size_t nfindings;

	struct run_family family; /* of a single file */

	/* A text: the given executable is of another program; or NULL. */
	const char *other_exe;
	char **warnings;    /* one line each, for stderr */
	size_t nwarnings;
	struct profile_priv *priv; /* the reducer's own */
};

/* Are all figures of a time before the run's end? */
static inline bool
profile_is_earlier(const struct profile *p)
{
	return p->snapshot.other && !p->snapshot.span;
}

/* Are some blocks left out, by a filter, --at or a similar option? */
static inline bool
profile_is_less(const struct profile *p)
{
	return p->filter.less || p->snapshot.other;
}

/* Are figures unknown that aren't counted by size, thread and snapshot? */
static inline bool
profile_is_part(const struct profile *p)
{
	return p->filter.part || p->snapshot.other;
}

#endif
