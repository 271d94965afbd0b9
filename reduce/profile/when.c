/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of another time than the run's end. */
#include "reduce/profile/when.h"
#include "reduce/base/err.h"
#include "reduce/callgraph/filter.h"
#include "reduce/estimate/recount.h"
#include "reduce/estimate/sample_error.h"
#include "reduce/monout/cells.h"
#include "reduce/monout/changes.h"
#include "reduce/log/log.h"
#include "reduce/model/stages.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *
when_missing(const struct profile *p, const struct mon *m)
{
	bool sum = m->times_dropped;
	size_t i;

	if (m->times_known && m->nsnapshots)
		return NULL;
	if (p->nruns - p->nunread > 1)
		return "several runs have no common time; give one data file";
	for (i = 0; i < p->nruns; i++)
		sum |= p->runs[i].sum;
	if (sum)
		return "a sum has no times; give one of its data files";
	for (i = 0; i < p->nruns; i++)
		if (p->runs[i].killed)
			return "a program that was killed or still runs has no "
			       "times; let it end";
	if (m->incomplete)
		return "the data file is truncated before its times; run the "
		       "program again";
	return "the data file has no times (an older memmon's, or "
	       "MEMMON_TIMELINE=0); run the program again";
}

const char *
when_whose(const struct profile *p)
{
	for (size_t i = 0; i < p->nruns; i++)
		if (p->runs[i].image)
			return p->runs[i].running
				       ? "the process changed its call paths "
					 "while they were read; try again"
				       : "the process has written no data "
					 "file, and its image has not all "
					 "snapshots by call path";
	return "the data file has no snapshots by call path";
}

int
when_check(const struct profile *p, const struct mon *m, const char *option,
	   const char *text, struct err *e)
{
	const char *why = when_missing(p, m);

	if (!why && !m->changes_known)
		return err_set(e, "%s=%s: %s; run the program again", option,
			       text, when_whose(p));
	return why ? err_set(e, "%s=%s: %s", option, text, why) : 0;
}

/* ------------------------------------------------------- counts to cells -- */

/* Can all cells be added up without overflow?  Then any part can. */
static bool
when_fits(const struct mon_cell *c, size_t n)
{
	struct sums sums = { 0 };
	size_t i;

	for (i = 0; i < n; i++) {
		if (c[i].frees > c[i].allocs || c[i].freed > c[i].bytes ||
		    !sums_add_amounts(&sums, &AMOUNTS(&c[i]), 0))
			return false;
	}
	return true;
}

/* Recompute the sites from the cells; peaks: keep their peaks. */
static void
when_recount(struct mon *m, bool peaks)
{
	struct mon_site *s, was;
	size_t i;

	for (i = 0; i < m->ncells; i++)
		sample_errors(m, &m->cells[i]);
	for (i = 0; i < m->nsites; i++) {
		s = &m->sites[i];
		was = *s;
		*s = (struct mon_site){ .node = s->node, .number = s->number };
		if (!peaks)
			continue;
		s->count.peak = was.count.peak;
		s->peak_blocks = was.peak_blocks;
	}
	(void)recount_sites(m, false);
}

/* Drop data that are only known for the run's end. */
static void
when_forget(struct mon *m, bool peaks)
{
	known_forget(&m->known);
	m->vtables_known = false;
	m->nvtables = 0;
#define S(name, item, items) m->n##items = 0;
	MONREC_TABLES(MONREC_SUMMED)
#undef S
	m->ngroups = m->nfields = m->nuses = m->nleaks = 0;
	m->life = (struct life){ 0 };
	m->peaks_known &= peaks;
}

/* Drop sites without an allocation up to then. */
static void
when_drop(struct profile *p, struct mon *m)
{
	static const struct profile_filter none;
	struct filter t = { .what = &none, .p = p, .mon = m };
	size_t i;

	t.keep = heap_new(m->nsites + 1);
	for (i = 0; i < m->nsites; i++)
		t.keep[i] = counts_sum(m->sites[i].count.allocs) ||
			    m->sites[i].peak_blocks;
	filter_drop(&t);
	filter_sums(&t);
	filter_fini(&t);
}

int
when_replace(struct profile *p, struct mon *m, struct mon_cell *cells, size_t n,
	     bool peaks, struct err *e)
{
	uint64_t peak = m->total[MONOUT_T_PEAK];
	size_t i, k = 0, marks = m->nmarks;

	if (!when_fits(cells, n)) {
		free(cells);
		return err_set(e,
			       "the counts at that time are impossible, so the "
			       "data file is damaged; run the program again");
	}
	n = cells_order(cells, n);
	for (i = 0; i < n; i++)
		if (!cells_is_empty(&cells[i]))
			cells[k++] = cells[i];
	free(m->cells);
	m->cells = cells;
	m->ncells = k;
	m->cell_room = n;
	when_forget(m, peaks);
	when_recount(m, m->peaks_known);
	m->cells_known = true;
	m->cells_threads = cells_have_threads(m);
	when_drop(p, m);
	m->nmarks = marks;
	m->total[MONOUT_T_PEAK] = m->peaks_known ? peak : 0;
	p->snapshot.other = true;
	return 0;
}

/*
 * ------------------------------------------------------------ another time --
 */

/* Copy the peaks of cells to *to, which has room for all; returns how many. */
static size_t
when_peaks(const struct mon *m, struct mon_cell *to)
{
	const struct mon_cell *x;
	size_t i, n = 0;

	for (i = 0; i < m->ncells; i++) {
		x = &m->cells[i];
		if (x->peak_blocks || x->peak_bytes)
			to[n++] = (struct mon_cell){
				.site = x->site,
				.thread = x->thread,
				.size = x->size,
				.any = x->any,
				.peak_blocks = x->peak_blocks,
				.peak_bytes = x->peak_bytes,
				.held = x->held,
			};
	}
	return n;
}

/* Keep the marks and changes up to the time of x. */
static void
when_cut(struct mon *m, const struct snapshot *x)
{
	size_t i, n = 0;

	for (i = 0; i < m->nchanges; i++)
		if (m->changes[i].snapshot < x->n)
			m->changes[n++] = m->changes[i];
	m->nchanges = n;
	m->nsnapshots = x->n;
	for (i = n = 0; i < m->nmarks; i++)
		if (m->marks[i].time <= x->at)
			m->marks[n++] = m->marks[i];
	m->nmarks = n;
}

size_t
when_log(struct profile *p, const struct mon *m, const struct merge_first *log,
	 const struct log_span *which, struct mon_cell **cells)
{
	if (!log || log->files != 1 || p->nruns != 1 || m->sample.rate)
		return SIZE_MAX;
	return log_span(cells, &p->priv->arena, m, log, which);
}

/* Set the time of all figures, and the blocks of the log that count. */
static void
when_seen(struct profile *p, uint64_t at)
{
	p->snapshot.at = p->snapshot.blocks.until = at;
	p->snapshot.blocks.to = at + 1;
}

/* Get the cells from the log: n, malloc'ed.  SIZE_MAX: the log lacks some. */
static size_t
when_logged(struct profile *p, const struct mon *m, struct snapshot *x,
	    const struct merge_first *log, struct mon_cell **cells)
{
	struct log_span which = { 0, x->time + 1, x->time };
	size_t n = when_log(p, m, log, &which, cells);

	if (n != SIZE_MAX)
		x->at = x->time;
	return n;
}

/* logged: the log's cells, or NULL; frees them. */
static int
when_snapshot(struct profile *p, struct mon *m, const struct snapshot *x,
	      struct mon_cell *logged, size_t nlogged, struct err *e)
{
	bool peaks = m->peaks_known && m->cells_known &&
		     m->total[MONOUT_T_PEAK_AT] <= x->at;
	size_t room = m->ncells + (logged ? nlogged : m->nchanges);
	struct mon_cell *c = heap_array(room + 1, sizeof(*c));
	const struct mon_change *last;
	size_t i, end, n;

	n = peaks ? when_peaks(m, c) : 0;
	for (i = 0; logged && i < nlogged; i++)
		c[n++] = logged[i];
	for (i = 0; !logged && i < m->nchanges; i = end) {
		end = changes_end(m, i);
		last = changes_before(m, i, end, x->n);
		if (last)
			c[n++] = changes_cell(last);
	}
	free(logged);
	when_cut(m, x);
	when_seen(p, x->at);
	return when_replace(p, m, c, n, peaks, e);
}

/* -------------------------------------------------------------- the peak -- */

/* The cell with only the blocks live at the peak. */
static struct mon_cell
when_live(const struct mon_cell *x)
{
	struct mon_cell c = *x;

	c.allocs = (uint64_t)x->peak_blocks;
	c.bytes = (uint64_t)x->peak_bytes;
	c.frees = c.freed = c.looked = c.slack = 0;
	return c;
}

static bool
when_negative(const struct mon_cell *x)
{
	return x->peak_blocks < 0 || x->peak_bytes < 0;
}

/*
 * Make cells of blocks live at the peak; returns their number.  One thread's
 * peak can be negative: then all threads of this size become one cell.
 * SIZE_MAX: a size has a negative peak.
 */
static size_t
when_live_cells(const struct mon *m, struct mon_cell *to)
{
	struct mon_cell *first;
	size_t i, end, k, n = 0;
	bool bad;

	for (i = 0; i < m->ncells; i = end) {
		first = &to[n];
		bad = false;
		for (end = i; end < m->ncells &&
			      CELLS_ALIKE(&m->cells[end], &m->cells[i]);
		     end++)
			bad |= when_negative(&m->cells[end]);
		for (k = i; k < end; k++) {
			to[n] = m->cells[k];
			if (bad)
				to[n].thread = 0;
			n++;
		}
		if (bad)
			n = (size_t)(first - to) +
			    cells_order(first, (size_t)(&to[n] - first));
	}
	for (i = 0; i < n; i++) {
		if (when_negative(&to[i]))
			return SIZE_MAX;
		to[i] = when_live(&to[i]);
	}
	return n;
}

static int
when_peak(struct profile *p, struct mon *m, struct err *e)
{
	struct mon_cell *c = heap_array(m->ncells + 1, sizeof(*c));
	size_t n;

	n = when_live_cells(m, c);
	if (n == SIZE_MAX) {
		free(c);
		return err_set(e, "--at=peak: the sizes at the peak are "
				  "unknown; --peak prints the call paths");
	}
	/* These count allocations up to then, freed or not. */
	m->nmarks = m->nsnapshots = m->nchanges = 0;
	when_seen(p, m->total[MONOUT_T_PEAK_AT]);
	p->snapshot.peak = true;
	return when_replace(p, m, c, n, true, e);
}

/* ----------------------------------------------------------------- texts -- */

/* The time that is known instead of x, in words; "": x. */
static const char *
when_instead(struct arena *a, const struct snapshot *x)
{
	const char *at = x->n ? snapshot_seconds(a, x->at) : "the start";

	if (x->kind == SNAPSHOT_TIME || x->kind == SNAPSHOT_START ||
	    (x->n ? x->at == x->time : x->kind == SNAPSHOT_END))
		return "";
	return arena_print(a, "as of %s, the last known snapshot before", at);
}

static void
when_note(struct profile *p, const struct mon *m, const struct snapshot *x,
	  bool exact, bool logged)
{
	struct arena *a = &p->priv->arena;
	const char *text = snapshot_text(a, x), *more = when_instead(a, x);

	if (logged)
		more = "\nfrom the log of blocks: exact";
	else if (exact)
		more = "\nonly the blocks that were live at that time";
	else if (*more)
		more = arena_print(a, "\n%s", more);
	if (x->kind == SNAPSHOT_MARK && x->at != x->time) {
		p->snapshot.marked = true;
		p->snapshot.mark_bytes = x->mark->bytes - x->mark->freed;
		p->snapshot.mark_blocks = x->mark->allocs - x->mark->frees;
	}
	p->snapshot.note = arena_print(a, "at %s%s%s", text,
				       m->incomplete && x->kind == SNAPSHOT_END
					       ? ", as far as it is known"
					       : "",
				       more);
}

static int
when_at(struct profile *p, struct mon *m, const char *text,
	const struct merge_first *log, struct err *e)
{
	struct mon_cell *c = NULL;
	size_t n = SIZE_MAX;
	struct snapshot x;
	bool exact;

	if (snapshot_find(&x, m, "--at", text, e))
		return -1;
	exact = x.kind == SNAPSHOT_PEAK && m->peaks_known && m->cells_known;
	if (x.kind != SNAPSHOT_END && !exact) {
		n = when_logged(p, m, &x, log, &c);
		if (n == SIZE_MAX && when_check(p, m, "--at", text, e))
			return -1;
	}
	when_note(p, m, &x, exact, c != NULL);
	if (x.kind == SNAPSHOT_END) {
		p->snapshot.at = x.time;
		return 0;
	}
	return exact ? when_peak(p, m, e) : when_snapshot(p, m, &x, c, n, e);
}

static const char *
when_grown_name(struct arena *a, const struct snapshot *x)
{
	const char *text = snapshot_text(a, x), *instead = when_instead(a, x);

	if (!*instead)
		return text;
	return arena_print(a, "%s (%s)", text, instead);
}

/* Set *e: no snapshot lies between x[0] and x[1].  Result: as err_set(). */
static int
when_no_growth(struct arena *a, const struct mon *m,
	       const struct profile_when *w, const struct snapshot x[2],
	       struct err *e)
{
	size_t n = x[1].n;
	const char *before =
		n ? snapshot_seconds(a, m->snapshots[n - 1].at) : "0 s";
	const char *after = n < m->nsnapshots
				    ? snapshot_seconds(a, m->snapshots[n].at)
				    : "the end";

	if (x[0].time >= x[1].time)
		return err_set(e,
			       "--growth=%s,%s: the first time isn't before "
			       "the second; give the earlier time first",
			       w->grown[0], w->grown[1]);
	return err_set(e,
		       "--growth=%s,%s: no snapshot lies between these times; "
		       "the nearest are at %s and %s",
		       w->grown[0], w->grown[1], before, after);
}

/* Find the snapshots where growth begins and ends. */
static int
when_grown(struct profile *p, const struct mon *m, const struct profile_when *w,
	   struct err *e)
{
	struct arena *a = &p->priv->arena;
	struct snapshot x[2];

	for (int i = 0; i < 2; i++) {
		if (snapshot_find(&x[i], m, "--growth", w->grown[i], e))
			return -1;
		p->snapshot.grown[i].n = x[i].n;
		p->snapshot.grown[i].name = when_grown_name(a, &x[i]);
	}
	return m->nsnapshots && x[0].n >= x[1].n ? when_no_growth(a, m, w, x, e)
						 : 0;
}

int
when_apply(struct profile *p, struct mon *m, const struct profile_when *w,
	   const struct merge_first *log, struct err *e)
{
	changes_find_threads(m);
	if (w->at && w->from)
		return err_set(e, "--at and --between exclude each other; give "
				  "one of them");
	if (w->grown[0] && when_grown(p, m, w, e))
		return -1;
	if (w->at)
		return when_at(p, m, w->at, log, e);
	return w->from ? when_between(p, m, w, log, e) : 0;
}
