/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line: see options.h and mpreduce(1). */
#include "display/cli/options.h"
#include "display/cli/option.h"
#include "display/export/export.h"
#include "display/query/query.h"
#include "display/schema/schema.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most sites to guess types for unasked: more would take seconds. */
#define GUESS_MOST 20000

/* getopt_long() returns LONG plus the row's number for a long name. */
enum { LONG = 256 };

void
options_default(struct options *o)
{
	memset(o, 0, sizeof *o);
	o->prolog = o->leaks = o->bins = o->direct = o->graph = true;
	o->kinds = 1u << PROFILE_LOST | 1u << PROFILE_INDIRECT;
	o->verbosity = OPTIONS_NORMAL;
	o->depth = 5;
	o->screen_width = 80;
	o->screen_lines = 40;
}

static struct profile_list *
list_of(struct options *o, const struct option_row *row)
{
	return row->kind == OPTION_LIST
		       ? (struct profile_list *)((char *)o + row->at)
		       : NULL;
}

void
options_fini(struct options *o)
{
	for (size_t i = 0; i < option_nrows; i++) {
		struct profile_list *list = list_of(o, &option_rows[i]);

		if (list)
			free((void *)list->item);
	}
	free((void *)o->files.item);
	free((void *)o->read.findings.item);
	free((void *)o->modules.item);
	free(o->between_from);
	free(o->growth_from);
	for (size_t i = 0; i < o->nlimits; i++)
		cond_fini(&o->limits[i]);
	free(o->limits);
	free(o->words);
	free((void *)o->arguments);
	arena_fini(&o->names);
	memset(o, 0, sizeof *o);
}

int
options_add(struct profile_list *list, const char *text)
{
	const char **item =
		reallocarray((void *)list->item, list->n + 1, sizeof *item);

	if (!item)
		return -1;
	item[list->n++] = text;
	list->item = item;
	return 0;
}

/* ----------------------------------------------------------- getopt_long -- */

/* The options in the form that getopt_long() takes; free each with free(). */
struct lists {
	struct option *longs;
	char *letters;
};

/* Make the lists.  0, or -1 when out of memory. */
static int
lists_make(struct lists *l)
{
	struct option *o;
	char *c;

	l->longs = calloc(option_nrows + 1, sizeof *l->longs);
	l->letters = calloc(option_nrows + strlen(option_old_letters), 3);
	if (!l->longs || !l->letters)
		return -1;
	o = l->longs;
	c = l->letters;
	for (size_t i = 0; i < option_nrows; i++) {
		const struct option_row *r = &option_rows[i];
		int args = !r->arg	     ? no_argument
			   : *r->arg == '[' ? optional_argument
					    : required_argument;

		if (r->name && !strchr(r->name, '='))
			*o++ = (struct option){ r->name, args, NULL,
						LONG + (int)i };
		if (!r->letter)
			continue;
		*c++ = r->letter;
		for (int k = 0; k < args && !r->bare; k++)
			*c++ = ':';
	}
	memcpy(c, option_old_letters, strlen(option_old_letters) + 1);
	return 0;
}

/* The row of the option that getopt_long() found, or NULL. */
static const struct option_row *
options_row_of(int c)
{
	if (c >= LONG)
		return &option_rows[c - LONG];
	for (size_t i = 0; i < option_nrows; i++)
		if (option_rows[i].letter && option_rows[i].letter == c)
			return &option_rows[i];
	return NULL;
}

/* Take all options. */
static enum option_taken
take_all(struct options *o, int argc, char **argv)
{
	enum option_taken is = OPTION_FINE;
	struct lists l;
	int c;

	if (lists_make(&l))
		is = OPTION_NO_MEMORY;
	else if (option_is_old(argc, argv))
		is = OPTION_WRONG;
	while (is == OPTION_FINE &&
	       (c = getopt_long(argc, argv, l.letters, l.longs, NULL)) != -1) {
		const struct option_row *row = options_row_of(c);

		/* Without a row, getopt_long() has printed a message. */
		is = row ? option_take(o, row, optarg) : OPTION_WRONG;
		if (!row && !option_is_old_letter(c) && !optopt)
			option_suggest(argv[optind - 1]);
	}
	free(l.longs);
	free(l.letters);
	return is;
}

/* --------------------------------------------------- what is to be read -- */

/* Which data the tables need that queries and exports name. */
static unsigned
wants_of_questions(const struct options *o)
{
	static const struct {
		unsigned needs, wants;
	} of[] = {
		{ SCHEMA_TYPES, OPTIONS_WANT_TYPES | OPTIONS_WANT_ALL_TYPES },
		{ SCHEMA_ITEMS, OPTIONS_WANT_ITEMS },
		{ SCHEMA_TIMES, OPTIONS_WANT_TIMES },
		{ SCHEMA_LOG, OPTIONS_WANT_LOG },
		{ SCHEMA_SOURCES, OPTIONS_WANT_SOURCES },
		{ SCHEMA_WASTE, OPTIONS_WANT_WASTE },
		{ SCHEMA_RANKS, OPTIONS_WANT_RANKS },
	};
	unsigned all = 0, needs = export_needs(o);

	if (query_wanted(o))
		needs |= query_needs(o);
	for (size_t i = 0; i < o->nlimits; i++)
		needs |= fail_needs(&o->limits[i]);
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
		if (needs & of[i].needs)
			all |= of[i].wants;
	return all;
}

/* Which data the printed tables and all other given options need. */
static unsigned
wants(const struct options *o, const bool *given)
{
	unsigned all = o->wants;

	for (size_t i = 0; i < option_nrows; i++) {
		const struct option_row *r = &option_rows[i];

		if (r->table ? *(const bool *)((const char *)o + r->on)
			     : given[i])
			all |= r->wants;
	}
	return all | wants_of_questions(o);
}

/* Tell the reader which data the options need. */
static void
tell_reader(struct options *o, const bool *given)
{
	unsigned all = wants(o, given);
	struct profile_options *r = &o->read;
	/* These count call paths, or take averages of them. */
	bool counts = o->json || o->html || o->format || query_wanted(o) ||
		      !o->chosen || o->full || o->scores || o->types;

	r->no_types = !(all & OPTIONS_WANT_TYPES);
	r->no_guess = !(all & (OPTIONS_WANT_TYPES | OPTIONS_WANT_GUESS));
	r->guess_most = all & OPTIONS_WANT_ALL_TYPES ? 0 : GUESS_MOST;
	r->fields = all & OPTIONS_WANT_FIELDS;
	r->members = all & OPTIONS_WANT_MEMBERS || o->json || o->html ||
		     o->format || o->sql;
	r->waste = all & OPTIONS_WANT_WASTE;
	r->times = all & OPTIONS_WANT_TIMES;
	r->ranks = all & OPTIONS_WANT_RANKS;
	r->items = all & OPTIONS_WANT_ITEMS;
	r->log = all & OPTIONS_WANT_LOG;
	r->sources = all & OPTIONS_WANT_SOURCES;
	r->calls = all & OPTIONS_WANT_CALLS || o->own_paths;
	r->kinds = all & OPTIONS_WANT_KINDS && !counts;
	r->all_findings = o->json || o->html || o->format || o->sql;
	/* Only the page shows lines of calls: tables would get other rows. */
	if (o->html && !o->chosen && !o->json && !o->format)
		r->offsets = true;
	export_tell_reader(o);
	r->files = o->files.item;
	r->nfiles = o->files.n;
	r->wrappers = o->wrappers.item;
	r->nwrappers = o->wrappers.n;
	r->suppressions = o->suppressions.item;
	r->nsuppressions = o->suppressions.n;
	/*
	 * Only list the files if they are of several programs, unless the user
	 * named a program or a table.
	 */
	if (!r->exe && !o->chosen && !(all & OPTIONS_WANT_ANSWER) && !r->items)
		r->several = PROFILE_DECIDE;
	if (o->list)
		r->several = PROFILE_LIST;
}

/*
 * Insert the words of MPREDUCE_OPTS before the arguments, in o->arguments.
 * Returns their number, or -1 when out of memory.
 */
static int
arguments(struct options *o, int argc, char **argv)
{
	const char *words = getenv("MPREDUCE_OPTS");
	int n = 0;

	o->words = strdup(words ? words : "");
	if (!o->words)
		return -1;
	o->arguments = calloc(strlen(o->words) + (size_t)argc + 2,
			      sizeof *o->arguments);
	if (!o->arguments)
		return -1;
	if (argc > 0)
		o->arguments[n++] = argv[0];
	for (char *at = o->words, *word; (word = strsep(&at, " \t\n"));)
		if (*word)
			o->arguments[n++] = word;
	for (int i = 1; i < argc; i++)
		o->arguments[n++] = argv[i];
	return n;
}

enum options_next
options_parse(struct options *o, int argc, char **argv)
{
	bool *given = calloc(option_nrows, sizeof *given);
	enum option_taken is = OPTION_NO_MEMORY;
	enum options_next next = OPTIONS_GO;
	int taken = 0;

	options_default(o);
	o->given = given;
	argc = arguments(o, argc, argv);
	argv = o->arguments;
	if (given && argc >= 0) {
		operands_plain(argc, argv);
		is = take_all(o, argc, argv);
	}
	if (is == OPTION_HELP || is == OPTION_VERSION) {
		help_print(is == OPTION_VERSION);
		next = OPTIONS_DONE;
	} else if (is == OPTION_HELP_LIST) {
		help_list();
		next = OPTIONS_DONE;
	} else if (is == OPTION_WRONG) {
		fputs(options_usage, stderr);
		next = OPTIONS_USAGE;
	} else if (is == OPTION_PLACED ||
		   (is == OPTION_FINE && options_agree(o, given))) {
		next = OPTIONS_USAGE;
	} else if (is == OPTION_NO_MEMORY ||
		   (taken = operands_take(o, argv + optind, argc - optind)) <
			   0) {
		fprintf(stderr, "mpreduce: out of memory\n");
		next = OPTIONS_FAILED;
	} else if (taken || options_agree_module(o, given)) {
		next = OPTIONS_USAGE;
	} else {
		screen_choose(o, given);
		tell_reader(o, given);
	}
	free(given);
	o->given = NULL;
	return next;
}
