/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to read and what to print. */
#ifndef MEMMON_OPTIONS_H
#define MEMMON_OPTIONS_H

#include "display/fail.h"
#include "display/options_see.h"
#include "reduce/profile.h"

#include <stdbool.h>
#include <stddef.h>

#ifndef MEMMON_VERSION
#define MEMMON_VERSION "unknown"
#endif

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
	OPTIONS_BY_USEFUL
};

/* What was kept, whatever a leak check says: a bit in options.kinds. */
enum { OPTIONS_KEPT = 1 << PROFILE_NLEAK };

/* Made by options_default() or options_parse(); freed by options_fini(). */
struct options {
	/* The tables to print. */
	bool prolog, threads, leaks, peak, lives, bins, types, direct, graph;
	bool scores, fields, marks, annotate, waste;
	bool chosen;   /* some were asked for by name; else there are
				 * scores, too, if accesses are known */
	bool json;     /* all of it as JSON instead */
	bool sum;      /* write mon.sum */
	bool info;     /* only say what is in the files */
	bool list;     /* only list the files */
	bool brief;    /* no legends */
	bool human;    /* bytes as K, M, G */
	bool zero;     /* functions too that allocate nothing */
	bool bins_all; /* open the row of sizes above 1024 */
	enum options_verbosity verbosity;
	unsigned kinds;		/* of leaks to show, bits: 1 << enum
				 * profile_leak, or OPTIONS_KEPT */
	bool kinds_chosen;	/* by an option */
	size_t depth;		/* frames of a path, 0: all */
	size_t peak_rows;	/* of the peak, 0: those worth one */
	size_t lives_rows;	/* of each section of the lifetimes, as well */
	size_t scores_rows;	/* of each section of the scores */
	enum options_sort sort; /* of the scores */
	size_t width;		/* columns of the index of names */
	size_t name_width;	/* names longer than this are cut, 0: none */

	/* Symbols asked for (if any, only these) and left out. */
	struct options_list direct_only, direct_not;
	struct options_list graph_only, graph_not;
	struct options_list fields_only;   /* globs of types */
	struct options_list annotate_only; /* symspecs */

	/* The reader's part; its lists are the ones below. */
	struct profile_options read;
	struct options_list files, wrappers, suppressions;
	struct options_list focus, ignore, hide, module, type, thread;
	struct options_list debug_dirs;
	struct options_list source_dirs; /* with colons between them */

	struct options_see see;

	struct fail *limits; /* nlimits */
	size_t nlimits;
};

/* What main() is to do after options_parse(). */
enum options_next {
	OPTIONS_GO,
	OPTIONS_DONE,  /* help or version was printed */
	OPTIONS_USAGE, /* a message is on stderr */
	OPTIONS_FAILED /* out of memory, said on stderr */
};

/* Set *o to what holds without options and operands. */
void options_default(struct options *o);

/*
 * Fill *o from the command line; what is in argv must live as long as *o.  The
 * caller calls options_fini(), whatever comes back.
 */
enum options_next options_parse(struct options *o, int argc, char **argv);
void options_fini(struct options *o);

/*
 * operands.c: the arguments that aren't options, n of them: executable and data
 * files, or these alone.  0, or -1 when out of memory.  Before getopt_long(),
 * operands_plain() makes the long words of mprof 3.0 options like others.
 */
int operands_take(struct options *o, char **arg, int n);
void operands_plain(int argc, char **argv);

/* Append to a list.  0, or -1 when out of memory. */
int options_add(struct options_list *list, const char *text);

/* One of the tables was asked for: the others aren't any more. */
void options_choose(struct options *o, bool *table);

/*
 * options_more.c: filters, places of debug information, source lines.  Their
 * long options begin at OPTIONS_MORE; options_more() takes one that getopt
 * found.  1: it did; 0: it's none of them; -1: out of memory; -2: its value is
 * wrong, which a message says.  options_more_settle() makes the reader's part.
 */
enum { OPTIONS_MORE = 512 };
#define OPTIONS_MORE_LONGS \
	{ "line", no_argument, NULL, 'l' }, \
		{ "annotated-source", optional_argument, NULL, 'A' }, \
		{ "directory-path", required_argument, NULL, 'I' }, \
		{ "waste", no_argument, NULL, OPTIONS_MORE }, \
		{ "focus", required_argument, NULL, OPTIONS_MORE + 1 }, \
		{ "ignore", required_argument, NULL, OPTIONS_MORE + 2 }, \
		{ "hide", required_argument, NULL, OPTIONS_MORE + 3 }, \
		{ "module", required_argument, NULL, OPTIONS_MORE + 4 }, \
		{ "type", required_argument, NULL, OPTIONS_MORE + 5 }, \
		{ "thread", required_argument, NULL, OPTIONS_MORE + 6 }, \
		{ "size", required_argument, NULL, OPTIONS_MORE + 7 }, \
		{ "collapse-recursion", no_argument, NULL, OPTIONS_MORE + 8 }, \
		{ "short-names", no_argument, NULL, OPTIONS_MORE + 9 }, \
		{ "sysroot", required_argument, NULL, OPTIONS_MORE + 10 }, \
		{ "debug-dir", required_argument, NULL, OPTIONS_MORE + 11 }, \
	{ \
		"debuginfod", optional_argument, NULL, OPTIONS_MORE + 12 \
	}
int options_more(struct options *o, int c);
void options_more_settle(struct options *o);
void options_more_fini(struct options *o);

/* What --help prints: how to call it, said after errors too, and the rest. */
extern const char options_usage[];
extern const char options_help[];

#endif
