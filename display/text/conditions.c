/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The conditions of the run and its figures: see conditions.h. */
#define _GNU_SOURCE
#include "display/text/conditions.h"

#include "display/text/amount.h"
#include "display/text/number.h"
#include "reduce/base/clean.h"

#include <inttypes.h>
#include <string.h>

/* Report resident memory that exceeds blocks and the monitor's by this. */
#define RESIDENT_MUCH (UINT64_C(16) << 20)

/* Report that recording was off if it was for at least this time, ns. */
#define OFF_MUCH UINT64_C(1000000000)

/* Arguments of the functions that make texts. */
struct maker {
	const struct profile *p;
	struct arena *a;
	bool human;
	bool little; /* set by a text that matters only in the prolog */
};

/* ------------------------------------------------------------------ runs -- */

bool
conditions_runs(const struct run *r)
{
	return r->alive || (r->killed && r->running_known && r->running);
}

/* name(r): is it true of the run r? */
#define OF_RUN(name, condition) \
	static bool name(const struct run *r) \
	{ \
		return condition; \
	}

/* Did the process end without a data file, or is it still running? */
OF_RUN(is_untold, r->killed && !r->running_known)
OF_RUN(is_killed, r->killed && r->running_known && !r->running)
OF_RUN(is_attached, r->attached)
OF_RUN(is_own,
       (r->own & (MONOUT_OWN_MALLOC | MONOUT_OWN_OTHERS | MONOUT_OWN_NEW)) != 0)
OF_RUN(is_own_library, (r->own & MONOUT_OWN_LIBRARY) != 0)
OF_RUN(is_own_deep, (r->own & MONOUT_OWN_DEEP) != 0)
OF_RUN(is_own_space, (r->own & MONOUT_OWN_SPACE) != 0)
OF_RUN(is_own_tool, (r->own & MONOUT_OWN_TOOL) != 0)
OF_RUN(is_forked, r->forked)
OF_RUN(is_signalled, r->signal)
OF_RUN(is_image, r->image)
OF_RUN(is_reset, r->was_reset)

/*
 * TEXT if it is true for the only run; "N of M runs: TEXT" for several runs; ""
 * if it is true for no run.  NULL: out of memory.
 */
static const char *
of_runs(struct maker *k, bool (*is)(const struct run *r), const char *text)
{
	const struct profile *p = k->p;
	size_t n = 0;

	for (size_t i = 0; i < p->nruns; i++)
		n += !p->runs[i].problem && is(&p->runs[i]);
	if (!n)
		return "";
	if (p->nruns == 1)
		return text;
	return arena_print(k->a, "%zu of %zu runs: %s", n,
			   p->nruns - p->nunread, text);
}

static const char *
running(struct maker *k)
{
	const struct profile *p = k->p;
	bool file = p->nruns == 1 && p->runs[0].alive;

	return of_runs(k, conditions_runs,
		       file ? "the process went on after the data file was "
			      "written; \"not freed\" means live at that "
			      "time"
			    : "the process still runs; \"not freed\" means "
			      "live when the data file was read");
}

/* How long recording was off, and which frees were counted in that time. */
static const char *
off(struct maker *k)
{
	const struct profile *p = k->p;
	uint64_t time = 0, end = 0, length = 0;
	const char *text;
	char n[NUMBER_SIZE];

	for (size_t i = 0; i < p->nruns; i++) {
		time = amount_add(time, p->runs[i].off_time);
		end += p->runs[i].off;
		length = amount_add(length, p->runs[i].length);
	}
	if (!time && !end && !p->off_frees)
		return "";
	k->little = !end && (time < OFF_MUCH || time < length / 10);
	text = arena_print(k->a, "recording was off for %s s%s",
			   number_seconds(n, time),
			   end && p->nruns == 1 ? ", and at the end" : "");
	if (end && p->nruns != 1)
		text = arena_print(k->a,
				   "%s, and at the end of %" PRIu64
				   " of the runs",
				   text, end);
	if (p->off_frees)
		text = arena_print(k->a,
				   "%s; %" PRIu64
				   " free%s of %s bytes in that time %s "
				   "counted",
				   text, p->off_frees,
				   p->off_frees == 1 ? "" : "s",
				   number_bytes(n, p->off_freed, k->human),
				   p->off_frees == 1 ? "is" : "are");
	return text;
}

static const char *
reset(struct maker *k)
{
	const struct profile *p = k->p;
	const char *text = "counts begin at a reset after the start";
	char n[NUMBER_SIZE];

	if (p->nruns == 1)
		text = arena_print(k->a,
				   "counts begin %s s after %s, when they were "
				   "reset",
				   number_seconds(n, p->runs[0].reset),
				   conditions_since(p));
	return of_runs(k, is_reset, text);
}

/* --------------------------------------------------------------- figures -- */

/* What is left of a span. */
static const char *
conditions_span(struct maker *k)
{
	const struct profile_snapshot *s = &k->p->snapshot;
	bool exact = s->logged || (s->least_bytes == s->kept_bytes &&
				   s->least_blocks == s->kept_blocks);
	const char *end = s->logged ? "\nfrom the log of blocks: exact" : "";
	char n[NUMBER_SIZE];

	if (!exact)
		end = arena_print(k->a,
				  "\n      and at most %s bytes in %" PRIu64
				  ": which blocks were freed is unknown",
				  number_bytes(n, s->kept_bytes, k->human),
				  s->kept_blocks);
	return end ? arena_print(k->a,
				 "%s\nkept: %s%s bytes in %" PRIu64
				 " block%s of it are live at the run's end%s",
				 s->note, exact ? "" : "at least ",
				 number_bytes(n, s->least_bytes, k->human),
				 s->least_blocks,
				 s->least_blocks == 1 ? "" : "s", end)
		   : NULL;
}

static const char *
snapshot(struct maker *k)
{
	const struct profile_snapshot *s = &k->p->snapshot;
	char n[NUMBER_SIZE];

	if (!s->note)
		return "";
	if (s->span)
		return conditions_span(k);
	return s->marked ? arena_print(k->a,
				       "%s; at the mark %s bytes were live in "
				       "%" PRIu64 " blocks",
				       s->note,
				       number_bytes(n, s->mark_bytes, k->human),
				       s->mark_blocks)
			 : s->note;
}

/* The filter, and how much it keeps. */
static const char *
filtered(struct maker *k)
{
	const struct profile_filtered *f = &k->p->filter;
	uint64_t bytes = counts_sum(k->p->total.bytes);
	uint64_t allocs = counts_sum(k->p->total.allocs);
	char n[NUMBER_SIZE], of[NUMBER_SIZE], percent[NUMBER_SIZE];
	const char *text;

	if (!f->options)
		return "";
	number_bytes(n, bytes, k->human);
	if (!f->less)
		return arena_print(
			k->a, "%s\nleaves out none of the %s bytes allocated",
			f->options, n);
	number_tenths(percent, bytes, f->bytes);
	text = arena_print(k->a,
			   "%s\nkeeps %s of %s bytes (%s%%), %" PRIu64
			   " of %" PRIu64 " allocations",
			   f->options, n, number_bytes(of, f->bytes, k->human),
			   percent, allocs, f->allocs);
	if (f->unsized_allocs)
		text = arena_print(k->a, "%s; %" PRIu64 " have an unknown size",
				   text, f->unsized_allocs);
	if (f->outer_allocs)
		text = arena_print(k->a,
				   "%s; %" PRIu64 " have unknown outer callers",
				   text, f->outer_allocs);
	return text;
}

static const char *
conditions_sampled(struct maker *k)
{
	const struct profile_sample *s = &k->p->sample;
	bool mega = s->rate % (1u << 20) == 0, kilo = s->rate % 1024 == 0;

	if (!s->rate)
		return "";
	return arena_print(k->a,
			   "every %" PRIu64 "%s bytes on average%s, %" PRIu64
			   " block%s recorded\n"
			   "figures are estimates, +- one standard error",
			   mega	  ? s->rate >> 20
			   : kilo ? s->rate >> 10
				  : s->rate,
			   mega	  ? "M"
			   : kilo ? "K"
				  : "",
			   s->some ? " at most, or in some runs only" : "",
			   s->blocks, s->blocks == 1 ? "" : "s");
}

static const char *
unrecorded(struct maker *k)
{
	const struct profile *p = k->p;
	char n[NUMBER_SIZE];

	if (!p->lost)
		return "";
	return arena_print(k->a,
			   "%" PRIu64 " allocations of %s bytes could not be "
			   "recorded and are not in the figures",
			   p->lost, number_bytes(n, p->lost_bytes, k->human));
}

static const char *
incomplete(struct maker *k)
{
	return k->p->incomplete ? "a data file is truncated, so the figures "
				  "are lower bounds"
				: "";
}

static const char *
conditions_shortened(struct maker *k)
{
	const struct profile *p = k->p;

	if (!p->shortened)
		return "";
	return arena_print(k->a,
			   "%" PRIu64 " allocations %sare shown without their "
			   "outer callers, %s",
			   p->shortened,
			   p->filter.less      ? "of the whole program "
			   : p->snapshot.other ? "of the whole run "
					       : "",
			   p->maxmem ? "because of the limit MEMMON_MAXMEM"
				     : "because the monitor got no memory");
}

/* Why a program that records accesses recorded none. */
static const char *
conditions_accesses(struct maker *k)
{
	const struct profile *p = k->p;

	return !p->uses_known && p->uses_why && *p->uses_why
		       ? arena_print(k->a, "none were recorded: %s",
				     p->uses_why)
		       : "";
}

static bool
is_unchecked(const struct run *r)
{
	return r->leak_why && !r->leaks_known;
}

/* The limits of leak checks, or why there was no check. */
static const char *
leaks(struct maker *k)
{
	const struct profile *p = k->p;
	const char *text = "";

	for (size_t i = 0; i < p->nleak_notes && text; i++) {
		const char *note = amount_leak_note(k->a, p, i, k->human);

		text = note ? arena_print(k->a, "%s%s%s", text, i ? "; " : "",
					  note)
			    : NULL;
	}
	if (p->leaks_known || profile_is_part(p) || p->snapshot.other)
		return text;
	for (size_t i = 0; i < p->nruns; i++)
		if (is_unchecked(&p->runs[i])) {
			text = arena_print(k->a, "none was made, %s",
					   p->runs[i].leak_why);
			return of_runs(k, is_unchecked, text);
		}
	return "";
}

/* -------------------------------------------------------------- resident -- */

/* Is much resident memory outside of blocks? */
static bool
conditions_is_much(const struct profile *p, const struct profile_rss *r)
{
	uint64_t rest = amount_sub(amount_sub(r->rss, r->live), p->own);

	return r->live < r->rss / 2 && rest >= RESIDENT_MUCH;
}

const struct profile_rss *
conditions_resident(const struct profile *p)
{
	const struct profile_resident *r = &p->resident;

	if (!r->known)
		return NULL;
	if (conditions_is_much(p, &r->last))
		return &r->last;
	return conditions_is_much(p, &r->most) ? &r->most : NULL;
}

/* The time of that memory. */
static const char *
resident_when(struct maker *k, const struct profile_rss *r)
{
	const struct profile *p = k->p;
	char n[NUMBER_SIZE];

	if (r == &p->resident.last && p->resident.end)
		return conditions_runs(&p->runs[0]) ? "then" : "at the end";
	return arena_print(k->a, "%s s after %s", number_seconds(n, r->at),
			   conditions_since(p));
}

static const char *
conditions_resident_text(struct maker *k)
{
	const struct profile_rss *r = conditions_resident(k->p);
	const char *unit = k->human ? "" : " bytes";
	char rss[NUMBER_SIZE], live[NUMBER_SIZE];

	if (!r)
		return "";
	return arena_print(k->a,
			   "the process had %s%s (RSS) %s; live blocks had "
			   "%s%s of this",
			   number_units(rss, r->rss, k->human), unit,
			   resident_when(k, r),
			   number_units(live, r->live, k->human), unit);
}

/* The first child's data file, and the number of others. */
static const char *
children(struct maker *k)
{
	const struct run_family *f = &k->p->family;
	const char *whose = "processes that this one started have";

	if (f->unknown)
		return "too many to look at: FILE.PID beside the data file";
	if (f->n && f->before == f->n)
		whose = "programs that this process ran before have";
	else if (f->before)
		whose = "what this process ran before, and processes that it "
			"started, have";
	return f->n ? arena_print(k->a, "%s %zu data file%s: %s%s", whose, f->n,
				  f->n == 1 ? "" : "s", f->file[0],
				  f->n == 1 ? "" : ", ...")
		    : "";
}

/* ------------------------------------------------------------------- all -- */

/* The conditions, in the order of printing. */
static const struct {
	const char *name;
	const char *(*text)(struct maker *k); /* "": no condition; NULL: out of
					       * memory */
	enum condition_said said;
	/* Instead of text(): the runs for which it is true, and the words. */
	bool (*is)(const struct run *r);
	const char *words;
} rows[] = {
	{ "snapshot", snapshot, CONDITION_ALONE, NULL, NULL },
	{ "filter", filtered, CONDITION_ALONE, NULL, NULL },
	{ "sampled", conditions_sampled, CONDITION_ALONE, NULL, NULL },
	{ "attached", NULL, CONDITION_HEADED, is_attached,
	  "memmon attached to the running process; the figures leave out older "
	  "blocks" },
	{ "own allocator", NULL, CONDITION_ALONE, is_own,
	  "the program has its own malloc or operator new; the figures leave "
	  "out memory that these functions get without calling malloc" },
	{ "own allocator of a library", NULL, CONDITION_ALONE, is_own_library,
	  "a library has its own malloc and calls it directly (-Bsymbolic, "
	  "protected visibility); the figures leave out the calls within that "
	  "library" },
	{ "library bound to the C library", NULL, CONDITION_ALONE, is_own_deep,
	  "a library was loaded with RTLD_DEEPBIND and calls the C library's "
	  "malloc directly; the figures leave out the calls of that library" },
	{ "library in a namespace", NULL, CONDITION_ALONE, is_own_space,
	  "a library was loaded into a namespace with a C library of its own "
	  "(dlmopen, LD_AUDIT); the figures leave out the calls of that "
	  "library" },
	{ "malloc of valgrind", NULL, CONDITION_ALONE, is_own_tool,
	  "a tool of valgrind replaced malloc with its own; the figures leave "
	  "out the blocks of that malloc; use --tool=none" },
	{ "running", running, CONDITION_HEADED, NULL, NULL },
	{ "unknown", NULL, CONDITION_HEADED, is_untold,
	  "the process ended without writing its data file (SIGKILL, "
	  "exit_group), or still runs; all counts are here; \"not freed\" "
	  "means live at that time" },
	{ "killed", NULL, CONDITION_HEADED, is_killed,
	  "the process ended without writing its data file (SIGKILL, "
	  "exit_group); all counts are here; \"not freed\" means live at that "
	  "time" },
	{ "signal", NULL, CONDITION_HEADED, is_signalled,
	  "a signal ended the process; \"not freed\" means live at that time" },
	{ "forked", NULL, CONDITION_ITEM, is_forked,
	  "counts start at the fork; the figures leave out the parent's "
	  "blocks" },
	{ "unwritten", NULL, CONDITION_LITTLE, is_image,
	  "marks, leak checks, call paths over time, types by vtables and "
	  "names of generated code are missing: a program writes them when "
	  "it ends" },
	{ "off", off, CONDITION_ITEM, NULL, NULL },
	{ "reset", reset, CONDITION_ITEM, NULL, NULL },
	{ "unrecorded", unrecorded, CONDITION_ALONE, NULL, NULL },
	{ "incomplete", incomplete, CONDITION_ALONE, NULL, NULL },
	{ "shortened", conditions_shortened, CONDITION_ALONE, NULL, NULL },
	{ "accesses", conditions_accesses, CONDITION_APART, NULL, NULL },
	{ "leak check", leaks, CONDITION_APART, NULL, NULL },
	{ "resident", conditions_resident_text, CONDITION_APART, NULL, NULL },
	{ "children", children, CONDITION_APART, NULL, NULL },
};

_Static_assert(sizeof rows / sizeof *rows <= CONDITIONS, "room for all");

int
conditions_init(struct conditions *c, const struct profile *p, bool human)
{
	struct maker k = { .p = p, .a = &c->arena, .human = human };

	*c = (struct conditions){ .n = 0 };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *text;

		k.little = false;
		text = rows[i].is ? of_runs(&k, rows[i].is, rows[i].words)
				  : rows[i].text(&k);
		if (!text)
			return -1;
		if (*text)
			c->v[c->n++] =
				(struct condition){ rows[i].name, text,
						    k.little ? CONDITION_LITTLE
							     : rows[i].said };
	}
	return 0;
}

void
conditions_fini(struct conditions *c)
{
	arena_fini(&c->arena);
}

char *
conditions_line(struct conditions *c)
{
	char *all = arena_print(&c->arena, "%s", "");

	for (size_t i = 0; i < c->n; i++) {
		const char *text = c->v[i].text, *end = strchrnul(text, '\n');

		all = arena_print(&c->arena, "%s%s%s: %.*s%s%s", all,
				  i ? "; " : "", c->v[i].name,
				  (int)(end - text), text, *end ? ", " : "",
				  *end ? end + 1 : "");
	}
	return clean_text(clean_name(&c->arena, all));
}

/* ------------------------------------------------------- words of others -- */

const char *
conditions_snapshot(struct arena *a, const struct profile *p)
{
	return snapshot(&(struct maker){ .p = p, .a = a });
}

const char *
conditions_unwritten(const struct profile *p)
{
	for (size_t i = 0; i < p->nruns; i++)
		if (p->runs[i].image)
			return conditions_runs(&p->runs[i])
				       ? "the process writes it at its end, "
					 "and still runs"
				       : "the process has ended without "
					 "writing its data file";
	return NULL;
}

const char *
conditions_since(const struct profile *p)
{
	return p->nruns == 1 && p->runs[0].attached ? "memmon attached"
						    : "the start";
}

const char *
conditions_kept(const struct profile *p)
{
	if (p->snapshot.other)
		return p->snapshot.span ? "kept" : "live then";
	return p->nruns == 1 && (conditions_runs(&p->runs[0]) ||
				 is_untold(&p->runs[0]))
		       ? "live then"
		       : "live at exit";
}
