/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Uses, groups and fields of several files: the contents of their sum.  The
 * number of steps in which it is made doesn't matter.
 */
#include "reduce/monout/merge.h"
#include "reduce/monout/mon.h"
#include "reduce/image/open.h"
#include "reduce/monout/sum.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <unistd.h>

static struct err e;

enum { FILES = 3, MOST = 8 };

/* The unit of the times below: far above the shortest gap. */
#define NS 10000u

/*
 * A run of `length' NS.  Odd ones have the sites of /x at 1 and at 2, even ones
 * at 2 and at 3.  Groups are of gaps of NS, fields of 8 and 24 bytes.
 */
struct file {
	struct mon m;
	struct mon_module modules[2];
	struct mon_node nodes[3];
	struct mon_site sites[2];
	struct mon_use uses[3];
	struct mon_group groups[MOST];
	struct mon_field fields[3];
	uint64_t counts[10];
};

static void
set_use(struct mon_use *u, uint64_t k)
{
	size_t i;

	*u = (struct mon_use){ 0 };
	for (i = 0; i < MON_USE_NUMBERS; i++)
		u->n[i] = k * (i + 1);
	u->blocks = 100 * k;
	u->bytes = 4000 * k;
	u->reads = u->writes = 1000 * k;
	u->span = u->span_used = 300 * k;
	u->cover = u->cover_used = 200 * k;
	/* A flag has the same number of bytes and blocks. */
	for (i = offsetof(struct mon_use, flag) / sizeof *u->n;
	     i < MON_USE_NUMBERS; i += 2)
		u->n[i] = u->n[i + 1];
}

static void
make(struct file *f, uint64_t k, uint64_t length)
{
	struct mon *m = &f->m;
	size_t i;

	*f = (struct file){ 0 };
	f->modules[1] =
		(struct mon_module){ .path = "/x", .id = (unsigned char *)"" };
	for (i = 1; i < 3; i++)
		f->nodes[i] = (struct mon_node){ 0, 1, i + (k % 2 ? 0 : 1) };
	for (i = 0; i < 2; i++) {
		f->sites[i].node = f->sites[i].use = (uint32_t)(i + 1);
		f->sites[i].count.allocs[1] = 200 * k;
		f->sites[i].count.bytes[1] = 8000 * k;
		sums_add(&m->sums, &f->sites[i].count, 0);
		set_use(&f->uses[i + 1], k + i);
		mon_use_add(&m->use, &f->uses[i + 1]);
	}
	for (i = 0; i < MOST; i++)
		f->groups[i] =
			(struct mon_group){ .site = (uint32_t)(i % 2),
					    .first = NS * (100 * k + 20 * i),
					    .last = 5 * NS,
					    .end = 50 * NS,
					    .blocks = 2,
					    .life = 60 * NS };
	for (i = 0; i < 10; i++)
		f->counts[i] = k + i;
	f->fields[0] = (struct mon_field){ 0, 1, 8, k, 0 };
	f->fields[1] = (struct mon_field){ 1, 1, 8, k, 2 };
	f->fields[2] = (struct mon_field){ 1, 2, 24, k, 4 };
	*m = (struct mon){ .path = "m",
			   .modules = f->modules,
			   .nmodules = 2,
			   .nodes = f->nodes,
			   .nnodes = 3,
			   .sites = f->sites,
			   .nsites = 2,
			   .uses = f->uses,
			   .nuses = 3,
			   .groups = f->groups,
			   .ngroups = MOST,
			   .fields = f->fields,
			   .nfields = 3,
			   .counts = f->counts,
			   .ncounts = 10,
			   .sums = m->sums,
			   .use = m->use,
			   .uses_known = true };
	length *= NS;
	m->run[MONOUT_R_LENGTH] = (struct mon_value){ true, length, NULL, 0 };
	m->run[MONOUT_R_WAY] = (struct mon_value){ true, k, NULL, 0 };
	m->run[MONOUT_R_STEP] = (struct mon_value){ true, 70 - k, NULL, 0 };
	m->total[MONOUT_T_UNFOLDED] = k;
	m->total_set[MONOUT_T_UNFOLDED] = true;
	m->total[MONOUT_T_TICKED] = 1;
	m->total_set[MONOUT_T_TICKED] = true;
}

/* Writes the sum of files to a temporary file; path gets its name. */
static void
sum(struct mon *const *files, size_t n, char path[64])
{
	struct merge g = { 0 };
	size_t i;
	int fd;

	for (i = 0; i < n; i++)
		is_int(merge_add(&g, files[i], &e), 0, "add");
	strcpy(path, "/tmp/memmon-t_sum_use.XXXXXX");
	fd = mkstemp(path);
	close(fd);
	is_int(sum_write(&g, path, &e), 0, "write the sum");
	merge_fini(&g);
}

static bool
same_file(const char *a, const char *b)
{
	FILE *f = fopen(a, "r"), *g = fopen(b, "r");
	int c = 0;

	while (f && g && c != EOF && (c = getc(f)) == getc(g))
		;
	if (f)
		fclose(f);
	if (g)
		fclose(g);
	return f && g && c == EOF;
}

/* Checks the sum of all three. */
static void
check(const struct mon *m)
{
	static const uint64_t ends[] = { 50, 50, 50, 50, 110 };
	size_t i, of[3] = { 0 };
	uint64_t blocks[3] = { 0 };

	ok(m->uses_known && !m->incomplete, "known of all");
	is_int(m->nsites, 3, "sites");
	/* k = 1, 2, 3: site 1 has 1 + 3, site 2 has 2 + 2 + 4, site 3 has 3. */
	is_int(m->uses[m->sites[0].use].blocks, 400, "first site");
	is_int(m->uses[m->sites[1].use].blocks, 800, "second");
	is_int(m->uses[m->sites[2].use].blocks, 300, "third");
	is_int(m->use.reads, 15000, "reads");
	/*
	 * Gaps are 35 NS: apart in runs of 34,999 NS, one in a run of 35,000.
	 */
	for (i = 0; i < m->ngroups; i++) {
		of[m->groups[i].site]++;
		blocks[m->groups[i].site] += m->groups[i].blocks;
		if (m->groups[i].site == 0 && i < 5)
			is_int(m->groups[i].end / NS,
			       i < 4 ? ends[i] : 50 + 3 * 40, "group %zu", i);
		if (!m->groups[i].final)
			ok(false, "not final");
	}
	is_int(of[0], 5, "first site: 4 and 1 groups");
	is_int(of[1], 9, "second: 4, 4 and 1");
	is_int(of[2], 4, "third: 4");
	is_int(blocks[0] + blocks[1] + blocks[2], FILES * MOST * 2,
	       "no block is lost");
	/* Site 1 of 8 bytes; 2 of 8 and 24 from each; 3 of 8 and 24. */
	is_int(m->nfields, 5, "fields");
	is_int(m->counts[m->fields[0].counts], 1 + 3, "reads of the first");
	is_int(m->counts[m->fields[0].counts + 1], 2 + 4, "writes of it");
	is_int(m->fields[0].blocks, 4, "blocks of it");
	is_int(m->run[MONOUT_R_WAY].number, 3, "all ways");
	is_int(m->run[MONOUT_R_STEP].number, 69, "the longest step");
	is_int(m->total[MONOUT_T_UNFOLDED], 6, "blocks left out");
	is_int(m->total[MONOUT_T_TICKED], 1, "clocks with a thread");
}

static void
steps(struct file *f)
{
	struct mon *all[] = { &f[0].m, &f[1].m, &f[2].m }, *two[2], part, m;
	char whole[64], first[64], last[64], again[64];

	sum(all, 3, whole);
	sum(all, 2, first);
	is_int(open_file(&part, first, &e), 0, "read the sum of two");
	two[0] = &part;
	two[1] = all[2];
	sum(two, 2, again);
	ok(same_file(whole, again), "(a + b) + c");
	unlink(again);
	mon_fini(&part);
	sum(all + 1, 2, last);
	is_int(open_file(&part, last, &e), 0, "read the sum of two");
	two[0] = all[0];
	two[1] = &part;
	sum(two, 2, again);
	ok(same_file(whole, again), "a + (b + c)");
	mon_fini(&part);
	is_int(open_file(&m, whole, &e), 0, "read the sum");
	is_int(m.nwarning, 1, "nothing but the bins is amiss");
	check(&m);
	mon_fini(&m);
	unlink(whole);
	unlink(first);
	unlink(last);
	unlink(again);
}

static void
partly(struct file *f)
{
	struct mon old = f[1].m, empty = { .path = "empty" };
	struct merge g = { .tau = 0.5 };

	old.uses_known = false;
	old.run[MONOUT_R_WAY].number = 0;
	old.run[MONOUT_R_WHY] = (struct mon_value){ true, 0, "no room", 7 };
	old.total[MONOUT_T_TICKED] = 0;
	is_int(merge_add(&g, &f[0].m, &e), 0, "with a tau of half the run");
	is_int(g.gap, 34999 * NS / 2, "the gap");
	is_int(g.all.ngroups, 2, "one group each");
	is_int(merge_add(&g, &empty, &e), 0, "an empty file");
	ok(g.all.uses_known, "says nothing");
	is_int(g.all.total[MONOUT_T_TICKED], 1, "also of the clock");
	is_int(merge_add(&g, &old, &e), 0, "one without accesses");
	ok(!g.all.uses_known, "makes them unknown");
	is_str(g.all.run[MONOUT_R_WHY].text, "no room", "for its reason");
	is_int(g.all.total[MONOUT_T_TICKED], 0, "not all clocks");
	f[2].m.flags = MONOUT_F_SUM;
	is_int(merge_add(&g, &f[2].m, &e), 0, "a sum");
	is_int(g.gap, 0, "has no length of its own");
	f[2].m.flags = 0;
	merge_fini(&g);
}

/* Too many groups for one item, and lifetimes as large as can be. */
static void
many(struct file *f)
{
	enum { N = 5000 };
	struct mon_group *v = calloc(N, sizeof(*v));
	struct mon *all[] = { &f[0].m }, m;
	char path[64];
	size_t i;

	f[0].uses[1].blocks += N;
	f[0].uses[1].bytes += N;
	f[0].sites[0].count.allocs[1] += N;
	f[0].sites[0].count.bytes[1] += N;
	f[0].m.sums.allocs += N;
	f[0].m.sums.bytes += N;
	for (i = 0; i < N; i++)
		v[i] = (struct mon_group){ .first = i << 48,
					   .end = 1ul << 40,
					   .blocks = 1,
					   .life = 1ul << 40 };
	f[0].m.groups = v;
	f[0].m.ngroups = N;
	f[0].uses[1].life = UINT64_MAX;
	f[0].m.use = (struct mon_use){ 0 };
	mon_use_add(&f[0].m.use, &f[0].uses[1]);
	mon_use_add(&f[0].m.use, &f[0].uses[2]);
	sum(all, 1, path);
	is_int(open_file(&m, path, &e), 0, "many groups");
	is_int(m.ngroups, N, "all are there");
	is_int(m.tally[MON_GROUPS].items, 5, "in five items");
	is_int(m.groups[N - 1].first, (N - 1ull) << 48, "in order");
	ok(m.uses[1].life == UINT64_MAX, "the largest number");
	mon_fini(&m);
	unlink(path);
	free(v);
}

int
main(void)
{
	struct file f[FILES];

	make(&f[0], 1, 34999);
	make(&f[1], 2, 34999);
	make(&f[2], 3, 35000);
	steps(f);
	partly(f);
	many(f);
	return done_testing();
}
