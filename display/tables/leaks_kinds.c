/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The leaks: what leak checks found, by kind; and what is suppressed. */
#include "display/tables/leaks.h"
#include "display/tables/legend.h"
#include "display/tables/paths.h"
#include "display/text/amount.h"
#include "display/text/number.h"

#include <inttypes.h>
#include <stdlib.h>

static const struct {
	const char *name, *means;
} kinds_of[PROFILE_NLEAK] = {
	[PROFILE_LOST] = { "lost", "nothing points to them" },
	[PROFILE_INDIRECT] = { "indirect", "only lost blocks do" },
	[PROFILE_INTERIOR] = { "interior", "reachable, but somewhere by their "
					   "inside only" },
	[PROFILE_REACHABLE] = { "reachable", "by pointers to their start" },
};

/* ----------------------------------------------------------- the summary -- */

/* When the check was; of several runs, how many of them had one. */
static void
when(struct tables *t)
{
	const struct profile *p = t->p;
	struct line *l = &t->line;
	char n[NUMBER_SIZE];
	size_t with = 0, read = p->nruns - p->nunread;

	for (size_t i = 0; i < p->nruns; i++)
		with += p->runs[i].leaks_known;
	if (p->nruns == 1 && p->leaks_all && !p->runs[0].sum)
		line_add(l, "Leak check, %s s after the start:",
			 number_seconds(n, p->runs[0].leak_check));
	else if (p->leaks_all)
		line_add(l, "Leak checks of all runs:");
	else if (with < read)
		line_add(l,
			 "Leak checks of %zu of the %zu files; of the others "
			 "it isn't known what is lost:",
			 with, read);
	else
		line_add(l, "Leak checks of some of the runs; of the others it "
			    "isn't known what is lost:");
	line_end(l);
	line_end(l);
}

static void
summary(struct tables *t, unsigned kinds)
{
	const struct leak *a = &t->p->leak;
	char buf[NUMBER_SIZE];
	bool others = false;

	when(t);
	line_add(&t->line, "%14s %10s", "bytes", "blocks");
	line_end(&t->line);
	for (int i = 0; i < PROFILE_NLEAK; i++) {
		line_right(&t->line, 14, tables_bytes(t, buf, a->bytes[i]));
		line_add(&t->line, " ");
		line_right(&t->line, 10, number_count(buf, a->blocks[i]));
		line_add(&t->line, "   %-9s  %s", kinds_of[i].name,
			 kinds_of[i].means);
		line_end(&t->line);
		others |= a->blocks[i] && !(kinds >> i & 1);
	}
	if (!others)
		return;
	line_end(&t->line);
	tables_say(t, "--leak-kinds=all shows the paths of all kinds.");
}

/* --------------------------------------------------------- paths of one -- */

static int
compare(const void *va, const void *vb, void *kind)
{
	const struct path *a = va, *b = vb;
	int k = *(const int *)kind;

	if (a->leak->bytes[k] != b->leak->bytes[k])
		return a->leak->bytes[k] < b->leak->bytes[k] ? 1 : -1;
	if (a->leak->blocks[k] != b->leak->blocks[k])
		return a->leak->blocks[k] < b->leak->blocks[k] ? 1 : -1;
	return paths_compare(a, b);
}

/* Put the paths with such blocks first, sorted; returns how many. */
static size_t
collect(struct paths *all, int k)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		struct path a = all->path[i];

		if (!a.leak->blocks[k])
			continue;
		all->path[i] = all->path[n];
		all->path[n++] = a;
	}
	qsort_r(all->path, n, sizeof *all->path, compare, &k);
	return n;
}

static void
row(struct tables *t, const size_t width[2], const struct paths *all,
    const struct path *a, int k)
{
	uint64_t bytes = amount_bytes(&t->p->total);
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	line_right(l, width[0], tables_bytes(t, buf, a->leak->bytes[k]));
	line_add(l, " %-4s", number_cell(buf, a->leak->bytes[k], bytes));
	line_right(l, width[1], number_count(buf, a->leak->blocks[k]));
	line_add(l, "   ");
	paths_print_typed(t, all, a);
	line_end(l);
}

static void
section(struct tables *t, struct paths *all, int k)
{
	uint64_t sum = t->p->leak.bytes[k], hidden = 0;
	size_t n = collect(all, k), left = 0, width[2] = { 15, 10 }, w;
	struct line *l = &t->line;
	char head[32];

	if (!n)
		return;
	for (size_t i = 0; i < n; i++) {
		const struct leak *a = all->path[i].leak;

		w = number_bytes_width(a->bytes[k], t->o->human);
		width[0] = w > width[0] ? w : width[0];
		w = number_bytes_width(a->blocks[k], false) + 1;
		width[1] = w > width[1] ? w : width[1];
	}
	line_end(l);
	snprintf(head, sizeof head, "%s bytes", kinds_of[k].name);
	line_right(l, width[0], head);
	line_add(l, " %-4s", "(%)");
	line_right(l, width[1], "blocks");
	line_add(l, "    path");
	line_end(l);
	line_end(l);
	for (size_t i = 0; i < n; i++) {
		const struct path *a = &all->path[i];

		if (tables_worth(t, a->leak->bytes[k], sum)) {
			row(t, width, all, a, k);
		} else {
			hidden = amount_add(hidden, a->leak->bytes[k]);
			left++;
		}
	}
	leaks_print_hidden(t, left, hidden, kinds_of[k].name);
}

/* ---------------------------------------------------------- suppressions -- */

void
leaks_suppressed(struct tables *t)
{
	const struct profile *p = t->p;
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	if (!p->nsuppressions)
		return;
	line_end(l);
	tables_say(t, "Suppressions used:");
	line_end(l);
	line_add(l, "%14s %10s", "kept bytes", "blocks");
	if (p->leaks_known)
		line_add(l, " %14s %10s", "leaked bytes", "blocks");
	line_add(l, "   pattern");
	line_end(l);
	line_end(l);
	for (size_t i = 0; i < p->nsuppressions; i++) {
		const struct suppression *s = &p->suppressions[i];

		line_right(l, 14, tables_bytes(t, buf, s->bytes));
		line_add(l, " ");
		line_right(l, 10, number_count(buf, s->blocks));
		if (p->leaks_known) {
			line_add(l, " ");
			line_right(l, 14,
				   tables_bytes(t, buf, s->leaked_bytes));
			line_add(l, " ");
			line_right(l, 10, number_count(buf, s->leaked_blocks));
		}
		if (s->pattern)
			line_add(l, "   leak:%s", s->pattern);
		else
			line_add(l, "   built in: the C and C++ libraries keep "
				    "them (--show-runtime)");
		line_end(l);
	}
}

int
leaks_kinds(struct tables *t, unsigned kinds)
{
	struct paths all = { 0 };

	if (paths_init(&all, t, PATHS_LEAKS)) {
		paths_fini(&all);
		return -1;
	}
	summary(t, kinds);
	for (int k = 0; k < PROFILE_NLEAK; k++)
		if (kinds >> k & 1)
			section(t, &all, k);
	if (!(t->o->kinds & OPTIONS_KEPT))
		leaks_suppressed(t);
	legend_print(t, legend_kinds);
	paths_fini(&all);
	return 0;
}
