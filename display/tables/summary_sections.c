/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The summary: the subject of each section. */
#include "display/tables/summary.h"
#include "display/text/amount.h"
#include "display/text/conditions.h"
#include "display/text/number.h"

#include <stdarg.h>
#include <string.h>

/* The least number of short-lived blocks for a section. */
enum { TEMPS = 100 };

/* -------------------------------------------------------------- figures -- */

/*
 * Figures of a site s.  a: its leaks, all 0 for a site without leaks.  Blocks
 * that only lost blocks reach count for the site of the lost blocks, or, if
 * that is unknown, for their own site.
 */
static const struct leak no_leak;
#define FIGURE(name, value) \
	static uint64_t name(const struct profile *p, size_t i) \
	{ \
		const struct site *s = &p->sites[i]; \
		const struct leak *a = s->leak ? s->leak : &no_leak; \
\
		(void)a; \
		return value; \
	}
FIGURE(kept_blocks, amount_kept_blocks(&s->count))
FIGURE(lost,
       amount_add(a->bytes[PROFILE_LOST],
		  p->holds_known ? a->holds.bytes : a->bytes[PROFILE_INDIRECT]))
FIGURE(lost_blocks, a->blocks[PROFILE_LOST])
FIGURE(indirect_blocks,
       p->holds_known ? a->holds.blocks : a->blocks[PROFILE_INDIRECT])
FIGURE(peak_blocks, s->peak_blocks)
FIGURE(allocs, counts_sum(s->count.allocs))
FIGURE(temps, s->life ? s->life->temps : 0)
FIGURE(used, s->use ? s->use->bytes : 0)

/* ---------------------------------------------------------------- lines -- */

void
summary_end(struct summary *s)
{
	line_end(&s->t->line);
}

size_t
summary_room(const struct summary *s)
{
	size_t taken = line_columns(&s->t->line) + s->reserved;
	size_t width = s->t->o->screen_width;

	return taken < width ? width - taken : 0;
}

bool
summary_fits(struct summary *s, const char *fmt, ...)
{
	char text[200];
	bool fits;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	fits = line_width(text) <= summary_room(s);
	if (fits)
		line_add(&s->t->line, "%s", text);
	return fits;
}

void
summary_title(struct summary *s, const char *text)
{
	line_look(&s->t->line, LINE_TITLE);
	line_add(&s->t->line, "%s", text);
	line_look(&s->t->line, LINE_PLAIN);
}

void
summary_bytes(struct summary *s, uint64_t n)
{
	char buf[NUMBER_SIZE];

	line_add(&s->t->line, "%s%s", number_units(buf, n, s->t->o->human),
		 s->t->o->human ? "" : " bytes");
}

/* Print the most bytes that were live, and the possible error. */
void
summary_peak(struct summary *s, uint64_t n)
{
	const struct profile *p = s->t->p;
	char buf[NUMBER_SIZE];

	line_add(&s->t->line, "%s", number_units(buf, n, s->t->o->human));
	if (p->peak_slack)
		line_add(&s->t->line, " +- %s",
			 number_units(buf, p->peak_slack, s->t->o->human));
}

char *
summary_time(struct summary *s, char *buf, uint64_t ns)
{
	char n[NUMBER_SIZE];

	if (s->t->o->human)
		return number_time(buf, ns);
	snprintf(buf, NUMBER_SIZE, "%s s", number_seconds(n, ns));
	return buf;
}

void
summary_blocks(struct summary *s, uint64_t n, uint64_t blocks)
{
	char buf[NUMBER_SIZE];

	summary_bytes(s, n);
	line_add(&s->t->line, " in %s block%s", number_grouped(buf, blocks),
		 blocks == 1 ? "" : "s");
}

/* ------------------------------------------------------------- sections -- */

static bool
has_lost(const struct profile *p)
{
	return p->leaks_known && (p->leak.blocks[PROFILE_LOST] ||
				  p->leak.blocks[PROFILE_INDIRECT]);
}

/* The time of the leak check as text, if it was not for this file; or "". */
static const char *
lost_when(const struct summary *s, char *buf)
{
	const struct profile *p = s->t->p;
	const struct run *r = p->runs;

	return p->nruns == 1 && r->leaks_known && !r->sum &&
			       (r->leak_why || (!r->leak_asked && !r->attached))
		       ? number_seconds(buf, r->leak_check)
		       : "";
}

/* Say how many lines of the program have no row. */
static void
more_places(struct summary *s, const struct summary_part *part)
{
	size_t n = part->nall - part->shown;
	char buf[NUMBER_SIZE];

	number_grouped(buf, n);
	if (n &&
	    !summary_fits(s, "; %s more place%s: -L", buf, n == 1 ? "" : "s"))
		line_add(&s->t->line, "; %s more", buf);
}

static void
lost_amount(struct summary *s)
{
	const struct leak *a = &s->t->p->leak;
	uint64_t blocks = a->blocks[PROFILE_INDIRECT];
	bool human = s->t->o->human;
	char n[NUMBER_SIZE], buf[NUMBER_SIZE];

	summary_title(s, "Lost");
	if (*lost_when(s, n))
		line_add(&s->t->line, " %s s after the start", lost_when(s, n));
	line_add(&s->t->line, ": ");
	summary_blocks(s, a->bytes[PROFILE_LOST], a->blocks[PROFILE_LOST]);
	if (!blocks)
		return;
	number_units(n, a->bytes[PROFILE_INDIRECT], human);
	number_grouped(buf, blocks);
	if (!summary_fits(s, ", which hold%s %s%s in %s other%s",
			  a->blocks[PROFILE_LOST] == 1 ? "s" : "", n,
			  human ? "" : " bytes", buf, blocks == 1 ? "" : "s"))
		line_add(&s->t->line, ", holding %s in %s", n, buf);
}

static void
lost_title(struct summary *s, const struct summary_part *part)
{
	lost_amount(s);
	more_places(s, part);
}

/* Beside lost blocks, print blocks not freed if less than half are lost. */
static bool
has_kept(const struct profile *p)
{
	return amount_kept(&p->total) >
	       (has_lost(p) ? amount_mul(leak_leaked(p->leak.bytes), 2) : 0);
}

bool
summary_unchecked(const struct profile *p)
{
	for (size_t i = 0; i < p->nruns; i++)
		if (p->runs[i].leak_why || p->runs[i].attached ||
		    !strstr(p->runs[i].end, "exit"))
			return false;
	return !p->leaks_known && !p->sample.rate && !p->snapshot.other &&
	       has_kept(p);
}

static void
kept_title(struct summary *s, const struct summary_part *part)
{
	const struct profile *p = s->t->p;
	char n[NUMBER_SIZE];

	summary_title(s, profile_is_earlier(p) ? "Live then" : "Not freed");
	line_add(&s->t->line, ": ");
	summary_blocks(s, amount_kept(&p->total),
		       amount_kept_blocks(&p->total));
	if (p->leaks_all && !has_lost(p)) {
		line_add(&s->t->line, ", none of it lost");
		if (*lost_when(s, n))
			line_add(&s->t->line, " (leak check at %s s)",
				 lost_when(s, n));
	}
	more_places(s, part);
	if (summary_unchecked(p))
		s->hint =
			summary_fits(s, "; memmon -l finds what is lost of it");
}

static bool
has_peak(const struct profile *p)
{
	return p->peaks_known && p->total.peak && !p->snapshot.peak;
}

static void
peak_title(struct summary *s, const struct summary_part *part)
{
	const char *same = part->n ? "; the same lines as above, and"
				   : "; the same lines as above";
	const char *as = part->n ? "; as above, and" : "; as above";
	const struct profile *p = s->t->p;
	const char *whose = tables_whose(p);
	char buf[NUMBER_SIZE];

	number_grouped(buf, p->peak_blocks);
	summary_title(s, "Held at the peak");
	line_add(&s->t->line, ": ");
	summary_peak(s, p->total.peak);
	line_add(&s->t->line, "%s", s->t->o->human ? "" : " bytes");
	s->reserved = part->same ? strlen(as) : 0;
	summary_fits(s, " in %s block%s", buf, p->peak_blocks == 1 ? "" : "s");
	summary_time(s, buf, p->peak_at);
	s->reserved = part->same ? strlen(same) : 0;
	if (!summary_fits(s, ", %s after %s%s", buf, conditions_since(p),
			  whose))
		summary_fits(s, ", at %s%s", buf, whose);
	s->reserved = 0;
	if (part->same && !summary_fits(s, "%s", same))
		line_add(&s->t->line, "%s", as);
}

static bool
has_allocs(const struct profile *p)
{
	return counts_sum(p->total.allocs);
}

static void
allocs_title(struct summary *s, const struct summary_part *part)
{
	char buf[NUMBER_SIZE];

	(void)part;
	summary_title(s, "Most allocations");
	line_add(&s->t->line, ": of %s",
		 number_grouped(buf, counts_sum(s->t->p->total.allocs)));
}

/* A few short-lived blocks don't matter. */
static bool
has_temps(const struct profile *p)
{
	return p->lives_known && !profile_is_part(p) && !p->sample.rate &&
	       p->life.temps >= TEMPS &&
	       p->life.temps >= counts_sum(p->total.allocs) / 100;
}

static void
temps_title(struct summary *s, const struct summary_part *part)
{
	char buf[NUMBER_SIZE];

	(void)part;
	summary_title(s, "Most short-lived");
	line_add(&s->t->line, ": %s blocks",
		 number_grouped(buf, s->t->p->life.temps));
	if (!summary_fits(s, " freed before their thread's next allocation"))
		summary_fits(s, " freed before the next is made");
}

static bool
has_uses(const struct profile *p)
{
	return p->uses_known && !profile_is_part(p) && p->program_sites;
}

static void
used_title(struct summary *s, const struct summary_part *part)
{
	(void)part;
	summary_title(s, "Worst used");
	line_add(&s->t->line, ": bytes allocated x (1 - score)");
	summary_fits(s, "; --fields, members");
}

const struct summary_section summary_sections[SUMMARY_SECTIONS] = {
	{ has_lost, lost_title, lost, lost_blocks, indirect_blocks, true,
	  SUMMARY_BLOCKS, false },
	{ has_kept, kept_title, origins_kept, kept_blocks, NULL, true,
	  SUMMARY_BLOCKS, false },
	{ has_peak, peak_title, origins_peak, peak_blocks, NULL, true,
	  SUMMARY_BLOCKS, true },
	{ has_allocs, allocs_title, allocs, origins_bytes, NULL, false,
	  SUMMARY_BYTES, false },
	{ has_temps, temps_title, temps, allocs, NULL, false, SUMMARY_OF,
	  false },
	{ has_uses, used_title, used, NULL, NULL, true, SUMMARY_ADVICE, false },
};
