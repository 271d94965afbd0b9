/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The summary: the totals, and the lines of the program that caused most of
 * what matters, on one screen.
 */
#include "display/tables/summary.h"
#include "display/grid/legend.h"
#include "display/grid/view.h"
#include "display/tables/memory.h"
#include "display/text/amount.h"
#include "display/text/number.h"

#include <string.h>

/* The most lines that summary_more() prints. */
enum { LINES_MORE = 3 };

static bool
summary_several(const struct profile *p)
{
	return p->nruns != 1 || p->runs[0].sum;
}

/* Do a and b differ by less than a sixteenth of rss? */
static bool
are_near(uint64_t a, uint64_t b, uint64_t rss)
{
	return (a < b ? b - a : a - b) < rss / 16;
}

/* A snapshot with about the same RSS and live blocks as r; or NULL. */
static const struct memory_snapshot *
resident_snapshot(const struct profile *p, const struct profile_rss *r)
{
	for (size_t i = 0; i < p->nmemory_snapshots; i++) {
		const uint64_t *n = p->memory_snapshots[i].bytes;

		if (are_near(n[MEMORY_RESIDENT], r->rss, r->rss) &&
		    are_near(n[MEMORY_ASKED], r->live, r->rss))
			return &p->memory_snapshots[i];
	}
	return NULL;
}

/* Print the largest part of RSS beside live blocks. */
static void
resident_rest(struct summary *s, const struct memory_snapshot *m)
{
	uint64_t bytes;
	const char *name = memory_most(s->t->p, m, &bytes);

	if (!name)
		return;
	line_add(&s->t->line, ", %s ", name);
	summary_bytes(s, bytes);
}

/* Print RSS, if blocks are a small part, and the commands that show more. */
static void
summary_resident(struct summary *s)
{
	const struct profile *p = s->t->p;
	const struct profile_rss *r = conditions_resident(p);
	const struct memory_snapshot *m;
	char buf[NUMBER_SIZE];
	bool end;

	if (!r)
		return;
	end = r == &p->resident.last && p->resident.end;
	m = end ? NULL : resident_snapshot(p, r);
	line_add(&s->t->line, "RSS ");
	if (end)
		line_add(&s->t->line, "%s: ",
			 conditions_runs(&p->runs[0]) ? "then" : "at the end");
	else
		line_add(&s->t->line, "at %s: ", summary_time(s, buf, r->at));
	summary_bytes(s, r->rss);
	line_add(&s->t->line, ", live blocks ");
	summary_bytes(s, r->live);
	if (end || m)
		resident_rest(s, m);
	line_add(&s->t->line, p->nmemory || p->nmemory_snapshots
				      ? "; --memory"
				      : "; see --timeline");
	if (p->nmemory_snapshots)
		summary_fits(s, ", --timeline=memory");
	else if (p->nmemory)
		summary_fits(s, ", --timeline");
	if (p->allocator)
		summary_fits(s, ", --allocator");
	else
		summary_fits(s, ", memmon --allocator");
	if (p->log.known)
		summary_fits(s, ", --log=addresses");
	summary_end(s);
}

/* Print the run, or the number of runs, and the number of threads. */
static void
summary_runs(struct summary *s)
{
	const struct profile *p = s->t->p;
	const struct run *r = p->runs;
	struct line *l = &s->t->line;
	bool several = summary_several(p);
	bool untold = r->killed && !r->running_known;
	char buf[NUMBER_SIZE], threads[64] = "", tail[300];
	const char *name = p->nruns ? r->program : "";

	if (p->nruns && !*name)
		name = r->path;
	if (!profile_is_less(p) && p->threads > 1)
		snprintf(threads, sizeof threads, ", %s threads",
			 number_grouped(buf, p->threads));
	if (several && p->nruns == 1)
		snprintf(tail, sizeof tail, ": a sum of several runs");
	else if (several)
		snprintf(tail, sizeof tail, ": %zu files, summed",
			 p->nruns - p->nunread);
	else
		snprintf(tail, sizeof tail, ": %s%s%s%s, %s%s%s",
			 conditions_at_least(r),
			 summary_time(s, buf, r->length),
			 r->attached ? " since memmon attached" : "", threads,
			 conditions_runs(r) || untold ? "" : "ended by ",
			 untold ? "ended or still running" : r->end,
			 r->cut ? ", file truncated" : "");
	line_look(l, LINE_TITLE);
	tables_fit(s->t, !several && *r->command ? r->command : name,
		   line_width(tail));
	line_look(l, LINE_PLAIN);
	line_add(l, "%s", tail);
	summary_end(s);
}

static void
summary_peak_line(struct summary *s)
{
	const struct profile *p = s->t->p;
	bool human = s->t->o->human;
	char n[NUMBER_SIZE], slack[NUMBER_SIZE];
	size_t width = line_width(number_units(n, p->peak, human)) +
		       sizeof ", peak " - 1;

	if (p->peak_slack)
		width += 4 +
			 line_width(number_units(slack, p->peak_slack, human));
	/* With standard errors, the line would be too long. */
	if (p->sample.rate || width > summary_room(s))
		summary_end(s);
	else
		line_add(&s->t->line, ", ");
	line_add(&s->t->line, "peak ");
	summary_peak(s, p->peak);
	errors_lone(s->t, p->peak, p->total.var[PROFILE_E_PEAK]);
}

/* Print conditions that no table prints above its rows, except RSS. */
static void
apart(struct summary *s)
{
	struct conditions c;

	if (conditions_init(&c, s->t->p, s->t->o->human))
		s->t->line.failed = true;
	for (size_t i = 0; i < c.n; i++) {
		if (c.v[i].said != CONDITION_APART ||
		    !strcmp(c.v[i].name, "resident"))
			continue;
		line_add(&s->t->line, "%s: %s", c.v[i].name, c.v[i].text);
		summary_end(s);
	}
	conditions_fini(&c);
}

static void
summary_totals(struct summary *s)
{
	const struct profile *p = s->t->p;
	struct line *l = &s->t->line;
	bool human = s->t->o->human;
	char buf[NUMBER_SIZE];

	summary_runs(s);
	if (p->incomplete)
		line_add(l, "at least ");
	summary_bytes(s, counts_sum(p->total.bytes));
	errors_lone(s->t, counts_sum(p->total.bytes),
		    p->total.var[PROFILE_E_BYTES]);
	line_add(l, " in %s block%s",
		 number_grouped(buf, counts_sum(p->total.allocs)),
		 counts_sum(p->total.allocs) == 1 ? "" : "s");
	errors_lone(s->t, counts_sum(p->total.allocs),
		    p->total.var[PROFILE_E_ALLOCS]);
	line_add(l, " allocated%s", p->sample.rate ? "" : ", ");
	/* With standard errors, the line would be too long. */
	if (p->sample.rate)
		summary_end(s);
	line_add(l, "%s", number_units(buf, amount_kept(&p->total), human));
	errors_lone(s->t, amount_kept(&p->total), p->total.var[PROFILE_E_KEPT]);
	line_add(l, " %s", profile_is_earlier(p) ? "live then" : "not freed");
	if (!profile_is_less(p) || p->peaks_known)
		summary_peak_line(s);
	summary_end(s);
	summary_resident(s);
	summary_mapped(s);
	if (p->links.retained)
		summary_held(s);
	apart(s);
}

/* Print suppressed blocks, and the commands that show more. */
static void
summary_more(struct summary *s)
{
	const struct profile *p = s->t->p;
	struct suppressed hidden = counts_of_all(&p->total).hidden;
	char why[AMOUNT_WHY_SIZE];

	summary_end(s);
	if (hidden.blocks) {
		line_add(&s->t->line, "Suppressed: ");
		summary_blocks(s, hidden.bytes, hidden.blocks);
		amount_hidden_why(p, why);
		summary_fits(s, "%s", why);
		summary_fits(s, "; -L lists the rules");
		summary_end(s);
	}
	line_add(&s->t->line, "More: --full, all tables");
	if (summary_unchecked(p) && !s->hint)
		summary_fits(s, "; memmon -l, what is lost");
	summary_fits(s, "; -L, leaks");
	summary_fits(s, "; -q, call graph");
	summary_fits(s, "; --html=FILE, page");
	if (s->t->o->brief)
		summary_fits(s, "; --brief=no");
	summary_end(s);
}

static const struct legend legend = {
	"Each section has the lines of the program that caused most of it.",
	12,
	{
		{ "KB, MB, GB", "1024 bytes, 1024 KB, 1024 MB" },
		{ "%", "share of the section, or of the line above" },
		{ "+ 5 held", "blocks to which only lost blocks lead; the "
			      "figure includes their bytes" },
		{ "+- 64 KB", "possible error of the peak, because several "
			      "threads allocated" },
		{ "> [std]", "by code of the standard libraries or of the "
			     "compiler" },
		{ "(suppressed)", "what is live of it at the end counts as "
				  "suppressed, not as leaked" },
		{ "< f", "called by f; < ...: more callers than the line has "
			 "room for" },
		{ "=T, ~T", "the type of the blocks: certain, or derived "
			    "from the code" },
	},
	{ NULL },
};

static void
summary_uses(struct summary *s)
{
	const struct profile *p = s->t->p;

	if (!p->uses_known || profile_is_part(p))
		return;
	s->use = tables_room(s->t, s->all.n, sizeof *s->use);
	profile_use_all(p, s->all.of, s->use, s->all.n);
}

/* Does the section have a row with the same line and figure? */
static bool
summary_has(const struct summary_part *part, const struct summary_row *r)
{
	for (size_t i = 0; i < part->n; i++)
		if (part->row[i].origin == r->origin && part->row[i].n == r->n)
			return true;
	return false;
}

/* If a section has all rows of the previous one, remove them from it. */
static void
leave_out(const struct summary_part *before, struct summary_part *part)
{
	size_t n = part->n, left = 0;

	for (size_t i = 0; i < n; i++)
		left += !summary_has(before, &part->row[i]);
	if (!before->n || n - left < before->n)
		return;
	part->same = true;
	part->n = 0;
	for (size_t i = 0; i < n; i++)
		if (!summary_has(before, &part->row[i]))
			part->row[part->n++] = part->row[i];
}

/* The least number of lines for all sections. */
static size_t
needed(const struct summary_part *part, size_t n)
{
	size_t lines = 0;

	for (size_t i = 0; i < n; i++)
		lines += part[i].n ? 3 : 2;
	return lines;
}

/* Divide the lines evenly among the sections, as far as they need lines. */
static void
summary_fit(struct summary_part *part, size_t n, size_t lines)
{
	size_t fits[SUMMARY_SECTIONS] = { 0 }, last;

	lines -= lines < 2 * n ? lines : 2 * n;
	do {
		last = lines;
		for (size_t i = 0; i < n && lines; i++) {
			if (summary_part_fit(&part[i], SIZE_MAX) <= fits[i])
				continue;
			fits[i]++;
			lines--;
		}
	} while (lines < last);
	for (size_t i = 0; i < n; i++)
		summary_part_fit(&part[i], fits[i]);
}

static void
summary_table(struct summary *s, struct summary_part *part, size_t n)
{
	const struct line *l = &s->t->line;
	size_t lines = s->t->o->screen_lines;

	summary_totals(s);
	if (!n) {
		summary_end(s);
		tables_nothing(s->t);
	}
	while (n > 1 && l->lines + needed(part, n) + LINES_MORE > lines)
		n--;
	for (size_t i = 0; i < n; i++) {
		size_t taken = l->lines + LINES_MORE -
			       !counts_of_all(&s->t->p->total).hidden.blocks;

		summary_fit(&part[i], n - i, amount_sub(lines, taken));
		summary_part_print(s, &part[i]);
	}
	summary_more(s);
	legend_explain(s->t, &legend, NULL, NULL);
}

static int
sections(struct summary *s)
{
	struct summary_part part[SUMMARY_SECTIONS] = { 0 };
	size_t n = 0;
	int status = 0;

	for (size_t i = 0; i < SUMMARY_SECTIONS && !status; i++) {
		const struct summary_section *x = &summary_sections[i];

		if (!x->wanted(s->t->p))
			continue;
		status = summary_part_init(s, x, &part[n++]);
		/* No block is used badly enough to matter. */
		if (!status && x->how == SUMMARY_ADVICE && !part[n - 1].n)
			n--;
		if (!status && n > 1 && x->again)
			leave_out(&part[n - 2], &part[n - 1]);
	}
	if (!status)
		summary_table(s, part, n);
	return status;
}

int
summary_print(struct tables *t)
{
	struct summary s = { .t = t };
	struct line *l = &t->line;
	size_t width = l->width;
	int status = -1;

	/* Limit the width of lines in a pipe, too. */
	l->width = t->o->screen_width;
	l->wrap = true;
	/* For a single run, the first line prints the other conditions. */
	tables_notes(t,
		     summary_several(t->p) ? CONDITION_HEADED : CONDITION_ITEM);
	if (!origins_init(&s.all, t)) {
		summary_uses(&s);
		s.row = tables_room(t, s.all.n, sizeof *s.row);
		status = sections(&s);
	}
	l->width = width;
	l->wrap = false;
	return status;
}
