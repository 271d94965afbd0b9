/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks allocated between two times, and those of them live at the end.
 *
 * The data have the number of blocks of a site, size and thread that were freed
 * since the first time, but not which ones.  If all of these were blocks of the
 * span, the fewest are left; if as many as possible were other blocks, the
 * most.  The figures are the lower bounds.  Both bounds are the same if no
 * other blocks of that kind were live, or if none was freed.
 *
 * With a log of blocks all figures are exact, and the times are the given ones.
 */
#include "reduce/base/err.h"
#include "reduce/base/str.h"
#include "reduce/estimate/sample.h"
#include "reduce/monout/cells.h"
#include "reduce/monout/changes.h"
#include "reduce/monout/merge.h"
#include "reduce/image/open.h"
#include "reduce/log/log.h"
#include "reduce/model/stages.h"
#include "reduce/profile/when.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct between {
	struct snapshot from, to;
	uint64_t least_blocks, least_bytes;
	uint64_t most_blocks, most_bytes;
	bool back; /* counts became smaller: a reset */
	bool log;  /* the figures are from the log */
};

static uint64_t
between_less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/*
 * The blocks of a row between counts a and b; c: at the end.  If counts were
 * reset after b, frees before the reset aren't known.
 */
static struct mon_cell
between_cell(struct between *s, const struct mon_cell *a,
	     const struct mon_cell *b, const struct mon_cell *c)
{
	struct mon_cell x = *b;
	bool known = TOTALS_WITHIN(b, c);
	uint64_t blocks = 0, bytes = 0, most_blocks, most_bytes;

	x.allocs -= a->allocs;
	x.bytes -= a->bytes;
	most_blocks = x.allocs;
	most_bytes = x.bytes;
	if (known) {
		blocks = between_less(x.allocs, c->frees - a->frees);
		bytes = blocks ? between_less(x.bytes, c->freed - a->freed) : 0;
		most_blocks = counts_least(x.allocs,
					   between_less(c->allocs, c->frees));
		most_bytes =
			counts_least(x.bytes, between_less(c->bytes, c->freed));
	}
	x.frees = x.allocs - blocks;
	x.freed = x.bytes - bytes;
	/* The sums of a damaged file may not fit. */
	s->least_blocks = counts_capped(s->least_blocks, blocks);
	s->least_bytes = counts_capped(s->least_bytes, bytes);
	s->most_blocks = counts_capped(s->most_blocks, most_blocks);
	s->most_bytes = counts_capped(s->most_bytes, most_bytes);
	return x;
}

/* The counts of the row from i to end - 1 before snapshot n. */
static struct mon_cell
between_at(const struct mon *m, size_t i, size_t end, size_t n)
{
	const struct mon_change *x = changes_before(m, i, end, n);
	struct mon_cell c = changes_cell(&m->changes[i]);

	if (x)
		return changes_cell(x);
	c.allocs = c.bytes = c.frees = c.freed = 0;
	return c;
}

static size_t
between_cells(struct between *s, const struct mon *m, struct mon_cell *to)
{
	struct mon_cell a, b, c, x;
	size_t i, end, n = 0;

	for (i = 0; i < m->nchanges; i = end) {
		end = changes_end(m, i);
		a = between_at(m, i, end, s->from.n);
		b = between_at(m, i, end, s->to.n);
		c = between_at(m, i, end, SIZE_MAX);
		s->back |= !TOTALS_WITHIN(&a, &b);
		if (s->back)
			return 0;
		x = between_cell(s, &a, &b, &c);
		if (x.allocs)
			to[n++] = x;
	}
	return n;
}

/* ----------------------------------------------------------------- texts -- */

static void
between_kept(struct profile_snapshot *x, const struct between *s)
{
	x->kept_blocks = s->most_blocks;
	x->kept_bytes = s->most_bytes;
	x->least_blocks = s->least_blocks;
	x->least_bytes = s->least_bytes;
	x->logged = s->log;
	x->span = true;
}

static void
between_note(struct profile *p, const struct between *s)
{
	struct arena *a = &p->priv->arena;
	const char *from = snapshot_text(a, &s->from);
	const char *to = snapshot_text(a, &s->to);
	const char *x, *y, *known = "";

	if ((s->from.kind != SNAPSHOT_TIME && s->from.at != s->from.time) ||
	    (s->to.kind != SNAPSHOT_TIME && s->to.at != s->to.time)) {
		x = snapshot_seconds(a, s->from.at);
		y = snapshot_seconds(a, s->to.at);
		known = arena_print(a, "\nby snapshots: from %s to %s", x, y);
	}
	p->snapshot.note = arena_print(a, "allocated between %s and %s%s", from,
				       to, known);
	between_kept(&p->snapshot, s);
	p->snapshot.at = s->to.at;
	p->snapshot.blocks.from = s->from.at;
	p->snapshot.blocks.to =
		s->to.kind == SNAPSHOT_END ? UINT64_MAX : s->to.at;
	p->snapshot.blocks.until = UINT64_MAX;
}

/* The span is the whole run: the tables are those of the run. */
static void
between_all(struct profile *p, const struct mon *m, struct between *s)
{
	s->least_blocks = s->most_blocks = m->sums.allocs - m->sums.frees;
	s->least_bytes = s->most_bytes = m->sums.bytes - m->sums.freed;
	between_note(p, s);
}

/* --------------------------------------------------------------- the log -- */

/*
 * Get n cells from the log.  SIZE_MAX: the log lacks some blocks of the span.
 */
static size_t
between_log(struct between *s, struct profile *p, const struct mon *m,
	    const struct merge_first *log, struct mon_cell **c)
{
	struct log_span which = {
		.from = s->from.time,
		.to = s->to.kind == SNAPSHOT_END ? UINT64_MAX : s->to.time,
		.until = UINT64_MAX,
	};
	size_t n = when_log(p, m, log, &which, c), i;

	for (i = 0; n != SIZE_MAX && i < n; i++) {
		s->least_blocks += (*c)[i].allocs - (*c)[i].frees;
		s->least_bytes += (*c)[i].bytes - (*c)[i].freed;
	}
	if (n == SIZE_MAX)
		return n;
	s->most_blocks = s->least_blocks;
	s->most_bytes = s->least_bytes;
	s->from.at = s->from.time;
	s->to.at = s->to.time;
	s->log = true;
	return n;
}

/* Get *n cells from the changes.  0, or -1 with *e set. */
static int
between_changes(struct between *s, struct profile *p, const struct mon *m,
		const struct profile_when *w, struct mon_cell **c, size_t *n,
		struct err *e)
{
	if (when_check(p, m, "--between", w->from, e))
		return -1;
	*c = heap_array(m->nchanges + 1, sizeof(**c));
	*n = between_cells(s, m, *c);
	if (!s->back)
		return 0;
	free(*c);
	*c = NULL;
	err_set(e,
		"--between=%s,%s: counts were reset between these times; give "
		"two times before the reset, or after it",
		w->from, w->to);
	return -1;
}

/* ----------------------------------------------------- another data file -- */

/* A time that means an earlier data file of the run begins with this. */
#define BETWEEN_FILE "file:"

/* Are both files of one process, and is old the earlier one? */
static bool
between_same_run(const struct mon *old, const struct mon *m)
{
	static const int keys[] = { MONOUT_R_PID, MONOUT_R_START,
				    MONOUT_R_PROGRAM };
	const struct mon_value *x, *y;
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		x = &old->run[keys[i]];
		y = &m->run[keys[i]];
		if (!x->set || !y->set || x->number != y->number ||
		    (x->text && (!y->text || strcmp(x->text, y->text))))
			return false;
	}
	return old->run[MONOUT_R_LENGTH].number <=
	       m->run[MONOUT_R_LENGTH].number;
}

/* Cells of a class: each alone, by size, or all together. */
enum { EACH, OF_A_SIZE, OF_THE_CLASS, NJOINS };

/* Join cells; returns how many are left. */
static size_t
between_join(struct mon_cell *old, struct mon_cell *now, size_t n, int how)
{
	unsigned k = cells_class(old);
	size_t i, left = 0;

	if (how == EACH)
		return n;
	for (i = 0; i < n; i++) {
		old[i].thread = now[i].thread = 0;
		if (how == OF_THE_CLASS) {
			old[i].any = now[i].any = true;
			old[i].size = now[i].size = k;
		}
		if (left && CELLS_ALIKE(&old[left - 1], &old[i])) {
			cells_add(&old[left - 1], &old[i]);
			cells_add(&now[left - 1], &now[i]);
		} else {
			old[left] = old[i];
			now[left++] = now[i];
		}
	}
	return left;
}

static bool
between_all_within(const struct mon_cell *old, const struct mon_cell *now,
		   size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (!TOTALS_WITHIN(&old[i], &now[i]))
			return false;
	}
	return true;
}

/*
 * Make the cells of a class.  A block's free, or its size, may be known by
 * thread in one file and not in the next, so cells are joined until all counts
 * fit.  Returns the number of cells in *now.
 */
static size_t
between_class(struct between *s, struct mon_cell *old, struct mon_cell *now,
	      size_t n)
{
	size_t i, k = 0;
	int how;

	for (how = EACH; how < NJOINS; how++) {
		n = between_join(old, now, n, how);
		if (between_all_within(old, now, n))
			break;
	}
	s->back |= how == NJOINS;
	if (s->back)
		return 0;
	for (i = 0; i < n; i++) {
		now[k] = between_cell(s, &old[i], &now[i], &now[i]);
		k += now[k].allocs != 0;
	}
	return k;
}

/*
 * Make the span's cells from the cells of both files together.  These have the
 * numbers of m.  Minus the cells of m they are those of the old file.  *to has
 * room for as many.
 */
static size_t
between_files_cells(struct between *s, struct mon *both, const struct mon *m,
		    struct mon_cell *to)
{
	struct mon_cell *old = both->cells;
	size_t i, j = 0, end, n = 0, left;

	for (i = 0; i < both->ncells; i++) {
		to[i] = (struct mon_cell){ .site = old[i].site,
					   .size = old[i].size,
					   .any = old[i].any,
					   .thread = old[i].thread };
		if (j < m->ncells && !cells_compare(&m->cells[j], &old[i]))
			to[i] = m->cells[j++];
		TOTALS_TAKE(&old[i], &to[i]);
	}
	for (i = 0; i < both->ncells; i = end) {
		for (end = i + 1;
		     end < both->ncells && old[end].site == old[i].site &&
		     cells_class(&old[end]) == cells_class(&old[i]);
		     end++)
			;
		left = between_class(s, old + i, to + i, end - i);
		memmove(to + n, to + i, left * sizeof(*to));
		n += left;
	}
	return s->back ? 0 : n;
}

static void
between_files_note(struct profile *p, const struct between *s, const char *path)
{
	p->snapshot.note =
		arena_print(&p->priv->arena,
			    "allocated since the data file %s was written",
			    path);
	between_kept(&p->snapshot, s);
}

/*
 * Count the blocks that m has and the old file doesn't.  0, or -1 with *e set.
 */
static int
between_files_with(struct profile *p, struct mon *m, struct mon *old,
		   const char *path, struct err *e)
{
	struct between s = { .back = false };
	struct merge both = { .nfiles = 0 };
	struct mon_cell *c = NULL;
	int status = -1;
	size_t n = 0;

	m->path = old->path;
	sample_scale(old);
	c = heap_array(m->ncells + old->ncells + 1, sizeof(*c));
	if (!between_same_run(old, m) || !m->cells_known || !old->cells_known)
		err_set(e,
			"--between=" BETWEEN_FILE
			"%s,end: not an earlier data file of this run with "
			"counts by size; give one that was written during the "
			"run",
			path);
	else
		status = merge_add(&both, m, e) || merge_add(&both, old, e) ? -1
									    : 0;
	m->path = NULL;
	merge_settle(&both);
	if (!status)
		n = between_files_cells(&s, &both.all, m, c);
	merge_fini(&both);
	if (!status && s.back)
		status = err_set(e,
				 "--between=" BETWEEN_FILE "%s,end: counts "
				 "were reset since then",
				 path);
	if (!status)
		between_files_note(p, &s, path);
	if (status) {
		free(c);
		return -1;
	}
	m->nmarks = m->nsnapshots = m->nchanges = 0;
	return when_replace(p, m, c, n, false, e);
}

static int
between_files(struct profile *p, struct mon *m, const struct profile_when *w,
	      struct err *e)
{
	const char *path = w->from + strlen(BETWEEN_FILE);
	struct mon old;
	int status;

	if (strcmp(w->to, "end") || p->nruns - p->nunread != 1)
		return err_set(e,
			       "--between=%s,%s: the second time of two data "
			       "files must be end",
			       w->from, w->to);
	if (access(path, F_OK))
		return err_set(e,
			       "--between=" BETWEEN_FILE
			       "%s,end: no such file; give one that memmon "
			       "--every wrote",
			       path);
	if (open_file(&old, path, e))
		return -1;
	status = between_files_with(p, m, &old, path, e);
	mon_fini(&old);
	return status;
}

/* ------------------------------------------------------------------- all -- */

int
when_between(struct profile *p, struct mon *m, const struct profile_when *w,
	     const struct merge_first *log, struct err *e)
{
	struct between s = { .back = false };
	struct mon_cell *c = NULL;
	size_t n;

	if (str_starts(w->from, BETWEEN_FILE))
		return between_files(p, m, w, e);
	if (snapshot_find(&s.from, m, "--between", w->from, e) ||
	    snapshot_find(&s.to, m, "--between", w->to, e))
		return -1;
	if (s.from.time > s.to.time)
		return err_set(e,
			       "--between=%s,%s: the second time is before "
			       "the first; give the earlier one first",
			       w->from, w->to);
	if (s.to.kind == SNAPSHOT_END && !s.from.time) {
		between_all(p, m, &s);
		return 0;
	}
	n = between_log(&s, p, m, log, &c);
	if (n == SIZE_MAX && between_changes(&s, p, m, w, &c, &n, e))
		return -1;
	between_note(p, &s);
	m->nmarks = m->nsnapshots = m->nchanges = 0;
	return when_replace(p, m, c, n, false, e);
}
