/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Take the value of an option: see option.h. */
#include "display/cli/option.h"
#include "display/grid/view.h"
#include "display/query/query.h"
#include "reduce/base/str.h"
#include "reduce/base/clean.h"
#include "reduce/base/units.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long to wait for debuginfod by default, seconds. */
#define DEBUGINFOD_SECONDS 30
/* How often --watch looks by default, seconds. */
#define WATCH_SECONDS 2

/* These enums must be in the order of the words in their rows. */
static_assert(PROFILE_LOST == 0 && PROFILE_INDIRECT == 1 &&
		      PROFILE_INTERIOR == 2 && PROFILE_REACHABLE == 3 &&
		      PROFILE_NLEAK == 4,
	      "--leaks");
static_assert(OPTIONS_BY_SAVE == 0 && OPTIONS_BY_KEPT == 7, "--sort");

/* The sign between a name and its value, as in --top=3, --only=size:8. */
static const char *
between(const struct option_row *row)
{
	const char *word = strchr(row->name, '=');

	return !word ? "=" : word[1] ? ":" : "";
}

enum option_taken
option_wrong(const struct option_row *row, const char *value, const char *what)
{
	clean_say("mpreduce", "--%s%s%s: %s", row->name, between(row), value,
		  what);
	return OPTION_WRONG;
}

/* The index of the word that equals the first n characters of text, or -1. */
static int
option_value_word(const char *words, const char *text, size_t n)
{
	int i = 0;

	for (const char *w = words; *w; i++) {
		size_t len = strcspn(w, " ");

		if (len == n && !memcmp(w, text, n))
			return i;
		w += len + (w[len] == ' ');
	}
	return -1;
}

void
option_words(char *to, size_t room, const char *words)
{
	size_t n = 0;

	*to = '\0';
	for (const char *w = words; *w && n < room; w += strspn(w, " ")) {
		size_t len = strcspn(w, " ");
		const char *before = w == words ? "" : w[len] ? ", " : " and ";

		n += (size_t)snprintf(to + n, room - n, "%s%.*s", before,
				      (int)len, w);
		w += len;
	}
}

const char *
option_all_words(const struct option_row *row, char *to, size_t room)
{
	int n = snprintf(to, room, "%s", row->words ? row->words : "");

	view_words(row->name, ' ', to + n, room - (size_t)n);
	return to + (n == 0 && *to == ' ');
}

enum option_taken
option_no_word(const struct option_row *row, const char *value)
{
	char all[160], words[200], what[240];
	const char *list = option_all_words(row, all, sizeof all);

	option_words(words, sizeof words, list);
	snprintf(what, sizeof what, "the %s %s",
		 strchr(list, ' ') ? "values are" : "only value is", words);
	return option_wrong(row, value, what);
}

static enum option_taken
option_value_number(size_t *to, const struct option_row *row, const char *value)
{
	size_t least = row->least ? row->least : 1;
	long double v;
	char what[160], words[80];
	const char *other;

	if (row->words && !strcmp(value, row->words)) {
		*to = 0;
		return OPTION_FINE;
	}
	if (units_parse(value, value + strlen(value), UNITS_COUNT, &v) &&
	    v >= least && v <= 1000000000) {
		*to = (size_t)v;
		return OPTION_FINE;
	}
	view_words(row->name, '|', words, sizeof words);
	other = row->words ? row->words : *words ? words + 1 : NULL;
	snprintf(what, sizeof what, "not a number from %zu to 1000000000%s%s",
		 least, other ? ", and not " : "", other ? other : "");
	return option_wrong(row, value, what);
}

/* Read a number with a unit, from least to most, or print a message. */
static enum option_taken
quantity(const struct option_row *row, const char *value, enum units_kind kind,
	 long double least, long double most, long double *to)
{
	struct err e;
	char name[80];

	snprintf(name, sizeof name, "--%s%s", row->name, between(row));
	if (!units_option(name, value, kind, least, most, to, &e))
		return OPTION_FINE;
	clean_say("mpreduce", "%s", e.text);
	return OPTION_WRONG;
}

/* Store the value where the row says. */
static enum option_taken
option_value_put(void *at, const struct option_row *row, const char *value)
{
	int which = 0;

	if (value && row->words && row->kind != OPTION_NUMBER) {
		which = option_value_word(row->words, value, strlen(value));
		if (which < 0)
			return option_no_word(row, value);
	}
	switch (row->kind) {
	case OPTION_TEXT:
		*(const char **)at = value;
		break;
	case OPTION_LIST:
		return value && options_add(at, value) ? OPTION_NO_MEMORY
						       : OPTION_FINE;
	case OPTION_NUMBER:
		return value ? option_value_number(at, row, value)
			     : OPTION_FINE;
	case OPTION_GIVEN:
		*(bool *)at |= value != NULL;
		break;
	case OPTION_WORD:
		*(unsigned *)at = (unsigned)which;
		break;
	case OPTION_CONST:
		*(unsigned *)at = row->number;
		break;
	}
	return OPTION_FINE;
}

/* A table was asked for, so the usual tables are not printed. */
static void
option_value_choose(struct options *o)
{
	if (!o->chosen)
		o->prolog = o->leaks = o->bins = o->direct = o->graph = false;
	o->chosen = true;
}

static enum option_taken
option_value_plain(struct options *o, const struct option_row *row,
		   const char *value)
{
	if (row->table)
		option_value_choose(o);
	if (row->on)
		*(bool *)((char *)o + row->on) = true;
	return row->at ? option_value_put((char *)o + row->at, row, value)
		       : OPTION_FINE;
}

static void
option_value_note(struct options *o, const struct option_row *row)
{
	o->given[row - option_rows] = true;
}

enum option_taken
option_plain(struct options *o, const struct option_row *row)
{
	option_value_note(o, row);
	return option_value_plain(o, row, NULL);
}

/* A row whose words are rows records which of these were used. */
enum option_taken
option_take(struct options *o, const struct option_row *row, const char *value)
{
	const struct view_row *const *v =
		value ? view_find(row->name, value) : NULL;

	if (!v && (row->take == option_part || row->take == option_parts))
		return row->take(o, row, value);
	option_value_note(o, row);
	if (v) {
		option_value_choose(o);
		o->views |= 1ul << (v - __start_view_rows);
		o->wants |= (*v)->wants;
		return OPTION_FINE;
	}
	return row->take ? row->take(o, row, value)
			 : option_value_plain(o, row, value);
}

/* ------------------------------------------------------- single options -- */

/* --timeline: the items tell who held the heap. */
enum option_taken
option_timeline(struct options *o, const struct option_row *row,
		const char *value)
{
	if (value && strcmp(value, "memory") != 0)
		o->wants |= OPTIONS_WANT_ITEMS;
	if (value && (!strcmp(value, "type") || str_starts(value, "match:")))
		o->wants |= OPTIONS_WANT_TYPES | OPTIONS_WANT_ALL_TYPES;
	if (!value || !str_starts(value, "match:"))
		return option_value_plain(o, row, value);
	(void)option_value_plain(o, row, NULL);
	o->timeline_by = value;
	return OPTION_FINE;
}

/* --leaks[=KIND,...] */
enum option_taken
option_kinds(struct options *o, const struct option_row *row, const char *value)
{
	const char *s = value;
	size_t n;
	int i;

	if (option_value_plain(o, row, NULL) != OPTION_FINE || !value)
		return OPTION_FINE;
	o->kinds = 0;
	o->kinds_chosen = true;
	for (;; s += n + 1) {
		n = strcspn(s, ",");
		i = option_value_word(row->words, s, n);
		if (i < 0)
			return option_wrong(
				row, value,
				"the kinds are lost, indirect, interior, "
				"reachable, all (of these) and kept, "
				"separated by commas");
		o->kinds |= i > PROFILE_NLEAK ? OPTIONS_KEPT - 1u : 1u << i;
		if (!s[n])
			return OPTION_FINE;
	}
}

/* --module=NAME,NAME */
enum option_taken
option_modules(struct options *o, const struct option_row *row,
	       const char *value)
{
	(void)row;
	for (size_t n;; value += n + 1) {
		const char *name;

		n = strcspn(value, ",");
		name = arena_print(&o->names, "%.*s", (int)n, value);
		if (options_add(&o->modules, name))
			return OPTION_NO_MEMORY;
		if (!value[n])
			return OPTION_FINE;
	}
}

/* --only=size:A..B, A.., ..B or A */
enum option_taken
option_size(struct options *o, const struct option_row *row, const char *value)
{
	struct profile_filter *f = &o->read.filter;
	const char *dots = strstr(value, "..");
	const char *end = value + strlen(value);
	long double least = 0, largest = UINT64_MAX;
	bool fine;

	if (!dots) {
		fine = units_parse(value, end, UNITS_BYTES, &least);
		largest = least;
	} else {
		fine = end > dots + 2 || dots > value;
		if (dots > value)
			fine = fine &&
			       units_parse(value, dots, UNITS_BYTES, &least);
		if (end > dots + 2)
			fine = fine && units_parse(dots + 2, end, UNITS_BYTES,
						   &largest);
	}
	if (!fine || least > largest)
		return option_wrong(
			row, value,
			"not a size; give A..B, A.., ..B or A in bytes, "
			"or with K, M or G");
	f->sizes = true;
	f->least = (uint64_t)least;
	f->largest = (uint64_t)largest;
	return OPTION_FINE;
}

/* "A,B": free *first and set it to a copy of A; set *second to B in value. */
static enum option_taken
option_value_times(const struct option_row *row, const char *value,
		   char **first, const char **second)
{
	const char *comma = strchr(value, ',');
	char *from;

	if (!comma || comma == value || !comma[1])
		return option_wrong(row, value,
				    "not two times separated by a comma");
	from = strndup(value, (size_t)(comma - value));
	if (!from)
		return OPTION_NO_MEMORY;
	free(*first);
	*first = from;
	*second = comma + 1;
	return OPTION_FINE;
}

/* --between=A,B */
enum option_taken
option_between(struct options *o, const struct option_row *row,
	       const char *value)
{
	struct profile_when *w = &o->read.when;
	enum option_taken is =
		option_value_times(row, value, &o->between_from, &w->to);

	w->from = o->between_from;
	return is;
}

/* --growth=A,B */
enum option_taken
option_growth(struct options *o, const struct option_row *row,
	      const char *value)
{
	struct profile_when *w = &o->read.when;
	enum option_taken is =
		option_value_times(row, value, &o->growth_from, &w->grown[1]);

	w->grown[0] = o->growth_from;
	return is == OPTION_FINE ? option_value_plain(o, row, NULL) : is;
}

/* --sort: a key of the scores, or a key of other rows, which they check. */
enum option_taken
option_sort(struct options *o, const struct option_row *row, const char *value)
{
	int i = option_value_word(row->words, value, strlen(value));

	o->order = value;
	o->order_only = i < 0;
	if (i >= 0)
		o->sort = (enum options_sort)i;
	return OPTION_FINE;
}

/*
 * --scores=gap:PERCENT.  In the data file, allocations that are no further
 * apart than the lowest percentage are one group.
 */
enum option_taken
option_tau(struct options *o, const struct option_row *row, const char *value)
{
	long double share = 0;
	enum option_taken taken =
		quantity(row, value, UNITS_SHARE, .1L / 100, 1, &share);

	o->read.tau = (double)share;
	return taken;
}

/* --fail-if=limit */
enum option_taken
option_limit(struct options *o, const struct option_row *row, const char *value)
{
	struct cond *a;
	struct err e;

	(void)row;
	a = reallocarray(o->limits, o->nlimits + 1, sizeof *a);
	if (!a)
		return OPTION_NO_MEMORY;
	o->limits = a;
	if (fail_parse(&a[o->nlimits], value, &e)) {
		clean_say("mpreduce", "%s", e.text);
		return OPTION_PLACED;
	}
	o->nlimits++;
	return OPTION_FINE;
}

/* --watch[=SECONDS[,COUNT]] */
enum option_taken
option_watch(struct options *o, const struct option_row *row, const char *value)
{
	static const struct option_row count = {
		.name = "watch=SECONDS,COUNT"
	};
	long double ns = WATCH_SECONDS * 1e9L;
	enum option_taken taken = OPTION_FINE;
	char *seconds = value ? strdup(value) : NULL, *comma;

	if (value && !seconds)
		return OPTION_NO_MEMORY;
	comma = seconds ? strchr(seconds, ',') : NULL;
	if (comma) {
		*comma = '\0';
		taken = option_value_number(&o->times, &count, comma + 1);
	}
	if (seconds && taken == OPTION_FINE)
		taken = quantity(row, seconds, UNITS_TIME, .1L * 1e9L, 86400e9L,
				 &ns);
	free(seconds);
	o->watch = (double)(ns / 1e9L);
	return taken;
}

/* --debuginfod[=SECONDS] */
enum option_taken
option_debuginfod(struct options *o, const struct option_row *row,
		  const char *value)
{
	long double ns = DEBUGINFOD_SECONDS * 1e9L;
	enum option_taken taken = OPTION_FINE;

	if (value)
		taken = quantity(row, value, UNITS_TIME, 1e9L, 3600e9L, &ns);
	o->read.where.debuginfod = (unsigned)((ns + 999999999) / 1e9L);
	return taken;
}

enum option_taken
option_help(struct options *o, const struct option_row *row, const char *value)
{
	(void)o;
	if (!value)
		return OPTION_HELP;
	return strcmp(value, row->words) ? option_no_word(row, value)
					 : OPTION_HELP_LIST;
}

enum option_taken
option_version(struct options *o, const struct option_row *row,
	       const char *value)
{
	(void)o, (void)row, (void)value;
	return OPTION_VERSION;
}
