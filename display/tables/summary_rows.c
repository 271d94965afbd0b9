/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The summary: the rows of a section, and who called them. */
#include "display/tables/advice.h"
#include "display/tables/summary.h"
#include "display/text/amount.h"
#include "display/text/number.h"

#include <stdlib.h>
#include <string.h>

/*
 * Of a section the most rows, and the most callers of a row.  A row is worth it
 * for a hundredth of the section, a caller for a tenth of the row.
 */
enum { ROWS = 5, ROW_SHARE = 100, CALLERS = 4, CALLER_SHARE = 10 };

struct summary_row {
	size_t origin;
	uint64_t n, beside, indirect;
	struct origins_callers callers;
	struct origins_passed passed;
	size_t shown; /* callers that get a line */
};

struct summary_row *
summary_rows_new(size_t n)
{
	return calloc(n + 1, sizeof(struct summary_row));
}

/* ----------------------------------------------------------------- rows -- */

static int
compare(const void *va, const void *vb)
{
	const struct summary_row *a = va, *b = vb;

	if (a->n != b->n)
		return a->n < b->n ? 1 : -1;
	if (a->beside != b->beside)
		return a->beside < b->beside ? 1 : -1;
	return (a->origin > b->origin) - (a->origin < b->origin);
}

/* The rows of all origins that have something, the most first. */
static size_t
gather(struct summary *s, const struct summary_section *x, uint64_t *all)
{
	const struct profile *p = s->t->p;
	size_t n = 0;

	for (size_t i = 0; i < s->all.n; i++)
		s->row[i] = (struct summary_row){ .origin = i };
	for (size_t i = 0; i < p->nsites; i++) {
		struct summary_row *r = &s->row[s->all.of[i]];

		r->n = amount_add(r->n, x->figure(p, i));
		if (x->beside)
			r->beside = amount_add(r->beside, x->beside(p, i));
		if (x->indirect)
			r->indirect =
				amount_add(r->indirect, x->indirect(p, i));
	}
	*all = 0;
	for (size_t i = 0; i < s->all.n; i++) {
		struct summary_row *r = &s->row[i];

		/* How much there is to save by using it better. */
		if (x->how == SUMMARY_ADVICE && s->use[i].groups &&
		    profile_use_known(&s->use[i]))
			r->n = profile_score(&s->use[i]).saving;
		else if (x->how == SUMMARY_ADVICE)
			r->n = 0;
		*all = amount_add(*all, r->n);
		if (r->n)
			s->row[n++] = *r;
	}
	qsort(s->row, n, sizeof *s->row, compare);
	return n;
}

/* How many rows fit, with a line for each one's callers; these are found. */
static int
choose(struct summary *s, const struct summary_section *x, size_t n,
       uint64_t all, size_t room, size_t *chosen)
{
	size_t lines = 0, i;

	*chosen = 0;
	for (i = 0; i < n && i < ROWS && lines < room; i++) {
		struct summary_row *r = &s->row[i];
		const struct origin *o = &s->all.v[r->origin];

		if (i && (unsigned __int128)r->n * ROW_SHARE < all)
			break;
		if (o->at)
			origins_pass(&r->passed, o->at->func);
		++*chosen;
		if (origins_callers(&r->callers, &s->all, r->origin, x->figure,
				    &r->passed))
			return -1;
		r->shown = r->callers.ncommon ||
			   (r->callers.n &&
			    r->callers.end[r->callers.v[0].first].at);
		lines += 1 + r->shown;
		if (lines > room)
			r->shown = 0;
	}
	/* What is left is for more callers, of the first rows first. */
	for (i = 0; i < *chosen; i++) {
		struct summary_row *r = &s->row[i];

		while (r->shown && lines < room && r->shown < r->callers.n &&
		       r->shown < CALLERS &&
		       r->callers.v[r->shown].sum >=
			       r->callers.sum / CALLER_SHARE) {
			r->shown++;
			lines++;
		}
	}
	return 0;
}

/* ---------------------------------------------------------------- lines -- */

/* The figures of a row as text. */
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

/* Columns that are left in the line. */
static size_t
room(const struct summary *s)
{
	size_t taken = line_columns(&s->t->line), width = s->t->o->screen_width;

	return taken < width ? width - taken : 0;
}

/* The type of all of the blocks, if it is known and there is room. */
static void
type(struct summary *s, const struct origin *o)
{
	size_t n = o->type ? line_width(o->type) : 0;

	if (o->several || !n || n + 3 > room(s))
		return;
	line_add(&s->t->line, "  %c%s", o->type_mark, o->type);
}

/* The line of a row: what it allocates itself. */
static void
row_line(struct summary *s, const struct summary_row *r, const struct texts *x,
	 const size_t width[3])
{
	const struct origin *o = &s->all.v[r->origin];
	struct line *l = &s->t->line;

	line_look(l, LINE_FIGURE);
	line_right(l, width[0] + 2, x->n);
	line_look(l, LINE_PLAIN);
	line_right(l, width[1] + 1, x->share);
	line_right(l, 2, "");
	line_right(l, width[2], x->beside);
	line_right(l, 2, "");
	if (!o->at) {
		line_add(l, "(no chain)");
		summary_end(s);
		return;
	}
	origins_place(s->t, o->at, NULL, room(s) - (o->std ? 8 : 0));
	if (o->std)
		line_add(l, " > [std]");
	type(s, o);
	summary_end(s);
}

/* Add a caller, and leave room for " < ..."; false: there isn't enough. */
static bool
caller(struct summary *s, const struct frame *f, bool std, size_t *frames,
       const struct frame **from)
{
	const char *before = std ? " < [std] < " : " < ";
	size_t columns = origins_columns(s->t, f, *from) + strlen(before);
	size_t behind = sizeof " < ..." - 1;

	/* Nothing comes behind where the program begins. */
	if (!f->parent && f->start < PROFILE_START_CUT)
		behind = 0;
	*frames += !f->inlined;
	/* It is cut only if most of a long name is left. */
	if (*frames > CALLERS ||
	    room(s) < (columns < 40 ? columns : 40) + behind)
		return false;
	line_add(&s->t->line, "%s", before);
	origins_place(s->t, f, *from, room(s) - behind);
	*from = f;
	return true;
}

/* The line of a caller, from the inner end on as far as it is that of all. */
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
	char buf[NUMBER_SIZE];

	line_right(l, indent,
		   r->callers.n > 1 ? number_share(buf, c->sum, r->callers.sum)
				    : "");
	while (i < r->callers.ncommon &&
	       caller(s, r->callers.common[i].at, r->callers.common[i].std,
		      &frames, &from))
		i++;
	while (i == r->callers.ncommon && n == 1 && e->at &&
	       origins_pass(&passed, e->at->func) &&
	       caller(s, e->at, e->std, &frames, &from))
		n = origins_outwards(&r->callers, c, &passed);
	if (n > 1 && room(s) >= 17)
		line_add(l, " < %s callers", number_grouped(buf, n));
	else if (n > 1 || e->at || i < r->callers.ncommon ||
		 e->leaf->start >= PROFILE_START_CUT)
		line_add(l, " < ...");
	summary_end(s);
}

int
summary_section(struct summary *s, const struct summary_section *x,
		size_t lines)
{
	size_t n, chosen, width[3] = { 0 };
	struct texts text[ROWS];
	uint64_t all;
	int status;

	n = gather(s, x, &all);
	status = choose(s, x, n, all, lines, &chosen);
	for (size_t i = 0; i < chosen && !status; i++) {
		const char *v[] = { text[i].n, text[i].share, text[i].beside };

		put_texts(s, x, &s->row[i], all, &text[i]);
		for (int k = 0; k < 3; k++)
			if (width[k] < line_width(v[k]))
				width[k] = line_width(v[k]);
	}
	summary_end(s);
	x->title(s);
	summary_end(s);
	for (size_t i = 0; i < chosen && !status; i++) {
		row_line(s, &s->row[i], &text[i], width);
		for (size_t k = 0; k < s->row[i].shown; k++)
			caller_line(s, &s->row[i], k, width[0] + width[1] + 3);
	}
	for (size_t i = 0; i < chosen; i++)
		origins_callers_fini(&s->row[i].callers);
	return status;
}
