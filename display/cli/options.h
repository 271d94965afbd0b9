/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the command line to struct options. */
#ifndef MEMMON_OPTIONS_H
#define MEMMON_OPTIONS_H

#include "display/text/settings.h"

#include <stdbool.h>
#include <stddef.h>

#ifndef MEMMON_VERSION
#define MEMMON_VERSION "unknown"
#endif

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

/*
 * options_see.c: time, queries, differences, exports, pages.  Their long
 * options begin at OPTIONS_SEE; options_see() takes one that
 * getopt found, and returns what options_more() returns.
 */
enum { OPTIONS_SEE = 640 };
#define OPTIONS_SEE_LONGS \
	{ "timeline", optional_argument, NULL, OPTIONS_SEE }, \
		{ "at", required_argument, NULL, OPTIONS_SEE + 1 }, \
		{ "between", required_argument, NULL, OPTIONS_SEE + 2 }, \
		{ "chunks", optional_argument, NULL, OPTIONS_SEE + 3 }, \
		{ "addresses", no_argument, NULL, OPTIONS_SEE + 4 }, \
		{ "quantiles", no_argument, NULL, OPTIONS_SEE + 5 }, \
		{ "where", required_argument, NULL, OPTIONS_SEE + 6 }, \
		{ "group-by", required_argument, NULL, OPTIONS_SEE + 7 }, \
		{ "columns", required_argument, NULL, OPTIONS_SEE + 8 }, \
		{ "top", required_argument, NULL, OPTIONS_SEE + 9 }, \
		{ "query", required_argument, NULL, OPTIONS_SEE + 10 }, \
		{ "diff", no_argument, NULL, OPTIONS_SEE + 11 }, \
		{ "common", no_argument, NULL, OPTIONS_SEE + 12 }, \
		{ "weights", required_argument, NULL, OPTIONS_SEE + 13 }, \
		{ "export", required_argument, NULL, OPTIONS_SEE + 14 }, \
		{ "output", required_argument, NULL, 'o' }, \
		{ "html", required_argument, NULL, OPTIONS_SEE + 15 }, \
		{ "having", required_argument, NULL, OPTIONS_SEE + 17 }, \
		{ "normalize", no_argument, NULL, OPTIONS_SEE + 40 }, \
		{ "force", no_argument, NULL, OPTIONS_SEE + 41 }, \
		{ "times", required_argument, NULL, OPTIONS_SEE + 42 }, \
		{ "growth", required_argument, NULL, OPTIONS_SEE + 43 }, \
		{ "sql", required_argument, NULL, OPTIONS_SEE + 44 }, \
	{ \
		"watch", optional_argument, NULL, OPTIONS_SEE + 16 \
	}
int options_see(struct options *o, int c);

/*
 * --sort: an order of the scores, or, for a query, a column.  After all others
 * options_see_agree() tells whether they go together.  0, or -1 with a message.
 */
int options_see_sort(struct options *o);
int options_see_agree(const struct options *o);
int options_modes_agree(const struct options *o); /* options_agree.c */
void options_see_settle(struct options *o);
void options_see_fini(struct options *o);

/* What --help prints: how to call it, said after errors too, and the rest. */
extern const char options_usage[];
extern const char options_help[];

#endif
