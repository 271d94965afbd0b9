/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All the tables, one after the other, and what they have in common. */
#include "display/tables.h"

#include "display/amount.h"
#include "display/errors.h"
#include "display/number.h"
#include "display/see.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Is there something to be said of all figures? */
static bool
noted(const struct profile *p)
{
	return p->lost || p->incomplete || p->shortened || p->filter.options ||
	       p->sample.rate || p->moment.note;
}

/* Which filter there is, and how much it leaves. */
static void
filtered(struct tables *t)
{
	const struct profile_filtered *f = &t->p->filter;
	uint64_t bytes = amount_bytes(&t->p->total);
	uint64_t allocs = amount_allocs(&t->p->total);
	char n[NUMBER_SIZE], of[NUMBER_SIZE], percent[NUMBER_SIZE];

	if (!f->options)
		return;
	line_add(&t->line, "filter: %s", f->options);
	line_end(&t->line);
	if (!f->less) {
		line_add(&t->line, "        leaves all %s bytes",
			 tables_bytes(t, n, bytes));
		line_end(&t->line);
		return;
	}
	number_tenths(percent, bytes, f->bytes);
	line_add(&t->line,
		 "        leaves %s of %s bytes (%s%%), %" PRIu64 " of %" PRIu64
		 " allocations",
		 tables_bytes(t, n, bytes), tables_bytes(t, of, f->bytes),
		 percent, allocs, f->allocs);
	if (f->unsized_allocs)
		line_add(&t->line, "; of %" PRIu64 " the size isn't known",
			 f->unsized_allocs);
	line_end(&t->line);
}

/* Which moment it is; each line of the note by itself. */
static void
moment(struct tables *t)
{
	const char *s = t->p->moment.note;

	while (s) {
		int n = (int)strcspn(s, "\n");

		line_add(&t->line, "%.*s", n, s);
		line_end(&t->line);
		s = s[n] ? s + n + 1 : NULL;
	}
}

void
tables_notes(struct tables *t)
{
	const struct profile *p = t->p;
	char n[NUMBER_SIZE];

	moment(t);
	filtered(t);
	errors_note(t);
	if (p->lost) {
		line_add(&t->line,
			 "unrecorded: %" PRIu64 " allocations of %s bytes "
			 "could not be recorded and are in none of the figures",
			 p->lost, tables_bytes(t, n, p->lost_bytes));
		line_end(&t->line);
	}
	if (p->incomplete) {
		line_add(&t->line, "incomplete: a data file was cut short, so "
				   "the figures are lower bounds");
		line_end(&t->line);
	}
	if (p->shortened) {
		line_add(&t->line,
			 "shortened: %" PRIu64 " allocations %sare shown "
			 "without their outer callers, %s",
			 p->shortened,
			 p->filter.less	   ? "of the whole program "
			 : p->moment.other ? "of the whole run "
					   : "",
			 p->maxmem ? "for the limit MEMMON_MAXMEM"
				   : "for want of memory");
		line_end(&t->line);
	}
	if (noted(p))
		line_end(&t->line);
}

void
tables_title(struct tables *t, const char *title)
{
	line_add(&t->line, "%s", title);
	line_end(&t->line);
	if (!noted(t->p))
		line_end(&t->line);
	tables_notes(t);
}

const char *
tables_whose(const struct profile *p)
{
	return p->nruns > 1 || (p->nruns && p->runs[0].sum)
		       ? " of the run with the largest"
		       : "";
}

char *
tables_bytes(const struct tables *t, char *buf, uint64_t n)
{
	return number_bytes(buf, n, t->o->human);
}

char *
tables_lone(const struct tables *t, char *buf, uint64_t n)
{
	if (n || !t->p->incomplete)
		return tables_bytes(t, buf, n);
	snprintf(buf, NUMBER_SIZE, "-");
	return buf;
}

bool
tables_worth(const struct tables *t, uint64_t part, uint64_t whole)
{
	unsigned parts = t->o->verbosity == OPTIONS_TERSE ? 100 : 200;

	return t->o->verbosity == OPTIONS_VERBOSE ||
	       (unsigned __int128)part * parts >= whole;
}

void
tables_others(struct tables *t, size_t n)
{
	line_add(&t->line, "(%zu other%s)", n, n == 1 ? "" : "s");
	line_end(&t->line);
}

void
tables_say(struct tables *t, const char *text)
{
	line_add(&t->line, "%s", text);
	line_end(&t->line);
}

void
tables_unknown(struct tables *t, const char *what)
{
	const char *why = t->p->nruns > 1
				  ? "the data files have no full record of it"
				  : "the data file has no record of it";

	if (t->p->incomplete)
		why = "a data file was cut short before it";
	if (t->p->moment.other)
		why = "it is known of the end of the run only";
	if (t->p->filter.part)
		why = "it isn't recorded by size or thread, and the filter "
		      "leaves parts of call paths";
	line_add(&t->line, "%s is not known: %s.", what, why);
	line_end(&t->line);
}

void
tables_nothing(struct tables *t)
{
	tables_say(t, t->p->filter.less	   ? "Nothing passes the filter."
		      : t->p->moment.other ? "Nothing was allocated then."
					   : "Nothing was allocated.");
}

void
tables_no_uses(struct tables *t)
{
	const char *why = t->p->uses_why;

	if (profile_is_part(t->p)) {
		tables_unknown(t, "How blocks were used");
		return;
	}
	if (why && *why) {
		line_add(&t->line, "No accesses were recorded: %s.", why);
		line_end(&t->line);
	} else {
		tables_unknown(t, "How blocks were used");
	}
	line_end(&t->line);
	tables_say(t, "Accesses are recorded of programs that were compiled "
		      "with memmon-cc in place of");
	tables_say(t, "the compiler; see memmon-cc(1).");
}

static void
left_out(struct tables *t, uint64_t n, const char *why)
{
	if (!n)
		return;
	line_add(&t->line, "%" PRIu64 " block%s left out, %s.", n,
		 n == 1 ? " is" : "s are", why);
	line_end(&t->line);
}

void
tables_use_notes(struct tables *t)
{
	const struct profile *p = t->p;
	const char *why = p->uses_why && *p->uses_why ? p->uses_why : NULL;
	char bytes[NUMBER_SIZE];

	if (p->foreign.sites) {
		line_add(&t->line,
			 "%" PRIu64 " block%s (%s bytes) of code whose "
			 "accesses aren't recorded %s left out.",
			 p->foreign.blocks, p->foreign.blocks == 1 ? "" : "s",
			 tables_bytes(t, bytes, p->foreign.bytes),
			 p->foreign.blocks == 1 ? "is" : "are");
		line_end(&t->line);
	}
	left_out(t, p->unfolded,
		 p->unplaced_known ? "for want of memory"
				   : "for want of memory or of space between "
				     "them");
	left_out(t, p->unplaced,
		 "as their allocator puts others within 32 "
		 "bytes of them");
	if (!p->ticked)
		tables_say(t, "The clock moved only when blocks were timed: "
			      "accesses may seem earlier than they were.");
	if (why) {
		line_add(&t->line, "Note: %s.", why);
		line_end(&t->line);
	}
	if (p->foreign.sites || p->unfolded || p->unplaced || !p->ticked || why)
		line_end(&t->line);
}

/* Set on[] for the functions that the symbols name. */
static int
mark(const struct sort *s, const struct options_list *symbols, bool *on,
     bool value, struct err *e)
{
	for (size_t i = 0; i < symbols->n; i++) {
		bool found = false;

		for (size_t k = 0; k < s->nnodes; k++) {
			const struct func *f = s->nodes[k].func;

			if (!f || !profile_means(f, symbols->item[i]))
				continue;
			on[k] = value;
			found = true;
		}
		if (!found) {
			snprintf(e->text, sizeof e->text,
				 "no function %s is in the tables: it "
				 "allocated nothing, or it is taken for a "
				 "wrapper of malloc (--no-wrappers shows "
				 "these); mpreduce -p -z has all names",
				 symbols->item[i]);
			return -1;
		}
	}
	return 0;
}

/* Which nodes a table shows: `only' if there are any, and none of `without'. */
static int
choose(const struct sort *s, const struct options_list *only,
       const struct options_list *without, bool **on, struct err *e)
{
	*on = malloc(s->nnodes + 1);
	if (!*on) {
		snprintf(e->text, sizeof e->text, "out of memory");
		return -1;
	}
	memset(*on, only->n == 0, s->nnodes);
	return mark(s, only, *on, true, e) || mark(s, without, *on, false, e)
		       ? -1
		       : 0;
}

static int
print_all(struct tables *t)
{
	const struct options *o = t->o;
	bool scores = o->scores || (!o->chosen && t->p->uses_known);
	bool marks = o->marks || (!o->chosen && t->p->nmarks);
	const struct {
		bool wanted;
		int (*print)(struct tables *t);
	} table[] = { { o->prolog, prolog_print },
		      { marks, marks_print },
		      { o->threads, threads_print },
		      { o->leaks, leaks_print },
		      { o->peak, peak_print },
		      { o->lives, lives_print },
		      { o->bins, bins_print },
		      { o->types, types_print },
		      { o->waste, waste_print },
		      { o->direct, direct_print },
		      { o->graph, graph_print },
		      { scores, scores_print },
		      { o->fields, fields_print },
		      { o->annotate, annotate_print },
		      { o->see.timeline, timeline_print },
		      { o->see.chunks, chunks_print },
		      { o->see.addresses, addresses_print },
		      { o->see.quantiles, quantiles_print } };
	bool first = true;

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		if (!table[i].wanted)
			continue;
		if (!first)
			line_block(&t->line, "\n\f\n");
		first = false;
		if (table[i].print(t))
			return -1;
	}
	return t->line.failed ? -1 : 0;
}

int
tables_print(const struct profile *p, const struct options *o, FILE *out,
	     struct err *e)
{
	struct tables t = { .p = p, .o = o, .e = e };
	int status = -1;

	line_init(&t.line, out);
	snprintf(e->text, sizeof e->text, "out of memory");
	if (sort_init(&t.sort, p, o->name_width) == 0 &&
	    choose(&t.sort, &o->direct_only, &o->direct_not, &t.direct_on, e) ==
		    0 &&
	    choose(&t.sort, &o->graph_only, &o->graph_not, &t.graph_on, e) ==
		    0 &&
	    fields_check(p, o, e) == 0 && annotate_check(p, o, e) == 0 &&
	    chunks_check(p, o, e) == 0)
		status = print_all(&t);
	free(t.direct_on);
	free(t.graph_on);
	sort_fini(&t.sort);
	line_fini(&t.line);
	return status;
}
