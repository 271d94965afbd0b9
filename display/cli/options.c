/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line: see options.h and mpreduce(1). */
#include "display/cli/options.h"
#include "display/query/fail.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Long options without a letter. */
enum {
	OPT_HELP = 256,
	OPT_BINS,
	OPT_DEMANGLE,
	OPT_NO_DEMANGLE,
	OPT_VERBOSE,
	OPT_NORMAL,
	OPT_TERSE,
	OPT_OFFSETS,
	OPT_DEPTH,
	OPT_WRAPPER,
	OPT_NO_WRAPPERS,
	OPT_NAME_WIDTH,
	OPT_JSON,
	OPT_PEAK,
	OPT_LIFETIMES,
	OPT_THREADS,
	OPT_SCORES,
	OPT_SORT,
	OPT_FIELDS,
	OPT_TAU,
	OPT_MARKS,
	OPT_LIST,
	OPT_LEAK_KINDS,
	OPT_SUPPRESSIONS,
	OPT_SHOW_RUNTIME,
	OPT_FAIL_IF
};

/* Without being asked for types: to look for those of so many takes seconds. */
#define GUESS_MOST 20000

static const char letters[] = "A::I:o:p::P::q::Q::LBSTbsilzw:hv";

static const struct option longs[] = {
	{ "flat-profile", optional_argument, NULL, 'p' },
	{ "flat", optional_argument, NULL, 'p' },
	{ "no-flat-profile", optional_argument, NULL, 'P' },
	{ "graph", optional_argument, NULL, 'q' },
	{ "no-graph", optional_argument, NULL, 'Q' },
	{ "leaks", no_argument, NULL, 'L' },
	{ "leak-kinds", required_argument, NULL, OPT_LEAK_KINDS },
	{ "suppressions", required_argument, NULL, OPT_SUPPRESSIONS },
	{ "show-runtime", no_argument, NULL, OPT_SHOW_RUNTIME },
	{ "fail-if", required_argument, NULL, OPT_FAIL_IF },
	{ "marks", no_argument, NULL, OPT_MARKS },
	{ "list", no_argument, NULL, OPT_LIST },
	{ "bins", optional_argument, NULL, OPT_BINS },
	{ "peak", optional_argument, NULL, OPT_PEAK },
	{ "lifetimes", optional_argument, NULL, OPT_LIFETIMES },
	{ "threads", no_argument, NULL, OPT_THREADS },
	{ "scores", optional_argument, NULL, OPT_SCORES },
	{ "types", no_argument, NULL, 'T' },
	{ "fields", optional_argument, NULL, OPT_FIELDS },
	{ "sort", required_argument, NULL, OPT_SORT },
	{ "tau", required_argument, NULL, OPT_TAU },
	{ "brief", no_argument, NULL, 'b' },
	{ "sum", no_argument, NULL, 's' },
	{ "file-info", no_argument, NULL, 'i' },
	{ "zero", no_argument, NULL, 'z' },
	{ "width", required_argument, NULL, 'w' },
	{ "name-width", required_argument, NULL, OPT_NAME_WIDTH },
	{ "human", no_argument, NULL, 'h' },
	{ "demangle", optional_argument, NULL, OPT_DEMANGLE },
	{ "no-demangle", no_argument, NULL, OPT_NO_DEMANGLE },
	{ "verbose", no_argument, NULL, OPT_VERBOSE },
	{ "normal", no_argument, NULL, OPT_NORMAL },
	{ "terse", no_argument, NULL, OPT_TERSE },
	{ "offsets", no_argument, NULL, OPT_OFFSETS },
	{ "depth", required_argument, NULL, OPT_DEPTH },
	{ "wrapper", required_argument, NULL, OPT_WRAPPER },
	{ "no-wrappers", no_argument, NULL, OPT_NO_WRAPPERS },
	{ "json", no_argument, NULL, OPT_JSON },
	OPTIONS_MORE_LONGS,
	OPTIONS_SEE_LONGS,
	{ "version", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 }
};

void
options_default(struct options *o)
{
	memset(o, 0, sizeof *o);
	o->prolog = o->leaks = o->bins = o->direct = o->graph = true;
	o->kinds = 1u << PROFILE_LOST | 1u << PROFILE_INDIRECT;
	o->verbosity = OPTIONS_NORMAL;
	o->depth = 5;
	o->width = 80;
}

void
options_fini(struct options *o)
{
	free(o->direct_only.item);
	free(o->direct_not.item);
	free(o->graph_only.item);
	free(o->graph_not.item);
	free(o->fields_only.item);
	free(o->files.item);
	free(o->wrappers.item);
	free(o->suppressions.item);
	for (size_t i = 0; i < o->nlimits; i++)
		fail_fini(&o->limits[i]);
	free(o->limits);
	options_more_fini(o);
	options_see_fini(o);
	memset(o, 0, sizeof *o);
}

int
options_add(struct options_list *list, const char *text)
{
	const char **item;

	item = reallocarray(list->item, list->n + 1, sizeof *item);
	if (!item)
		return -1;
	list->item = item;
	list->item[list->n++] = text;
	return 0;
}

/* A number of at least `least', or -1 with a message. */
static int
number(size_t *n, const char *text, size_t least, const char *option)
{
	unsigned long long v;
	char *end;

	errno = 0;
	v = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || v < least ||
	    v > 1000000000) {
		fprintf(stderr,
			"mpreduce: --%s=%s: not a number from %zu to "
			"1000000000\n",
			option, text, least);
		return -1;
	}
	*n = (size_t)v;
	return 0;
}

void
options_choose(struct options *o, bool *table)
{
	if (!o->chosen)
		o->prolog = o->leaks = o->bins = o->direct = o->graph = false;
	o->chosen = true;
	*table = true;
}

/*
 * Options that choose tables or symbols.  1: it was one of these, 0: it wasn't,
 * -1: it was and there is no memory.
 */
static int
parse_table(struct options *o, int c, bool without[2])
{
	switch (c) {
	case 'p':
		options_choose(o, &o->direct);
		return optarg && options_add(&o->direct_only, optarg) ? -1 : 1;
	case 'q':
		options_choose(o, &o->graph);
		return optarg && options_add(&o->graph_only, optarg) ? -1 : 1;
	case 'P':
		if (optarg)
			return options_add(&o->direct_not, optarg) ? -1 : 1;
		without[0] = true;
		return 1;
	case 'Q':
		if (optarg)
			return options_add(&o->graph_not, optarg) ? -1 : 1;
		without[1] = true;
		return 1;
	case 'L':
		options_choose(o, &o->leaks);
		return 1;
	case 'B':
		options_choose(o, &o->bins);
		return 1;
	case 'S':
		options_choose(o, &o->scores);
		return 1;
	case 'T':
		options_choose(o, &o->types);
		return 1;
	case OPT_FIELDS:
		options_choose(o, &o->fields);
		return optarg && options_add(&o->fields_only, optarg) ? -1 : 1;
	case OPT_MARKS:
		options_choose(o, &o->marks);
		return 1;
	case OPT_THREADS:
		options_choose(o, &o->threads);
		return 1;
	case 's':
		o->sum = true;
		return 1;
	default:
		return 0;
	}
}

/* Options that are only switches: 1 if c was one of them. */
static int
parse_switch(struct options *o, int c)
{
	switch (c) {
	case 'b':
		o->brief = true;
		return 1;
	case 'i':
		o->info = true;
		return 1;
	case OPT_LIST:
		o->list = true;
		return 1;
	case 'z':
		o->zero = true;
		return 1;
	case 'h':
		o->human = true;
		return 1;
	case OPT_NO_DEMANGLE:
		o->read.demangle = PROFILE_DEMANGLE_NONE;
		return 1;
	case OPT_VERBOSE:
		o->verbosity = OPTIONS_VERBOSE;
		return 1;
	case OPT_NORMAL:
		o->verbosity = OPTIONS_NORMAL;
		return 1;
	case OPT_TERSE:
		o->verbosity = OPTIONS_TERSE;
		return 1;
	case OPT_OFFSETS:
		o->read.offsets = true;
		return 1;
	case OPT_SHOW_RUNTIME:
		o->read.show_runtime = true;
		return 1;
	case OPT_NO_WRAPPERS:
		o->read.no_wrappers = true;
		return 1;
	case OPT_JSON:
		o->json = true;
		return 1;
	default:
		return 0;
	}
}

/* --demangle=style */
static int
parse_demangle(struct options *o)
{
	if (!optarg || strcmp(optarg, "auto") == 0) {
		o->read.demangle = PROFILE_DEMANGLE_AUTO;
	} else if (strcmp(optarg, "none") == 0) {
		o->read.demangle = PROFILE_DEMANGLE_NONE;
	} else {
		fprintf(stderr,
			"mpreduce: --demangle=%s: the styles are auto "
			"and none\n",
			optarg);
		return -1;
	}
	return 0;
}

/*
 * --tau=percent.  Allocations no further apart than the least of these are one
 * group in the data file already.
 */
static int
parse_tau(struct options *o)
{
	static const double least = 0.1, most = 100;
	double percent;
	char *end;

	percent = strtod(optarg, &end);
	if (*optarg < '0' || *optarg > '9' || *end ||
	    optarg[strcspn(optarg, "xX")] || !(percent >= least) ||
	    percent > most) {
		fprintf(stderr,
			"mpreduce: --tau=%s: not a percentage from 0.1 to "
			"100\n",
			optarg);
		return -1;
	}
	o->read.tau = percent / 100;
	return 0;
}

/* --leak-kinds=kind,kind */
static int
parse_kinds(struct options *o)
{
	static const char *const kind[] = {
		[PROFILE_LOST] = "lost",
		[PROFILE_INDIRECT] = "indirect",
		[PROFILE_INTERIOR] = "interior",
		[PROFILE_REACHABLE] = "reachable",
		[PROFILE_NLEAK] = "kept",
		[PROFILE_NLEAK + 1] = "all",
	};
	enum { KINDS = sizeof kind / sizeof *kind };
	const char *s = optarg;
	size_t n, i;

	o->kinds = 0;
	o->kinds_chosen = true;
	for (;; s += n + 1) {
		n = strcspn(s, ",");
		for (i = 0; i < KINDS; i++)
			if (strlen(kind[i]) == n && !strncmp(s, kind[i], n))
				break;
		if (i == KINDS)
			break;
		o->kinds |= i > PROFILE_NLEAK ? OPTIONS_KEPT - 1u : 1u << i;
		if (!s[n])
			return 0;
	}
	fprintf(stderr,
		"mpreduce: --leak-kinds=%s: the kinds are lost, indirect, "
		"interior, reachable, all (of these) and kept, with commas "
		"between them\n",
		optarg);
	return -1;
}

/* --fail-if=limit.  0, -1 with a message, -2: out of memory. */
static int
parse_limit(struct options *o)
{
	struct fail *a;
	struct err e;

	a = reallocarray(o->limits, o->nlimits + 1, sizeof *a);
	if (!a)
		return -2;
	o->limits = a;
	if (fail_parse(&a[o->nlimits], optarg, &e)) {
		fprintf(stderr, "mpreduce: %s\n", e.text);
		return -1;
	}
	o->nlimits++;
	return 0;
}

/* Options with values: -1 with a message when the value is wrong. */
static int
parse_value(struct options *o, int c)
{
	switch (c) {
	case 'w':
		return number(&o->width, optarg, 1, "width");
	case OPT_NAME_WIDTH:
		return number(&o->name_width, optarg, 8, "name-width");
	case OPT_DEPTH:
		o->depth = 0;
		if (strcmp(optarg, "all") == 0)
			return 0;
		return number(&o->depth, optarg, 1, "depth");
	case OPT_DEMANGLE:
		return parse_demangle(o);
	case OPT_PEAK:
		options_choose(o, &o->peak);
		return optarg ? number(&o->peak_rows, optarg, 1, "peak") : 0;
	case OPT_LIFETIMES:
		options_choose(o, &o->lives);
		return optarg ? number(&o->lives_rows, optarg, 1, "lifetimes")
			      : 0;
	case OPT_SCORES:
		options_choose(o, &o->scores);
		return optarg ? number(&o->scores_rows, optarg, 1, "scores")
			      : 0;
	case OPT_LEAK_KINDS:
		return parse_kinds(o);
	case OPT_SORT:
		return options_see_sort(o);
	case OPT_TAU:
		return parse_tau(o);
	case OPT_BINS:
		options_choose(o, &o->bins);
		if (!optarg)
			return 0;
		o->bins_all = true;
		if (strcmp(optarg, "all") == 0)
			return 0;
		fprintf(stderr, "mpreduce: --bins=%s: the only value is all\n",
			optarg);
		return -1;
	default:
		return -1; /* getopt_long() has said what is wrong */
	}
}

/* What the reader is to do. */
static void
settle(struct options *o)
{
	o->read.fields = o->fields || o->json || o->see.format;
	o->read.no_types =
		!o->bins && !o->scores && !o->types && !o->read.fields;
	o->read.no_guess = o->read.no_types && !o->leaks && !o->peak;
	if (!o->types && !o->read.fields && !o->waste && !o->type.n)
		o->read.guess_most = GUESS_MOST;
	options_more_settle(o);
	options_see_settle(o);
	o->read.files = o->files.item;
	o->read.nfiles = o->files.n;
	o->read.wrappers = o->wrappers.item;
	o->read.nwrappers = o->wrappers.n;
	o->read.suppressions = o->suppressions.item;
	o->read.nsuppressions = o->suppressions.n;
	/* Whoever names a program or a table wants that. */
	if (!o->read.exe && !o->chosen && !o->json && !o->sum && !o->nlimits &&
	    !o->see.format && !o->see.html && !o->read.items)
		o->read.several = PROFILE_DECIDE;
	if (o->list)
		o->read.several = PROFILE_LIST;
}

/*
 * Take one option.  0, 1: it was one without a value; -1: out of memory; -2:
 * it is wrong, which a message says.
 */
static int
take(struct options *o, int c, bool without[2])
{
	int is;

	if (c == OPT_WRAPPER)
		return options_add(&o->wrappers, optarg);
	if (c == OPT_SUPPRESSIONS)
		return options_add(&o->suppressions, optarg);
	if (c == OPT_FAIL_IF) {
		is = parse_limit(o);
		return is == -2 ? -1 : is == -1 ? -2 : 0;
	}
	is = options_more(o, c);
	if (is == 0)
		is = options_see(o, c);
	if (is < 0)
		return is;
	if (is == 0)
		is = parse_table(o, c, without);
	if (is == 0)
		is = parse_switch(o, c);
	return is == 0 && parse_value(o, c) ? -2 : is;
}

/* Options that don't go together: -1 with a message. */
static int
agree(const struct options *o)
{
	if (options_see_agree(o))
		return -1;
	if (!o->nlimits || (!o->info && !o->list))
		return 0;
	fprintf(stderr,
		"mpreduce: --fail-if needs the figures of a profile: "
		"give it without --%s\n",
		o->info ? "file-info" : "list");
	return -1;
}

enum options_next
options_parse(struct options *o, int argc, char **argv)
{
	static char room[1 << 15];
	bool without[2] = { false, false };
	int c, is = 0;

	options_default(o);
	operands_plain(argc, argv);
	while (is >= 0 &&
	       (c = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		if (c == OPT_HELP) {
			/* In one write, so that it's known why it fails. */
			setvbuf(stdout, room, _IOFBF, sizeof room);
			printf("%s%s", options_usage, options_help);
			return OPTIONS_DONE;
		}
		if (c == 'v') {
			printf("mpreduce (memmon) %s\n", MEMMON_VERSION);
			return OPTIONS_DONE;
		}
		is = take(o, c, without);
	}
	if (is == -2 || (is != -1 && agree(o))) {
		fputs(options_usage, stderr);
		return OPTIONS_USAGE;
	}
	if (is == -1 || operands_take(o, argv + optind, argc - optind)) {
		fprintf(stderr, "mpreduce: out of memory\n");
		return OPTIONS_FAILED;
	}
	if (without[0])
		o->direct = false;
	if (without[1])
		o->graph = false;
	settle(o);
	return OPTIONS_GO;
}
