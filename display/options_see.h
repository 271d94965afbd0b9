/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options of the views besides the tables: time, queries, differences, exports,
 * pages.  A part of struct options.
 */
#ifndef MEMMON_OPTIONS_SEE_H
#define MEMMON_OPTIONS_SEE_H

#include <stdbool.h>
#include <stddef.h>

struct options;

/* A list of strings of argv. */
struct options_list {
	const char **item;
	size_t n;
};

/* Strings are as given, of argv; NULL: not given. */
struct options_see {
	/* timeline.c, and profile_options.when */
	bool timeline;
	const char *timeline_by; /* type, site, thread */
	char *from;		 /* its first part; allocated */
	/* blocks.c: of a log */
	bool chunks, addresses, quantiles;
	const char *chunks_of; /* symspec */
	/* query.c */
	struct options_list where, having; /* expressions: all must hold */
	const char *order;		   /* --sort */
	bool order_only;		   /* and it is none of the scores' */
	const char *group_by, *columns, *query;
	size_t top; /* rows; 0: all */
	/* diff.c */
	bool diff, common;
	bool normalize, force;
	const char *weights; /* of the data files, with commas between */
	/* export.c, html.c; output: the file, else standard output */
	const char *format, *output, *html;
	/* watch.c: every so many seconds, 0: not; so many times, 0: until it
	 * ends */
	double watch;
	size_t times;
};

/*
 * The long options, which begin at OPTIONS_SEE; options_see() takes one that
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

#endif
