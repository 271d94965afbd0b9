/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line: filters, places of debug information, source lines. */
#define _POSIX_C_SOURCE 200809L
#include "display/cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long to wait for debuginfod if nothing is said of it, seconds. */
#define DEBUGINFOD_SECONDS 30u

/* In the order of OPTIONS_MORE_LONGS, after those with letters. */
enum {
	OPT_WASTE = OPTIONS_MORE,
	OPT_FOCUS,
	OPT_IGNORE,
	OPT_HIDE,
	OPT_MODULE,
	OPT_TYPE,
	OPT_THREAD,
	OPT_SIZE,
	OPT_COLLAPSE,
	OPT_SHORT,
	OPT_SYSROOT,
	OPT_DEBUG_DIR,
	OPT_DEBUGINFOD
};

/* The list that the option adds to, or NULL. */
static struct options_list *
list_of(struct options *o, int c)
{
	switch (c) {
	case OPT_FOCUS:
		return &o->focus;
	case OPT_IGNORE:
		return &o->ignore;
	case OPT_HIDE:
		return &o->hide;
	case OPT_MODULE:
		return &o->module;
	case OPT_TYPE:
		return &o->type;
	case OPT_THREAD:
		return &o->thread;
	case OPT_DEBUG_DIR:
		return &o->debug_dirs;
	case 'I':
		return &o->source_dirs;
	default:
		return NULL;
	}
}

/*
 * A number of bytes, with K, M or G behind it or not, up to `end'.  Returns
 * whether it is one.
 */
static bool
bytes(const char *s, const char *end, uint64_t *n)
{
	static const char unit[] = "KMG";
	const char *u;
	unsigned shift = 0;
	char *stop;

	if (s == end || *s < '0' || *s > '9')
		return false;
	errno = 0;
	*n = strtoull(s, &stop, 10);
	if (errno)
		return false;
	if (stop < end && (u = strchr(unit, *stop))) {
		shift = 10 * (unsigned)(u - unit + 1);
		stop++;
	}
	if (stop != end || *n > UINT64_MAX >> shift)
		return false;
	*n <<= shift;
	return true;
}

/* --size=A..B, A.., ..B or A.  0, or -2 with a message. */
static int
parse_size(struct profile_filter *f)
{
	const char *dots = strstr(optarg, "..");
	const char *end = optarg + strlen(optarg);
	uint64_t least = 0, largest = UINT64_MAX;
	bool fine;

	if (!dots) {
		fine = bytes(optarg, end, &least);
		largest = least;
	} else {
		fine = end > dots + 2 || dots > optarg;
		if (dots > optarg)
			fine = fine && bytes(optarg, dots, &least);
		if (end > dots + 2)
			fine = fine && bytes(dots + 2, end, &largest);
	}
	if (fine && least <= largest) {
		f->sizes = true;
		f->least = least;
		f->largest = largest;
		return 0;
	}
	fprintf(stderr,
		"mpreduce: --size=%s: not of the form A..B, A.., ..B or A, in "
		"bytes, perhaps with K, M or G\n",
		optarg);
	return -2;
}

/* --debuginfod[=SECONDS].  0, or -2 with a message. */
static int
parse_debuginfod(struct options *o)
{
	unsigned long n = DEBUGINFOD_SECONDS;
	char *end = NULL;

	errno = 0;
	if (optarg)
		n = strtoul(optarg, &end, 10);
	if (errno || (optarg && (*optarg < '0' || *optarg > '9' || *end)) ||
	    n < 1 || n > 3600) {
		fprintf(stderr,
			"mpreduce: --debuginfod=%s: not a number of seconds "
			"from 1 to 3600\n",
			optarg);
		return -2;
	}
	o->read.where.debuginfod = (unsigned)n;
	return 0;
}

int
options_more(struct options *o, int c)
{
	struct options_list *list = list_of(o, c);

	if (list)
		return options_add(list, optarg) ? -1 : 1;
	switch (c) {
	case 'l':
		o->read.lines = true;
		return 1;
	case 'A':
		options_choose(o, &o->annotate);
		o->read.sources = true;
		if (optarg && options_add(&o->annotate_only, optarg))
			return -1;
		return 1;
	case OPT_WASTE:
		options_choose(o, &o->waste);
		return 1;
	case OPT_SIZE:
		return parse_size(&o->read.filter) ? -2 : 1;
	case OPT_COLLAPSE:
		o->read.filter.collapse = true;
		return 1;
	case OPT_SHORT:
		o->read.short_names = true;
		return 1;
	case OPT_SYSROOT:
		o->read.where.sysroot = optarg;
		return 1;
	case OPT_DEBUGINFOD:
		return parse_debuginfod(o) ? -2 : 1;
	default:
		return 0;
	}
}

static struct profile_list
settled(const struct options_list *list)
{
	return (struct profile_list){ list->item, list->n };
}

void
options_more_settle(struct options *o)
{
	struct profile_filter *f = &o->read.filter;

	f->focus = settled(&o->focus);
	f->ignore = settled(&o->ignore);
	f->hide = settled(&o->hide);
	f->module = settled(&o->module);
	f->type = settled(&o->type);
	f->thread = settled(&o->thread);
	o->read.where.debug = settled(&o->debug_dirs);
	/* -T is to know which types are no elements of arrays. */
	o->read.waste = o->waste || o->types || o->json || o->see.format;
	if (o->waste || f->type.n)
		o->read.no_types = o->read.no_guess = false;
}

void
options_more_fini(struct options *o)
{
	free(o->focus.item);
	free(o->ignore.item);
	free(o->hide.item);
	free(o->module.item);
	free(o->type.item);
	free(o->thread.item);
	free(o->debug_dirs.item);
	free(o->source_dirs.item);
	free(o->annotate_only.item);
}
