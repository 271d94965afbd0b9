/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * USES, GROUPS and FIELDS: each of their numbers in turn made impossible, rows
 * without a site, totals that don't match.
 */
#include "reduce/monout/items.h"
#include "tests/unit/uses.h"

static bool
says(const char *what)
{
	return m.nwarning == 1 && strstr(m.warning[0], what);
}

/* ------------------------------------------------- one number at a time -- */

enum outcome { TAKEN, LEFT_OUT, LOST, BROKEN };

struct change {
	int field;
	uint64_t value;
	enum outcome outcome;
};

static enum outcome
outcome(enum mon_kind kind)
{
	char bad[64];

	snprintf(bad, sizeof(bad), "1 impossible %s left out;",
		 items_name_of(kind, 1));
	if (!m.incomplete && !m.nwarning && m.tally[kind].items == 1)
		return TAKEN;
	if (m.incomplete && says("1 damaged record"))
		return BROKEN;
	if (m.incomplete && !m.tally[kind].items && says(bad))
		return LEFT_OUT;
	if (m.incomplete && !m.tally[kind].items && says("parts are missing"))
		return LOST;
	return -1;
}

static void
change(uint32_t tag, enum mon_kind kind, const uint64_t *good, size_t numbers,
       const struct change *c, size_t n)
{
	uint64_t v[64];
	struct emit f;

	for (; n; n--, c++) {
		memcpy(v, good, numbers * sizeof(*v));
		v[c->field] = c->value;
		begin(&f);
		if (tag != MONOUT_USES)
			table(&f, MONOUT_USES, good_use, USE_N);
		table(&f, tag, v, numbers);
		finish(&f, NULL, 0);
		is_int(outcome(kind), c->outcome, "%.4s: number %d is %ju",
		       (const char *)&tag, c->field, (uintmax_t)c->value);
		mon_fini(&m);
	}
}

#define CHANGE(tag, kind, good, c) \
	change(tag, kind, good, sizeof(good) / sizeof((good)[0]), c, \
	       sizeof(c) / sizeof((c)[0]))

static void
uses(void)
{
	static const struct change c[] = {
		{ SITE, 1, TAKEN },
		{ SITE, 0, TAKEN },
		{ SITE, 2, LOST },
		{ SITE, UINT64_MAX, LOST },
		{ USE(blocks), 8, TAKEN },
		{ USE(blocks), 9, LEFT_OUT },
		{ USE(blocks), 1, LEFT_OUT },
		{ USE(blocks), 0, LEFT_OUT },
		{ USE(blocks), UINT64_MAX, LEFT_OUT },
		{ USE(bytes), 200, TAKEN },
		{ USE(bytes), 201, LEFT_OUT },
		{ USE(bytes), 90, TAKEN },
		{ USE(bytes), 89, LEFT_OUT },
		{ USE(bytes), 2, LEFT_OUT },
		{ USE(reads), UINT64_MAX, TAKEN },
		{ USE(writes), 0, TAKEN },
		{ USE(span), 80, TAKEN },
		{ USE(span), 79, LEFT_OUT },
		{ USE(span), 101, LEFT_OUT },
		{ USE(cover), 60, TAKEN },
		{ USE(cover), 59, LEFT_OUT },
		{ USE(cover), 91, LEFT_OUT },
		{ USE(span_used), 90, TAKEN },
		{ USE(span_used), 91, LEFT_OUT },
		{ USE(span_used), 59, LEFT_OUT },
		{ USE(cover_used), 70, TAKEN },
		{ USE(cover_used), 71, LEFT_OUT },
		{ USE(useful), 3 << 24, TAKEN },
		{ USE(useful), (3 << 24) + 1, LEFT_OUT },
		{ USE(life), UINT64_MAX, TAKEN },
		{ FLAG(UNUSED), 3, TAKEN },
		{ FLAG(UNUSED), 4, LEFT_OUT },
		{ FLAG(UNUSED), 0, LEFT_OUT },
		{ FLAG(UNUSED) + 1, 0, LEFT_OUT },
		{ FLAG(UNUSED) + 1, 100, TAKEN },
		{ FLAG(UNUSED) + 1, 101, LEFT_OUT },
		{ FLAG(LOW_COVER), 4, LEFT_OUT },
		{ FLAG(LOW_COVER) + 1, 101, LEFT_OUT },
	};
	static const struct change none[] = { { USE(reads), 0, LEFT_OUT },
					      { USE(reads), 1, TAKEN } };
	uint64_t quiet[USE_N];

	CHANGE(MONOUT_USES, MON_USES, good_use, c);
	memcpy(quiet, good_use, sizeof(quiet));
	quiet[USE(writes)] = 0;
	CHANGE(MONOUT_USES, MON_USES, quiet, none);
}

static void
groups(void)
{
	static const struct change c[] = {
		{ SITE, 1, TAKEN },
		{ SITE, 0, LOST },
		{ SITE, 2, LOST },
		{ SITE, UINT64_MAX, LOST },
		{ GROUP_FORM, 3, TAKEN },
		{ GROUP_FORM, 4, LEFT_OUT },
		{ GROUP_N, 1, BROKEN },
		{ GROUP_N, 3, BROKEN },
		{ GROUP_N, UINT64_MAX, BROKEN },
		{ GROUP_FIRST, UINT64_MAX - 100, TAKEN },
		{ GROUP_FIRST, UINT64_MAX - 99, LEFT_OUT },
		{ GROUP_LAST, 100, TAKEN },
		{ GROUP_LAST, 101, LEFT_OUT },
		{ GROUP_END, 99, LEFT_OUT },
		{ GROUP_BLOCKS, 1, LEFT_OUT },
		{ GROUP_BLOCKS, 3, LEFT_OUT },
		{ GROUP_BLOCKS, 0, LEFT_OUT },
		{ GROUP_BLOCKS, UINT64_MAX, LEFT_OUT },
		{ GROUP_LIFE, 0, TAKEN },
		{ GROUP_LIFE, 201, LEFT_OUT },
		{ GROUP_NEXT + 3, 2, LEFT_OUT },
		{ GROUP_NEXT + 4, 801, LEFT_OUT },
	};

	CHANGE(MONOUT_GROUPS, MON_GROUPS, good_group, c);
}

static void
fields(void)
{
	static const struct change c[] = {
		{ SITE, 1, TAKEN },
		{ SITE, 0, LOST },
		{ SITE, 2, LOST },
		{ FIELD_SIZE, 17, TAKEN },
		{ FIELD_SIZE, 16, LEFT_OUT },
		{ FIELD_SIZE, 32, TAKEN },
		{ FIELD_SIZE, 33, TAKEN },
		{ FIELD_SIZE, 34, LEFT_OUT },
		{ FIELD_SIZE, 4097, LEFT_OUT },
		{ FIELD_SIZE, 0, LEFT_OUT },
		{ FIELD_SIZE, UINT64_MAX, LEFT_OUT },
		{ FIELD_BLOCKS, 0, LEFT_OUT },
		{ FIELD_BLOCKS, 4, LEFT_OUT },
		{ FIELD_BLOCKS, UINT64_MAX, LEFT_OUT },
		{ FIELD_N, 1, BROKEN },
		{ FIELD_N, 3, BROKEN },
		{ FIELD_N, 256, BROKEN },
		{ FIELD_N, 257, BROKEN },
		{ FIELD_N, UINT64_MAX, BROKEN },
		{ FIELD_READ, 21, LEFT_OUT },
		{ FIELD_WRITE, 16, LEFT_OUT },
		{ FIELD_WRITE, UINT64_MAX, LEFT_OUT },
		{ FIELD_LAST, 29, TAKEN },
		{ FIELD_LAST, UINT64_MAX, LEFT_OUT },
		{ FIELD_LAST + 1, 26, LEFT_OUT },
	};
	uint64_t v[FIELD_ALL];
	struct emit f;

	CHANGE(MONOUT_FIELDS, MON_FIELDS, good_field, c);
	/* 15 + 25 of 40 writes are in the first. */
	memcpy(v, good_field, sizeof(v));
	begin(&f);
	table(&f, MONOUT_USES, good_use, USE_N);
	emit_open(&f, MONOUT_FIELDS, 0);
	v[FIELD_BLOCKS] = 2;
	v[FIELD_READ] = v[FIELD_LAST] = 10;
	row(&f, v, FIELD_ALL);
	v[FIELD_BLOCKS] = 1;
	row(&f, v, FIELD_ALL);
	row(&f, v, FIELD_ALL);
	emit_close(&f);
	finish(&f, NULL, 0);
	is_int(m.nfields, 1, "several items: writes beyond the site's");
	ok(says("2 impossible fields left out"), "%s", m.warning[0]);
	mon_fini(&m);
}

/* -------------------------------------------------------------- whole -- */

static void
good(bool totals)
{
	static const uint64_t t[][2] = { { MONOUT_T_USES, 1 },
					 { MONOUT_T_GROUPS, 1 },
					 { MONOUT_T_FIELDS, 1 },
					 { MONOUT_T_READS, 50 },
					 { MONOUT_T_WRITES, 40 } };
	const uint64_t *counts;
	struct emit f;

	begin(&f);
	table(&f, MONOUT_USES, good_use, USE_N);
	table(&f, MONOUT_GROUPS, good_group, GROUP_ALL);
	table(&f, MONOUT_FIELDS, good_field, FIELD_ALL);
	finish(&f, t, totals ? 5 : 0);
	ok(m.uses_known, "known");
	is_int(m.incomplete + m.nwarning, 0, "nothing amiss");
	ok(!m.sites[0].use && m.sites[1].use == 1, "the site's use");
	ok(!memcmp(m.uses[1].n, good_use + 1, sizeof(m.uses[1].n)),
	   "its numbers");
	ok(!memcmp(m.use.n, good_use + 1, sizeof(m.use.n)), "and their sum");
	is_int(m.ngroups, 2, "groups");
	ok(m.groups[1].site == 1 && m.groups[1].first == 900 &&
		   m.groups[1].end == 800 && m.groups[1].blocks == 1 &&
		   m.groups[1].life == 800 && !m.groups[1].final,
	   "the second");
	is_int(m.nfields, 1, "fields");
	is_int(m.fields[0].n, 2, "granules");
	counts = m.counts + m.fields[0].counts;
	ok(counts[0] == 20 && counts[1] == 30 && counts[2] == 15 &&
		   counts[3] == 25,
	   "reads, then writes");
	mon_fini(&m);
}

/* Groups in steps, each after the one before. */
static void
steps(void)
{
	const uint64_t most = UINT64_MAX / MONOUT_STEP + 1;
	const uint64_t v[] = {
		1, MONOUT_STEPS, 2, 3, 1, 4, 1, 4, 7, 0, 5, 1, 5
	};
	uint64_t w[sizeof(v) / sizeof(*v)];
	struct emit f;

	begin(&f);
	table(&f, MONOUT_USES, good_use, USE_N);
	table(&f, MONOUT_GROUPS, v, sizeof(v) / sizeof(*v));
	finish(&f, NULL, 0);
	is_int(m.ngroups, 2, "groups in steps");
	ok(m.groups[0].first == 3 * MONOUT_STEP &&
		   m.groups[0].last == MONOUT_STEP &&
		   m.groups[0].end == 4 * MONOUT_STEP &&
		   m.groups[0].life == 4 * MONOUT_STEP && !m.groups[0].final,
	   "the first");
	ok(m.groups[1].first == 10 * MONOUT_STEP &&
		   m.groups[1].end == 5 * MONOUT_STEP,
	   "the second is after it");
	mon_fini(&m);
	for (size_t i = 3; i < 8; i++) {
		if (i == 6)
			continue;
		memcpy(w, v, sizeof(v));
		w[i] = most;
		begin(&f);
		table(&f, MONOUT_USES, good_use, USE_N);
		table(&f, MONOUT_GROUPS, w, sizeof(w) / sizeof(*w));
		finish(&f, NULL, 0);
		is_int(m.ngroups, 0, "number %zu is too large", i);
		mon_fini(&m);
	}
}

/* Blocks of 33 bytes: the last granule has no accesses. */
static void
cut(void)
{
	static const uint64_t want[] = { 20, 30, 0, 15, 25, 0 };
	uint64_t v[FIELD_ALL];
	struct emit f;

	memcpy(v, good_field, sizeof(v));
	v[FIELD_SIZE] = 33;
	begin(&f);
	table(&f, MONOUT_USES, good_use, USE_N);
	table(&f, MONOUT_FIELDS, v, FIELD_ALL);
	finish(&f, NULL, 0);
	is_int(m.fields[0].n, 3, "granules that aren't in the file");
	ok(!memcmp(m.counts + m.fields[0].counts, want, sizeof(want)),
	   "have no accesses");
	mon_fini(&m);
	v[FIELD_N] = 0;
	begin(&f);
	table(&f, MONOUT_USES, good_use, USE_N);
	table(&f, MONOUT_FIELDS, v, FIELD_READ);
	finish(&f, NULL, 0);
	is_int(m.nwarning, 0, "none is");
	is_int(m.nfields ? m.fields[0].n : 0, 3, "but they are there");
	mon_fini(&m);
}

/* A file without the tables, with empty ones, with lost ones. */
static void
known(void)
{
	static const uint64_t none[][2] = { { MONOUT_T_USES, 0 } };
	static const uint64_t lost[][2] = { { MONOUT_T_USES, 1 },
					    { MONOUT_T_GROUPS, 2 },
					    { MONOUT_T_FIELDS, 3 } };
	static const uint64_t wrong[][2] = { { MONOUT_T_READS, 51 } };
	struct emit f;
	size_t i;

	begin(&f);
	finish(&f, NULL, 0);
	ok(!m.uses_known && !m.incomplete, "no tables");
	mon_fini(&m);
	begin(&f);
	finish(&f, none, 1);
	ok(m.uses_known && !m.incomplete, "nothing in them");
	mon_fini(&m);
	for (i = 0; i < 3; i++) {
		begin(&f);
		finish(&f, lost + i, 1);
		ok(!m.uses_known && m.incomplete && says("parts are missing"),
		   "one lost table: %s", m.warning[0]);
		mon_fini(&m);
	}
	begin(&f);
	table(&f, MONOUT_USES, good_use, USE_N);
	finish(&f, wrong, 1);
	ok(m.incomplete && says("add up to 50 reads and 40 writes, the totals "
				"say 51 and 0"),
	   "other sums: %s", m.warning[0]);
	mon_fini(&m);
	begin(&f);
	emit_open(&f, MONOUT_RUN, 1);
	emit_key_number(&f, MONOUT_R_WAY, 0);
	emit_key_string(&f, MONOUT_R_WHY, "no room", 7);
	emit_close(&f);
	finish(&f, none, 1);
	ok(!m.uses_known, "a run that couldn't record");
	is_str(m.run[MONOUT_R_WHY].text, "no room", "and says why");
	mon_fini(&m);
}

/* A row in the file twice counts once; a sum that doesn't fit isn't added. */
static void
twice(void)
{
	uint64_t v[USE_N];
	struct emit f;

	memcpy(v, good_use, sizeof(v));
	begin(&f);
	emit_open(&f, MONOUT_USES, 0);
	row(&f, v, USE_N);
	row(&f, v, USE_N);
	v[SITE] = 0;
	v[USE(reads)] = UINT64_MAX - 49;
	row(&f, v, USE_N);
	emit_close(&f);
	finish(&f, NULL, 0);
	is_int(m.use.blocks, 3, "only the first is taken");
	ok(says("2 impossible uses"), "said: %s", m.warning[0]);
	mon_fini(&m);
}

int
main(void)
{
	uses();
	groups();
	fields();
	good(false);
	good(true);
	steps();
	cut();
	known();
	twice();
	return done_testing();
}
