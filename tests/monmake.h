/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The content of a mon.out file, as tests/monmake.c reads it, and how it is
 * written, with defects.  For that one program only.
 */
#ifndef MEMMON_TESTS_MONMAKE_H
#define MEMMON_TESTS_MONMAKE_H

#include "monitor/monout.h"
#include "reduce/monout/emit.h"
#include "tests/monmake_words.h"

#include <stdbool.h>
#include <string.h>

enum { MOST_DEFECTS = 64 };

struct module {
	char *name, *path, *id;
	uint64_t flags, start, end, bias;
	size_t idlen;
};

struct node {
	uint64_t parent, module, addr;
};

struct site {
	uint64_t node, reallocs;
	uint64_t n[MONOUT_NCLASS][4];
};

struct bin {
	uint64_t size, allocs, frees;
};

struct peak {
	uint64_t site, blocks, bytes;
};

/* The numbers of an item of LIVES, in their order in the file. */
enum life_key {
	LIFE_TEMPS = 1,
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
	LIFE_N,
	LIFE_NKEYS
};

struct life {
	uint64_t site;
	uint64_t n[LIFE_NKEYS];
	uint64_t bins[64]; /* from first on */
};

struct thread {
	char *name;
	uint64_t flags, threads, n[5]; /* allocs bytes frees freed of_others */
};

/* An item of USES, GROUPS or FIELDS: its numbers, site first. */
struct row {
	uint64_t *n;
	size_t length;
};

/* An item of MARKS. */
struct mark {
	char *name;
	uint64_t n[5]; /* time allocs bytes frees freed */
};

/* An item of LEAKS. */
struct type {
	char *name;
	uint64_t size;
};

/* As in the file, but with all numbers. */
struct cell {
	uint64_t n[11];
};

struct vtable {
	uint64_t n[5];
};

struct leak {
	uint64_t site, mask, n[MONOUT_NLEAK][2];
};

struct name {
	char *name;
	uint64_t node;
};

/* Spoil or drop a record: number `nth' (from 1) with the tag. */
struct defect {
	bool drop;
	uint32_t tag;
	uint64_t number;
};

struct text {
	char *text;
	size_t length;
	bool set;
};

struct number {
	uint64_t n;
	bool set, left_out;
};

/* The tables. */
static struct text run_text[MONOUT_R_MAX];
static struct number run_number[MONOUT_R_MAX], totals[MONOUT_T_MAX];
static struct module *modules;
static struct node *nodes;
static struct site *sites;
static struct bin *bins;
static struct peak *peaks;
static struct life *lives;
static struct thread *threads;
static struct row *uses, *groups, *fields, *holds;
static struct mark *marks;
static struct leak *leaks;
static struct type *types;
static struct cell *cells;
static struct vtable *vtables;
static size_t nmodules, nnodes, nsites, nbins, npeaks, nlives, nthreads;
static size_t nuses, ngroups, nfields, nmarks, nleaks, nholds;
static size_t ntypes, ncells, nvtables;

/* The description's names for the nodes. */
static struct name *names;
static size_t nnames;

/* The header to write. */
static struct monout_header header = {
	.magic = MONOUT_MAGIC,
	.major = MONOUT_MAJOR,
	.minor = MONOUT_MINOR,
	.order = MONOUT_ORDER,
};
static struct defect defects[MOST_DEFECTS];
static size_t ndefects;
static bool unknown, no_totals, bad_header;
static uint32_t most;

/* The number of a module, 0 for "-". */
static inline uint64_t
find_module(const char *name)
{
	size_t i;

	for (i = 0; i < nmodules; i++) {
		if (!strcmp(modules[i].name, name))
			return i + 1;
	}
	if (strcmp(name, "-"))
		die("no such module");
	return 0;
}

static inline uint64_t
find_node(const char *name)
{
	size_t i;

	for (i = nnames; i-- > 0;) {
		if (!strcmp(names[i].name, name))
			return names[i].node;
	}
	if (strcmp(name, "-"))
		die("no such node");
	return 0;
}

/* The number of a node's site; @N is N, even if there is no such site. */
static inline uint64_t
find_site(const char *name)
{
	uint64_t node;
	size_t i;

	if (*name == '@')
		return to_number(name + 1);
	node = find_node(name);
	for (i = 0; i < nsites && sites[i].node != node; i++)
		;
	if (i == nsites)
		die("the node has no site yet");
	return i;
}

static void
put_run(struct emit *e)
{
	size_t k;

	emit_open(e, MONOUT_RUN, 0);
	for (k = 1; k < MONOUT_R_MAX; k++) {
		if (run_text[k].set)
			emit_key_string(e, k, run_text[k].text,
					run_text[k].length);
		if (run_number[k].set)
			emit_key_number(e, k, run_number[k].n);
	}
	if (unknown) {
		emit_key_number(e, 1000, 7);
		emit_key_string(e, 1001, "?", 1);
	}
	emit_close(e);
}

static void
put_modules_nodes(struct emit *e)
{
	struct module *m;
	size_t i;

	emit_open(e, MONOUT_MODULES, 1);
	for (i = 0; i < nmodules; i++) {
		m = &modules[i];
		emit_number(e, m->start);
		emit_number(e, m->end);
		emit_number(e, m->bias);
		emit_number(e, m->flags);
		emit_string(e, m->id, m->idlen);
		emit_string(e, m->path, strlen(m->path));
		emit_item(e);
	}
	emit_close(e);
	emit_open(e, MONOUT_NODES, 1);
	for (i = 0; i < nnodes; i++) {
		emit_number(e, i + 1 - nodes[i].parent);
		emit_number(e, nodes[i].module);
		emit_number(e, nodes[i].addr);
		emit_item(e);
	}
	emit_close(e);
}

static void
put_sites_bins(struct emit *e)
{
	struct site *s;
	uint64_t mask;
	size_t i, c, k;

	emit_open(e, MONOUT_SITES, 0);
	for (i = 0; i < nsites; i++) {
		s = &sites[i];
		for (mask = c = 0; c < MONOUT_NCLASS; c++) {
			for (k = 0; k < 4; k++)
				mask |= (uint64_t)(s->n[c][k] != 0) << c;
		}
		emit_number(e, s->node);
		emit_number(e, s->reallocs);
		emit_number(e, mask);
		for (c = 0; c < MONOUT_NCLASS; c++) {
			for (k = 0; mask >> c & 1 && k < 4; k++)
				emit_number(e, s->n[c][k]);
		}
		emit_item(e);
	}
	emit_close(e);
	emit_open(e, MONOUT_BINS, 0);
	for (i = 0; i < nbins; i++) {
		emit_number(e, bins[i].size);
		emit_number(e, bins[i].allocs);
		emit_number(e, bins[i].frees);
		emit_item(e);
	}
	emit_close(e);
}

static void
put_life(struct emit *e, const struct life *x)
{
	size_t k;

	emit_number(e, x->site);
	for (k = 1; k <= (x->n[LIFE_TIMED] ? LIFE_N : LIFE_TIMED); k++)
		emit_number(e, x->n[k]);
	for (k = 0; x->n[LIFE_TIMED] && k < x->n[LIFE_N] && k < 64; k++)
		emit_number(e, x->bins[k]);
	emit_item(e);
}

static void
put_peaks_lives(struct emit *e)
{
	size_t i;

	emit_open(e, MONOUT_PEAKS, 0);
	for (i = 0; i < npeaks; i++) {
		emit_number(e, peaks[i].site);
		emit_number(e, peaks[i].blocks);
		emit_number(e, peaks[i].bytes);
		emit_item(e);
	}
	emit_close(e);
	emit_open(e, MONOUT_LIVES, 0);
	for (i = 0; i < nlives; i++)
		put_life(e, &lives[i]);
	emit_close(e);
}

static void
put_threads(struct emit *e)
{
	size_t i, k;

	emit_open(e, MONOUT_THREADS, 0);
	for (i = 0; i < nthreads; i++) {
		emit_number(e, threads[i].flags);
		emit_number(e, threads[i].threads);
		emit_string(e, threads[i].name, strlen(threads[i].name));
		for (k = 0; k < 5; k++)
			emit_number(e, threads[i].n[k]);
		emit_item(e);
	}
	emit_close(e);
}

static void
put_rows(struct emit *e, uint32_t tag, const struct row *r, size_t n)
{
	size_t i, k;

	emit_open(e, tag, 0);
	for (i = 0; i < n; i++) {
		for (k = 0; k < r[i].length; k++)
			emit_number(e, r[i].n[k]);
		emit_item(e);
	}
	emit_close(e);
}

static void
put_marks_leaks(struct emit *e)
{
	size_t i, k;

	emit_open(e, MONOUT_MARKS, 0);
	for (i = 0; i < nmarks; i++) {
		for (k = 0; k < 5; k++)
			emit_number(e, marks[i].n[k]);
		emit_string(e, marks[i].name, strlen(marks[i].name));
		emit_item(e);
	}
	emit_close(e);
	emit_open(e, MONOUT_LEAKS, 0);
	for (i = 0; i < nleaks; i++) {
		emit_number(e, leaks[i].site);
		emit_number(e, leaks[i].mask);
		for (k = 0; k < MONOUT_NLEAK; k++) {
			if (!(leaks[i].mask >> k & 1))
				continue;
			emit_number(e, leaks[i].n[k][0]);
			emit_number(e, leaks[i].n[k][1]);
		}
		emit_item(e);
	}
	emit_close(e);
}

/* The value of a total that the description doesn't give. */
static void
set_total(enum monout_total k, uint64_t n)
{
	if (!totals[k].set)
		totals[k].n = n;
	totals[k].set = true;
}

/* Totals of the tables that only some files have. */
static void
set_more_totals(void)
{
	uint64_t blocks = 0, bytes = 0;
	size_t i;

	for (i = 0; i < npeaks; i++) {
		blocks += peaks[i].blocks;
		bytes += peaks[i].bytes;
	}
	if (npeaks) {
		set_total(MONOUT_T_PEAKS, npeaks);
		set_total(MONOUT_T_PEAK_BLOCKS, blocks);
		set_total(MONOUT_T_PEAK_BYTES, bytes);
	}
	if (nlives)
		set_total(MONOUT_T_LIVES, nlives);
	if (nthreads)
		set_total(MONOUT_T_THREADS, nthreads);
	if (nmarks)
		set_total(MONOUT_T_MARKS, nmarks);
	if (nleaks)
		set_total(MONOUT_T_LEAKS, nleaks);
	if (nholds)
		set_total(MONOUT_T_HOLDS, nholds);
	if (ntypes)
		set_total(MONOUT_T_TYPES, ntypes);
	if (ncells)
		set_total(MONOUT_T_CELLS, ncells);
	if (nvtables)
		set_total(MONOUT_T_VTABLES, nvtables);
	if (!nuses)
		return;
	set_total(MONOUT_T_USES, nuses);
	set_total(MONOUT_T_GROUPS, ngroups);
	set_total(MONOUT_T_FIELDS, nfields);
	/* An item's numbers follow its site, blocks and bytes. */
	for (i = blocks = bytes = 0; i < nuses; i++) {
		blocks += uses[i].n[3];
		bytes += uses[i].n[4];
	}
	set_total(MONOUT_T_READS, blocks);
	set_total(MONOUT_T_WRITES, bytes);
}

static void
put_totals(struct emit *e)
{
	uint64_t sum[4] = { 0 }, reallocs = 0;
	size_t i, c, k;

	for (i = 0; i < nsites; i++) {
		reallocs += sites[i].reallocs;
		for (c = 0; c < MONOUT_NCLASS; c++) {
			for (k = 0; k < 4; k++)
				sum[k] += sites[i].n[c][k];
		}
	}
	for (k = 0; k < 4; k++)
		set_total((enum monout_total)(MONOUT_T_ALLOCS + k), sum[k]);
	set_total(MONOUT_T_REALLOCS, reallocs);
	set_total(MONOUT_T_MODULES, nmodules);
	set_total(MONOUT_T_NODES, nnodes);
	set_total(MONOUT_T_SITES, nsites);
	set_total(MONOUT_T_BINS, nbins);
	set_more_totals();
	/* The first record of the totals is the last of the file. */
	e->most = 0;
	emit_open(e, MONOUT_TOTALS, 0);
	for (k = 1; k < MONOUT_T_MAX; k++) {
		if (totals[k].set && !totals[k].left_out)
			emit_key_number(e, k, totals[k].n);
	}
	if (unknown)
		emit_key_number(e, 1000, 7);
	emit_close(e);
}

static inline void
put_file(struct emit *e)
{
	emit_header(e, 0);
	if (!e->failed)
		memcpy(e->data, &header, sizeof(header));
	emit_header_crc(e);
	if (bad_header && !e->failed)
		e->data[offsetof(struct monout_header, crc)] ^= 1;
	e->most = most;
	put_run(e);
	if (unknown) {
		emit_open(e, MONOUT_TAG('?', '?', '?', '?'), 0);
		emit_string(e, "?", 1);
		emit_item(e);
		emit_close(e);
	}
	put_modules_nodes(e);
	put_sites_bins(e);
	put_peaks_lives(e);
	put_threads(e);
	put_rows(e, MONOUT_USES, uses, nuses);
	put_rows(e, MONOUT_GROUPS, groups, ngroups);
	put_rows(e, MONOUT_FIELDS, fields, nfields);
	put_marks_leaks(e);
	put_rows(e, MONOUT_HOLDS, holds, nholds);
}

static inline void
put_end(struct emit *e)
{
	if (!no_totals)
		put_totals(e);
}

/* What to do with the record: 0 nothing, 1 spoil, 2 drop. */
static int
defect_of(uint32_t tag, uint64_t n)
{
	size_t i;

	for (i = 0; i < ndefects; i++) {
		if (defects[i].tag == tag && defects[i].number == n)
			return 1 + defects[i].drop;
	}
	return 0;
}

static inline void
put_defects(struct emit *e)
{
	struct monout_record r;
	uint32_t last = 0;
	uint64_t n = 0;
	size_t at = sizeof(header), length;
	int what;

	while (ndefects && at < e->length) {
		memcpy(&r, e->data + at, sizeof(r));
		length = sizeof(r) + r.length;
		n = r.tag == last ? n + 1 : 1;
		last = r.tag;
		what = defect_of(r.tag, n);
		if (what == 1)
			e->data[at + offsetof(struct monout_record, crc)] ^= 1;
		if (what == 2) {
			memmove(e->data + at, e->data + at + length,
				e->length - at - length);
			e->length -= length;
		} else {
			at += length;
		}
	}
}

#endif
