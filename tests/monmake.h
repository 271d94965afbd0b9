/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a mon.out file is to hold, as tests/monmake.c reads it, and the writing
 * of it, defects included.  For that one program only.
 */
#ifndef MEMMON_TESTS_MONMAKE_H
#define MEMMON_TESTS_MONMAKE_H

#include "monitor/monout.h"
#include "reduce/emit.h"

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

/* Spoil or drop a record: the one of that number (from 1) with the tag. */
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
static size_t nmodules, nnodes, nsites, nbins;

/* How they are written. */
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

/* The value of a total that the description doesn't give. */
static void
set_total(enum monout_total k, uint64_t n)
{
	if (!totals[k].set)
		totals[k].n = n;
	totals[k].set = true;
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
	/* The first record of them is the last of the file. */
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
