/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to read and what to print, as set by the command line. */
#ifndef MEMMON_DISPLAY_SETTINGS_H
#define MEMMON_DISPLAY_SETTINGS_H

#include "reduce/base/arena.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>

struct cond;

/* Data that must be read for the output: bits of options.wants. */
enum options_want {
	OPTIONS_WANT_GUESS = 1 << 0,	 /* types of sites */
	OPTIONS_WANT_TYPES = 1 << 1,	 /* types of sites, and types by size */
	OPTIONS_WANT_ALL_TYPES = 1 << 2, /* for any number of sites */
	OPTIONS_WANT_FIELDS = 1 << 3,
	OPTIONS_WANT_WASTE = 1 << 4,
	OPTIONS_WANT_TIMES = 1 << 5,
	OPTIONS_WANT_ITEMS = 1 << 6,
	OPTIONS_WANT_LOG = 1 << 7,
	OPTIONS_WANT_SOURCES = 1 << 8,
	OPTIONS_WANT_ANSWER = 1 << 9, /* read the files even if there are
				       * several programs */
	OPTIONS_WANT_CALLS = 1 << 10, /* keep call sites apart */
	OPTIONS_WANT_RANKS = 1 << 11,
	OPTIONS_WANT_MEMBERS = 1 << 12,
	OPTIONS_WANT_KINDS = 1 << 13 /* keep call sites apart in tables, whose
				      * rows name several types */
};

/* In the order of the words of --color. */
enum options_say { OPTIONS_AUTO, OPTIONS_YES, OPTIONS_NO };

/* How many rows of leaks and bins are left out or merged. */
enum options_verbosity { OPTIONS_TERSE, OPTIONS_NORMAL, OPTIONS_VERBOSE };

/* The key to sort the scores by, worst first. */
enum options_sort {
	OPTIONS_BY_SAVE,
	OPTIONS_BY_SEVERITY,
	OPTIONS_BY_BYTES,
	OPTIONS_BY_BLOCKS,
	OPTIONS_BY_LIFETIME,
	OPTIONS_BY_USAGE,
	OPTIONS_BY_USEFUL,
	OPTIONS_BY_KEPT
};

/* Bytes not freed, regardless of leak checks: a bit in options.kinds. */
enum { OPTIONS_KEPT = 1 << PROFILE_NLEAK };

/* options_default() or options_parse() sets it, options_fini() frees it. */
struct options {
	/* The tables to print.  chosen: some were asked for by name.  Otherwise
	 * the scores are printed, too, if accesses are known. */
	bool chosen;
	bool summary, prolog, threads, leaks, peak, lifetimes, bins, types,
		direct, graph;
	bool scores, fields, marks, annotate, waste;
	unsigned long views; /* bits: see grid/view.h */
	bool json;     /* print everything as JSON instead */
	bool sum;      /* write mon.sum */
	bool info;     /* only print what is in the files */
	bool list;     /* only list the files */
	bool full;     /* the usual tables instead of the summary */
	bool brief;    /* without legends */
	bool human;    /* bytes as K, M, G */
	bool screen;   /* tables are for a terminal and have its width */
	bool colour;   /* use colours */
	bool no_pager;
	/* What options say about human, brief, read.short_names, colour and
	 * own_paths.  If they say nothing, the terminal decides. */
	enum options_say say_human, say_brief, say_short, say_colour, say_own;
	bool own_paths; /* paths as lines of the program, innermost first */
	bool own_diff;	/* the same in --diff, by functions */
	bool zero;     /* also functions that allocate nothing */
	bool bins_all; /* divide the row of sizes above 1024 */
	enum options_verbosity verbosity;
	unsigned kinds;		/* of leaks to show, bits: 1 << enum
				 * profile_leak, or OPTIONS_KEPT */
	bool kinds_chosen;	/* kinds comes from an option */
	size_t depth;		/* frames of a path; 0: all */
	size_t peak_rows;	/* rows of the peak; 0: those that are large
				 * enough */
	size_t lifetimes_rows;	/* rows of each section of the lifetimes; 0: as
				 * for peak_rows */
	size_t scores_rows;	/* rows of each section of the scores */
	enum options_sort sort; /* key of the scores */
	size_t width;		/* width of the index of names, columns */
	size_t screen_width;	/* width of the summary and the terminal */
	size_t screen_lines;	/* most lines of the summary */
	size_t name_width;	/* longer names are shortened; 0: never */

	/* Symbols asked for; if there are any, only these are printed. */
	struct profile_list direct_only, graph_only;
	struct profile_list fields_only;   /* globs of types */
	struct profile_list annotate_only; /* symspecs */

	unsigned wants; /* enum options_want, for values; display/cli has the
			 * rest */

	/* The reader's options.  Its lists are in here, too; those below are
	 * for it. */
	struct profile_options read;
	struct profile_list files, wrappers, suppressions;
	struct profile_list source_dirs; /* separated by colons */

	/*
	 * Options of single directories.  Strings are from argv, or allocated
	 * if the comment says so; NULL: not given.
	 */
	/* timeline/, and profile_options.when */
	bool timeline;
	const char *timeline_by; /* type, site, thread, memory, match:GLOBS */
	char *between_from; /* A of --between=A,B; allocated */
	/* tables/ranks.c */
	bool ranks;
	const char *ranks_by; /* site, function, type */
	/* tables/growth.c, and profile_options.when.grown */
	bool growth;
	char *growth_from; /* A of --growth=A,B; allocated */
	/* tables/allocator.c */
	bool allocator;
	const char *allocator_how; /* compare */
	bool memory; /* tables/memory.c */
	/* tables/held.c; lists of types, as a part of the name or as globs */
	bool retained, holders, path_to;
	struct profile_list holders_of, path_to_of;
	/* blocks/, from a log */
	bool chunks, addresses, quantiles;
	size_t addresses_sign; /* bytes for each sign of addresses; 0:
				* automatic */
	const char *chunks_of; /* symspec */
	/* query/ */
	struct profile_list where; /* expressions, joined by "and" */
	const char *order;	   /* --sort */
	bool order_only;	   /* not a key of the scores */
	const char *group_by, *columns, *sql;
	size_t top; /* rows; 0: all */
	/* diff/ */
	bool diff, common;
	bool normalize, force;
	/* export/, html/; output: the file, else standard output */
	const char *format, *output, *html;
	/* watch/: seconds between looks, 0: no watch; number of looks, 0: until
	 * the program ends */
	double watch;
	size_t times;

	/* The words of MPREDUCE_OPTS; these and the arguments; or NULL. */
	char *words, **arguments;
	struct arena names; /* modules with results; parts of values */
	struct profile_list modules; /* --module: the modules */
	bool *given; /* rows of the options' table, during the parse */

	struct cond *limits; /* nlimits */
	size_t nlimits;
};

/* Are the usual tables printed, those that need no option? */
static inline bool
options_usual(const struct options *o)
{
	return !o->chosen && !o->summary;
}

#endif
