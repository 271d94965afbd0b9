/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data of an image about its run, and the totals. */
#include "reduce/base/arena.h"
#include "reduce/image/image_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Longer texts are truncated: a record has room for this. */
enum { TEXT_MOST = 32768 };

/* Turn a clock value into ns since the process's start; 0 for earlier times. */
static uint64_t
image_run_since(const struct image *g, uint64_t clock)
{
	return clock > g->h.mono ? clock - g->h.mono : 0;
}

/* Time of the last known event, in ns since the start; 0: none. */
static uint64_t
run_seen(const struct image *g)
{
	uint64_t last = g->global->peak_at, snapshot = image_last_snapshot(g);
	size_t i;

	if (snapshot > last)
		last = snapshot;

	for (i = 0; i < g->npubs; i++) {
		if (g->pubs[i].seen > last)
			last = g->pubs[i].seen;
	}
	return image_run_since(g, last);
}

/* The length of the run in ns, as far as it is known. */
uint64_t
image_length(const struct image *g)
{
	if (g->h.end)
		return image_run_since(g, g->h.ended);
	if (g->now)
		return image_run_since(g, g->now);
	return run_seen(g);
}

/* Write a text. */
static void
run_text(struct image *g, enum monout_run key, const struct monimg_text *t)
{
	uint32_t n = t->length < TEXT_MOST ? t->length : TEXT_MOST;
	unsigned char *text;

	if (!n)
		return;
	text = heap_new(n);
	image_source_read(&g->from, t->at, text, n);
	emit_key_string(&g->out, key, text, n);
	free(text);
}

static void
run_number(struct image *g, enum monout_run key, uint64_t v)
{
	emit_key_number(&g->out, key, v);
}

/* Append ", N WHAT" if N isn't 0. */
static void
why_add(struct arena *a, const char **why, uint64_t n, const char *what)
{
	if (n && *why)
		*why = arena_print(a, "%s%s%" PRIu64 " %s", *why,
				   **why ? ", " : "", n, what);
}

/* Write what is missing in the image but would be in an ordinary file. */
static void
run_why(struct image *g)
{
	static const char uses[] =
		"a program writes them at its own end, not into the image";
	const struct monimg_header *h = &g->h;
	struct arena a = { 0 };
	const char *why = "";

	why_add(&a, &why, h->outside_cells,
		"counts (of a call path, size and thread)");
	why_add(&a, &why, h->outside_nodes, "calls of call paths");
	why_add(&a, &why, h->outside_extras, "lifetimes and reallocations");
	why_add(&a, &why, h->outside_pubs, "threads");
	why_add(&a, &why, h->outside_modules, "libraries");
	if (*why)
		why = arena_print(&a, "no room in the image for up to %s", why);
	if (h->access)
		why = arena_print(&a,
				  "%s%saccesses, which a program writes only "
				  "at its own end",
				  why, *why ? "; " : "");
	if (h->access)
		emit_key_string(&g->out, MONOUT_R_WHY, uses, strlen(uses));
	if (*why)
		emit_key_string(&g->out, MONOUT_R_CUT_WHY, why, strlen(why));
	arena_fini(&a);
}

/* If a leak check was requested, write why there is none. */
static void
run_leaks(struct image *g)
{
	const struct monimg_header *h = &g->h;
	const char *why;

	if (!h->leaks)
		return;
	if (g->info.running > 0)
		why = "the program still ran; the leak check comes when it "
		      "writes a data file";
	else if (h->end)
		why = "the program could not write its data file at its end";
	else
		why = "the program was killed, or ended without exit(), before "
		      "the leak check";
	emit_key_string(&g->out, MONOUT_R_LEAK_WHY, why, strlen(why));
}

static void
image_run_end(struct image *g)
{
	const struct monimg_header *h = &g->h;
	bool known = h->end >= MONOUT_E_EXIT && h->end <= MONOUT_E_DUMP;
	uint64_t seen = run_seen(g);

	run_number(g, MONOUT_R_END, known ? h->end : MONOUT_E_CUT);
	if (h->end == MONOUT_E_SIGNAL)
		run_number(g, MONOUT_R_SIGNAL, h->sig);
	if (known)
		return;
	if (seen)
		run_number(g, MONOUT_R_SEEN, seen);
	if (g->info.running >= 0)
		run_number(g, MONOUT_R_RUNNING, (uint64_t)g->info.running);
}

/* Write the time for which recording was off, and the last reset. */
static void
run_control(struct image *g)
{
	const struct monimg_global *o = g->global;
	uint64_t now = g->h.mono + image_length(g), off = o->off_total;

	if (o->off) {
		run_number(g, MONOUT_R_OFF, 1);
		off += now > o->off ? now - o->off : 0;
	}
	if (off)
		run_number(g, MONOUT_R_OFF_TIME, off);
	if (o->reset_at > g->h.mono)
		run_number(g, MONOUT_R_RESET, o->reset_at - g->h.mono);
}

void
image_put_run(struct image *g)
{
	const struct monimg_header *h = &g->h;

	emit_open(&g->out, MONOUT_RUN, 0);
	run_text(g, MONOUT_R_PROGRAM, &h->program);
	run_text(g, MONOUT_R_COMMAND, &h->command);
	run_number(g, MONOUT_R_PID, (uint64_t)h->pid);
	run_number(g, MONOUT_R_PPID, (uint64_t)h->ppid);
	run_number(g, MONOUT_R_START, h->start);
	run_number(g, MONOUT_R_LENGTH, image_length(g));
	image_run_end(g);
	run_number(g, MONOUT_R_THREADS,
		   g->global->nthreads[g->global->epoch & 1]);
	run_number(g, MONOUT_R_DEPTH, h->depth);
	run_number(g, MONOUT_R_TIMING, h->timing);
	if (h->sample)
		run_number(g, MONOUT_R_SAMPLE, h->sample);
	if (h->maxmem)
		run_number(g, MONOUT_R_MAXMEM, h->maxmem);
	run_text(g, MONOUT_R_VERSION, &h->memmon);
	if (h->forked)
		run_number(g, MONOUT_R_FORKED, 1);
	if (h->attached & 1)
		run_number(g, MONOUT_R_ATTACHED, 1);
	if (h->attached >> 1)
		run_number(g, MONOUT_R_OWN, h->attached >> 1);
	if (h->rank)
		run_number(g, MONOUT_R_RANK, h->rank - 1);
	if (h->host.length)
		run_text(g, MONOUT_R_HOST, &h->host);
	if (h->job.length)
		run_text(g, MONOUT_R_JOB, &h->job);
	run_control(g);
	run_leaks(g);
	run_text(g, MONOUT_R_CWD, &h->cwd);
	run_why(g);
	emit_close(&g->out);
}

/* --------------------------------------------------------------- totals -- */

static void
image_run_total(struct image *g, enum monout_total key, uint64_t v)
{
	emit_key_number(&g->out, key, v);
}

/*
 * Write the sums of the threads' separate counters, and those of the process
 * for threads without any.
 */
static void
totals_threads(struct image *g)
{
	struct monimg_pub sum = { .lost = g->global->lost_allocs,
				  .lost_bytes = g->global->lost_bytes,
				  .cut = g->cut_chains };
	size_t i;

	for (i = 0; i < g->npubs; i++) {
#define SUM(to, n) image_add(&(to), n)
#define MOST(to, n) ((to) = (n) > (to) ? (n) : (to))
#define X(key, field, how) how(sum.field, g->pubs[i].field);
		MONOUT_COUNTERS(X)
#undef X
	}
#define X(key, field, how) \
	if (sum.field || !MONOUT_IS_RARE(key)) \
		image_run_total(g, key, sum.field);
	MONOUT_COUNTERS(X)
#undef X
}

/*
 * The largest difference between the recorded peak, or its sites, and the real
 * ones.
 */
static uint64_t
peak_slack(const struct image *g)
{
	uint64_t d = g->peak > g->t.peak_bytes ? g->peak - g->t.peak_bytes
					       : g->t.peak_bytes - g->peak;

	return d > g->slack ? d : g->slack;
}

void
image_put_totals(struct image *g)
{
	struct image_totals *t = &g->t;

	t->peak = g->peak;
	t->peak_at =
		g->peak_at ? image_run_since(g, g->peak_at) : image_length(g);
	t->peak_slack = peak_slack(g);
	t->own = g->h.own;
	/* An image doesn't contain these. */
	t->leaks = t->vtables = t->vtables_more = MONREC_NOT_KNOWN;
	if (!t->snapshots)
		t->snapshots = MONREC_NOT_KNOWN;
	if (!t->types)
		t->types = MONREC_NOT_KNOWN;
	t->marks = MONREC_NOT_KNOWN;
	emit_open(&g->out, MONOUT_TOTALS, 0);
#define X(name, n) \
	if (t->n != MONREC_NOT_KNOWN) \
		image_run_total(g, MONOUT_T_##name, t->n);
	MONREC_SUMS(X)
#define S(name, item, items) X(name, items)
	MONREC_TABLES(MONREC_SUMMED)
#undef S
#undef X
	image_run_total(g, MONOUT_T_MEMORY_SNAPSHOTS, t->memory_snapshots);
	totals_threads(g);
	emit_close(&g->out);
}
