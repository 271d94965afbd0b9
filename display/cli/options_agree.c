/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line: options that exclude each other. */
#include "display/cli/option.h"
#include "display/cli/options.h"
#include "display/query/query.h"
#include "reduce/base/clean.h"

#include <stdio.h>

/* Can option r be used with these modes?  If not, print a message. */
static bool
agree_one(const struct option_row *r, unsigned modes)
{
	const char *dashes = r->as ? "" : "--";
	const char *name = r->as ? r->as : r->name;
	unsigned i;

	for (i = 0; i < OPTION_MODES; i++) {
		if (!(modes & r->no_part & (1u << i)))
			continue;
		clean_say("mpreduce",
			  "%s%s doesn't go with %s; leave one of them "
			  "out",
			  dashes, name, option_mode_name[i]);
		return false;
	}
	return true;
}

static int
modes_agree(const bool *given)
{
	unsigned modes = 0;

	for (size_t i = 0; i < option_nrows; i++)
		modes |= given[i] ? option_rows[i].mode : 0;
	for (size_t i = 0; i < option_nrows; i++)
		if (given[i] && !agree_one(&option_rows[i], modes))
			return -1;
	return 0;
}

/* Is the key of --sort valid for scores?  Other rows check their own keys. */
static int
sort_agrees(const struct options *o, const bool *given)
{
	enum { OTHERS = OPTION_WATCH | OPTION_DIFF | OPTION_QUERY };
	const struct option_row *sort = NULL;
	unsigned modes = 0;
	char words[160];

	for (size_t i = 0; i < option_nrows; i++) {
		modes |= given[i] ? option_rows[i].mode : 0;
		if (option_rows[i].take == option_sort)
			sort = &option_rows[i];
	}
	if (!o->order_only || modes & OTHERS)
		return 0;
	if (!sort)
		return 0;
	option_words(words, sizeof words, sort->words);
	clean_say("mpreduce", "--sort=%s: the keys are %s", o->order, words);
	return -1;
}

int
options_agree(const struct options *o, const bool *given)
{
	struct err e;

	if (modes_agree(given) || sort_agrees(o, given)) {
		fputs(options_usage, stderr);
		return -1;
	}
	/* query_check() shows the error in the text: print no usage. */
	if (!query_wanted(o) || !query_check(o, &e))
		return 0;
	clean_say("mpreduce", "%s", e.text);
	return -1;
}

int
options_agree_module(const struct options *o, const bool *given)
{
	for (size_t i = 0; o->read.findings.n && i < option_nrows; i++) {
		const struct option_row *r = &option_rows[i];

		if (!given[i] || !r->no_module)
			continue;
		clean_say("mpreduce",
			  "--%s doesn't apply to results of modules "
			  "(--module=%s); leave one of them out",
			  r->name, o->read.findings.item[0]);
		return -1;
	}
	return 0;
}
