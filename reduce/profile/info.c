/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contents of a data file, as text. */
#define _GNU_SOURCE
#include "reduce/profile/info.h"
#include "reduce/base/clean.h"
#include "reduce/monout/items.h"
#include "reduce/monout/run.h"
#include "reduce/image/image.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

/* Print a line with a name, unless the text is empty or NULL. */
static void
info_text(FILE *out, const char *name, const char *text)
{
	if (text && *text)
		fprintf(out, "  %-10s %s\n", name, text);
}

static void
info_number(FILE *out, const struct mon *m, enum monout_run key,
	    const char *name)
{
	if (m->run[key].set)
		fprintf(out, "  %-10s %" PRIu64 "\n", name, m->run[key].number);
}

static void
info_times(FILE *out, const struct mon *m)
{
	const struct mon_value *start = &m->run[MONOUT_R_START];
	const struct mon_value *length = &m->run[MONOUT_R_LENGTH];
	time_t t = (time_t)(start->number / 1000000000u);
	struct tm tm;
	char text[64];

	if (start->set && gmtime_r(&t, &tm) &&
	    strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm))
		info_text(out, "started", text);
	if (length->set)
		fprintf(out, "  %-10s %" PRIu64 ".%09" PRIu64 "\n", "seconds",
			length->number / 1000000000u,
			length->number % 1000000000u);
}

/* Texts of the file, made printable. */
struct info_texts {
	const char *cwd, *why;
};

static void
info_run(FILE *out, const struct mon *m, const struct run *r,
	 const struct info_texts *x)
{
	info_text(out, "program", r->program);
	info_text(out, "command", r->command);
	info_text(out, "directory", x->cwd);
	info_text(out, "host", r->host);
	info_text(out, "job", r->job);
	info_number(out, m, MONOUT_R_RANK, "rank");
	info_number(out, m, MONOUT_R_PID, "pid");
	info_number(out, m, MONOUT_R_PPID, "parent");
	info_times(out, m);
	info_text(out, "end", r->end);
	info_number(out, m, MONOUT_R_SEEN, "last (ns)");
	info_text(out, "missing", r->cut_why);
	info_number(out, m, MONOUT_R_ATTACHED, "attached");
	info_number(out, m, MONOUT_R_LISP, "lisp");
	info_number(out, m, MONOUT_R_OWN, "own");
	info_number(out, m, MONOUT_R_OFF, "off");
	info_number(out, m, MONOUT_R_OFF_TIME, "off (ns)");
	info_number(out, m, MONOUT_R_RESET, "reset (ns)");
	info_number(out, m, MONOUT_R_LEAKCHECK, "leaks (ns)");
	info_text(out, "leaks", r->leak_why);
	info_number(out, m, MONOUT_R_THREADS, "threads");
	info_number(out, m, MONOUT_R_DEPTH, "depth");
	info_number(out, m, MONOUT_R_MAXMEM, "maxmem");
	info_number(out, m, MONOUT_R_TIMING, "timing");
	info_number(out, m, MONOUT_R_SAMPLE, "sample");
	info_number(out, m, MONOUT_R_FORKED, "forked");
	info_number(out, m, MONOUT_R_WAY, "way");
	info_number(out, m, MONOUT_R_STEP, "step (ns)");
	info_text(out, "accesses", x->why);
	info_text(out, "memmon", r->version);
}

static void
info_records(FILE *out, const struct mon *m)
{
	int i;

	fprintf(out, "\n%9s %10s %12s  of\n", "records", "items", "bytes");
	for (i = 0; i < MON_NKIND; i++) {
		if (m->tally[i].records)
			fprintf(out, "%9zu %10" PRIu64 " %12" PRIu64 "  %s\n",
				m->tally[i].records, m->tally[i].items,
				m->tally[i].bytes, items_name(i));
	}
}

static void
info_figure(FILE *out, uint64_t n, const char *name)
{
	fprintf(out, "%20" PRIu64 "  %s\n", n, name);
}

/* The peak and the fate of blocks: sums of the records that were read. */
static void
info_lives(FILE *out, const struct mon *m)
{
	const struct life *x = &m->life;

	if (m->peaks_known) {
		info_figure(out, m->peak_blocks, "blocks at the peak");
		info_figure(out, m->peak_bytes, "bytes at the peak");
	}
	if (!m->lives_known)
		return;
	info_figure(out, x->temps, "blocks freed before the next allocation");
	info_figure(out, x->near, "blocks freed before the 16th next");
	info_figure(out, x->by_others, "blocks freed by others");
	info_figure(out, x->moved, "blocks moved");
	info_figure(out, x->copied, "bytes copied");
	info_figure(out, x->longest, "most reallocs of a block");
	info_figure(out, x->timed, "blocks timed");
	info_figure(out, x->weight, "blocks that these represent");
}

/* Results of leak checks: sums of the records that were read. */
static void
info_leaks(FILE *out, const struct mon *m)
{
	static const char *const kind[MONOUT_NLEAK] = {
		"lost", "indirectly lost", "interior", "reachable"
	};
	int i;

	for (i = 0; i < MONOUT_NLEAK && m->leaks_known; i++)
		fprintf(out,
			"%20" PRIu64 "  blocks %s\n%20" PRIu64 "  bytes %s\n",
			m->leak.blocks[i], kind[i], m->leak.bytes[i], kind[i]);
}

/* The use of blocks: sums of the records that were read. */
static void
info_uses(FILE *out, const struct mon *m)
{
	const struct mon_use *x = &m->use;

	if (!m->uses_known)
		return;
	info_figure(out, x->blocks, "blocks with accesses");
	info_figure(out, x->bytes, "bytes of these");
	info_figure(out, x->reads, "reads");
	info_figure(out, x->writes, "writes");
	info_figure(out, x->span, "bytes between the accesses");
	info_figure(out, x->cover, "bytes accessed");
	info_figure(out, m->ngroups, "groups of allocations");
	info_figure(out, m->nfields, "layouts of blocks");
}

/* Counts by thread and size, types, first words of live blocks. */
static void
info_cells(FILE *out, const struct mon *m)
{
	uint64_t threads = 0, sizes = 0, looked = 0, slack = 0, vtables = 0;
	const struct mon_cell *c;
	size_t i;

	for (i = 0; i < m->ncells; i++) {
		c = &m->cells[i];
		threads += c->thread ? c->allocs : 0;
		sizes += c->any ? 0 : c->allocs;
		looked += c->looked;
		slack += c->slack;
	}
	for (i = 0; i < m->nvtables; i++)
		vtables += m->vtables[i].blocks;
	if (m->cells_known) {
		info_figure(out, threads,
			    "allocations by call path and thread");
		info_figure(out, sizes, "allocations by call path and size");
		info_figure(out, looked, "blocks with usable size known");
		info_figure(out, slack, "bytes rounded up in these");
	}
	if (m->vtables_known)
		info_figure(out, vtables, "blocks begun with an address");
	if (m->ntypes)
		info_figure(out, m->ntypes - 1, "types given by the program");
}

/* Memory of the process, from snapshots. */
static void
info_resident(FILE *out, const struct mon *m)
{
	const struct mon_snapshot *x, *last = NULL;
	uint64_t most = 0;
	size_t i;

	for (i = 0; i < m->nsnapshots && m->times_known; i++) {
		x = &m->snapshots[i];
		if (x->rss == UINT64_MAX)
			continue;
		last = x;
		if (x->rss > most)
			most = x->rss;
	}
	if (!last)
		return;
	info_figure(out, last->rss, "bytes resident at the last snapshot");
	info_figure(out, TOTALS_LIVE(last), "bytes live then");
	info_figure(out, most, "most bytes resident");
}

static void
info_totals(FILE *out, const struct mon *m)
{
	static const char *const names[MONOUT_T_MAX] = {
#define K(name, how, text) [MONOUT_T_##name] = text,
		MONREC_TOTAL_KEYS(K)
#undef K
	};
	int i;

	putc('\n', out);
	if (m->run[MONOUT_R_SAMPLE].set)
		fputs("These figures count samples; the tables estimate all "
		      "blocks:\n\n",
		      out);
	info_figure(out, m->sums.allocs, "allocations");
	info_figure(out, m->sums.bytes, "bytes");
	info_figure(out, m->sums.frees, "frees");
	info_figure(out, m->sums.freed, "bytes freed");
	info_figure(out, m->sums.reallocs, "reallocations");
	for (i = MONOUT_T_PEAK; i < MONOUT_T_MAX; i++) {
		if (m->total_set[i] && *names[i])
			info_figure(out,
				    i == MONOUT_T_PEAK_SLACK ? mon_peak_slack(m)
							     : m->total[i],
				    names[i]);
	}
	info_resident(out, m);
	info_lives(out, m);
	info_uses(out, m);
	info_leaks(out, m);
	info_cells(out, m);
}

static void
info_threads(FILE *out, const struct mon *m, struct arena *a)
{
	const struct mon_thread *x;
	const char *name;
	size_t i;

	if (m->nthreads)
		fprintf(out, "\n%7s %12s %16s %12s %16s %12s  name\n",
			"threads", "allocations", "bytes", "frees",
			"bytes freed", "of others'");
	for (i = 0; i < m->nthreads; i++) {
		x = &m->threads[i];
		name = clean_name(a, x->name);
		fprintf(out,
			"%7" PRIu64 " %12" PRIu64 " %16" PRIu64 " %12" PRIu64
			" %16" PRIu64 " %12" PRIu64 "  %s%s\n",
			x->threads, x->allocs, x->bytes, x->frees, x->freed,
			x->of_others, name,
			x->flags & MONOUT_TH_MAIN ? " (main)" : "");
	}
}

static void
info_marks(FILE *out, const struct mon *m, struct arena *a)
{
	const struct mon_mark *x;
	const char *name;
	size_t i;

	if (m->nmarks)
		fprintf(out, "\n%20s %12s %16s %12s %16s  mark\n", "at (ns)",
			"allocations", "bytes", "frees", "bytes freed");
	for (i = 0; i < m->nmarks; i++) {
		x = &m->marks[i];
		name = clean_name(a, x->name);
		fprintf(out,
			"%20" PRIu64 " %12" PRIu64 " %16" PRIu64 " %12" PRIu64
			" %16" PRIu64 "  %s\n",
			x->time, x->allocs, x->bytes, x->frees, x->freed, name);
	}
}

/*
 * Tables whose rows are printed as they are: NAME=VALUE, ...  The allocator's
 * costs can have thousands of rows; another table shows these in order.
 */
enum { PLAIN_ROWS = 64 };
#define INFO_FIELD(kind, sum, name) INFO_##kind(name)
#define INFO_NUMBER(name) \
	fprintf(out, "%s%" PRIu64, between, x->name); \
	between = *between == ' ' ? "=" : ", ";
#define INFO_TEXT(name) \
	text = clean_name(a, x->name); \
	fprintf(out, "%s%s", between, text); \
	between = *between == ' ' ? "=" : ", ";
#define P(name, item, items) \
	static void info_##items(FILE *out, const struct mon *m, \
				 struct arena *a) \
	{ \
		const struct mon_##item *x; \
		const char *text, *between; \
		size_t i; \
\
		for (i = 0; i < m->n##items; i++) { \
			if (i == PLAIN_ROWS) { \
				fprintf(out, "  %-10s and %zu more\n", #item, \
					m->n##items - i); \
				break; \
			} \
			x = &m->items[i]; \
			fprintf(out, "  %-10s", #item); \
			between = " "; \
			MONREC_##name(INFO) putc('\n', out); \
		} \
	}
MONREC_TABLES(MONREC_PLAIN)
#undef P

static void
info_plain(FILE *out, const struct mon *m, struct arena *a)
{
#define P(name, item, items) info_##items(out, m, a);
	MONREC_TABLES(MONREC_PLAIN)
#undef P
}

static void
info_modules(FILE *out, const struct mon *m, struct arena *a)
{
	const struct mon_module *o;
	const char *path;
	size_t i, k;

	if (m->nmodules > 1)
		fprintf(out, "\n%7s %16s %16s %16s  path, build-id\n", "module",
			"start", "end", "bias");
	for (i = 1; i < m->nmodules; i++) {
		o = &m->modules[i];
		if (!o->path)
			continue;
		path = clean_name(a, o->path);
		fprintf(out,
			"%7zu %16" PRIx64 " %16" PRIx64 " %16" PRIx64
			"  %s%s%s%s",
			i, o->start, o->end, o->bias, path,
			o->flags & MONOUT_M_EXE ? " (program)" : "",
			o->flags & MONOUT_M_GONE ? " (unloaded)" : "",
			o->idlen ? ", " : "");
		for (k = 0; k < o->idlen; k++)
			fprintf(out, "%02x", o->id[k]);
		putc('\n', out);
	}
}

/* Print all of it.  Names may contain bytes that aren't UTF-8. */
static void
info_all(const struct mon *m, FILE *out)
{
	const char *cwd = m->run[MONOUT_R_CWD].text;
	const char *why = m->run[MONOUT_R_WHY].text;
	struct info_texts x;
	struct arena a = { 0 };
	struct run r;
	unsigned i;

	x.cwd = clean_name(&a, cwd ? cwd : "");
	x.why = clean_name(&a, why ? why : "");
	run_fill(&r, &a, m);
	fprintf(out, "%s: %s %u.%u, %" PRIu64 " bytes%s, %s\n", r.path,
		m->image ? "image as format" : "format", m->major, m->minor,
		m->size, r.sum ? ", a sum" : "",
		m->incomplete ? "not whole" : "whole");
	for (i = 0; i < m->nwarning; i++)
		fprintf(out, "%s\n", m->warning[i]);
	info_run(out, m, &r, &x);
	image_print(m, out);
	info_plain(out, m, &a);
	info_records(out, m);
	info_totals(out, m);
	info_modules(out, m, &a);
	info_threads(out, m, &a);
	info_marks(out, m, &a);
	arena_fini(&a);
}

void
info_print(const struct mon *m, FILE *out)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		heap_out();
	info_all(m, f);
	if (fclose(f))
		heap_out();
	fputs(clean_lines(text), out);
	free(text);
}
