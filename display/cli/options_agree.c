/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line: options that have no part in what others ask for. */
#include "display/cli/options.h"
#include "display/query/query.h"

#include <stdio.h>

/* What is printed in place of the tables, bits. */
enum {
	AGREE_WATCH = 1 << 0,
	AGREE_DIFF = 1 << 1,
	AGREE_QUERY = 1 << 2,
	AGREE_EXPORT = 1 << 3,
	AGREE_MODES = 4
};

static const char *const agree_mode[AGREE_MODES] = {
	"--watch", "--diff", "a query (--where, --group-by and their like)",
	"--export"
};

static unsigned
agree_modes(const struct options *o)
{
	return (o->see.watch > 0 ? AGREE_WATCH : 0) |
	       (o->see.diff || o->see.common ? AGREE_DIFF : 0) |
	       (query_wanted(o) ? AGREE_QUERY : 0) |
	       (o->see.format ? AGREE_EXPORT : 0);
}

/* Was a table asked for by name? */
static bool
agree_tables(const struct options *o)
{
	return o->chosen &&
	       (o->prolog || o->threads || o->leaks || o->peak || o->lives ||
		o->bins || o->types || o->direct || o->graph || o->scores ||
		o->fields || o->marks || o->annotate || o->waste ||
		o->see.timeline || o->see.growth || o->see.chunks ||
		o->see.addresses || o->see.quantiles);
}

/* An option that there is, and where it has no part: modes; or needs one. */
struct agree {
	bool given;
	const char *name;
	unsigned no_part, needs;
};

static bool
agree_one(const struct agree *a, unsigned modes)
{
	unsigned i;

	if (!a->given)
		return true;
	for (i = 0; i < AGREE_MODES; i++) {
		if (!(modes & a->no_part & (1u << i)))
			continue;
		fprintf(stderr,
			"mpreduce: %s doesn't go with %s; leave one of them "
			"out\n",
			a->name, agree_mode[i]);
		return false;
	}
	if (!a->needs || a->needs & modes)
		return true;
	for (i = AGREE_MODES - 1; !(a->needs & 1u << i); i--)
		;
	fprintf(stderr, "mpreduce: %s is a part of %s; give that too\n",
		a->name, agree_mode[i]);
	return false;
}

int
options_modes_agree(const struct options *o)
{
	const struct options_see *s = &o->see;
	const struct profile_when *w = &o->read.when;
	enum { W = AGREE_WATCH, D = AGREE_DIFF, Q = AGREE_QUERY };
	const struct agree all[] = {
		{ s->diff || s->common, "--diff", W, 0 },
		{ query_wanted(o), agree_mode[2], W | D, 0 },
		{ s->format, "--export", W | D, 0 },
		{ s->html, "--html", W | Q, 0 },
		{ agree_tables(o), "a table", W | D | Q | AGREE_EXPORT, 0 },
		{ w->at || w->from, "another moment", W, 0 },
		{ o->nlimits, "--fail-if", W, 0 },
		{ o->sum, "--sum", W | D | Q, 0 },
		{ s->normalize, "--normalize", 0, D },
		{ s->force, "--force", 0, D },
		{ s->times, "--times", 0, W },
		{ s->top && !s->chunks && !s->addresses && !s->quantiles,
		  "--top", 0, W | D | Q },
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (!agree_one(&all[i], agree_modes(o)))
			return -1;
	return 0;
}
