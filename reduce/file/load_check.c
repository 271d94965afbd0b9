/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a file lacks of what it says, and the warnings about it. */
#include "reduce/file/load_check.h"
#include "reduce/file/cells.h"
#include "reduce/file/changes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int
load_warn(struct mon *m, const char *format, ...)
{
	size_t most = sizeof(m->warning) / sizeof(m->warning[0]) - 1;
	char text[1024];
	const char *copy;
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	copy = arena_print(&m->arena, "%s: %s", m->path, text);
	if (!copy)
		return -1;
	if (m->nwarning < most)
		m->warning[m->nwarning++] = copy;
	return 0;
}

/* "N" or, where the file says how many there should be, "N of M". */
static const char *
load_of(const struct mon *m, enum mon_kind kind, enum monout_total claim,
	char text[48])
{
	uint64_t n = m->tally[kind].items;

	if (m->total_set[claim] && m->total[claim] != n)
		snprintf(text, 48, "%" PRIu64 " of %" PRIu64, n,
			 m->total[claim]);
	else
		snprintf(text, 48, "%" PRIu64, n);
	return text;
}

/* Does the file have as much as it says? */
static bool
load_is_all(const struct mon *m)
{
	static const struct {
		enum mon_kind kind;
		enum monout_total claim;
	} tables[] = {
		{ MON_MODULES, MONOUT_T_MODULES },
		{ MON_NODES, MONOUT_T_NODES },
		{ MON_SITES, MONOUT_T_SITES },
		{ MON_BINS, MONOUT_T_BINS },
		{ MON_PEAKS, MONOUT_T_PEAKS },
		{ MON_LIVES, MONOUT_T_LIVES },
		{ MON_THREADS, MONOUT_T_THREADS },
		{ MON_USES, MONOUT_T_USES },
		{ MON_GROUPS, MONOUT_T_GROUPS },
		{ MON_FIELDS, MONOUT_T_FIELDS },
		{ MON_HANDED, MONOUT_T_HANDED },
		{ MON_MARKS, MONOUT_T_MARKS },
		{ MON_LEAKS, MONOUT_T_LEAKS },
		{ MON_TYPES, MONOUT_T_TYPES },
		{ MON_CELLS, MONOUT_T_CELLS },
		{ MON_VTABLES, MONOUT_T_VTABLES },
		{ MON_CHANGES, MONOUT_T_CHANGES },
		{ MON_MOMENTS, MONOUT_T_MOMENTS },
		{ MON_ERRORS, MONOUT_T_ERRORS },
	};
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (m->total_set[tables[i].claim] &&
		    m->total[tables[i].claim] != m->tally[tables[i].kind].items)
			return false;
	}
	return true;
}

/* Do the sites add up to the sums in the file?  True also when it has none. */
static bool
load_adds_up(const struct mon *m)
{
	const uint64_t have[MONOUT_T_REALLOCS + 1] = {
		[MONOUT_T_ALLOCS] = m->sums.allocs,
		[MONOUT_T_BYTES] = m->sums.bytes,
		[MONOUT_T_FREES] = m->sums.frees,
		[MONOUT_T_FREED] = m->sums.freed,
		[MONOUT_T_REALLOCS] = m->sums.reallocs,
	};
	int i;

	for (i = MONOUT_T_ALLOCS; i <= MONOUT_T_REALLOCS; i++) {
		if (m->total_set[i] && m->total[i] != have[i])
			return false;
	}
	return true;
}

/* The same for who held the peak. */
static bool
load_peaks_add_up(const struct mon *m)
{
	return (!m->total_set[MONOUT_T_PEAK_BLOCKS] ||
		m->total[MONOUT_T_PEAK_BLOCKS] == m->peak_blocks) &&
	       (!m->total_set[MONOUT_T_PEAK_BYTES] ||
		m->total[MONOUT_T_PEAK_BYTES] == m->peak_bytes);
}

/* The same for reads and writes. */
static bool
load_uses_add_up(const struct mon *m)
{
	return (!m->total_set[MONOUT_T_READS] ||
		m->total[MONOUT_T_READS] == m->use.n[MON_U_READS]) &&
	       (!m->total_set[MONOUT_T_WRITES] ||
		m->total[MONOUT_T_WRITES] == m->use.n[MON_U_WRITES]);
}

/* After the n bytes that text has of `size'; how many it has then. */
static __attribute__((format(printf, 4, 5))) size_t
load_add(char *text, size_t size, size_t n, const char *fmt, ...)
{
	va_list ap;
	int added;

	va_start(ap, fmt);
	added = vsnprintf(text + n, size - n, fmt, ap);
	va_end(ap);
	if (added < 0)
		return n;
	return n + (size_t)added < size ? n + (size_t)added : size - 1;
}

/* What is read of the tables that not every file has: "", or ", N peaks". */
static const char *
load_more(const struct mon *m, char *text, size_t size)
{
	static const struct {
		enum mon_kind kind;
		enum monout_total claim;
		const char *name;
	} tables[] = {
		{ MON_PEAKS, MONOUT_T_PEAKS, "peaks" },
		{ MON_LIVES, MONOUT_T_LIVES, "lives" },
		{ MON_THREADS, MONOUT_T_THREADS, "threads" },
		{ MON_USES, MONOUT_T_USES, "uses" },
		{ MON_GROUPS, MONOUT_T_GROUPS, "groups" },
		{ MON_FIELDS, MONOUT_T_FIELDS, "fields" },
		{ MON_HANDED, MONOUT_T_HANDED, "handed" },
		{ MON_MARKS, MONOUT_T_MARKS, "marks" },
		{ MON_LEAKS, MONOUT_T_LEAKS, "leaks" },
		{ MON_TYPES, MONOUT_T_TYPES, "types" },
		{ MON_CELLS, MONOUT_T_CELLS, "cells" },
		{ MON_VTABLES, MONOUT_T_VTABLES, "vtables" },
		{ MON_CHANGES, MONOUT_T_CHANGES, "changes" },
		{ MON_MOMENTS, MONOUT_T_MOMENTS, "moments" },
		{ MON_ERRORS, MONOUT_T_ERRORS, "errors" },
	};
	char of[48];
	size_t i, n = 0;

	text[0] = '\0';
	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (m->tally[tables[i].kind].records ||
		    m->total_set[tables[i].claim])
			n = load_add(text, size, n, ", %s %s",
				     load_of(m, tables[i].kind, tables[i].claim,
					     of),
				     tables[i].name);
	}
	return text;
}

/* One line on all that is missing. */
static int
load_warn_missing(const struct items *it, size_t at, bool whole)
{
	struct mon *m = it->mon;
	char how[560] = "", more[720], a[48], b[48], c[48], d[48];
	size_t n = 0;

	if (!whole)
		n = load_add(how, sizeof(how), n,
			     "cut after %zu of %" PRIu64 " bytes", at, m->size);
	if (it->bad_records)
		n = load_add(how, sizeof(how), n,
			     "%s%" PRIu64 " damaged record%s left out",
			     n ? ", " : "", it->bad_records,
			     it->bad_records > 1 ? "s" : "");
	if (it->bad_sites + it->bad_bins + it->bad_nodes)
		n = load_add(how, sizeof(how), n,
			     "%s%" PRIu64
			     " impossible sites, bins or nodes left out",
			     n ? ", " : "",
			     it->bad_sites + it->bad_bins + it->bad_nodes);
	if (it->bad_rows)
		n = load_add(how, sizeof(how), n,
			     "%s%" PRIu64
			     " impossible peaks, lives or threads left out",
			     n ? ", " : "", it->bad_rows);
	if (it->bad_uses)
		n = load_add(how, sizeof(how), n,
			     "%s%" PRIu64
			     " impossible uses, groups or fields left out",
			     n ? ", " : "", it->bad_uses);
	if (it->bad_more)
		n = load_add(how, sizeof(how), n,
			     "%s%" PRIu64 " impossible marks or leaks left out",
			     n ? ", " : "", it->bad_more);
	if (it->bad_cells)
		n = load_add(how, sizeof(how), n,
			     "%s%" PRIu64
			     " impossible types, cells or vtables left out",
			     n ? ", " : "", it->bad_cells);
	if (it->bad_times)
		n = load_add(how, sizeof(how), n,
			     "%s%" PRIu64
			     " impossible changes or moments left out",
			     n ? ", " : "", it->bad_times);
	if (n == 0)
		snprintf(how, sizeof(how), "parts are missing");
	return load_warn(m,
			 "%s; read %s modules, %s nodes, %s sites, %s bins%s: "
			 "totals are lower bounds",
			 how, load_of(m, MON_MODULES, MONOUT_T_MODULES, a),
			 load_of(m, MON_NODES, MONOUT_T_NODES, b),
			 load_of(m, MON_SITES, MONOUT_T_SITES, c),
			 load_of(m, MON_BINS, MONOUT_T_BINS, d),
			 load_more(m, more, sizeof(more)));
}

/* The bins and those sizes that had no bin: the same blocks as the sites'. */
static int
load_check_bins(struct mon *m)
{
	struct counts big = { 0 };
	const struct sums *b = &m->bin_sums, *s = &m->sums;

	big.allocs[0] = m->total[MONOUT_T_BIG_ALLOCS];
	big.bytes[0] = m->total[MONOUT_T_BIG_BYTES];
	big.frees[0] = m->total[MONOUT_T_BIG_FREES];
	big.freed[0] = m->total[MONOUT_T_BIG_FREED];
	if (big.frees[0] > big.allocs[0] || big.freed[0] > big.bytes[0] ||
	    !sums_add(&m->bin_sums, &big, 0)) {
		m->incomplete = true;
		m->total[MONOUT_T_BIG_ALLOCS] = m->total[MONOUT_T_BIG_BYTES] =
			0;
		m->total[MONOUT_T_BIG_FREES] = m->total[MONOUT_T_BIG_FREED] = 0;
		return load_warn(m, "impossible counts of large blocks left "
				    "out; totals are lower bounds");
	}
	if (m->incomplete || (b->allocs == s->allocs && b->bytes == s->bytes &&
			      b->frees == s->frees && b->freed == s->freed))
		return 0;
	return load_warn(m,
			 "the bins have %" PRIu64 " allocations of %" PRIu64
			 " bytes, the sites %" PRIu64 " of %" PRIu64
			 "; the tables won't agree",
			 b->allocs, b->bytes, s->allocs, s->bytes);
}

/* One line when the sums in the file aren't those of what was read. */
static int
load_check_sums(struct mon *m)
{
	const uint64_t *t = m->total;

	if (!load_adds_up(m)) {
		m->incomplete = true;
		return load_warn(m,
				 "damaged: the sites add up to %" PRIu64
				 "/%" PRIu64 "/%" PRIu64 "/%" PRIu64
				 " allocations, bytes, frees "
				 "and bytes freed, the totals say %" PRIu64
				 "/%" PRIu64 "/%" PRIu64 "/%" PRIu64,
				 m->sums.allocs, m->sums.bytes, m->sums.frees,
				 m->sums.freed, t[MONOUT_T_ALLOCS],
				 t[MONOUT_T_BYTES], t[MONOUT_T_FREES],
				 t[MONOUT_T_FREED]);
	}
	if (!load_peaks_add_up(m)) {
		m->incomplete = true;
		return load_warn(m,
				 "damaged: what the sites held at the peak "
				 "adds up to %" PRIu64 " blocks of %" PRIu64
				 " bytes, the totals say %" PRIu64
				 " of %" PRIu64,
				 m->peak_blocks, m->peak_bytes,
				 t[MONOUT_T_PEAK_BLOCKS],
				 t[MONOUT_T_PEAK_BYTES]);
	}
	if (!load_uses_add_up(m)) {
		m->incomplete = true;
		return load_warn(m,
				 "damaged: the sites' accesses add up to "
				 "%" PRIu64 " reads and %" PRIu64
				 " writes, the totals say %" PRIu64
				 " and %" PRIu64,
				 m->use.n[MON_U_READS], m->use.n[MON_U_WRITES],
				 t[MONOUT_T_READS], t[MONOUT_T_WRITES]);
	}
	if (m->total_set[MONOUT_T_ALLOCS])
		return 0;
	m->incomplete = true;
	return load_warn(m, "%s",
			 mon_is_sum(m) ? "summed from files of which some "
					 "were not whole; totals are lower "
					 "bounds"
				       : "no sums in it to check it by");
}

/* Is there such a table, though it may have nothing in it? */
static bool
load_has(const struct mon *m, enum mon_kind kind, enum monout_total claim)
{
	return m->tally[kind].items ||
	       (m->total_set[claim] && !m->total[claim]);
}

/*
 * Are the blocks' accesses known?  Not when there is no table of them, nor when
 * the run says that it couldn't record any.
 */
static bool
load_has_uses(const struct mon *m)
{
	const struct mon_value *way = &m->run[MONOUT_R_WAY];

	if (way->set && !way->number)
		return false;
	return m->tally[MON_USES].items ||
	       (way->set && load_has(m, MON_USES, MONOUT_T_USES));
}

/*
 * Is it known what a leak check found?  Of a sum it may be known of some of the
 * files only, which then hasn't the key.
 */
static void
load_check_leaks(struct mon *m)
{
	bool checked = m->run[MONOUT_R_LEAKCHECK].set;
	bool items = m->tally[MON_LEAKS].items;
	bool whole = m->tally[MON_TOTALS].records;

	m->leaks_known =
		items || (checked && whole && !m->total[MONOUT_T_LEAKS]);
	m->leaks_all = m->leaks_known && checked;
}

/* Parts of the sums that are more than these: then they aren't known. */
static int
load_check_parts(struct mon *m)
{
	uint64_t *t = m->total;

	/* Estimates, while the sums aren't yet. */
	if (m->run[MONOUT_R_SAMPLE].set && !mon_is_sum(m))
		return 0;
	if (t[MONOUT_T_OFF_FREES] <= m->sums.frees &&
	    t[MONOUT_T_OFF_FREED] <= m->sums.freed &&
	    t[MONOUT_T_POOL_ALLOCS] <= m->sums.allocs &&
	    t[MONOUT_T_POOL_BYTES] <= m->sums.bytes)
		return 0;
	t[MONOUT_T_OFF_FREES] = t[MONOUT_T_OFF_FREED] = 0;
	t[MONOUT_T_POOL_ALLOCS] = t[MONOUT_T_POOL_BYTES] = 0;
	if (m->incomplete)
		return 0;
	m->incomplete = true;
	return load_warn(m, "impossible counts of pools or of times when "
			    "recording was off left out; totals are lower "
			    "bounds");
}

/* Are the bytes all zero, as in a file that was made longer beforehand? */
static bool
load_is_blank(const unsigned char *p, size_t n)
{
	return n == 0 || (p[0] == 0 && memcmp(p, p + 1, n - 1) == 0);
}

/*
 * Are the blocks known by thread and size?  What isn't as the sites' counts is
 * left out; that is said when nothing else is wrong.
 */
static int
load_check_cells(struct mon *m)
{
	m->cells_known = load_has(m, MON_CELLS, MONOUT_T_CELLS);
	if (!m->cells_known || cells_settle(m))
		return 0;
	m->cells_known = false;
	if (m->incomplete)
		return 0;
	return load_warn(m, "its counts by thread and size don't add up to "
			    "those of the sites; they are left out");
}

/* The same of what there was at moments. */
static int
load_check_times(struct mon *m)
{
	bool all = m->tally[MON_MOMENTS].items == m->total[MONOUT_T_MOMENTS];
	bool some = m->nmoments != 0;
	/* Who wrote the table may have found later that it isn't whole. */
	bool changes = m->total_set[MONOUT_T_CHANGES];

	if (!all || !changes_settle_moments(m)) {
		changes_forget(m);
		if (!some || m->incomplete)
			return 0;
		return load_warn(m, "its moments don't end with its totals; "
				    "they are left out");
	}
	if (!changes) {
		m->nchanges = 0;
		m->changes_known = false;
		return 0;
	}
	if (changes_settle(m) || m->incomplete)
		return 0;
	return load_warn(m, "its changes by site don't add up to the counts of "
			    "the sites; they are left out");
}

int
load_check(struct items *it, const unsigned char *p, size_t at, bool whole)
{
	struct mon *m = it->mon;

	m->peaks_known = load_has(m, MON_PEAKS, MONOUT_T_PEAKS);
	m->lives_known = load_has(m, MON_LIVES, MONOUT_T_LIVES);
	m->threads_known = load_has(m, MON_THREADS, MONOUT_T_THREADS);
	m->uses_known = load_has_uses(m);
	m->vtables_known = load_has(m, MON_VTABLES, MONOUT_T_VTABLES);
	load_check_leaks(m);
	it->bad_cells += cells_settle_vtables(m);
	if (!whole || it->bad_records || items_left_out(it) || it->lost_nodes ||
	    it->lost_sites || !load_is_all(m)) {
		m->incomplete = true;
		if (load_warn_missing(it, at, whole))
			return -1;
	} else if (load_check_sums(m)) {
		return -1;
	}
	if (load_check_cells(m) || load_check_times(m))
		return -1;
	if (whole && !load_is_blank(p + at, m->size - at) &&
	    load_warn(m, "%" PRIu64 " bytes after its end are left out",
		      m->size - at))
		return -1;
	return load_check_parts(m) ? -1 : load_check_bins(m);
}
