/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --export=dhat: DHAT's JSON, dhatFileVersion 2, for dh_view.html.  Times are
 * in microseconds.
 */
#include "display/export/export.h"

#include "display/text/amount.h"
#include "display/text/intern.h"
#include "display/text/writer.h"
#include "reduce/base/str.h"

#include <inttypes.h>
#include <stdlib.h>

enum { VERSION = 2, SHORT = 10, MICRO = 1000 };

/*
 * Frames that aren't functions.  dh_view needs different call paths to have
 * different frames.
 */
enum { ROOT, UNKNOWN, OTHER, CUT, STOPPED, FIXED };

static const char *const fixed[FIXED] = {
	[ROOT] = "[root]",
	[UNKNOWN] = "[unknown]",
	[OTHER] = "[outside of main]",
	[CUT] = "[callers beyond the limit of depth]",
	[STOPPED] = "[callers that weren't found]",
};

struct dhat {
	const struct export *x;
	const struct profile *p;
	struct writer w;
	struct intern frames; /* (place in p->funcs, address) */
};

/* --------------------------------------------------------------- frames -- */

/* A frame as valgrind prints it: "0x401136: main (a.c:12)". */
static int
frame_text(struct dhat *d, const struct func *f, uint64_t addr)
{
	const struct profile_module *m = &d->p->modules[f->in];
	const char *file = export_file(f);
	unsigned line = export_line(f);
	char *text;
	int n;

	if (f->in)
		addr += m->bias;
	if (*file && line)
		n = asprintf(&text, "0x%" PRIX64 ": %s (%s:%u)", addr, f->name,
			     str_basename(file), line);
	else if (*file)
		n = asprintf(&text, "0x%" PRIX64 ": %s (%s)", addr, f->name,
			     str_basename(file));
	else
		n = asprintf(&text, "0x%" PRIX64 ": %s (in %s)", addr, f->name,
			     f->in ? m->path : "???");
	if (n < 0)
		return -1;
	writer_text(&d->w, NULL, text);
	free(text);
	return 0;
}

/* Write a call path, the innermost frame first. */
static int
export_dhat_chain(struct dhat *d, const struct frame *leaf)
{
	unsigned start = leaf ? leaf->start : PROFILE_START_MAIN;

	writer_enter(&d->w, "fs", '[');
	if (!leaf)
		writer_number(&d->w, NULL, UNKNOWN);
	for (; leaf; leaf = leaf->parent) {
		uint64_t func = (uint64_t)(leaf->func - d->p->funcs[0]);
		uint32_t n = intern_pair(&d->frames, func, leaf->addr);

		if (n == INTERN_FAILED)
			return -1;
		writer_number(&d->w, NULL, (uint64_t)n + FIXED);
	}
	if (start == PROFILE_START_OTHER)
		writer_number(&d->w, NULL, OTHER);
	else if (start == PROFILE_START_CUT)
		writer_number(&d->w, NULL, CUT);
	else if (start == PROFILE_START_STOPPED)
		writer_number(&d->w, NULL, STOPPED);
	writer_leave(&d->w, ']');
	return 0;
}

static int
export_dhat_table(struct dhat *d)
{
	writer_line(&d->w, "ftbl", '[');
	for (size_t i = 0; i < FIXED; i++)
		writer_text(&d->w, NULL, fixed[i]);
	for (size_t i = 0; i < d->frames.n; i++) {
		const uint64_t *at = d->frames.pair[i];

		if (frame_text(d, d->p->funcs[at[0]], at[1]))
			return -1;
	}
	writer_leave(&d->w, ']');
	return 0;
}

/* -------------------------------------------------------------- figures -- */

/* The most bytes and blocks that are known to have been live at a time. */
static void
export_dhat_most(struct dhat *d, const struct site *s)
{
	struct amount_most m = amount_most(d->p, s);

	writer_number(&d->w, "mb", m.bytes);
	writer_number(&d->w, "mbk", m.blocks);
}

/* Live blocks times the time they were live, ns: the sum of all lifetimes. */
static double
export_dhat_lived(const struct profile *p, const struct time_row *r)
{
	const struct profile_time *t = &p->time;
	double sum = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct amounts *c = &r->change[i].count;
		uint32_t from = r->change[i].snapshot, to;

		to = i + 1 < r->n ? r->change[i + 1].snapshot
				  : (uint32_t)t->n - 1;
		if (from < t->n && to < t->n)
			sum += (double)amount_live_blocks(c) *
			       (double)amount_sub(t->at[to], t->at[from]);
	}
	return sum;
}

/* Write the sum of lifetimes, of freed and of live blocks, if it is known. */
static void
lifetimes(struct dhat *d, const struct site *s)
{
	const struct profile *p = d->p;
	const struct time_row *r = amount_row(p, s);
	const struct life *a = s->life;
	uint64_t frees = counts_sum(s->count.frees);
	double sum = 0;

	if (frees &&
	    (!p->lives_known || !a || !a->weight || a->sum == UINT64_MAX))
		return;
	if (frees)
		sum = (double)a->sum / (double)a->weight * (double)frees;
	if (counts_sum(s->count.allocs) > frees) {
		double all;

		if (!r)
			return;
		all = export_dhat_lived(p, r);
		sum = all > sum ? all : sum;
	}
	/* A sum that exceeds 63 bits is left out like an unknown one. */
	if (sum / MICRO < 0x1p63)
		writer_number(&d->w, "tl", (uint64_t)(sum / MICRO + 0.5));
}

static int
point(struct dhat *d, const struct site *s)
{
	struct account all = counts_of_all(&s->count);
	struct amounts end = AMOUNTS(&all);

	writer_line(&d->w, NULL, '{');
	writer_number(&d->w, "tb", counts_sum(s->count.bytes));
	writer_number(&d->w, "tbk", counts_sum(s->count.allocs));
	if (d->p->peaks_known) {
		lifetimes(d, s);
		export_dhat_most(d, s);
		writer_number(&d->w, "gb", s->count.peak);
		writer_number(&d->w, "gbk", s->peak_blocks);
		writer_number(&d->w, "eb", amount_live(&end));
		writer_number(&d->w, "ebk", amount_live_blocks(&end));
	}
	if (d->p->uses_known) {
		const struct use *u = profile_use_once(s);

		writer_number(&d->w, "rb", u ? u->reads : 0);
		writer_number(&d->w, "wb", u ? u->writes : 0);
	}
	if (export_dhat_chain(d, s->leaf))
		return -1;
	writer_leave(&d->w, '}');
	return 0;
}

/* ------------------------------------------------------------ the whole -- */

/* The viewer shows the mode as text, so the mode explains the figures. */
static void
mode(struct dhat *d)
{
	const char *said = d->x->note;
	char text[2048];

	snprintf(text, sizeof text, "heap, of memmon%s%s%s%s",
		 d->p->peaks_known ? "; Max is the most that is known" : "",
		 d->p->uses_known ? "; Reads and Writes are numbers of "
				    "accesses, not bytes"
				  : "",
		 said ? "; " : "", said ? said : "");
	writer_text(&d->w, "mode", text);
}

static void
export_dhat_head(struct dhat *d)
{
	const struct profile *p = d->p;
	const struct run *r = &p->runs[0];

	writer_number(&d->w, "dhatFileVersion", VERSION);
	mode(d);
	writer_text(&d->w, "verb", "Allocated");
	writer_truth(&d->w, "bklt", p->peaks_known);
	writer_truth(&d->w, "bkacc", p->uses_known);
	writer_text(&d->w, "tu", "\xc2\xb5s");
	writer_text(&d->w, "Mtu", "s");
	if (p->peaks_known)
		writer_number(&d->w, "tuth", SHORT);
	writer_text(&d->w, "cmd", r->command);
	writer_number(&d->w, "pid", r->pid);
	if (p->peaks_known)
		writer_number(&d->w, "tg", p->peak_at / MICRO);
	writer_number(&d->w, "te", r->length / MICRO);
}

int
export_dhat(struct export *x)
{
	const struct profile *p = x->p;
	struct dhat d = { .x = x,
			  .p = p,
			  .w = { .out = x->out, .first = true } };
	int status = 0;

	writer_enter(&d.w, NULL, '{');
	export_dhat_head(&d);
	writer_line(&d.w, "pps", '[');
	for (size_t i = 0; i < p->nsites && !status; i++)
		if (counts_sum(p->sites[i].count.allocs))
			status = point(&d, &p->sites[i]);
	writer_leave(&d.w, ']');
	if (!status)
		status = export_dhat_table(&d);
	writer_leave(&d.w, '}');
	putc('\n', x->out);
	intern_fini(&d.frames);
	return status;
}
