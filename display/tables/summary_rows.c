/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The summary: the rows of a section, and their callers. */
#include "display/tables/advice.h"
#include "display/tables/summary.h"
#include "display/text/amount.h"
#include "display/text/number.h"
#include "reduce/base/sort.h"

#include <stdlib.h>
#include <string.h>

/*
 * The most callers of a row, and what a row or a caller needs: a hundredth of
 * the section, or a tenth of the row.
 */
enum { ROW_SHARE = 100, CALLERS = 4, CALLER_SHARE = 10 };

/* ----------------------------------------------------------------- rows -- */

SORT_BY(compare, struct summary_row,
	SORT_DOWN(n) SORT_DOWN(beside) SORT_UP(origin))

/* Did run-time code allocate the blocks of the site, or the line itself? */
static void
summary_rows_add_code(struct summary_row *to, const struct site *s)
{
	bool std = false;

	if (origins_own(s->leaf, &std) && std)
		to->std = true;
	else
		to->plain = true;
}

/* Add a site to its row. */
static void
summary_rows_add_site(const struct summary_section *x, const struct profile *p,
		      size_t i, struct summary_row *r)
{
	uint64_t n = x->figure(p, i);
	uint64_t beside = x->beside ? x->beside(p, i) : 0;
	uint64_t indirect = x->indirect ? x->indirect(p, i) : 0;

	r->n = amount_add(r->n, n);
	r->beside = amount_add(r->beside, beside);
	r->indirect = amount_add(r->indirect, indirect);
	if (!amount_kept(&p->sites[i].count))
		r->hidden = amount_add(
			r->hidden,
			counts_of_all(&p->sites[i].count).hidden.bytes);
	if (!n && !beside && !indirect)
		return;
	summary_rows_add_code(r, &p->sites[i]);
	site_types_add(&r->types, &p->sites[i], n, beside);
}

/* Make rows of all origins with a figure, largest first; returns how many. */
static size_t
summary_rows_gather(struct summary *s, const struct summary_section *x,
		    uint64_t *all)
{
	const struct profile *p = s->t->p;
	size_t n = 0;

	for (size_t i = 0; i < s->all.n; i++)
		s->row[i] = (struct summary_row){ .origin = i };
	for (size_t i = 0; i < p->nsites; i++)
		summary_rows_add_site(x, p, i, &s->row[s->all.of[i]]);
	*all = 0;
	for (size_t i = 0; i < s->all.n; i++) {
		struct summary_row *r = &s->row[i];

		/* The bytes that better use would save. */
		if (x->how == SUMMARY_ADVICE) {
			struct score score = profile_score(&s->use[i]);

			r->n = score.known ? score.saving : 0;
		}
		*all = amount_add(*all, r->n);
		if (r->n)
			s->row[n++] = *r;
	}
	qsort(s->row, n, sizeof *s->row, compare);
	return n;
}

int
summary_part_init(struct summary *s, const struct summary_section *x,
		  struct summary_part *to)
{
	const struct profile *p = s->t->p;
	size_t n;
	uint64_t least;

	*to = (struct summary_part){ .x = x };
	n = summary_rows_gather(s, x, &to->all);
	to->nall = n;
	least = to->all;
	/* Short-lived and badly used blocks must matter for the whole run. */
	if (x->how == SUMMARY_OF)
		least = counts_sum(p->total.allocs);
	else if (x->how == SUMMARY_ADVICE)
		least = counts_sum(p->total.bytes);
	while (to->n < n && to->n < SUMMARY_ROWS) {
		struct summary_row *r = &to->row[to->n];
		const struct origin *o;

		*r = s->row[to->n];
		if ((to->n || x->how == SUMMARY_ADVICE) &&
		    (unsigned __int128)r->n * ROW_SHARE < least)
			break;
		o = &s->all.v[r->origin];
		if (o->at)
			origins_pass(&r->passed, o->at->func);
		to->n++;
		if (origins_callers(&r->callers, &s->all, r->origin, x->figure,
				    &r->passed))
			return -1;
	}
	return 0;
}

size_t
summary_part_fit(struct summary_part *part, size_t room)
{
	size_t lines = 0, i;

	for (i = 0; i < part->n && lines < room; i++) {
		struct summary_row *r = &part->row[i];
		const struct origins_callers *c = &r->callers;

		r->shown = c->ncommon || c->n > 1 ||
			   (c->n && c->end[c->v[0].first].at);
		if (lines + 1 + r->shown > room)
			r->shown = 0;
		lines += 1 + r->shown;
	}
	part->shown = i;
	/* Give free lines to more callers, of the first rows first. */
	for (i = 0; i < part->shown; i++) {
		struct summary_row *r = &part->row[i];

		while (r->shown && lines < room && r->shown < r->callers.n &&
		       r->shown < CALLERS &&
		       r->callers.v[r->shown].sum >=
			       r->callers.sum / CALLER_SHARE) {
			r->shown++;
			lines++;
		}
	}
	return lines;
}

/* ---------------------------------------------------------------- lines -- */

/* The suffix of a line that calls run-time code. */
static const char std_code[] = " > [std]";

/* The figures of a row as texts. */
struct texts {
	char n[NUMBER_SIZE], share[NUMBER_SIZE], beside[2 * NUMBER_SIZE + 16];
};

static void
put_texts(struct summary *s, const struct summary_section *x,
	  const struct summary_row *r, uint64_t all, struct texts *to)
{
	bool human = s->t->o->human;
	char buf[NUMBER_SIZE], more[NUMBER_SIZE];

	if (x->bytes)
		number_units(to->n, r->n, human);
	else
		number_grouped(to->n, r->n);
	number_share(to->share, r->n, all);
	if (x->how == SUMMARY_ADVICE)
		snprintf(to->beside, sizeof to->beside, "%s",
			 advice_first(s->t, buf, &s->use[r->origin]));
	else if (x->how == SUMMARY_BYTES)
		snprintf(to->beside, sizeof to->beside, "%s%s",
			 number_units(buf, r->beside, human),
			 human ? "" : " bytes");
	else if (x->how == SUMMARY_OF)
		snprintf(to->beside, sizeof to->beside, "of %s",
			 number_grouped(buf, r->beside));
	else if (r->indirect && !r->beside)
		snprintf(to->beside, sizeof to->beside, "%s indirect",
			 number_grouped(more, r->indirect));
	else if (r->indirect)
		snprintf(to->beside, sizeof to->beside, "%s + %s %s",
			 number_grouped(buf, r->beside),
			 number_grouped(more, r->indirect),
			 s->t->p->holds_known ? "held" : "indirect");
	else
		snprintf(to->beside, sizeof to->beside, "%s block%s",
			 number_grouped(buf, r->beside),
			 r->beside == 1 ? "" : "s");
}

/* Add the types with a tenth of the row, if there is room. */
static void
summary_rows_types(struct summary *s, struct summary_row *r)
{
	struct line *l = &s->t->line;
	char *types = site_types_text(l, &r->types, r->n, r->beside,
				      amount_sub(summary_room(s), 2), 0);

	if (types)
		line_add(l, "  %s", types);
	free(types);
}

/*
 * Print the line of a row: the line of the program.  held: r->n is of blocks
 * that are live at one time.
 */
static void
row_line(struct summary *s, struct summary_row *r, bool held,
	 const struct texts *x, const size_t width[3])
{
	const struct origin *o = &s->all.v[r->origin];
	size_t place = o->at ? origins_columns(s->t, o->at, NULL) : 0, field;
	struct line *l = &s->t->line;
	bool std;

	line_look(l, LINE_FIGURE);
	line_right(l, width[0] + 2, x->n);
	line_look(l, LINE_PLAIN);
	line_right(l, width[1] + 1, x->share);
	line_right(l, 2, "");
	/* Use padding only if the name doesn't need the room. */
	field = summary_room(s);
	field = field > place + 2 ? field - place - 2 : 0;
	line_right(l, field < width[2] ? field : width[2], x->beside);
	line_right(l, 2, "");
	if (!o->at) {
		line_add(l, "(no chain)");
		summary_end(s);
		return;
	}
	std = r->std && !r->plain &&
	      place + strlen(std_code) <= summary_room(s);
	origins_place(s->t, o->at, NULL, summary_room(s));
	if (std)
		line_add(l, "%s", std_code);
	summary_rows_types(s, r);
	if (held && r->hidden >= r->n)
		summary_fits(s, " (suppressed)");
	summary_end(s);
}

/* Add a caller, and leave room for " < ..."; false: no room. */
static bool
summary_rows_caller(struct summary *s, const struct frame *f, bool std,
		    size_t *frames, const struct frame **from)
{
	const char *before = std ? " < [std] < " : " < ";
	size_t columns = origins_columns(s->t, f, *from) + strlen(before);
	size_t behind = sizeof " < ..." - 1;

	/* The outermost function has no caller. */
	if (!f->parent && f->start < PROFILE_START_CUT)
		behind = 0;
	*frames += !f->inlined;
	/* Shorten a long name only if most of it remains. */
	if (*frames > CALLERS ||
	    summary_room(s) < (columns < 40 ? columns : 40) + behind)
		return false;
	line_add(&s->t->line, "%s", before);
	origins_place(s->t, f, *from, summary_room(s) - behind);
	*from = f;
	return true;
}

/*
 * The paths of a caller now have n different callers.  Add that number, and the
 * next line that all of them share.
 */
static void
callers(struct summary *s, const struct summary_row *r,
	const struct origins_caller *c, size_t n,
	const struct origins_passed *passed)
{
	const struct frame *f = origins_common(&r->callers, c, passed);
	const struct frame *at = s->all.v[r->origin].at;
	char buf[NUMBER_SIZE];

	if (!summary_fits(s, " < %s callers", number_grouped(buf, n)))
		line_add(&s->t->line, " < ...");
	else if (f && origins_columns(s->t, f, at) + 9 <= summary_room(s) &&
		 summary_fits(s, " < ... < "))
		origins_place(s->t, f, at, summary_room(s));
}

/* Write the share of the callers without a line; "" if it is small. */
static void
put_others(const struct summary_row *r, char *to, size_t size)
{
	uint64_t left = r->callers.sum;
	char buf[NUMBER_SIZE];

	for (size_t i = 0; i < r->shown; i++)
		left = amount_sub(left, r->callers.v[i].sum);
	*to = '\0';
	if (r->callers.n > r->shown &&
	    (unsigned __int128)left * CALLER_SHARE >= r->callers.sum)
		snprintf(to, size, "; %s others",
			 number_share(buf, left, r->callers.sum));
}

/* Print the line of a caller and the callers that all of its paths share. */
static void
caller_line(struct summary *s, struct summary_row *r, size_t which,
	    size_t indent)
{
	struct origins_caller *c = &r->callers.v[which];
	struct origins_end *e = &r->callers.end[c->first];
	struct origins_passed passed = r->passed;
	const struct frame *from = s->all.v[r->origin].at;
	struct line *l = &s->t->line;
	size_t frames = 0, n = 1, i = 0;
	char buf[NUMBER_SIZE], others[NUMBER_SIZE] = "";

	if (which + 1 == r->shown)
		put_others(r, others, sizeof others);
	s->reserved = strlen(others);
	line_right(l, indent,
		   r->callers.n > 1 ? number_share(buf, c->sum, r->callers.sum)
				    : "");
	while (i < r->callers.ncommon &&
	       summary_rows_caller(s, r->callers.common[i].at,
				   r->callers.common[i].std, &frames, &from))
		i++;
	while (i == r->callers.ncommon && n == 1 && e->at &&
	       origins_pass(&passed, e->at->func) &&
	       summary_rows_caller(s, e->at, e->std, &frames, &from))
		n = origins_outwards(&r->callers, c, &passed);
	if (n > 1)
		callers(s, r, c, n, &passed);
	else if (e->at || i < r->callers.ncommon ||
		 e->leaf->start >= PROFILE_START_CUT)
		line_add(l, " < ...");
	else if (!frames)
		line_add(l, " (outermost)");
	s->reserved = 0;
	line_add(l, "%s", others);
	summary_end(s);
}

void
summary_part_print(struct summary *s, struct summary_part *part)
{
	size_t width[3] = { 0 };
	struct texts text[SUMMARY_ROWS];

	for (size_t i = 0; i < part->shown; i++) {
		const char *v[] = { text[i].n, text[i].share, text[i].beside };

		put_texts(s, part->x, &part->row[i], part->all, &text[i]);
		for (int k = 0; k < 3; k++)
			if (width[k] < line_width(v[k]))
				width[k] = line_width(v[k]);
	}
	summary_end(s);
	part->x->title(s, part);
	summary_end(s);
	for (size_t i = 0; i < part->shown; i++) {
		struct summary_row *r = &part->row[i];

		row_line(s, r, part->x->how == SUMMARY_BLOCKS, &text[i], width);
		for (size_t k = 0; k < r->shown; k++)
			caller_line(s, r, k, width[0] + width[1] + 3);
	}
}
