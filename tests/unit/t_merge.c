/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several files made one, and written as mon.sum. */
#include "reduce/merge.h"
#include "reduce/sum.h"
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

/* Two programs of one name with a library in common. */
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
static struct mon_bin ba[] = { { 16, 30, 5 } };
static struct mon_bin bb[] = { { 24, 1, 0 }, { 16, 100, 3 } };

/* What a file has besides its tables. */
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
	for (i = 0; i < m->nsites; i++)
		sums_add(&m->sums, &m->sites[i].count, m->sites[i].reallocs);
}

static void
make(struct mon *a, struct mon *b)
{
	sa[0] = site(3, 10, 5);
	sa[1] = site(4, 20, 0);
	sb[0] = site(3, 1, 0);
	sb[1] = site(7, 2, 1);
	sb[2] = site(8, 4, 1);
	sb[3] = site(0, 94, 1);
	*a = (struct mon){ .modules = ma,
			   .nmodules = 3,
			   .nodes = na,
			   .nnodes = 5,
			   .sites = sa,
			   .nsites = 2,
			   .bins = ba,
			   .nbins = 1 };
	*b = (struct mon){ .modules = mb,
			   .nmodules = 4,
			   .nodes = nb,
			   .nnodes = 9,
			   .sites = sb,
			   .nsites = 4,
			   .bins = bb,
			   .nbins = 2 };
	set(a, "a", 2, 900, 3);
	set(b, "b", 3, 800, 4);
}

/* The counts of the site with that chain of (module, address), or -1. */
static int64_t
allocs_of(const struct mon *m, uint32_t module, uint64_t outer, uint64_t inner)
{
	size_t i;

	for (i = 0; i < m->nsites; i++) {
		const struct mon_node *n = &m->nodes[m->sites[i].node], *o = n;

		if (!m->sites[i].node || n->addr != inner)
			continue;
		while (o->parent)
			o = &m->nodes[o->parent];
		if (o->module == module && o->addr == outer)
			return (int64_t)m->sites[i].count.allocs[0];
	}
	return -1;
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
	is_int(m->sums.freed, 8 * 16, "%s: bytes freed", name);
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
	if (!is_int(load_file(&m, path, &e), 0, "read the sum"))
		diag("%s", e.text);
	is_int(m.incomplete, incomplete, "not whole: %d", incomplete);
	ok(load_is_sum(&m), "it is a sum");
	is_int(m.run[MONOUT_R_END].number, MONOUT_E_SUM, "and says so");
	check(&m, "sum");
	load_fini(&m);
	unlink(path);
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
	check(&g.all, "merged");
	/* Sizes don't match the sites here: the bins' warning is right. */
	check_sum(&g, false);
	check_sum(&g, true);
	is_int(sum_write(&g, "/nonexistent/x", &e), -1, "nowhere to write");
	ok(!strncmp(e.text, "/nonexistent/x: ", 16), "%s", e.text);
	merge_fini(&g);
	overflow(&b);
	return done_testing();
}
