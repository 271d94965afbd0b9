/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to read and what to print: what the command line has set. */
#ifndef MEMMON_DISPLAY_SETTINGS_H
#define MEMMON_DISPLAY_SETTINGS_H

#include "reduce/base/arena.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>

struct cond;

/* What has to be read for what is to be printed: bits of options.wants. */
enum options_want {
	OPTIONS_WANT_GUESS = 1 << 0,	 /* types of sites */
	OPTIONS_WANT_TYPES = 1 << 1,	 /* these, and types by size */
	OPTIONS_WANT_ALL_TYPES = 1 << 2, /* of ever so many sites */
	OPTIONS_WANT_FIELDS = 1 << 3,
	OPTIONS_WANT_WASTE = 1 << 4,
	OPTIONS_WANT_TIMES = 1 << 5,
	OPTIONS_WANT_ITEMS = 1 << 6,
	OPTIONS_WANT_LOG = 1 << 7,
	OPTIONS_WANT_SOURCES = 1 << 8,
	OPTIONS_WANT_ANSWER = 1 << 9, /* not which programs there are */
	OPTIONS_WANT_CALLS = 1 << 10, /* call sites apart */
	OPTIONS_WANT_RANKS = 1 << 11,
	OPTIONS_WANT_MEMBERS = 1 << 12
};

/* In the order of the words of --color. */
enum options_say { OPTIONS_AUTO, OPTIONS_YES, OPTIONS_NO };

/* Which rows of the leaks and the bins are left out or put together. */
enum options_verbosity { OPTIONS_TERSE, OPTIONS_NORMAL, OPTIONS_VERBOSE };

/* What the rows of the scores are sorted by, the worst first. */
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

/* What was kept, whatever a leak check says: a bit in options.kinds. */
enum { OPTIONS_KEPT = 1 << PROFILE_NLEAK };

/* Made by options_default() or options_parse(); freed by options_fini(). */
struct options {
	/* The tables to print.  Chosen: some were asked for by name; else there
	 * are scores, too, if accesses are known. */
	bool chosen;
	bool summary, prolog, threads, leaks, peak, lifetimes, bins, types,
		direct, graph;
	bool scores, fields, marks, annotate, waste;
	bool json;     /* all of it as JSON instead */
	bool sum;      /* write mon.sum */
	bool info;     /* only say what is in the files */
	bool list;     /* only list the files */
	bool full;     /* the usual tables, where else the summary is */
	bool brief;    /* no legends */
	bool human;    /* bytes as K, M, G */
	bool screen;   /* tables are for a terminal: lines have its width */
	bool colour;   /* with colours */
	bool no_pager;
	/* What was said of human, brief, read.short_names, colour; where
	 * nothing was, the terminal decides. */
	enum options_say say_human, say_brief, say_short, say_colour, say_own;
	bool own_paths; /* by lines of the program, innermost first */
	bool own_diff;	/* the same of --diff, by functions */
	bool zero;     /* functions too that allocate nothing */
	bool bins_all; /* open the row of sizes above 1024 */
	enum options_verbosity verbosity;
	unsigned kinds;		/* of leaks to show, bits: 1 << enum
				 * profile_leak, or OPTIONS_KEPT */
	bool kinds_chosen;	/* by an option */
	size_t depth;		/* frames of a path, 0: all */
	size_t peak_rows;	/* of the peak, 0: those worth one */
	size_t lifetimes_rows;	/* of each section of the lifetimes, as well */
	size_t scores_rows;	/* of each section of the scores */
	enum options_sort sort; /* of the scores */
	size_t width;		/* columns of the index of names */
	size_t screen_width;	/* of the summary and the terminal */
	size_t screen_lines;	/* of the summary, at most */
	size_t name_width;	/* names longer than this are cut, 0: none */

	/* Symbols asked for: if any, only these. */
	struct profile_list direct_only, graph_only;
	struct profile_list fields_only;   /* globs of types */
	struct profile_list annotate_only; /* symspecs */

	unsigned wants; /* enum options_want, of values; of the rest, see
			 * display/cli */

	/* The reader's part.  Its lists of options are in here as well, those
	 * below are for it. */
	struct profile_options read;
	struct profile_list files, wrappers, suppressions;
	struct profile_list source_dirs; /* with colons between them */

	/*
	 * For one room each.  Strings are those of argv, or allocated where it
	 * says so; NULL: not given.
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
	bool memory, pins, mapped; /* tables/ */
	/* tables/held.c; lists: of types, in part or as globs */
	bool retained, holders, path_to;
	struct profile_list holders_of, path_to_of;
	/* blocks/: of a log */
	bool chunks, addresses, quantiles;
	size_t addresses_sign; /* bytes of a sign of addresses; 0: as many as
				* it takes */
	const char *chunks_of; /* symspec */
	/* query/ */
	struct profile_list where; /* expressions: all must hold */
	const char *order;	   /* --sort */
	bool order_only;	   /* the scores have no such order */
	const char *group_by, *columns, *sql;
	size_t top; /* rows; 0: all */
	/* diff/ */
	bool diff, common;
	bool normalize, force;
	/* export/, html/; output: the file, else standard output */
	const char *format, *output, *html;
	/* watch/: every so many seconds, 0: not; so many times, 0: until it
	 * ends */
	double watch;
	size_t times;

	/* Of MPREDUCE_OPTS, and with the arguments behind them; or NULL. */
	char *words, **arguments;
	struct arena names; /* of modules that have results; parts of values */
	struct profile_list modules; /* --module: asked for */
	bool *given; /* rows of the options' table, while these are read */

	struct cond *limits; /* nlimits */
	size_t nlimits;
};

/* Are those tables printed that are printed if none is asked for? */
static inline bool
options_usual(const struct options *o)
{
	return !o->chosen && !o->summary;
}

#endif
