/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PEAKS, LIVES and THREADS: each of their numbers in turn made impossible, rows
 * without a site, tables that only some files have.
 */
#include "reduce/monout/emit.h"
#include "reduce/monout/items.h"
#include "reduce/monout/mon.h"
#include "reduce/monout/load.h"
#include "reduce/image/open.h"
#include "tests/tap.h"

#include <stdlib.h>

static struct mon m;
static struct err e;

/* ------------------------------------------------------------- the file -- */

enum { PEAK_SITE, PEAK_BLOCKS, PEAK_BYTES, PEAK_N };
static const uint64_t good_peak[PEAK_N] = { 1, 7, 1428 };

enum {
	LIFE_SITE,
	LIFE_TEMPS,
	LIFE_NEAR,
	LIFE_FOREIGN,
	LIFE_MOVED,
	LIFE_COPIED,
	LIFE_LONGEST,
	LIFE_TIMED,
	LIFE_WEIGHT,
	LIFE_SUM,
	LIFE_MIN,
	LIFE_MAX,
	LIFE_FIRST,
	LIFE_BINS,
	LIFE_BIN,
	LIFE_N = LIFE_BIN + 4
};
/* 64-127 ns are bin 6, 512-1023 ns bin 9. */
static const uint64_t good_life[LIFE_N] = { 1, 4, 6,  3,    4,	 800,
					    9, 3, 30, 9000, 100, 1000,
					    6, 4, 10, 0,    15,	 5 };

enum {
	THREAD_FLAGS,
	THREAD_THREADS,
	THREAD_NAME,
	THREAD_CHAR,
	THREAD_ALLOCS,
	THREAD_BYTES,
	THREAD_FREES,
	THREAD_FREED,
	THREAD_FOREIGN,
	THREAD_N
};
static const uint64_t good_thread[THREAD_N] = {
	MONOUT_TH_MAIN, 1, 1, 'm', 70, 14280, 60, 12240, 50
};

/* Two nodes; site 0 small, site 1 with 100 blocks of 204 bytes, 60 freed. */
static void
begin(struct emit *f)
{
	static const uint64_t items[] = {
		1,  0,	0x10, 1,   0,	  0x20,	       /* nodes */
		1,  0,	1,    10,  160,	  0,	0,     /* site 0 */
		2,  5,	2,    100, 20400, 60,	12240, /* site 1 */
		16, 10, 0,    204, 100,	  60,	       /* bins */
	};
	const uint64_t *p = items;
	int i;

	memset(f, 0, sizeof(*f));
	emit_header(f, 0);
	emit_open(f, MONOUT_NODES, 1);
	for (i = 0; i < 6; i++) {
		emit_number(f, *p++);
		if (i % 3 == 2)
			emit_item(f);
	}
	emit_close(f);
	emit_open(f, MONOUT_SITES, 0);
	for (i = 0; i < 14; i++) {
		emit_number(f, *p++);
		if (i % 7 == 6)
			emit_item(f);
	}
	emit_close(f);
	emit_open(f, MONOUT_BINS, 0);
	for (i = 0; i < 6; i++) {
		emit_number(f, *p++);
		if (i % 3 == 2)
			emit_item(f);
	}
	emit_close(f);
}

/* A record with n items of `numbers' numbers each. */
static void
rows(struct emit *f, uint32_t tag, const uint64_t *v, size_t numbers, size_t n)
{
	size_t i;

	emit_open(f, tag, 0);
	while (n--) {
		for (i = 0; i < numbers; i++)
			emit_number(f, *v++);
		emit_item(f);
	}
	emit_close(f);
}

static void
finish(struct emit *f, const uint64_t (*totals)[2], size_t n)
{
	emit_open(f, MONOUT_TOTALS, 0);
	emit_key_number(f, MONOUT_T_ALLOCS, 110);
	emit_key_number(f, MONOUT_T_BYTES, 20560);
	for (; n; n--, totals++)
		emit_key_number(f, (*totals)[0], (*totals)[1]);
	emit_close(f);
	if (open_memory(&m, "f", f->data, f->length, &e))
		diag("%s", e.text);
	emit_fini(f);
}

/* ------------------------------------------------- one number at a time -- */

/* What happens to an item; SHORT: it is read as one that ends earlier. */
enum outcome { TAKEN, LEFT_OUT, LOST, BROKEN, SHORT };

struct change {
	int field;
	uint64_t value;
	enum outcome outcome;
};

static bool
says(const char *what)
{
	return m.nwarning == 1 && strstr(m.warning[0], what);
}

static enum outcome
outcome(enum mon_kind kind)
{
	char bad[64];

	snprintf(bad, sizeof(bad), "1 impossible %s left out;",
		 items_name_of(kind, 1));
	if (!m.incomplete && !m.nwarning && m.tally[kind].items == 1)
		return TAKEN;
	if (m.incomplete && says("1 damaged record"))
		return m.tally[kind].items ? SHORT : BROKEN;
	if (m.incomplete && !m.tally[kind].items && says(bad))
		return LEFT_OUT;
	/* The warning can only say that something is missing. */
	if (m.incomplete && !m.tally[kind].items && says("parts are missing"))
		return LOST;
	return -1;
}

static void
change(uint32_t tag, enum mon_kind kind, const uint64_t *good, size_t numbers,
       const struct change *c, size_t n)
{
	uint64_t v[32];
	struct emit f;

	for (; n; n--, c++) {
		memcpy(v, good, numbers * sizeof(*v));
		v[c->field] = c->value;
		begin(&f);
		rows(&f, tag, v, numbers, 1);
		finish(&f, NULL, 0);
		is_int(outcome(kind), c->outcome, "%.4s: field %d is %ju",
		       (const char *)&tag, c->field, (uintmax_t)c->value);
		is_int(m.sums.allocs, 110, "the sites are there");
		mon_fini(&m);
	}
}

#define CHANGE(tag, kind, good, c) \
	change(tag, kind, good, sizeof(good) / sizeof((good)[0]), c, \
	       sizeof(c) / sizeof((c)[0]))

static void
peaks(void)
{
	static const struct change c[] = {
		{ PEAK_SITE, 1, TAKEN },
		{ PEAK_SITE, 0, LEFT_OUT },
		{ PEAK_SITE, 2, LOST },
		{ PEAK_SITE, UINT32_MAX, LOST },
		{ PEAK_SITE, UINT64_MAX, LOST },
		{ PEAK_BLOCKS, 100, TAKEN },
		{ PEAK_BLOCKS, 101, LEFT_OUT },
		{ PEAK_BLOCKS, UINT64_MAX, LEFT_OUT },
		{ PEAK_BLOCKS, 0, LEFT_OUT },
		{ PEAK_BYTES, 0, TAKEN },
		{ PEAK_BYTES, 20400, TAKEN },
		{ PEAK_BYTES, 20401, LEFT_OUT },
		{ PEAK_BYTES, UINT64_MAX, LEFT_OUT },
	};

	CHANGE(MONOUT_PEAKS, MON_PEAKS, good_peak, c);
}

static void
lives(void)
{
	static const struct change c[] = {
		{ LIFE_SITE, 1, TAKEN },
		{ LIFE_SITE, 0, LEFT_OUT },
		{ LIFE_SITE, 2, LOST },
		{ LIFE_SITE, UINT64_MAX, LOST },
		{ LIFE_TEMPS, 6, TAKEN },
		{ LIFE_TEMPS, 7, LEFT_OUT },
		{ LIFE_NEAR, 60, TAKEN },
		{ LIFE_NEAR, 61, LEFT_OUT },
		{ LIFE_NEAR, 3, LEFT_OUT },
		{ LIFE_FOREIGN, 60, TAKEN },
		{ LIFE_FOREIGN, 61, LEFT_OUT },
		{ LIFE_MOVED, 5, TAKEN },
		{ LIFE_MOVED, 6, LEFT_OUT },
		{ LIFE_MOVED, 0, LEFT_OUT },
		{ LIFE_COPIED, 0, TAKEN },
		{ LIFE_COPIED, UINT64_MAX, TAKEN },
		{ LIFE_LONGEST, UINT64_MAX, TAKEN },
		{ LIFE_TIMED, 30, TAKEN },
		{ LIFE_TIMED, 31, LEFT_OUT },
		{ LIFE_TIMED, 61, LEFT_OUT },
		{ LIFE_TIMED, 0, SHORT },
		{ LIFE_WEIGHT, 29, LEFT_OUT },
		{ LIFE_WEIGHT, 31, LEFT_OUT },
		{ LIFE_WEIGHT, 0, LEFT_OUT },
		{ LIFE_SUM, 3000, TAKEN },
		{ LIFE_SUM, 2999, LEFT_OUT },
		{ LIFE_SUM, 30000, TAKEN },
		{ LIFE_SUM, 30001, LEFT_OUT },
		{ LIFE_SUM, UINT64_MAX, TAKEN },
		{ LIFE_MIN, 64, TAKEN },
		{ LIFE_MIN, 63, LEFT_OUT },
		{ LIFE_MIN, 128, LEFT_OUT },
		{ LIFE_MIN, 1001, LEFT_OUT },
		{ LIFE_MIN, UINT64_MAX, LEFT_OUT },
		{ LIFE_MAX, 1023, TAKEN },
		{ LIFE_MAX, 1024, LEFT_OUT },
		{ LIFE_MAX, 511, LEFT_OUT },
		{ LIFE_MAX, 0, LEFT_OUT },
		{ LIFE_MAX, UINT64_MAX, LEFT_OUT },
		{ LIFE_FIRST, 5, LEFT_OUT },
		{ LIFE_FIRST, 7, LEFT_OUT },
		{ LIFE_FIRST, 45, LEFT_OUT },
		{ LIFE_FIRST, UINT64_MAX, LEFT_OUT },
		{ LIFE_BINS, 3, BROKEN },
		{ LIFE_BINS, 5, BROKEN },
		{ LIFE_BINS, UINT64_MAX, BROKEN },
		{ LIFE_BIN, 11, LEFT_OUT },
		{ LIFE_BIN, 9, LEFT_OUT },
		{ LIFE_BIN, UINT64_MAX, LEFT_OUT },
		{ LIFE_BIN + 3, UINT64_MAX, LEFT_OUT },
	};

	CHANGE(MONOUT_LIVES, MON_LIVES, good_life, c);
}

/* Each timed block counts for more than itself. */
static void
weighted(void)
{
	static const struct change c[] = { { LIFE_TIMED, 60, TAKEN },
					   { LIFE_TIMED, 61, LEFT_OUT } };
	uint64_t many[LIFE_N];

	memcpy(many, good_life, sizeof(many));
	many[LIFE_WEIGHT] = 100;
	many[LIFE_BIN] = 80;
	many[LIFE_SUM] = 30000;
	CHANGE(MONOUT_LIVES, MON_LIVES, many, c);
}

static void
threads(void)
{
	static const struct change c[] = {
		{ THREAD_FLAGS, UINT64_MAX, TAKEN },
		{ THREAD_THREADS, UINT64_MAX, TAKEN },
		{ THREAD_THREADS, 0, LEFT_OUT },
		{ THREAD_NAME, 100, BROKEN },
		{ THREAD_NAME, UINT64_MAX, BROKEN },
		{ THREAD_NAME, 0, SHORT },
		{ THREAD_ALLOCS, 0, LEFT_OUT },
		{ THREAD_ALLOCS, UINT64_MAX, TAKEN },
		{ THREAD_BYTES, UINT64_MAX, TAKEN },
		{ THREAD_FREES, 50, TAKEN },
		{ THREAD_FREES, 49, LEFT_OUT },
		{ THREAD_FREES, 1000, TAKEN },
		{ THREAD_FREED, UINT64_MAX, TAKEN },
		{ THREAD_FOREIGN, 60, TAKEN },
		{ THREAD_FOREIGN, 61, LEFT_OUT },
	};
	static const struct change none[] = { { THREAD_FREES, 0, LEFT_OUT } };
	uint64_t quiet[THREAD_N];

	CHANGE(MONOUT_THREADS, MON_THREADS, good_thread, c);
	memcpy(quiet, good_thread, sizeof(quiet));
	quiet[THREAD_FOREIGN] = 0;
	CHANGE(MONOUT_THREADS, MON_THREADS, quiet, none);
}

/* ------------------------------------------------------ the good values -- */

static void
is_good(const char *name)
{
	const struct mon_site *s = &m.sites[1];
	struct life x;

	ok(m.peaks_known && m.lives_known && m.threads_known, "%s: known",
	   name);
	is_int(m.incomplete + m.nwarning, 0, "%s: nothing amiss", name);
	is_int(s->peak_blocks, 7, "%s: blocks at the peak", name);
	is_int(s->count.peak, 1428, "%s: bytes at the peak", name);
	is_int(m.sites[0].peak_blocks, 0, "%s: the other site's", name);
	is_int(m.peak_blocks, 7, "%s: their sum", name);
	is_int(m.peak_bytes, 1428, "%s: sum of bytes", name);
	life_get(&m.lives, s->life, &x);
	ok(!memcmp(&x, &m.life, sizeof(x)), "%s: the one life is the sum",
	   name);
	is_int(x.temps, 4, "%s: temps", name);
	is_int(x.near, 6, "%s: near", name);
	is_int(x.by_others, 3, "%s: freed by others", name);
	is_int(x.moved, 4, "%s: moved", name);
	is_int(x.copied, 800, "%s: copied", name);
	is_int(x.longest, 9, "%s: longest", name);
	is_int(x.timed, 3, "%s: timed", name);
	is_int(x.weight, 30, "%s: weight", name);
	is_int(x.sum, 9000, "%s: sum", name);
	is_int(x.min, 100, "%s: min", name);
	is_int(x.max, 1000, "%s: max", name);
	ok(x.bin[5] == 0 && x.bin[6] == 10 && x.bin[7] == 0 && x.bin[8] == 15 &&
		   x.bin[9] == 5 && x.bin[10] == 0,
	   "%s: histogram", name);
	is_int(m.sites[0].life, 0, "%s: the other site has none", name);
	is_str(m.threads[0].name, "m", "%s: thread", name);
	is_int(m.threads[0].flags, MONOUT_TH_MAIN, "%s: its flags", name);
	is_int(m.threads[0].threads, 1, "%s: they are", name);
	is_int(m.threads[0].bytes, 14280, "%s: its bytes", name);
	is_int(m.threads[0].of_others, 50, "%s: others' blocks", name);
	is_int(m.thread_sums.frees, 60, "%s: frees of all", name);
}

static void
good(void)
{
	static const uint64_t totals[][2] = {
		{ MONOUT_T_PEAKS, 1 },	       { MONOUT_T_LIVES, 1 },
		{ MONOUT_T_THREADS, 1 },       { MONOUT_T_PEAK_BLOCKS, 7 },
		{ MONOUT_T_PEAK_BYTES, 1428 },
	};
	struct emit f;

	begin(&f);
	rows(&f, MONOUT_PEAKS, good_peak, PEAK_N, 1);
	rows(&f, MONOUT_LIVES, good_life, LIFE_N, 1);
	rows(&f, MONOUT_THREADS, good_thread, THREAD_N, 1);
	finish(&f, totals, 5);
	is_good("with totals");
	mon_fini(&m);
	begin(&f);
	rows(&f, MONOUT_PEAKS, good_peak, PEAK_N, 1);
	rows(&f, MONOUT_LIVES, good_life, LIFE_N, 1);
	rows(&f, MONOUT_THREADS, good_thread, THREAD_N, 1);
	finish(&f, NULL, 0);
	is_good("without totals");
	mon_fini(&m);
}

/* A row in the file twice counts once. */
static void
twice(void)
{
	uint64_t v[2 * LIFE_N];
	struct emit f;

	memcpy(v, good_life, sizeof(good_life));
	memcpy(v + LIFE_N, good_life, sizeof(good_life));
	begin(&f);
	rows(&f, MONOUT_LIVES, v, LIFE_N, 2);
	finish(&f, NULL, 0);
	is_int(m.life.temps, 4, "a life that is there twice");
	ok(says("1 impossible life left out; read 0 modules"
		", 2 nodes, 2 sites, 2 bins, 1 lives: totals"),
	   "is said: %s", m.warning[0]);
	mon_fini(&m);
	memcpy(v + PEAK_N, good_peak, sizeof(good_peak));
	memcpy(v, good_peak, sizeof(good_peak));
	begin(&f);
	rows(&f, MONOUT_PEAKS, v, PEAK_N, 2);
	finish(&f, NULL, 0);
	is_int(m.peak_blocks, 7, "a peak that is there twice");
	ok(says("1 impossible"), "is said: %s", m.warning[0]);
	mon_fini(&m);
}

/* --------------------------------------------------------- known or not -- */

static void
known(void)
{
	static const uint64_t none[][2] = { { MONOUT_T_PEAKS, 0 },
					    { MONOUT_T_LIVES, 0 },
					    { MONOUT_T_THREADS, 0 } };
	static const uint64_t lost[][2] = { { MONOUT_T_PEAKS, 3 },
					    { MONOUT_T_LIVES, 2 },
					    { MONOUT_T_THREADS, 1 } };
	static const uint64_t wrong[][2] = { { MONOUT_T_PEAK_BLOCKS, 7 },
					     { MONOUT_T_PEAK_BYTES, 1429 } };
	struct emit f;
	size_t i;

	begin(&f);
	finish(&f, NULL, 0);
	ok(!m.peaks_known && !m.lives_known && !m.threads_known,
	   "a file without the tables");
	is_int(m.incomplete + m.nwarning, 0, "is whole");
	mon_fini(&m);
	begin(&f);
	finish(&f, none, 3);
	ok(m.peaks_known && m.lives_known && m.threads_known,
	   "tables with nothing in them");
	is_int(m.incomplete + m.nwarning, 0, "are whole");
	mon_fini(&m);
	begin(&f);
	finish(&f, lost, 3);
	ok(!m.peaks_known && !m.lives_known && !m.threads_known, "lost tables");
	ok(says("parts are missing; read 0 modules, 2 nodes, 2 sites, 2 bins, "
		"0 of 3 peaks, 0 of 2 lives, 0 of 1 threads: totals are"),
	   "are said: %s", m.warning[0]);
	mon_fini(&m);
	for (i = 0; i < 3; i++) {
		begin(&f);
		finish(&f, lost + i, 1);
		ok(m.incomplete && says("parts are missing"),
		   "one lost table: %s", m.warning[0]);
		mon_fini(&m);
	}
	begin(&f);
	rows(&f, MONOUT_PEAKS, good_peak, PEAK_N, 1);
	finish(&f, wrong, 2);
	ok(m.incomplete && says("add up to 7 blocks of 1428 bytes, the totals "
				"say 7 of 1429"),
	   "another sum: %s", m.warning[0]);
	mon_fini(&m);
}

/* Some sites are lost: rows still find theirs. */
static void
gaps(void)
{
	static const uint64_t v[] = { 2, 0, 1, 8, 8, 0, 0 };
	static const uint64_t firsts[] = { 7, 9, UINT32_MAX, UINT64_MAX - 1 };
	static const uint64_t peak[] = {
		9, 5, 5, 8, 5, 5, 7, 4, 4, UINT32_MAX, 3, 3, UINT64_MAX - 1,
		2, 2
	};
	struct emit f;
	size_t i, k;

	begin(&f);
	for (i = 0; i < 4; i++) {
		emit_open(&f, MONOUT_SITES, firsts[i]);
		for (k = 0; k < 7; k++)
			emit_number(&f, v[k]);
		emit_item(&f);
		emit_close(&f);
	}
	rows(&f, MONOUT_PEAKS, peak, PEAK_N, 5);
	finish(&f, NULL, 0);
	is_int(m.nsites, 6, "sites with gaps");
	is_int(m.sites[2].peak_blocks, 4, "the one before a gap");
	is_int(m.sites[3].peak_blocks, 5, "the one behind it");
	is_int(m.peak_blocks, 9, "no other is found");
	is_int(m.tally[MON_PEAKS].items, 2, "two peaks are taken");
	mon_fini(&m);
}

/* When the sum of two rows doesn't fit, only the first counts. */
static void
overflow(void)
{
	uint64_t v[2 * LIFE_N], t[2 * THREAD_N];
	struct emit f;

	memcpy(v, good_life, sizeof(good_life));
	v[LIFE_COPIED] = UINT64_MAX - 1;
	begin(&f);
	/* Site 2: as site 1, of the same counts. */
	emit_open(&f, MONOUT_SITES, 2);
	emit_number(&f, 2);
	emit_number(&f, 5);
	emit_number(&f, 1);
	emit_number(&f, 100);
	emit_number(&f, 100);
	emit_number(&f, 60);
	emit_number(&f, 60);
	emit_item(&f);
	emit_close(&f);
	memcpy(v + LIFE_N, good_life, sizeof(good_life));
	v[LIFE_N + LIFE_SITE] = 2;
	v[LIFE_N + LIFE_COPIED] = 2;
	rows(&f, MONOUT_LIVES, v, LIFE_N, 2);
	memcpy(t, good_thread, sizeof(good_thread));
	memcpy(t + THREAD_N, good_thread, sizeof(good_thread));
	t[THREAD_N + THREAD_BYTES] = UINT64_MAX;
	rows(&f, MONOUT_THREADS, t, THREAD_N, 2);
	finish(&f, NULL, 0);
	is_int(m.tally[MON_LIVES].items, 1, "bytes copied beyond 64 bits");
	ok(m.life.copied == UINT64_MAX - 1, "the sum is of those taken");
	is_int(m.nthreads, 1, "bytes of threads beyond 64 bits");
	ok(m.nwarning && strstr(m.warning[0], "1 impossible life left out, "
					      "1 impossible thread left out"),
	   "both are said: %s", m.warning[0]);
	mon_fini(&m);
}

int
main(void)
{
	peaks();
	lives();
	weighted();
	threads();
	good();
	twice();
	known();
	gaps();
	overflow();
	return done_testing();
}
