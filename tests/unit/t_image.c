/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading the image of a process: sums by hand, the end of the process, odd
 * cells.
 */
#include "tests/unit/image.h"

#include <sys/stat.h>
#include <unistd.h>

static uint64_t
total(enum monout_total key)
{
	return m.total_set[key] ? m.total[key] : UINT64_MAX;
}

/* The site of the node with that address in that module. */
static const struct mon_site *
site(uint32_t module, uint64_t addr)
{
	size_t i;

	for (i = 0; i < m.nsites; i++) {
		const struct mon_node *n = &m.nodes[m.sites[i].node];

		if (n->module == module && n->addr == addr)
			return &m.sites[i];
	}
	return NULL;
}

static void
check_sites(void)
{
	const struct mon_site *s = site(1, 0x200);
	struct life x;

	is_int(m.nsites, 4, "sites of all nodes with cells");
	ok(s != NULL, "the first");
	if (!s)
		return;
	is_int(s->count.allocs[MONOUT_SMALL], 110, "allocs of both threads");
	is_int(s->count.frees[MONOUT_SMALL], 65, "frees");
	is_int(s->count.bytes[MONOUT_SMALL], 110 * 24, "bytes");
	is_int(s->count.freed[MONOUT_SMALL], 65 * 24, "bytes freed");
	is_int(s->count.allocs[MONOUT_XLARGE], 4, "larger ones");
	is_int(s->reallocs, 3, "reallocs");
	/* 50 at that peak; 10 - 25 and 4 - 1 as they are now. */
	is_int(s->peak_blocks, 50 - 15 + 3, "held at the peak");
	is_int(s->count.peak, 35 * 24 + 3 * 5000, "bytes of these");
	life_get(&m.lives, s->life, &x);
	is_int(x.near, 30, "near");
	is_int(x.temps, 20, "temps");
	is_int(x.by_others, 20, "freed by others");
	is_int(x.moved, 2, "moved");
	is_int(x.copied, 48, "copied");
	is_int(x.longest, 2, "longest");
	is_int(x.timed, 3, "timed: few ones, and a histogram");
	is_int(x.weight, 34, "weight");
	is_int(x.sum, 32 * 70000 + 101, "sum of lifetimes");
	is_int(x.min, 1, "shortest");
	is_int(x.max, 70000, "longest of them");
	is_int(x.bin[0] + x.bin[6] + x.bin[16], 34, "bins of lifetimes");
	s = site(3, 0x10);
	is_int(s ? s->count.allocs[0] : 0, 1, "module of another generation");
	s = site(0, MONOUT_PC_NONE);
	is_int(s ? s->count.allocs[0] : 0, 6, "a node that isn't there");
	s = site(1, 0x100);
	is_int(s ? s->count.bytes[MONOUT_LARGE] : 0, 600, "a caller's own");
	is_int(m.nodes[m.sites[0].node].parent, 1, "below its caller");
	is_int(m.nodes[1].addr, MONOUT_PC_STOPPED, "which has none");
}

static void
check_totals(void)
{
	is_int(m.sums.allocs, 123, "all allocations");
	is_int(m.sums.frees, 72, "all frees");
	is_int(m.bin_sums.allocs, 123, "the bins have as many");
	is_int(bin_of(24, false), 110, "a bin's");
	is_int(bin_of(24, true), 65, "a bin's frees");
	is_int(bin_of(0, false), 1, "bin 0");
	is_int(total(MONOUT_T_PEAK), 20000, "peak");
	is_int(total(MONOUT_T_PEAK_AT), 5000, "its time");
	is_int(total(MONOUT_T_PEAK_SLACK), 3 * 32768,
	       "as exact as three threads' counts");
	is_int(total(MONOUT_T_CHAINS), 56, "chains, of all that are taken");
	is_int(total(MONOUT_T_DEEPEST), 13, "deepest of any");
	is_int(total(MONOUT_T_CUT), 4, "cut");
	is_int(total(MONOUT_T_STOPPED), 3, "stopped");
	is_int(total(MONOUT_T_LOST), 3, "lost, by nobody too");
	is_int(total(MONOUT_T_LOST_BYTES), 210, "bytes of these");
	is_int(total(MONOUT_T_OWN), 123456, "own memory");
	is_int(total(MONOUT_T_OFF_FREED), 24, "while it was off");
	is_int(total(MONOUT_T_OFF_UNSEEN), 9, "of then");
}

static void
check_threads(void)
{
	const struct mon_thread *t = m.threads;

	is_int(m.nthreads, 3, "threads");
	if (m.nthreads != 3)
		return;
	is_str(t[0].name, "main", "the first one");
	is_int(t[0].flags, MONOUT_TH_MAIN, "which is main");
	is_int(t[0].allocs, 103 + 1 + 2, "its allocations");
	is_int(t[0].bytes, 1032, "and handlers' bytes");
	is_int(t[0].frees, 41, "frees");
	is_int(t[0].freed, 416, "bytes freed");
	is_int(t[0].of_others, 3, "others' blocks");
	is_str(t[1].name, "old", "those that ended");
	is_int(t[1].threads, 9, "of that name");
	is_str(t[2].name, "0123456789abcdef", "a name without end");
	is_int(t[2].of_others, 4, "no more of others than there are");
}

static void
check_run(void)
{
	const struct mon_value *v = m.run;

	is_str(v[MONOUT_R_PROGRAM].text, "/bin/x", "program");
	is_int(v[MONOUT_R_COMMAND].length, 4, "command");
	is_int(v[MONOUT_R_PID].number, 4711, "pid");
	is_int(v[MONOUT_R_END].number, MONOUT_E_CUT, "end");
	is_int(v[MONOUT_R_SEEN].number, 11000, "seen");
	is_int(v[MONOUT_R_LENGTH].number, 11000, "length: as far as is known");
	ok(!v[MONOUT_R_RUNNING].set, "nobody knows whether it runs");
	is_int(v[MONOUT_R_THREADS].number, 3, "threads");
	is_int(v[MONOUT_R_DEPTH].number, 64, "depth");
	is_int(v[MONOUT_R_TIMING].number, 32, "timing");
	ok(!v[MONOUT_R_CUT_WHY].set, "nothing is missing");
	ok(!m.incomplete, "it is whole");
	is_int(m.nwarning, 1, "but");
	is_str(m.warning[0],
	       "f: 6 allocations lack some of their callers, "
	       "which are not in the image",
	       "one chain isn't there");
	is_str(m.modules[1].path, "/bin/x", "modules");
	is_int(m.modules[1].idlen, 3, "build-id");
	is_int(m.modules[2].flags, MONOUT_M_GONE, "one unloaded");
	ok(m.image && m.image->cells == 6, "cells that counted");
}

static void
sums(void)
{
	start();
	make_cells();
	make_rest();
	if (!ok(load(), "an image")) {
		diag("%s", e.text);
		return;
	}
	check_sites();
	check_totals();
	check_threads();
	check_run();
	finish();
}

/* More bytes are live than the known peak: they are the peak. */
static void
peak(void)
{
	struct monimg_pub *t;

	start();
	cell(20, 1, 3, 100, 7, 0)->epoch = 3;
	f.global->live = 600;
	f.global->peak = 600;
	f.global->peaks = 3;
	f.global->peak_at = 5000;
	t = monimage_pub(&f);
	t->delta = 100;
	t->seen = 8000;
	ok(load(), "a peak that wasn't told yet");
	is_int(total(MONOUT_T_PEAK), 700, "peak");
	is_int(m.peak_blocks, 7, "all that is live held it");
	is_int(total(MONOUT_T_PEAK_AT), 7000, "and does so still");
	is_int(total(MONOUT_T_PEAK_SLACK), 0, "one thread: exact");
	mon_fini(&m);
	t->delta = 0;
	f.global->fresh = 1;
	ok(load(), "a peak that was");
	is_int(m.peak_blocks, 0, "with what the cell held then");
	is_int(total(MONOUT_T_PEAK_SLACK), 600, "which differs");
	is_int(total(MONOUT_T_PEAK_AT), 7000, "nothing was freed since");
	finish();
}

/* --------------------------------------------------- cells for all sizes -- */

static void
any(void)
{
	uint64_t size = MONIMG_SIZE_ANY + MONOUT_LARGE;
	struct monimg_extra *x;
	struct monimg_cell *c;

	start();
	c = cell(20, 1, 3, size, 10, 4);
	x = monimage_extra(&f, c);
	x->bytes = 5000;
	x->freed = 1900;
	c = cell(21, 1, 3, 300, 2, 1);
	cell(22, 1, 3, size, 50, 0); /* wasn't used after all */
	cell(23, 1, 3, MONIMG_SIZE_ANY - 1, 0, 0);
	f.global->bins[0].allocs[500] = 6;
	f.global->bins[0].frees[500] = 3;
	f.global->bins[0].other[7] = (struct monimg_bin){ 1500, 1, 0 };
	f.global->bins[0].big_allocs = 3;
	f.global->bins[0].big_bytes = 500;
	f.global->bins[0].big_frees = 1;
	f.global->bins[0].big_freed = 400;
	ok(load(), "cells for all sizes");
	is_int(m.nwarning, 0, "bins and sites agree");
	is_int(m.sums.allocs, 12, "allocations");
	is_int(m.sums.bytes, 5600, "bytes");
	is_int(m.sums.freed, 2200, "bytes freed");
	is_int(bin_of(500, false), 6, "a small size's bin");
	is_int(bin_of(1500, false), 1, "another's");
	is_int(total(MONOUT_T_BIG_ALLOCS), 3, "those without a bin");
	is_int(total(MONOUT_T_BIG_BYTES), 500, "their bytes");
	is_int(total(MONOUT_T_BIG_FREED), 400, "and bytes freed");
	mon_fini(&m);

	/* A free was counted in the cell, but not in its bin. */
	f.global->bins[0].frees[500] = 0;
	f.global->bins[0].big_allocs = f.global->bins[0].big_frees = 0;
	f.global->bins[0].big_bytes = f.global->bins[0].big_freed = 0;
	f.global->bins[0].allocs[500] = 9;
	x->bytes = 6000;
	x->freed = 500;
	c = cell(20, 1, 3, size, 10, 1);
	ok(load(), "a bin that lags behind");
	is_int(m.nwarning, 0, "bins and sites agree all the same");
	is_int(m.sums.frees, 2, "the free is there");
	mon_fini(&m);

	/* A class that doesn't exist. */
	cell(20, 1, 3, MONIMG_SIZE_ANY + MONOUT_NCLASS, 10, 4)->extra = 8;
	ok(load(), "a class that there isn't");
	ok(m.incomplete && m.sums.allocs == 2, "is left out");
	mon_fini(&m);

	/* Its bytes are outside the image. */
	cell(20, 1, 3, size, 10, 4)->extra = 8;
	ok(load(), "a pointer to nowhere");
	is_int(m.sums.allocs, 12, "blocks are counted");
	ok(m.incomplete, "but something is missing");
	finish();
}

/* -------------------------------------------------------------- oddities -- */

static void
ends(void)
{
	struct monimg_pub *t;

	start();
	cell(20, 1, 3, 24, 1, 0);
	t = monimage_pub(&f);
	t->seen = 2000;
	f.h->end = MONOUT_E_SIGNAL;
	f.h->sig = 11;
	f.h->ended = 5000;
	ok(load(), "an end that is known");
	is_int(m.run[MONOUT_R_END].number, MONOUT_E_SIGNAL, "end");
	is_int(m.run[MONOUT_R_SIGNAL].number, 11, "signal");
	is_int(m.run[MONOUT_R_LENGTH].number, 4000, "length");
	ok(!m.run[MONOUT_R_SEEN].set && !m.run[MONOUT_R_RUNNING].set,
	   "no more to say");
	mon_fini(&m);
	f.h->end = 99;
	ok(load(), "an end that there isn't");
	is_int(m.run[MONOUT_R_END].number, MONOUT_E_CUT, "isn't believed");
	mon_fini(&m);
	f.h->end = 0;
	f.h->outside_cells = 3;
	f.h->outside_modules = 1;
	ok(load(), "no room for all");
	is_str(m.run[MONOUT_R_CUT_WHY].text,
	       "no room in the image for up to 3 counts (of a call path, size "
	       "and thread), 1 libraries",
	       "what is missing");
	ok(m.incomplete, "so it isn't whole");
	mon_fini(&m);
	f.h->outside_cells = 0;
	ok(load() && !m.incomplete, "names alone don't count");
	mon_fini(&m);
	f.h->access = 1;
	ok(load(), "accesses");
	ok(strstr(m.run[MONOUT_R_CUT_WHY].text, "accesses"),
	   "aren't in it, which it says");
	ok(!m.uses_known, "and doesn't say otherwise");
	finish();
}

/* This process, which is running; and one that isn't. */
static void
running(void)
{
	char text[512], *p;
	struct stat st;
	size_t n = 0;
	FILE *in = fopen("/proc/self/stat", "r");
	int i;

	if (in) {
		n = fread(text, 1, sizeof(text) - 1, in);
		fclose(in);
	}
	text[n] = '\0';
	p = strrchr(text, ')');
	if (!p || stat("/proc/self/ns/pid", &st)) {
		skip(7, "no /proc");
		return;
	}
	for (i = 2; i < 22; i++)
		p = strchr(p + 1, ' ');
	start();
	cell(20, 1, 3, 24, 1, 0);
	f.h->pid = getpid();
	f.h->pid_space = st.st_ino;
	f.h->born = strtoull(p, NULL, 10);
	f.h->mono = 1;
	ok(load(), "a process that runs");
	is_int(m.run[MONOUT_R_RUNNING].number, 1, "does");
	ok(m.run[MONOUT_R_LENGTH].number > 1000, "up to now");
	mon_fini(&m);
	f.h->born++;
	ok(load() && m.run[MONOUT_R_RUNNING].set &&
		   m.run[MONOUT_R_RUNNING].number == 0,
	   "another of the same pid: it has ended");
	mon_fini(&m);
	f.h->pid_space++;
	ok(load() && !m.run[MONOUT_R_RUNNING].set, "not to be seen from here");
	mon_fini(&m);
	f.h->pid_space--;
	f.h->boot = 12345;
	ok(load() && !m.run[MONOUT_R_RUNNING].set, "another machine's");
	mon_fini(&m);
	f.h->boot = 0;
	f.h->born = 0;
	ok(load() && !m.run[MONOUT_R_RUNNING].set, "born nobody knows when");
	finish();
}

/*
 * A thread frees in a cell for one size; another allocated in a cell for all
 * sizes.
 */
static void
across(void)
{
	unsigned k = counts_class(50);
	struct monimg_cell *c;

	start();
	c = cell(20, 1, 3, MONIMG_SIZE_ANY + k, 10, 0);
	monimage_extra(&f, c)->bytes = 500;
	f.global->bins[0].allocs[50] = 10;
	cell(21, 2, 3, 50, 0, 4);
	ok(load(), "freed in another thread's cell");
	is_int(m.sums.frees, 4, "frees");
	is_int(m.sums.freed, 200, "bytes freed");
	is_int(bin_of(50, true), 4, "in the bin");
	is_int(mon_big(&m)->allocs, 0, "nothing is in none");
	ok(!m.incomplete, "it is whole");
	mon_fini(&m);
	/* And the opposite. */
	c->allocs = 0;
	c->frees = 3;
	monimage_extra(&f, c)->bytes = 0;
	monimage_extra(&f, c)->freed = 150;
	f.global->bins[0].allocs[50] = 0;
	f.global->bins[0].frees[50] = 3;
	c = cell(21, 2, 3, 50, 5, 0);
	ok(load(), "freed in a cell for all sizes");
	is_int(m.sums.frees, 3, "frees");
	is_int(m.sums.freed, 150, "bytes freed");
	is_int(bin_of(50, true), 3, "in the bin");
	ok(!m.incomplete, "it is whole");
	finish();
}

/* Ten notes of a cell: 30 bytes, in two pieces. */
static struct monimg_piece *
make_notes(void)
{
	struct monimg_notes *h = (void *)monimage_slot(&f, MONIMG_NOTES, 0);
	struct monimg_piece *p = (void *)monimage_slot(&f, MONIMG_PIECES, 0);
	struct monimg_snapshots *s = &f.global->snapshots;
	struct monimg_cell *c = cell(20, 1, 3, 24, 11, 2);

	c->epoch = 10ull << MONIMG_SNAPSHOT;
	s->known = 1;
	s->n = 12;
	for (unsigned i = 0; i < 12; i++)
		s->snapshot[i] = (struct monimg_snapshot){ .number = i + 1,
							   .at = f.h->mono + i,
							   .allocs = i };
	f.h->ended = f.h->mono + 100;
	f.h->end = MONOUT_E_SIGNAL;
	h[20].word = 1ull << 32 | 30;
	for (unsigned i = 0; i < 30; i++)
		p[1 + i / 28].byte[i % 28] = i % 3 < 2 ? 2 : 0;
	p[1].next = 2;
	return p;
}

static void
notes(void)
{
	struct monimg_piece *p;
	size_t bad = 0;

	start();
	p = make_notes();
	ok(load(), "notes of a cell");
	ok(m.changes_known, "are known");
	is_int(m.nchanges, 11, "ten, and the end");
	for (size_t i = 0; i < 10 && i < m.nchanges; i++)
		bad += m.changes[i].snapshot != i ||
		       m.changes[i].allocs != i + 1 || m.changes[i].frees;
	is_int(bad, 0, "each one");
	if (m.nchanges == 11) {
		is_int(m.changes[10].snapshot, 10,
		       "the last: at the next snapshot");
		is_int(m.changes[10].allocs, 11, "all allocations");
		is_int(m.changes[10].frees, 2, "and frees");
	}
	is_int(m.nwarning, 0, "nothing is wrong");
	mon_fini(&m);
	f.h->outside_notes = 1;
	ok(load() && !m.changes_known, "some had no room");
	mon_fini(&m);
	f.h->outside_notes = 0;
	f.global->snapshots.notes_lost = 1;
	ok(load() && !m.changes_known, "some were lost");
	mon_fini(&m);
	f.global->snapshots.notes_lost = 0;
	p[1].next = 0;
	ok(load() && !m.changes_known && m.times_known, "a piece isn't there");
	finish();
}

int
main(void)
{
	sums();
	peak();
	any();
	across();
	notes();
	ends();
	running();
	return done_testing();
}
