/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges several files into one, and writes it as mon.sum. */
#include "reduce/monout/merge.h"
#include "reduce/monout/mon.h"
#include "reduce/image/open.h"
#include "reduce/monout/sum.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <unistd.h>

static struct err e;

static const unsigned char id_a[] = { 1, 2, 3 }, id_b[] = { 1, 2, 4 };

static struct mon_site
site(uint32_t node, uint64_t allocs, uint64_t frees)
{
	struct mon_site s = { .node = node, .reallocs = 1 };

	s.count.allocs[MONOUT_SMALL] = allocs;
	s.count.bytes[MONOUT_SMALL] = allocs * 16;
	s.count.frees[MONOUT_SMALL] = frees;
	s.count.freed[MONOUT_SMALL] = frees * 16;
	return s;
}

/* Two programs of one name, with a library in common. */
static struct mon_module ma[] = {
	{ 0 },
	{ .id = id_a, .idlen = 3, .path = "/x", .flags = MONOUT_M_EXE },
	{ .id = id_a, .idlen = 3, .path = "/lib", .bias = 0x1000 },
};
static struct mon_module mb[] = {
	{ 0 },
	{ .id = id_a, .idlen = 3, .path = "/lib", .flags = MONOUT_M_GONE },
	{ .id = id_b, .idlen = 3, .path = "/x", .flags = MONOUT_M_EXE },
	{ .id = id_a, .idlen = 3, .path = "/x", .flags = MONOUT_M_EXE },
};
/* /x calls /lib at 2, which allocates at 3 and at 4. */
static struct mon_node na[] = {
	{ MON_MISSING, 0, 0 }, { 0, 1, 1 }, { 1, 2, 2 },
	{ 2, 2, 3 },	       { 2, 2, 4 },
};
static struct mon_node nb[] = {
	{ MON_MISSING, 0, 0 }, { 0, 2, 1 },	      { 1, 1, 2 },
	{ 2, 1, 3 },	       { MON_MISSING, 0, 0 }, { 0, 3, 1 },
	{ 5, 1, 2 },	       { 6, 1, 4 },	      { MON_ORPHAN, 1, 9 },
};
static struct mon_site sa[2], sb[4];
static struct mon_bin ba[] = { { 16, 30, 5, { 0 } } };
static struct mon_bin bb[] = { { 24, 1, 0, { 0 } }, { 16, 100, 3, { 0 } } };
static struct mon_thread ta[] = {
	{ .name = "x",
	  .flags = MONOUT_TH_MAIN,
	  .threads = 1,
	  .allocs = 20,
	  .bytes = 320,
	  .frees = 3,
	  .freed = 48,
	  .of_others = 1 },
	{ .name = "w",
	  .threads = 4,
	  .allocs = 10,
	  .bytes = 160,
	  .frees = 4,
	  .freed = 64,
	  .of_others = 2 },
};
static struct mon_thread tb[] = {
	{ .name = "w",
	  .flags = MONOUT_TH_MAIN,
	  .threads = 1,
	  .allocs = 1,
	  .bytes = 16 },
	{ .name = "w",
	  .threads = 2,
	  .allocs = 100,
	  .bytes = 1600,
	  .frees = 3,
	  .freed = 48,
	  .of_others = 3 },
};
static struct life_pool la, lb;
/*
 * The lives of the site that both have; times of 5 and 9 ns in a, of 3 ns in b.
 */
static const struct life life_a = {
	.temps = 1,
	.near = 2,
	.by_others = 1,
	.moved = 1,
	.copied = 16,
	.longest = 4,
	.timed = 2,
	.weight = 20,
	.sum = 140,
	.min = 5,
	.max = 9,
	.bin = { [2] = 10, [3] = 10 },
};
static const struct life life_b = {
	.near = 1,
	.moved = 1,
	.copied = 8,
	.longest = 2,
	.timed = 1,
	.weight = 7,
	.sum = 21,
	.min = 3,
	.max = 3,
	.bin = { [1] = 7 },
};
/* The life of a site that only b has. */
static const struct life life_c = { .temps = 1, .near = 1, .by_others = 1 };

/* All of a file except its tables. */
static void
set(struct mon *m, const char *path, uint64_t pid, uint64_t peak,
    uint64_t deepest)
{
	size_t i;

	m->path = path;
	m->run[MONOUT_R_PROGRAM] = (struct mon_value){ true, 0, "/x", 2 };
	m->run[MONOUT_R_PID] = (struct mon_value){ true, pid, NULL, 0 };
	m->run[MONOUT_R_THREADS] = (struct mon_value){ true, pid, NULL, 0 };
	m->total[MONOUT_T_PEAK] = peak;
	m->total[MONOUT_T_PEAK_AT] = pid;
	m->total[MONOUT_T_DEEPEST] = deepest;
	m->total[MONOUT_T_FRAMES] = 5;
	m->run[MONOUT_R_TIMING] = (struct mon_value){ true, 64, NULL, 0 };
	m->run[MONOUT_R_MAXMEM] = (struct mon_value){ true, pid, NULL, 0 };
	m->total[MONOUT_T_PEAK_SLACK] = 100 * pid;
	m->total[MONOUT_T_SHORT] = m->total[MONOUT_T_UNTIMED] = pid;
	/* A file has these; merging computes them from the sum. */
	for (i = MONOUT_T_PEAKS; i <= MONOUT_T_UNTIMED; i++)
		m->total_set[i] = true;
	m->peaks_known = m->lives_known = m->threads_known = true;
	for (i = 0; i < m->nsites; i++) {
		sums_add(&m->sums, &m->sites[i].count, m->sites[i].reallocs);
		m->peak_blocks += m->sites[i].peak_blocks;
		m->peak_bytes += m->sites[i].count.peak;
	}
}

/* Sets the site's part of the peak, and its lifetimes. */
static void
set_site(struct mon_site *s, uint64_t peak, struct life_pool *l,
	 const struct life *x)
{
	s->peak_blocks = peak;
	s->count.peak = 16 * peak;
	s->life = x ? life_put(l, s->life, x) : 0;
}

static void
make(struct mon *a, struct mon *b)
{
	sa[0] = site(3, 10, 5);
	sa[1] = site(4, 20, 2);
	sb[0] = site(3, 1, 0);
	sb[1] = site(7, 2, 1);
	sb[2] = site(8, 4, 1);
	sb[3] = site(0, 94, 1);
	set_site(&sa[0], 3, &la, NULL);
	set_site(&sa[1], 5, &la, &life_a);
	set_site(&sb[0], 1, &lb, NULL);
	set_site(&sb[1], 2, &lb, &life_b);
	set_site(&sb[2], 1, &lb, &life_c);
	*a = (struct mon){ .modules = ma,
			   .nmodules = 3,
			   .nodes = na,
			   .nnodes = 5,
			   .sites = sa,
			   .nsites = 2,
			   .bins = ba,
			   .nbins = 1,
			   .lives = la,
			   .life = life_a,
			   .threads = ta,
			   .nthreads = 2 };
	*b = (struct mon){ .modules = mb,
			   .nmodules = 4,
			   .nodes = nb,
			   .nnodes = 9,
			   .sites = sb,
			   .nsites = 4,
			   .bins = bb,
			   .nbins = 2,
			   .lives = lb,
			   .life = life_b,
			   .threads = tb,
			   .nthreads = 2 };
	life_add(&b->life, &life_c);
	set(a, "a", 2, 900, 3);
	set(b, "b", 3, 800, 4);
}

/* The site with that call path of (module, address), or NULL. */
static const struct mon_site *
site_of(const struct mon *m, uint32_t module, uint64_t outer, uint64_t inner)
{
	size_t i;

	for (i = 0; i < m->nsites; i++) {
		const struct mon_node *n = &m->nodes[m->sites[i].node], *o = n;

		if (!m->sites[i].node || n->addr != inner)
			continue;
		while (o->parent)
			o = &m->nodes[o->parent];
		if (o->module == module && o->addr == outer)
			return &m->sites[i];
	}
	return NULL;
}

static int64_t
allocs_of(const struct mon *m, uint32_t module, uint64_t outer, uint64_t inner)
{
	const struct mon_site *s = site_of(m, module, outer, inner);

	return s ? (int64_t)s->count.allocs[0] : -1;
}

static int64_t
peak_of(const struct mon *m, uint32_t module, uint64_t outer, uint64_t inner)
{
	const struct mon_site *s = site_of(m, module, outer, inner);

	return s && s->count.peak == s->peak_blocks * 16
		       ? (int64_t)s->peak_blocks
		       : -1;
}

/* The tables after the bins: the peak is a's; lives and threads add up. */
static void
check_after(const struct mon *m, const char *name)
{
	struct life want = life_a, x;

	ok(m->peaks_known && m->lives_known && m->threads_known, "%s: known",
	   name);
	is_int(peak_of(m, 1, 1, 3), 3, "%s: peak of a", name);
	is_int(peak_of(m, 1, 1, 4), 5, "%s: of both, what a held", name);
	is_int(peak_of(m, 3, 1, 3), 0, "%s: only of b, nothing", name);
	is_int(m->peak_blocks, 8, "%s: blocks at the peak", name);
	is_int(m->peak_bytes, 128, "%s: bytes at the peak", name);
	is_int(m->total[MONOUT_T_PEAK_SLACK], 200, "%s: its slack", name);
	life_add(&want, &life_b);
	life_get(&m->lives, site_of(m, 1, 1, 4)->life, &x);
	ok(!memcmp(&x, &want, sizeof(x)), "%s: lives of both", name);
	is_int(x.min, 3, "%s: the shortest", name);
	is_int(x.weight, 27, "%s: they stand for", name);
	life_get(&m->lives, site_of(m, 0, MONOUT_PC_STOPPED, 9)->life, &x);
	ok(!memcmp(&x, &life_c, sizeof(x)), "%s: lives of one", name);
	is_int(site_of(m, 1, 1, 3)->life, 0, "%s: of none", name);
	life_add(&want, &life_c);
	ok(!memcmp(&m->life, &want, sizeof(want)), "%s: all lives", name);
	is_int(m->nthreads, 3, "%s: threads", name);
	is_str(m->threads[1].name, "w", "%s: name of the second", name);
	is_int(m->threads[1].threads, 6, "%s: of a and of b", name);
	is_int(m->threads[1].bytes, 1760, "%s: bytes of both", name);
	is_int(m->threads[1].of_others, 5, "%s: others' blocks", name);
	is_int(m->threads[2].flags, MONOUT_TH_MAIN, "%s: other flags", name);
	is_int(m->run[MONOUT_R_TIMING].number, 64, "%s: timing", name);
	ok(!m->run[MONOUT_R_MAXMEM].set, "%s: not the same limit", name);
	is_int(m->total[MONOUT_T_SHORT], 5, "%s: chains shortened", name);
	is_int(m->total[MONOUT_T_UNTIMED], 5, "%s: blocks untimed", name);
}

static void
check(const struct mon *m, const char *name)
{
	uint32_t n;

	is_int(m->nmodules, 4, "%s: three modules", name);
	is_str(m->modules[1].path, "/x", "%s: the first", name);
	is_str(m->modules[2].path, "/lib", "%s: the second", name);
	is_int(m->modules[2].flags, MONOUT_M_GONE, "%s: flags add up", name);
	is_int(m->modules[3].id[2], 4, "%s: the other build-id", name);
	is_int(m->nsites, 5, "%s: sites", name);
	is_int(allocs_of(m, 1, 1, 3), 10, "%s: only in a", name);
	is_int(allocs_of(m, 1, 1, 4), 22, "%s: in both", name);
	is_int(allocs_of(m, 3, 1, 3), 1, "%s: the other program", name);
	is_int(allocs_of(m, 0, MONOUT_PC_STOPPED, 9), 4, "%s: the orphan",
	       name);
	is_int(m->sums.allocs, 131, "%s: allocations", name);
	is_int(m->sums.freed, 10 * 16, "%s: bytes freed", name);
	is_int(m->sums.reallocs, 6, "%s: reallocations", name);
	is_int(m->nbins, 2, "%s: bins", name);
	is_int(m->bins[0].size, 16, "%s: first bin", name);
	is_int(m->bins[0].allocs, 130, "%s: its blocks", name);
	is_int(m->total[MONOUT_T_PEAK], 900, "%s: the larger peak", name);
	is_int(m->total[MONOUT_T_PEAK_AT], 2, "%s: when it was", name);
	is_int(m->total[MONOUT_T_DEEPEST], 4, "%s: the deeper chain", name);
	is_int(m->total[MONOUT_T_FRAMES], 10, "%s: all frames", name);
	is_int(m->run[MONOUT_R_THREADS].number, 5, "%s: threads", name);
	ok(m->run[MONOUT_R_PROGRAM].set && !m->run[MONOUT_R_PID].set,
	   "%s: what they have in common", name);
	for (n = 1; n < m->nnodes && m->nodes[n].parent < n; n++)
		;
	is_int(n, m->nnodes, "%s: parents before children", name);
}

static void
check_sum(struct merge *g, bool incomplete)
{
	char path[] = "/tmp/memmon-t_merge.XXXXXX";
	struct mon m;
	int fd = mkstemp(path);

	ok(fd >= 0, "a temporary file");
	close(fd);
	g->all.incomplete = incomplete;
	g->all.total_set[MONOUT_T_PEAK] = g->all.total_set[MONOUT_T_PEAK_AT] =
		g->all.total_set[MONOUT_T_DEEPEST] =
			g->all.total_set[MONOUT_T_FRAMES] = true;
	is_int(sum_write(g, path, &e), 0, "write the sum");
	if (!is_int(open_file(&m, path, &e), 0, "read the sum"))
		diag("%s", e.text);
	is_int(m.incomplete, incomplete, "not whole: %d", incomplete);
	ok(mon_is_sum(&m), "it is a sum");
	is_int(m.run[MONOUT_R_END].number, MONOUT_E_SUM, "and says so");
	check(&m, "sum");
	check_after(&m, "sum");
	mon_fini(&m);
	unlink(path);
}

/* Tables that only some of the files have are unknown in the sum. */
static void
partly(const struct mon *a, const struct mon *b)
{
	struct mon old = *b, empty = { .path = "empty" }, large = *b;
	struct merge g = { 0 };

	old.peaks_known = old.lives_known = old.threads_known = false;
	is_int(merge_add(&g, a, &e), 0, "with one without the tables");
	is_int(merge_add(&g, &empty, &e), 0, "and an empty one");
	ok(g.all.lives_known && g.all.threads_known, "which says nothing");
	is_int(merge_add(&g, &old, &e), 0, "add the one without");
	ok(!g.all.lives_known && !g.all.threads_known, "isn't known of all");
	ok(g.all.peaks_known, "but who held the peak of the first");
	is_int(merge_add(&g, b, &e), 0, "one with them");
	ok(!g.all.lives_known && !g.all.threads_known, "changes nothing");
	old.total[MONOUT_T_PEAK] = 2000;
	is_int(merge_add(&g, &old, &e), 0, "a larger peak");
	ok(!g.all.peaks_known, "whose holders aren't known");
	large.total[MONOUT_T_PEAK] = 3000;
	is_int(merge_add(&g, &large, &e), 0, "a larger one");
	ok(g.all.peaks_known, "whose holders are");
	is_int(g.all.total[MONOUT_T_PEAK_AT], 3, "when that was");
	is_int(peak_of(&g.all, 1, 1, 3), 0, "the first holds nothing");
	is_int(peak_of(&g.all, 1, 1, 4), 2, "this one does");
	is_int(g.all.peak_blocks, 4, "as much as it held");
	merge_fini(&g);
	is_int(merge_add(&g, &empty, &e), 0, "an empty one first");
	is_int(merge_add(&g, a, &e), 0, "then a");
	ok(g.all.peaks_known && g.all.lives_known && g.all.threads_known,
	   "has what a has");
	merge_fini(&g);
}

static void
overflow(struct mon *b)
{
	struct merge g = { 0 };
	struct mon_site s = site(0, 1, 0);
	struct mon m = { .path = "m", .sites = &s, .nsites = 1 };

	s.count.bytes[0] = UINT64_MAX - 5;
	sums_add(&m.sums, &s.count, 0);
	is_int(merge_add(&g, &m, &e), 0, "much");
	is_int(merge_add(&g, b, &e), -1, "too much");
	ok(!strncmp(e.text, "b: ", 3), "%s", e.text);
	merge_fini(&g);
	m = (struct mon){ .path = "m", .life.copied = UINT64_MAX - 5 };
	is_int(merge_add(&g, &m, &e), 0, "much copied");
	is_int(merge_add(&g, b, &e), -1, "too much copied");
	merge_fini(&g);
	m = (struct mon){ .path = "m", .thread_sums.freed = UINT64_MAX - 5 };
	is_int(merge_add(&g, &m, &e), 0, "much freed by threads");
	m.thread_sums.freed = 6;
	is_int(merge_add(&g, &m, &e), -1, "too much freed by threads");
	merge_fini(&g);
}

int
main(void)
{
	struct merge g = { 0 };
	struct mon a, b;

	make(&a, &b);
	is_int(merge_add(&g, &a, &e), 0, "add a");
	is_int(g.all.nnodes, 5, "nodes of a");
	is_int(merge_add(&g, &b, &e), 0, "add b");
	merge_settle(&g);
	check(&g.all, "merged");
	check_after(&g.all, "merged");
	ok(!g.all.total_set[MONOUT_T_PEAKS] &&
		   !g.all.total_set[MONOUT_T_LIVES] &&
		   !g.all.total_set[MONOUT_T_THREADS] &&
		   !g.all.total_set[MONOUT_T_PEAK_BLOCKS] &&
		   !g.all.total_set[MONOUT_T_PEAK_BYTES],
	   "what a table has in it isn't a total to be added up");
	/* Here sizes don't match the sites: the warning about bins is right. */
	check_sum(&g, false);
	check_sum(&g, true);
	is_int(sum_write(&g, "/nonexistent/x", &e), -1, "nowhere to write");
	ok(!strncmp(e.text, "/nonexistent/x: ", 16), "%s", e.text);
	merge_fini(&g);
	partly(&a, &b);
	overflow(&b);
	life_fini(&la);
	life_fini(&lb);
	return done_testing();
}
