/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options whose value is one or several words: --paths=frames,offsets.  Each
 * word is a row of the table, here "paths=frames", and does what its row says.
 */
#include "display/cli/option.h"
#include "display/schema/schema.h"
#include "reduce/base/clean.h"

#include <stdio.h>
#include <string.h>

/* The row "NAME=WORD" of row NAME, for a word of n characters; or NULL. */
static const struct option_row *
part_of(const struct option_row *row, const char *word, size_t n)
{
	size_t len = strlen(row->name);

	for (const struct option_row *r = row + 1;
	     r < option_rows + option_nrows && r->name; r++) {
		if (strncmp(r->name, row->name, len) != 0 ||
		    r->name[len] != '=')
			break;
		if (strlen(r->name + len + 1) == n &&
		    !memcmp(r->name + len + 1, word, n))
			return r;
	}
	return NULL;
}

/* Take a word, perhaps with ":VALUE".  A word without a row goes to "NAME=". */
static enum option_taken
take_part(struct options *o, const struct option_row *row, const char *value)
{
	size_t n = strcspn(value, ":");
	const struct option_row *part = part_of(row, value, n);
	const char *of = value[n] ? value + n + 1 : NULL;
	char what[240];

	if (!part || !n) {
		part = part_of(row, "", 0);
		return part ? option_take(o, part, value)
			    : option_no_word(row, value);
	}
	if (of && !part->arg)
		return option_wrong(row, value, "nothing can follow this word");
	if (part->arg && *part->arg == ':' && !(of && *of)) {
		snprintf(what, sizeof what,
			 "a value must follow, as in "
			 "--%s%s",
			 part->name, part->arg);
		return option_wrong(row, value, what);
	}
	return option_take(o, part, of);
}

enum option_taken
option_part(struct options *o, const struct option_row *row, const char *value)
{
	if (!value || row->both) {
		enum option_taken taken = option_plain(o, row);

		if (!value || taken != OPTION_FINE)
			return taken;
	}
	return take_part(o, row, value);
}

enum option_taken
option_parts(struct options *o, const struct option_row *row, const char *value)
{
	enum option_taken taken = OPTION_FINE;
	size_t n;

	if (!value)
		return option_part(o, row, NULL);
	for (;; value += n + 1) {
		const char *word;

		n = strcspn(value, ",");
		word = arena_print(&o->names, "%.*s", (int)n, value);
		taken = option_part(o, row, word);
		if (taken != OPTION_FINE || !value[n])
			return taken;
	}
}

/* ----------------------------------------------------------- old options -- */

/* Names of options that mpreduce no longer has: the new name, or what to do. */
static const struct {
	const char *name, *now;
} old[] = {
	{ "flat", "-p" },
	{ "no-flat-profile", "the option is gone; name the tables to print" },
	{ "no-graph", "the option is gone; name the tables to print" },
	{ "normal", "the option is gone; its effect is the default" },
	{ "terse", "--verbose=no" },
	{ "zero", "--verbose=zero" },
	{ "having", "the option is gone; use --sql" },
	{ "query", "the option is gone; use --sql" },
	{ "weights", "the option is gone; every file counts once" },
	{ "width", "the option is gone; set the variable COLUMNS" },
	{ "human", "--units=human" },
	{ "bytes", "--units=bytes" },
	{ "short-names", "--names=short" },
	{ "long-names", "--names=long" },
	{ "name-width", "--names=N" },
	{ "legend", "--brief=no" },
	{ "demangle", "--names=mangled" },
	{ "no-demangle", "--names=mangled" },
	{ "pins", "--memory=pins" },
	{ "no-wrappers", "--wrapper=none" },
	{ "frames", "--paths=frames" },
	{ "offsets", "--paths=offsets" },
	{ "collapse-recursion", "--paths=collapsed" },
	{ "leak-kinds", "--leaks=KIND,..." },
	{ "show-runtime", "--suppressions=none" },
	{ "common", "--diff=common" },
	{ "normalize", "--diff=normalize" },
	{ "force", "--diff=force" },
	{ "times", "--watch=SECONDS,COUNT" },
	{ "list", "--file-info=list" },
	{ "chunks", "--log=blocks" },
	{ "addresses", "--log=addresses" },
	{ "quantiles", "--log=quantiles" },
	{ "ranks", "--threads=ranks" },
	{ "marks", "--prolog=marks" },
	{ "tau", "--scores=gap:PERCENT" },
	{ "type", "--only=type:GLOB" },
	{ "thread", "--only=thread:GLOB" },
	{ "size", "--only=size:A..B" },
};

/* Letters of options that mpreduce no longer has. */
static const struct {
	char letter;
	const char *now;
} old_letter[] = {
	{ 'P', "the option is gone; name the tables to print" },
	{ 'Q', "the option is gone; name the tables to print" },
	{ 'w', "the option is gone; set the variable COLUMNS" },
	{ 'z', "--verbose=zero" },
};

const char option_old_letters[] = "P::Q::w::z";

/* Print what to type instead of -x or --name. */
static void
option_parts_say(const char *option, const char *now)
{
	clean_say("mpreduce", "%s: %s%s", option,
		  *now == '-' ? "the option is now " : "", now);
}

bool
option_is_old_letter(int letter)
{
	for (size_t i = 0; i < sizeof old_letter / sizeof *old_letter; i++) {
		if (old_letter[i].letter != letter)
			continue;
		option_parts_say((const char[]){ '-', (char)letter, '\0' },
				 old_letter[i].now);
		return true;
	}
	return false;
}

/*
 * Look for old names before getopt_long() does: it would take --type as an
 * abbreviation of --types.
 */
bool
option_is_old(int argc, char *const *argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *name = argv[i] + 2;

		if (strncmp(argv[i], "--", 2) != 0)
			continue;
		for (size_t k = 0; k < sizeof old / sizeof *old; k++) {
			size_t n = strlen(old[k].name);

			if (strncmp(name, old[k].name, n) != 0 ||
			    (name[n] && name[n] != '='))
				continue;
			option_parts_say(name - 2, old[k].now);
			return true;
		}
	}
	return false;
}

static const char *
option_parts_next_name(void *arg)
{
	size_t *i = arg;

	while (*i < option_nrows) {
		const char *name = option_rows[(*i)++].name;

		if (name && !strchr(name, '='))
			return name;
	}
	return NULL;
}

void
option_suggest(const char *argument)
{
	size_t i = 0, n = strcspn(argument, "=");
	const char *near;

	if (n < 3)
		return;
	near = schema_nearest(option_parts_next_name, &i, argument + 2, n - 2);
	if (near)
		clean_say("mpreduce", "do you mean --%s?", near);
}
