/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line: time, queries, differences, exports, pages. */
#include "display/cli/options.h"
#include "display/query/fail.h"
#include "display/query/query.h"

#include "display/export/export.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order of OPTIONS_SEE_LONGS, after those with letters. */
enum {
	OPT_TIMELINE = OPTIONS_SEE,
	OPT_AT,
	OPT_BETWEEN,
	OPT_CHUNKS,
	OPT_ADDRESSES,
	OPT_QUANTILES,
	OPT_WHERE,
	OPT_GROUP_BY,
	OPT_COLUMNS,
	OPT_TOP,
	OPT_QUERY,
	OPT_DIFF,
	OPT_COMMON,
	OPT_WEIGHTS,
	OPT_EXPORT,
	OPT_HTML,
	OPT_WATCH,
	OPT_HAVING,
	OPT_NORMALIZE = OPTIONS_SEE + 40,
	OPT_FORCE,
	OPT_TIMES,
	OPT_GROWTH,
	OPT_SQL
};

/* --timeline[=BY].  0, or -2 with a message. */
static int
parse_timeline(struct options *o)
{
	static const char *const by[] = { "site", "type", "thread" };

	options_choose(o, &o->see.timeline);
	o->see.timeline_by = optarg;
	for (size_t i = 0; optarg && i < sizeof by / sizeof *by; i++)
		if (!strcmp(optarg, by[i]))
			return 0;
	if (!optarg)
		return 0;
	fprintf(stderr,
		"mpreduce: --timeline=%s: the values are site, type and "
		"thread\n",
		optarg);
	return -2;
}

/* A,B: the first, allocated.  0, -1: out of memory, -2 with a message. */
static int
parse_moments(const char *option, char **first, const char **second)
{
	const char *comma = strchr(optarg, ',');
	char *from;

	if (!comma || comma == optarg || !comma[1]) {
		fprintf(stderr,
			"mpreduce: --%s=%s: not two moments with a comma "
			"between them\n",
			option, optarg);
		return -2;
	}
	from = strndup(optarg, (size_t)(comma - optarg));
	if (!from)
		return -1;
	free(*first);
	*first = from;
	*second = comma + 1;
	return 0;
}

/* --between=A,B and --growth=A,B.  The same. */
static int
parse_between(struct options *o)
{
	struct profile_when *w = &o->read.when;
	int status = parse_moments("between", &o->see.from, &w->to);

	w->from = o->see.from;
	return status;
}

static int
parse_growth(struct options *o)
{
	struct profile_when *w = &o->read.when;
	int status = parse_moments("growth", &o->see.grown, &w->grown[1]);

	w->grown[0] = o->see.grown;
	options_choose(o, &o->see.growth);
	return status;
}

/* --top=N, --times=N.  0, or -2 with a message. */
static int
parse_count(size_t *to, const char *option)
{
	char *end;
	unsigned long n = strtoul(optarg, &end, 10);

	if (*optarg >= '0' && *optarg <= '9' && !*end && n > 0 &&
	    n <= 1000000000) {
		*to = n;
		return 0;
	}
	fprintf(stderr,
		"mpreduce: --%s=%s: not a number from 1 to 1000000000\n",
		option, optarg);
	return -2;
}

/* --watch[=SECONDS].  0, or -2 with a message. */
static int
parse_watch(struct options *o)
{
	char *end = NULL;

	o->see.watch = optarg ? strtod(optarg, &end) : 2;
	if (!optarg || (end != optarg && !*end && isfinite(o->see.watch) &&
			o->see.watch >= 0.1 && o->see.watch <= 86400))
		return 0;
	fprintf(stderr,
		"mpreduce: --watch=%s: not a number of seconds from 0.1 to "
		"86400\n",
		optarg);
	return -2;
}

/* Options whose value is taken as it is: where it goes, or NULL. */
static const char **
text_of(struct options *o, int c)
{
	switch (c) {
	case OPT_AT:
		return &o->read.when.at;
	case OPT_GROUP_BY:
		return &o->see.group_by;
	case OPT_COLUMNS:
		return &o->see.columns;
	case OPT_QUERY:
		return &o->see.query;
	case OPT_SQL:
		return &o->see.sql;
	case OPT_WEIGHTS:
		return &o->see.weights;
	case OPT_EXPORT:
		return &o->see.format;
	case 'o':
		return &o->see.output;
	case OPT_HTML:
		return &o->see.html;
	default:
		return NULL;
	}
}

/* Options without a value: what they switch on, or NULL. */
static bool *
switch_of(struct options *o, int c)
{
	switch (c) {
	case OPT_ADDRESSES:
		return &o->see.addresses;
	case OPT_QUANTILES:
		return &o->see.quantiles;
	case OPT_DIFF:
		return &o->see.diff;
	case OPT_COMMON:
		return &o->see.common;
	default:
		return NULL;
	}
}

/* Those that only say how. */
static bool *
manner_of(struct options *o, int c)
{
	switch (c) {
	case OPT_NORMALIZE:
		return &o->see.normalize;
	case OPT_FORCE:
		return &o->see.force;
	default:
		return NULL;
	}
}

int
options_see_sort(struct options *o)
{
	static const char *const key[] = { [OPTIONS_BY_SAVE] = "save",
					   [OPTIONS_BY_SEVERITY] = "severity",
					   [OPTIONS_BY_BYTES] = "bytes",
					   [OPTIONS_BY_BLOCKS] = "blocks",
					   [OPTIONS_BY_LIFETIME] = "lifetime",
					   [OPTIONS_BY_USAGE] = "usage",
					   [OPTIONS_BY_USEFUL] = "useful" };

	o->see.order = optarg;
	o->see.order_only = true;
	for (size_t i = 0; i < sizeof key / sizeof *key; i++) {
		if (strcmp(optarg, key[i]) != 0)
			continue;
		o->sort = (enum options_sort)i;
		o->see.order_only = false;
	}
	return 0;
}

int
options_see_agree(const struct options *o)
{
	const struct options_see *s = &o->see;
	bool queries = query_wanted(o);
	struct err e;

	if (options_modes_agree(o))
		return -1;
	if (queries && query_check(o, &e)) {
		fprintf(stderr, "mpreduce: %s\n", e.text);
		return -1;
	}
	/* They have keys of their own. */
	if (!s->order_only || queries || s->diff || s->common || s->watch > 0)
		return 0;
	fprintf(stderr,
		"mpreduce: --sort=%s: the keys are save, severity, bytes, "
		"blocks, lifetime, usage and useful\n",
		o->see.order);
	return -1;
}

int
options_see(struct options *o, int c)
{
	const char **text = text_of(o, c);
	bool *on = switch_of(o, c);
	bool *manner = manner_of(o, c);
	int r;

	if (text) {
		*text = optarg;
		return 1;
	}
	if (on) {
		options_choose(o, on);
		return 1;
	}
	if (manner) {
		*manner = true;
		return 1;
	}
	switch (c) {
	case OPT_TIMELINE:
		return parse_timeline(o) ? -2 : 1;
	case OPT_BETWEEN:
		r = parse_between(o);
		return r ? r : 1;
	case OPT_GROWTH:
		r = parse_growth(o);
		return r ? r : 1;
	case OPT_CHUNKS:
		options_choose(o, &o->see.chunks);
		o->see.chunks_of = optarg;
		return 1;
	case OPT_WHERE:
		return options_add(&o->see.where, optarg) ? -1 : 1;
	case OPT_HAVING:
		return options_add(&o->see.having, optarg) ? -1 : 1;
	case OPT_TOP:
		return parse_count(&o->see.top, "top") ? -2 : 1;
	case OPT_TIMES:
		return parse_count(&o->see.times, "times") ? -2 : 1;
	case OPT_WATCH:
		return parse_watch(o) ? -2 : 1;
	default:
		return 0;
	}
}

void
options_see_settle(struct options *o)
{
	struct options_see *s = &o->see;
	unsigned needs = 0;
	bool types = s->timeline && s->timeline_by &&
		     !strcmp(s->timeline_by, "type");

	if (query_wanted(o))
		needs = query_needs(o);
	for (size_t i = 0; i < o->nlimits; i++)
		needs |= fail_needs(&o->limits[i]);
	needs |= export_needs(o);
	types |= needs & SCHEMA_TYPES;
	o->read.times =
		s->timeline || s->growth || s->html || needs & SCHEMA_TIMES;
	o->read.items = needs & SCHEMA_ITEMS || s->html ||
			(s->timeline_by && s->timeline);
	o->read.sources |= !!(needs & SCHEMA_SOURCES);
	o->read.waste |= !!(needs & SCHEMA_WASTE);
	o->read.weights = s->weights;
	if (s->html) {
		o->read.fields = o->read.waste = true;
		o->read.no_types = o->read.no_guess = false;
	}
	if (types) {
		o->read.no_types = o->read.no_guess = false;
		o->read.guess_most = 0;
	}
	if (s->timeline)
		o->read.no_guess = false;
	o->read.log = o->read.when.at || o->read.when.from || s->chunks ||
		      s->addresses || s->quantiles || s->html || o->json ||
		      needs & SCHEMA_LOG;
	export_settle(o);
}

void
options_see_fini(struct options *o)
{
	free(o->see.where.item);
	free(o->see.having.item);
	free(o->see.from);
	free(o->see.grown);
}
