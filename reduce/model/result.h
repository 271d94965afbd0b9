/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profile: what reduce/ makes of one or more mon.out files and what
 * display/ prints.  All of it lives until profile_fini(); all strings are
 * NUL-terminated, owned by the profile, and never NULL unless said so.
 *
 * Bytes are the sizes that the program asked for.  "kept" is what was allocated
 * and not freed when the file was written, without what suppressions cover:
 * bytes - freed - hidden.bytes.
 */
#ifndef MEMMON_REDUCE_RESULT_H
#define MEMMON_REDUCE_RESULT_H

#include "reduce/model/allocator.h"
#include "reduce/model/figures.h"
#include "reduce/model/findings.h"
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
 * What can be said of a block's use, as shares of the blocks and bytes of a
 * site.  The last two are of whole sites: all of their blocks or none.
 */
enum profile_flag {
	PROFILE_UNUSED,	    /* never read nor written */
	PROFILE_WRITE_ONLY, /* written, never read */
	PROFILE_READ_ONLY,  /* read, never written */
	PROFILE_SHORT,	    /* lived less than 0.1% of the time run till then */
	PROFILE_EARLY,	    /* idle for more than half its life, first ... */
	PROFILE_LATE,	    /* ... or at last */
	PROFILE_GROWING,    /* of 4 or more, each for a smaller one */
	PROFILE_SHARED,	    /* accessed by more than one thread */
	PROFILE_LOW_COVER,  /* accessed, but less than half of it */
	PROFILE_TOP_BYTES,  /* of a site in the top tenth by the most bytes
			     * live at once, as far as the file tells (by
			     * bytes in all, if it has no peak) */
	PROFILE_TOP_BLOCKS, /* of a site in the top tenth by blocks */
	PROFILE_NFLAG
};

/* As enum profile_error. */
enum profile_use_error {
#define E(id, name) PROFILE_UE_##id,
	MEASURES_USE_ERRORS(E)
#undef E
		PROFILE_NUSE_ERROR
};

/* How the blocks of a site (or of several) were used. */
struct use {
	MEASURES_USE(MEASURES_MEMBER)
	uint64_t groups;  /* of allocations near in time */
	double group_sum; /* of their scores, 0 to 1 each */
	uint64_t coarse;  /* groups of several blocks that the clock is too
			   * coarse for: see groups_coarse() */
	const struct site *first; /* of a site: the first of those that have
				   * this use together, as their innermost
				   * callers are the same; each has it all */
	const struct mon_group *group; /* of a site: the groups themselves, for
					* those who put sites together; or
					* NULL */
};

/* to += x, but for groups.  The caller knows that nothing overflows. */
static inline void
use_add(struct use *to, const struct use *x)
{
	MEASURES_USE(MEASURES_ADD)
}

/* The scores of a use, 0 to 1, 1 the best. */
struct score {
	double lifetime; /* mean of the groups' of all the blocks */
	double usage;	 /* share of the bytes within the span touched */
	double useful;	 /* mean of the blocks' useful parts */
	double cover;	 /* share of the bytes really touched */
	double severity; /* geometric mean of those of the first three that
			  * are known, each taken as 0.01 at least */
	unsigned step;	 /* that in steps: 1 is fine, 12 the worst */
	uint64_t saving; /* bytes x (1 - severity), cut */
	bool known;	 /* are severity, step and saving; usage, too */
	bool lived;	 /* is lifetime; not of samples, or by too coarse a
			  * clock */
	bool timed;	 /* is useful; not by too coarse a clock */
};

struct arc;

/* Whose a function is. */
enum profile_whose {
	PROFILE_OWN,	  /* the program's, or a library's that it uses */
	PROFILE_STANDARD, /* in std:: or the like, wherever it is compiled */
	PROFILE_RUNTIME	  /* in a library of libc's or of the compiler's */
};

/*
 * A function: one (module, function) pair, never merged by name; or, with
 * profile_options.lines, one line of it on which others are called.  `self'
 * counts what it allocated directly (after allocation wrappers are skipped),
 * `total' what was allocated while it was on the chain, each object once
 * however often the function stands in it.
 */
struct func {
	const char *name;    /* demangled, or "[module+0xoff]" */
	const char *linkage; /* as the linker has it; NULL: the same, or not
			      * known */
	const char *module;  /* file name without directories; "" unknown */
	unsigned in;	     /* which of profile.modules that is; 0: none */
	const char *file;    /* source file, "" unknown */
	unsigned line;	     /* of the definition, 0 unknown */
	uint64_t addr;	     /* in the module's file; breaks ties; 0: only
				 * inlined */
	/* With profile_options.lines the line of the function's calls that
	 * this is; "" and 0: of all whose line isn't known. */
	const char *call_file;
	unsigned call_line;
	unsigned whole; /* a number that its lines have in common */
	enum profile_whose whose;
	bool ambiguous; /* another function has the same name */
	bool inlined;	/* wherever it is on a chain, into its caller */
	struct counts self;
	struct counts total;
	struct life life;     /* of self */
	struct use use;	      /* of self */
	uint64_t reallocs;    /* of self */
	uint64_t calls;	      /* allocating calls from other functions; of a
				 * cycle's member: from outside the function */
	uint64_t recursive;   /* allocating calls from itself; at least so
				* many, if profile.folded isn't 0 */
	uint64_t outcalls;    /* allocating calls it made to other functions */
	unsigned cycle;	      /* number of its cycle from 1; 0: in none */
	unsigned order;	      /* how near the chains' outer ends it was first
				 * met: callers before callees, for ties */
	struct arc **callers; /* arcs in, sorted by nothing */
	size_t ncallers;
	struct arc **callees; /* arcs out */
	size_t ncallees;
};

/*
 * An arc: `count' is what was allocated while the arc was on the chain, each
 * object once; `calls' is how often it was passed over on the way to an
 * allocation, every occurrence in a chain; within a cycle at least so often, if
 * profile.folded isn't 0.  Self arcs are there too.
 */
struct arc {
	struct func *caller;
	struct func *callee;
	struct counts count;
	uint64_t calls;
	bool inlined; /* wherever it is on a chain, callee into caller */
};

/*
 * A cycle: two or more functions that call one another (strongly connected).
 * `total' is what was allocated with at least one member on the chain, each
 * object once.  A function that only calls itself is in no cycle.
 */
struct cycle {
	unsigned number; /* from 1 */
	struct func **members;
	size_t nmembers;
	struct counts self; /* sum of the members' self */
	struct counts total;
	uint64_t calls;	      /* over arcs from outside */
	uint64_t internal;    /* over arcs between members, self arcs too */
	struct carc *callers; /* functions outside that call a member */
	size_t ncallers;
	struct carc *callees; /* functions outside that a member calls */
	size_t ncallees;
};

/*
 * All arcs between an outside function and the members of one cycle together:
 * `count' has each object once though it may have passed over several arcs.
 */
struct carc {
	struct func *other; /* the function outside */
	struct counts count;
	uint64_t calls;
};

/*
 * A frame of the chain tree.  Two frames with the same parent differ in func
 * or, when offsets or calls were asked for, in call site.  The root isn't in
 * it: parent NULL means that the chain starts here.
 */
struct frame {
	struct frame *parent; /* the caller's frame */
	struct func *func;
	const char *site; /* "func+0xoff (file:line)" of the call that this
				 * frame was in; only with offsets, else NULL */
	bool inlined;	  /* inlined into its parent */
	unsigned depth;	  /* 1 for an outermost frame */
	unsigned start;	  /* enum profile_start of the whole chain */
	uint64_t addr;	  /* return address, in the module's file; without
			   * offsets or calls one of several */
	const char *file; /* source of that call, "" unknown */
	unsigned line;	  /* 0 unknown */
	/*
	 * All from the first frame of a function to its last one is one element
	 * of a path: a cycle; elements that have a frame in common are one.
	 * `entry' is where the element begins that ends here; NULL: here.  Of
	 * all functions from the start of the chain, lines of one counted once,
	 * how many there are, and the sum of their marks: equal for equal sets.
	 */
	const struct frame *entry;
	unsigned nfuncs;
	uint64_t funcs;
};

/* What stands before the outermost frame of a chain. */
enum profile_start {
	PROFILE_START_MAIN,   /* main, or a thread's start routine */
	PROFILE_START_OTHER,  /* complete: constructors, exit handlers ... */
	PROFILE_START_CUT,    /* deeper, or more, than a limit at run time */
	PROFILE_START_STOPPED /* the unwinder couldn't go on */
};

/* An allocation site: a chain (its innermost frame) and its counts. */
struct site {
	struct frame *leaf; /* NULL: chain not known at all */
	struct counts count;
	uint64_t reallocs;
	uint64_t peak_blocks;	 /* live at the peak; bytes: count.peak */
	const struct life *life; /* NULL: all 0 */
	const struct use *use;	 /* NULL: of no block it is known */
	const struct leak *leak; /* NULL: all 0 */
	const char *type;	 /* of its blocks; NULL not known */
	char type_mark;		 /* '=' or '~': see typed.h */
	enum profile_confidence type_confidence;
	uint64_t type_size; /* bytes, 0 not known */
};

/*
 * What was allocated of one type, as far as it is known in one way: each type
 * has a row for each of its marks.  A row of the allocations whose type isn't
 * known has the name "".  All rows together are the profile's total.
 */
struct type_row {
	const char *name;
	char mark;     /* '?' in the row of the others, too */
	uint64_t size; /* of the type, bytes; 0 not known */
	WITH_FIGURES;
	uint64_t sites; /* that have such blocks */
	uint64_t confidence
		[PROFILE_NCONFIDENCE]; /* allocs, by how it is known */
	uint64_t elements;	       /* of arrays; of a block that isn't a
					 * multiple of the size: 1, or 0 if it
					 * is smaller */
	bool multiple;		       /* all blocks are multiples of size */
	struct use use;
	struct holes holes; /* only if waste was wanted */
	/* Bytes that blocks have more than was asked for; exact if the
	 * allocator was asked about every one of them. */
	uint64_t rounded;
	bool rounded_known, rounded_exact;
	double var[PROFILE_NERROR];
};

/* Blocks of one size.  The bins' sum is the profile's total. */
struct bin {
	uint64_t size; /* bytes */
	WITH_ACCOUNT;
	struct bin_type *types; /* best guess first */
	size_t ntypes;
	double var[PROFILE_NERROR];
};

/* What one thread did, or several of one name together. */
struct thread {
	const char *name; /* "" not known */
	bool main;	  /* the first thread of a program */
	uint64_t threads; /* how many they are */
	uint64_t allocs, bytes, frees, freed;
	uint64_t of_others; /* of these frees, those of others' blocks */
	/*
	 * Bytes of its allocations that nobody freed; that were live at the
	 * peak, to within the peak's slack.
	 */
	uint64_t kept, peak;
	bool kept_known, peak_known;
	double var[PROFILE_NERROR]; /* of allocs and bytes; the rest 0 */
};

/*
 * The whole.  Invariants (tested): total = sum of sites = sum of funcs' self
 * and of the sites whose chain isn't known; sum of bins' allocs and frees, with
 * `big', = total; for a function outside of cycles: total = self + sum of what
 * its callees got from it alone.
 */
struct profile {
	struct run *runs;
	size_t nruns;
	size_t nunread; /* runs with a problem */
	bool listed;	/* nothing but runs and warnings is filled */
	struct counts total;
	uint64_t reallocs;
	uint64_t peak;	      /* bytes; with several runs the largest one's;
				* total.peak, where that is known */
	uint64_t peak_at;     /* ns after the start of that run: its end */
	bool peak_known;      /* total.peak and peak_blocks hold who held it:
				* sites of that run only */
	uint64_t peak_blocks; /* sum over sites */
	uint64_t peak_slack;  /* bytes: peak is exact to this */
	uint64_t timing;      /* one block in so many is timed, 0 if none is, or
				* not the same in all runs */
	bool lives_known;     /* the sites' life is, of every run */
	struct life life;     /* of all sites */
	uint64_t threads;
	uint64_t frames, same; /* for the prolog's c: of these chains: */
	uint64_t chains;       /* 0: not known; of long runs not all are */
	uint64_t deepest;      /* for its m */
	uint64_t cut, stopped; /* chains */
	/* Cycles of calls that were folded as they were recorded, and of them
	 * such as stand for others, too: of the same functions, of others. */
	uint64_t folded, joined, joined_ends;
	/* Of what the program had too many of to keep: blocks whose types,
	 * libraries whose names, and marks, that aren't known. */
	uint64_t untyped, unnamed, unmarked;
	/* How often a garbage collector ran, and of the frees what it did. */
	uint64_t collections, collected;
	bool lisp; /* classes of blocks are those of Lisp objects: conses,
		    * floats, structures and vectors, others */
	/* Of total, in sites of which only innermost frames are known, as there
	 * were more chains than the run's limit. */
	struct counts limited;
	/* Of total, of which a site's cells have the class of sizes alone. */
	uint64_t classed;
	uint64_t lost, lost_bytes; /* allocations not recorded */
	uint64_t unseen, inherited, reused, failed;
	uint64_t own;		     /* bytes of memory of the monitor */
	uint64_t maxmem;	     /* limit on it, 0 if there is none */
	uint64_t shortened, untimed; /* allocs, blocks; for want of memory */
	bool incomplete; /* some file was cut: totals are lower bounds */

	struct func **funcs; /* no order; they are one array: funcs[i] is
			      * funcs[0] + i */
	size_t nfuncs;
	const struct frame *tree; /* all frames, callers before callees */
	size_t ntree;
	struct profile_module *modules; /* from 1 */
	size_t nmodules;		/* item 0 counts */
	struct arc **arcs;
	size_t narcs;
	struct cycle *cycles; /* by number */
	size_t ncycles;
	struct site *sites;
	size_t nsites;
	struct bin *bins; /* ascending by size */
	size_t nbins;
	struct thread *all_threads; /* main first, then by bytes and name */
	size_t nthreads;	    /* 0: not known of every run */

	/* NULL: its operations weren't timed; of several runs, together. */
	const struct allocator *allocator;
	struct allocator_reference *references; /* by name */
	size_t nreferences;

	/* Where the memory was, in the order of mon.out(5); none: not known. */
	struct memory_line *memory;
	size_t nmemory;
	/* At moments of the run, ascending; the last is that of the file, if
	 * that is known.  Of one run. */
	struct memory_snapshot *memory_snapshots;
	size_t nmemory_snapshots;
	struct pins *pins;	  /* of each site; NULL: not known */
	size_t npins;		  /* of sites, or 0 */
	struct mapping *mappings; /* by call path, in no order */
	size_t nmappings;
	bool mappings_known;	/* of every run */
	uint64_t mappings_lost; /* calls that aren't in them */
	struct ending *endings; /* by site */
	size_t nendings;
	bool endings_known;    /* of every run */
	uint64_t endings_lost; /* timed blocks that aren't in them */
	struct links links;

	/* Of a single run; those of several aren't kept. */
	struct mark *marks; /* by time */
	size_t nmarks;
	bool marks_dropped; /* there were some, of several runs */

	/* What leak checks found, where there were some. */
	bool leaks_known;			    /* of some run */
	bool leaks_all;				    /* of every run */
	bool holds_known;			    /* what lost blocks hold */
	struct leak leak;			    /* sum of the sites' */
	const char *leak_notes[PROFILE_LEAK_NOTES]; /* what they don't know */
	size_t nleak_notes;
	struct {
		uint64_t blocks, bytes; /* places that weren't searched */
	} leak_unread;
	struct suppression *suppressions; /* those that were of use */
	size_t nsuppressions;

	/* Where recording was switched off and on, or counts were reset. */
	uint64_t off_frees, off_freed; /* made while it was off, bytes */
	uint64_t off_unseen; /* frees of blocks that weren't recorded so */
	/* Blocks of the program's own allocators. */
	uint64_t pool_allocs, pool_bytes;
	uint64_t pool_backing; /* live bytes in blocks that pools divide */

	/* How blocks were used, where all runs have recorded accesses. */
	bool uses_known;
	const char *uses_why; /* if not: why; "" no reason is known */
	uint64_t way;	      /* how they were, bits: 1 plugin, 2 calls */
	uint64_t step;	      /* ns, longest step of the accesses' clock */
	uint64_t uses_joined; /* sites that have their use together with
			       * other sites: see struct use, first */
	bool groups_apart;    /* groups are of one site each: several runs */
	uint64_t tau;	      /* ns, longest gap within a group, of the longest
			       * run; 0: a sum is among the files, so it isn't
			       * known */
	uint64_t reads, writes;
	double access_var[2]; /* of these, as struct use has them */
	/* Blocks that scores lack: for want of memory; and as others are within
	 * 32 bytes of them.  Not known: unfolded is both. */
	uint64_t unfolded, unplaced;
	bool unplaced_known;
	/* Of code whose accesses aren't recorded: in no use. */
	struct {
		uint64_t sites, blocks, bytes;
	} unobserved;
	bool ticked; /* the clock had a thread of its own */
	/* Over the sites that have scores: lifetime, usage, useful. */
	struct {
		double mean;	 /* geometric; each is 0.01 at least */
		double variance; /* of the scores as they are */
		uint64_t sites;	 /* that have this score */
	} program[3];
	uint64_t program_sites;
	struct type_row *types; /* by descending bytes; not known: last */
	size_t ntypes;
	struct fields *fields; /* only if wanted; those of types first, then by
				* descending accesses */
	size_t nfields;

	/* Sizes above 1024 that the monitor had no bin for. */
	struct account big;
	/* Under a filter: of which only the class is known; the sum of bins,
	 * these and big is the total. */
	struct account unsized[PROFILE_NCLASS];
	/* Suppressed blocks of sizes that aren't known: they are in none of
	 * those, nor among what is live of them. */
	struct suppressed hidden_unsized;
	struct profile_filtered filter;

	struct source *sources; /* only if wanted; by path */
	size_t nsources;

	struct profile_ranks ranks; /* only if wanted */
	struct profile_snapshot snapshot;

	struct profile_time time;
	struct profile_resident resident; /* of one run */
	struct item *items; /* only if wanted; by site, size, thread, and
			     * after those of one size those of any */
	size_t nitems;
	const char *items_why; /* the threads, and most sizes, aren't known:
				* why; NULL: they are */
	struct profile_log log;
	struct profile_sample sample;
	struct findings *findings; /* of modules: those that were asked for */
	size_t nfindings;

	struct run_family family; /* of a single file */

	const char
		*other_exe; /* the executable is of another program, or NULL */
	char **warnings;    /* one line each, to be printed on stderr */
	size_t nwarnings;
	struct profile_priv *priv; /* the reducer's own */
};

/* Are all figures as they were at a time before the run's end? */
static inline bool
profile_is_earlier(const struct profile *p)
{
	return p->snapshot.other && !p->snapshot.span;
}

/* Are some blocks left out, by a filter or --at and its like? */
static inline bool
profile_is_less(const struct profile *p)
{
	return p->filter.less || p->snapshot.other;
}

/* Is what isn't counted by size, thread and snapshot not known? */
static inline bool
profile_is_part(const struct profile *p)
{
	return p->filter.part || p->snapshot.other;
}

#endif
