/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compare a file with its own totals, and warn about what is missing. */
#include "reduce/monout/load_check.h"
#include "reduce/base/clean.h"
#include "reduce/monout/cells.h"
#include "reduce/monout/changes.h"
#include "reduce/monout/use_paths.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void
load_warn(struct mon *m, const char *format, ...)
{
	size_t most = sizeof(m->warning) / sizeof(m->warning[0]) - 1;
	char text[1024];
	const char *copy;
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	copy = clean_controls(arena_print(&m->arena, "%s: %s", m->path, text));
	if (m->nwarning < most)
		m->warning[m->nwarning++] = copy;
}

/* Does the file's number of items differ from the number that was read? */
static bool
load_differs(const struct mon *m, enum mon_kind kind)
{
	enum monout_total claim = items_claim(kind);

	return m->total_set[claim] && m->total[claim] != m->tally[kind].items;
}

/* Does the file have as many items as it says? */
static bool
load_is_all(const struct mon *m)
{
	int i;

	for (i = 0; i < MON_NKIND; i++) {
		if (load_differs(m, i))
			return false;
	}
	return true;
}

/* Is `have' the total in the file?  True also if the file has no such total. */
static bool
load_is(const struct mon *m, enum monout_total key, uint64_t have)
{
	return !m->total_set[key] || m->total[key] == have;
}

/* Text that grows, in an arena. */
struct load_text {
	struct arena *a;
	const char *s;
};

static __attribute__((format(printf, 2, 3))) void
load_add(struct load_text *t, const char *format, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	t->s = arena_print(t->a, "%s%s", t->s, text);
}

/* Say what was left out, and why. */
static void
load_add_left_out(struct load_text *t, const struct items *it, size_t at,
		  bool whole)
{
	const char *comma = "";
	int i;

	if (!whole) {
		load_add(t, "truncated after %zu of %" PRIu64 " bytes", at,
			 it->mon->size);
		comma = ", ";
	}
	if (it->bad_records) {
		load_add(t, "%s%" PRIu64 " damaged record%s left out", comma,
			 it->bad_records, it->bad_records > 1 ? "s" : "");
		comma = ", ";
	}
	for (i = 0; i < MON_NKIND; i++) {
		if (!it->bad[i])
			continue;
		load_add(t, "%s%" PRIu64 " impossible %s left out", comma,
			 it->bad[i], items_name_of(i, it->bad[i]));
		comma = ", ";
	}
	if (!*comma)
		load_add(t, "parts are missing");
}

/*
 * Say what was read.  A table that isn't in every file is named only if this
 * file has the table.
 */
static void
load_add_read(struct load_text *t, const struct mon *m)
{
	const char *comma = "; read ";
	enum monout_total claim;
	int i;

	for (i = 0; i < MON_NKIND; i++) {
		claim = items_claim(i);
		if (!claim || (i > MON_BINS && !m->tally[i].records &&
			       !m->total_set[claim]))
			continue;
		load_add(t, "%s%" PRIu64, comma, m->tally[i].items);
		if (load_differs(m, i))
			load_add(t, " of %" PRIu64, m->total[claim]);
		load_add(t, " %s", items_name(i));
		comma = ", ";
	}
}

/* Warn, in one line, about all that is missing. */
static void
load_warn_missing(const struct items *it, size_t at, bool whole)
{
	struct mon *m = it->mon;
	struct load_text t = { &m->arena, "" };

	load_add_left_out(&t, it, at, whole);
	load_add_read(&t, m);
	load_warn(m, "%s: totals are lower bounds", t.s);
}

/*
 * Check that the bins, with the sizes that have no bin, have the same blocks as
 * the sites.
 */
static void
load_check_bins(struct mon *m)
{
	const struct sums *b = &m->bin_sums, *s = &m->sums;
	struct amounts *big = mon_big(m);

	if (big->frees > big->allocs || big->freed > big->bytes ||
	    !sums_add_amounts(&m->bin_sums, big, 0)) {
		m->incomplete = true;
		*big = (struct amounts){ 0 };
		load_warn(m, "impossible counts of large blocks left "
			     "out; totals are lower bounds");
		return;
	}
	if (m->incomplete || TOTALS_SAME(b, s))
		return;
	load_warn(m,
		  "the sizes add up to %" PRIu64 " allocations of %" PRIu64
		  " bytes, the call paths to %" PRIu64 " of %" PRIu64
		  "; the tables differ",
		  b->allocs, b->bytes, s->allocs, s->bytes);
}

/* Warn, in one line, if the file's sums differ from those of the items read. */
static void
load_check_sums(struct mon *m)
{
	const uint64_t *t = m->total;
	const struct sums *s = &m->sums;
	bool was = m->incomplete;

	m->incomplete = true;
	if (!load_is(m, MONOUT_T_ALLOCS, s->allocs) ||
	    !load_is(m, MONOUT_T_BYTES, s->bytes) ||
	    !load_is(m, MONOUT_T_FREES, s->frees) ||
	    !load_is(m, MONOUT_T_FREED, s->freed) ||
	    !load_is(m, MONOUT_T_REALLOCS, s->reallocs))
		load_warn(m,
			  "damaged: the call paths add up to %" PRIu64
			  "/%" PRIu64 "/%" PRIu64 "/%" PRIu64
			  " allocations, bytes, frees and bytes freed, "
			  "the totals say %" PRIu64 "/%" PRIu64 "/%" PRIu64
			  "/%" PRIu64,
			  s->allocs, s->bytes, s->frees, s->freed,
			  t[MONOUT_T_ALLOCS], t[MONOUT_T_BYTES],
			  t[MONOUT_T_FREES], t[MONOUT_T_FREED]);
	else if (!load_is(m, MONOUT_T_PEAK_BLOCKS, m->peak_blocks) ||
		 !load_is(m, MONOUT_T_PEAK_BYTES, m->peak_bytes))
		load_warn(
			m,
			"damaged: the call paths at the peak add up to %" PRIu64
			" blocks of %" PRIu64 " bytes, the totals say %" PRIu64
			" of %" PRIu64,
			m->peak_blocks, m->peak_bytes, t[MONOUT_T_PEAK_BLOCKS],
			t[MONOUT_T_PEAK_BYTES]);
	else if (!load_is(m, MONOUT_T_READS, m->use.reads) ||
		 !load_is(m, MONOUT_T_WRITES, m->use.writes))
		load_warn(
			m,
			"damaged: the accesses by call path add up to %" PRIu64
			" reads and %" PRIu64 " writes, the totals say %" PRIu64
			" and %" PRIu64,
			m->use.reads, m->use.writes, t[MONOUT_T_READS],
			t[MONOUT_T_WRITES]);
	else if (!m->total_set[MONOUT_T_ALLOCS])
		load_warn(m, "%s",
			  mon_is_sum(m) ? "a sum of files, some truncated; "
					  "totals are lower bounds"
					: "the file has no sums to check it");
	else
		m->incomplete = was;
}

/* Does the file have this table?  The table may be empty. */
static bool
load_has(const struct mon *m, enum mon_kind kind)
{
	enum monout_total claim = items_claim(kind);

	return m->tally[kind].items ||
	       (m->total_set[claim] && !m->total[claim]);
}

/*
 * Are the blocks' accesses known?  They aren't if the file lacks the table, or
 * if the run says that it couldn't record accesses.
 */
static bool
load_has_uses(const struct mon *m)
{
	const struct mon_value *way = &m->run[MONOUT_R_WAY];

	if (way->set && !way->number)
		return false;
	return m->tally[MON_USES].items || (way->set && load_has(m, MON_USES));
}

/* Check that the uses have no more blocks than the sites of their paths. */
static void
load_check_uses(struct mon *m)
{
	m->uses_known = load_has_uses(m);
	/* sample_scale() makes those of samples fit. */
	if (!m->uses_known || !m->tally[MON_PATHS].records ||
	    (m->run[MONOUT_R_SAMPLE].set && !mon_is_sum(m)))
		return;
	if (use_paths_sane(m))
		return;
	m->uses_known = false;
	if (m->incomplete)
		return;
	m->incomplete = true;
	load_warn(m, "more blocks have accesses than were allocated; "
		     "accesses are left out");
}

/*
 * Are the results of a leak check known?  A sum of files may have results for
 * only some files; then it doesn't have the key.
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
	m->holds_known =
		m->leaks_known &&
		m->leak.holds.blocks == m->leak.blocks[MONOUT_INDIRECT] &&
		m->leak.holds.bytes == m->leak.bytes[MONOUT_INDIRECT];
}

/* The figures that the file's version has are known. */
static void
load_check_figures(struct mon *m)
{
	m->figures_known = 0;
	if (!load_has(m, MON_FIGURES))
		return;
#define F(name, member, since) \
	if (m->minor >= (since)) \
		m->figures_known |= 1ull << MONOUT_FIGURE_##name;
	MONREC_FIGURE_KINDS(F)
#undef F
}

/* Parts of the sums: if one is larger than its sum, they count as unknown. */
static void
load_check_pools(struct mon *m)
{
	uint64_t *t = m->total;

	/* These are estimates, but the sums aren't yet. */
	if (m->run[MONOUT_R_SAMPLE].set && !mon_is_sum(m))
		return;
	if (t[MONOUT_T_OFF_FREES] <= m->sums.frees &&
	    t[MONOUT_T_OFF_FREED] <= m->sums.freed &&
	    t[MONOUT_T_POOL_ALLOCS] <= m->sums.allocs &&
	    t[MONOUT_T_POOL_BYTES] <= m->sums.bytes)
		return;
	t[MONOUT_T_OFF_FREES] = t[MONOUT_T_OFF_FREED] = 0;
	t[MONOUT_T_POOL_ALLOCS] = t[MONOUT_T_POOL_BYTES] = 0;
	if (m->incomplete)
		return;
	m->incomplete = true;
	load_warn(m, "impossible counts of pools, or of frees while recording "
		     "was off, left out; totals are lower bounds");
}

/* Are the bytes all zero, as in a file that was extended in advance? */
static bool
load_is_blank(const unsigned char *p, size_t n)
{
	return n == 0 || (p[0] == 0 && memcmp(p, p + 1, n - 1) == 0);
}

/*
 * Are the blocks known by thread and size?  If the cells don't add up to the
 * sites' counts, they are left out, with a warning if nothing else is wrong.
 */
static void
load_check_cells(struct mon *m)
{
	m->cells_known = load_has(m, MON_CELLS);
	if (!m->cells_known || cells_check(m))
		return;
	m->cells_known = false;
	if (m->incomplete)
		return;
	load_warn(m, "the counts by thread and size don't add up to "
		     "those of the call paths and are left out");
}

/* The same for the counts at snapshots. */
static void
load_check_times(struct mon *m)
{
	bool all =
		m->tally[MON_SNAPSHOTS].items == m->total[MONOUT_T_SNAPSHOTS];
	bool some = m->nsnapshots != 0;

	/*
	 * The writer may have found after writing the table that it is
	 * incomplete.
	 */
	bool changes = m->total_set[MONOUT_T_CHANGES];

	if (!all || !changes_check_snapshots(m)) {
		changes_forget(m);
		if (!some || m->incomplete)
			return;
		load_warn(m, "the snapshots don't end with the totals "
			     "and are left out");
		return;
	}
	if (!changes) {
		m->nchanges = 0;
		m->changes_known = false;
		return;
	}
	/* A process that runs may change between two reads. */
	if (changes_check(m) || m->incomplete ||
	    m->run[MONOUT_R_RUNNING].number == 1)
		return;
	load_warn(m, "the snapshots by call path don't add up to the "
		     "counts of the call paths and are left out");
}

void
load_check(struct items *it, const unsigned char *p, size_t at, bool whole)
{
	struct mon *m = it->mon;
	uint64_t bad;

#define CHECK(name, table)
#define TABLE(name, table) m->name = table;
#define T(table) load_has(m, MON_##table)
#define K(type, name, joined, loaded, scope, table) loaded(name, table)
	KNOWN(K)
#undef K
#undef T
#undef TABLE
#undef CHECK
	load_check_leaks(m);
	load_check_figures(m);
	bad = cells_check_vtables(m);
	it->bad[MON_VTABLES] += bad;
	it->left_out += bad;
	if (!whole || it->bad_records || it->left_out || it->lost_nodes ||
	    it->lost_sites || !load_is_all(m)) {
		m->incomplete = true;
		load_warn_missing(it, at, whole);
	} else {
		load_check_sums(m);
	}
	load_check_uses(m);
	load_check_cells(m);
	load_check_times(m);
	if (whole && !load_is_blank(p + at, m->size - at))
		load_warn(m, "%" PRIu64 " bytes after the end are left out",
			  m->size - at);
	load_check_pools(m);
	load_check_bins(m);
}
