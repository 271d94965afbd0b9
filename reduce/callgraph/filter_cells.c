/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Filters by thread and size.  A site's counts are the sum of its cells.  If
 * only some of its cells pass, the site is kept in part: its counts become the
 * sum of these cells, and data that aren't recorded by cell become unknown.
 */
#include "reduce/callgraph/filter.h"
#include "reduce/estimate/recount.h"
#include "reduce/monout/cells.h"
#include "reduce/monout/changes.h"
#include "reduce/model/warn.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The largest size of each class, in bytes. */
static const uint64_t filter_largest[PROFILE_NCLASS] = {
	MONOUT_SMALL_MAX, MONOUT_MEDIUM_MAX, MONOUT_LARGE_MAX, UINT64_MAX
};

/* ----------------------------------------------------- which cells pass -- */

/*
 * Does the glob match the name as it is printed?  "main" matches the first
 * thread, too.
 */
static bool
filter_thread_is(const char *glob, const struct mon_thread *x)
{
	const char *name = *x->name ? x->name : "(no name)";

	return !strcmp(glob, name) || fnmatch(glob, name, 0) == 0 ||
	       ((x->flags & MONOUT_TH_MAIN) && !strcmp(glob, "main"));
}

/* Set passes[] for each thread number that cells use. */
static void
filter_threads(struct filter *t, bool *passes)
{
	const struct profile_list *list = &t->what->thread;
	const struct mon *m = t->mon;
	bool found;
	size_t i, k;

	memset(passes, !list->n, m->nthreads + 1);
	for (i = 0; i < list->n; i++) {
		found = false;
		for (k = 0; k < m->nthreads; k++) {
			if (!filter_thread_is(list->item[i], &m->threads[k]))
				continue;
			passes[k + 1] = found = true;
		}
		t->p->filter.missed |= !found;
		if (!found)
			filter_missed(t, "only=thread:", list->item[i],
				      "no thread has this name; mpreduce "
				      "--threads lists all names",
				      NULL);
	}
}

/* Is the size of the cell's blocks wanted?  1 yes, 0 no, -1 perhaps of some. */
static int
filter_size(const struct filter *t, const struct mon_cell *x)
{
	const struct profile_filter *w = t->what;
	uint64_t least = x->size, largest = x->size;
	unsigned c = (unsigned)(x->size % PROFILE_NCLASS);

	if (!w->sizes)
		return 1;
	if (x->any && x->allocs == 1) {
		least = largest = x->bytes;
	} else if (x->any) {
		least = c ? filter_largest[c - 1] + 1 : 0;
		largest = filter_largest[c];
	}
	if (largest < w->least || least > w->largest)
		return 0;
	return least >= w->least && largest <= w->largest ? 1 : -1;
}

static bool
filter_cell(struct filter *t, const bool *passes, const struct mon_cell *x)
{
	int size = passes[x->thread] ? filter_size(t, x) : 0;

	if (size < 0) {
		t->p->filter.unsized_allocs += x->allocs;
		t->p->filter.unsized_bytes += x->bytes;
	}
	return size > 0;
}

/* ---------------------------------------------------------------- sites -- */

/*
 * Among n cells of a site, do blocks of one size pass for some threads and not
 * for others?  Then the peak of the site is unknown, because a block may be
 * freed by another thread.
 */
static bool
filter_splits(const struct filter *t, const bool *passes,
	      const struct mon_cell *x, size_t n)
{
	size_t i, k, left;
	int64_t held;

	for (i = 0; i < n; i += k) {
		for (k = left = 0, held = 0; i + k < n; k++) {
			if (!CELLS_ALIKE(&x[i + k], &x[i]))
				break;
			left += passes[x[i + k].thread] &&
				filter_size(t, &x[i + k]) > 0;
			held += x[i + k].peak_blocks;
		}
		if (left && (left < k || held < 0))
			return true;
	}
	return false;
}

/* Forget what isn't recorded by cell. */
static void
filter_forget(struct filter *t, bool had_peak)
{
	static const char by[] =
		"are left out: the filter keeps only a part of some call "
		"paths, and they are not recorded by size or thread";
	struct mon *m = t->mon;

	profile_warn(t->p, NULL, "lifetimes%s%s%s %s",
		     m->uses_known ? ", accesses" : "",
		     m->leaks_known ? ", leaks" : "",
		     had_peak && !m->peaks_known ? ", shares of the peak" : "",
		     by);

	known_forget(&m->known);
}

/*
 * Remove the cells that don't pass from all sites.  whole[i] becomes i, or
 * STAGES_NONE for sites that are kept in part.
 */
static void
filter_cut(struct filter *t, const bool *passes, uint32_t *whole)
{
	struct mon *m = t->mon;
	size_t i, k = 0, first, end, n = 0;
	bool cut;

	for (i = 0; i < m->nsites; i++) {
		first = n;
		end = k;
		cut = false;
		while (end < m->ncells && m->cells[end].site == i)
			end++;
		if (filter_splits(t, passes, m->cells + k, end - k))
			m->peaks_known = false;
		for (; k < end; k++) {
			if (filter_cell(t, passes, &m->cells[k]))
				m->cells[n++] = m->cells[k];
			else
				cut = true;
		}
		t->keep[i] = n > first;
		cut &= t->keep[i];
		t->cut |= cut;
		whole[i] = cut ? STAGES_NONE : (uint32_t)i;
		if (!cut)
			continue;
		m->sites[i] = (struct mon_site){ .node = m->sites[i].node,
						 .number = m->sites[i].number,
						 .path = m->sites[i].path };
		m->peaks_known &= recount_site(&m->sites[i], m->cells + first,
					       n - first, true);
	}
	m->ncells = n;
	FILTER_KEEP(m->vtables, m->nvtables, whole);
	if (t->cut)
		mon_keep_sites(m, whole);
	FILTER_KEEP(m->groups, m->ngroups, whole);
	FILTER_KEEP(m->fields, m->nfields, whole);
}

/*
 * The same for the changes at snapshots: all changes of a cell pass if the last
 * one does.
 */
static void
filter_changes(struct filter *t, const bool *passes)
{
	struct mon *m = t->mon;
	struct mon_cell x;
	size_t i, end, n = 0;

	for (i = 0; i < m->nchanges; i = end) {
		end = changes_end(m, i);
		x = changes_cell(&m->changes[end - 1]);
		if (!passes[x.thread] || filter_size(t, &x) <= 0)
			continue;
		memmove(m->changes + n, m->changes + i,
			(end - i) * sizeof(*m->changes));
		n += end - i;
	}
	m->nchanges = n;
}

static void
filter_warn_unsized(struct filter *t)
{
	const struct profile_filtered *f = &t->p->filter;

	if (!f->unsized_allocs)
		return;
	profile_warn(
		t->p, NULL,
		"--only=size: %" PRIu64 " allocations of %" PRIu64
		" bytes are left out, because only their size class is known",
		f->unsized_allocs, f->unsized_bytes);
}

void
filter_cells(struct filter *t)
{
	bool *passes, had_peak = t->mon->peaks_known;
	uint32_t *whole;

	if (!t->what->sizes && !t->what->thread.n)
		return;
	passes = heap_array(t->mon->nthreads + 1, sizeof(*passes));
	whole = heap_array(t->mon->nsites + 1, sizeof(*whole));
	filter_threads(t, passes);
	filter_cut(t, passes, whole);
	filter_changes(t, passes);
	filter_warn_unsized(t);
	if (t->cut)
		filter_forget(t, had_peak);
	free(passes);
	free(whole);
	filter_drop(t);
}
