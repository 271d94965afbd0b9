/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scores, each computed by hand in a comment; flags of whole sites; the scores
 * of the program.
 */
#include "reduce/estimate/scores.h"
#include "reduce/estimate/use.h"
#include "reduce/monout/use_paths.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

static bool
near(double a, double b)
{
	return fabs(a - b) <= 1e-12;
}

/* --------------------------------------------------------------- scores -- */

static void
score(const struct use *u, const double want[4], unsigned step, uint64_t saving,
      const char *what)
{
	struct score s = profile_score(u);

	ok(near(s.lifetime, want[0]), "%s: lifetime %g", what, s.lifetime);
	ok(near(s.usage, want[1]), "%s: usage %g", what, s.usage);
	ok(near(s.useful, want[2]), "%s: useful %g", what, s.useful);
	ok(near(s.cover, want[3]), "%s: cover %g", what, s.cover);
	is_int(s.step, step, "%s: step", what);
	is_int(s.saving, saving, "%s: saving", what);
}

static void
scores(void)
{
	struct use u = { .blocks = 4,
			 .bytes = 400,
			 .span = 300,
			 .span_used = 200,
			 .cover = 150,
			 .cover_used = 100,
			 .useful = 2,
			 .groups = 2,
			 .group_sum = 1 };
	struct use best = { .blocks = 1,
			    .bytes = 16,
			    .span_used = 16,
			    .cover_used = 16,
			    .useful = 1,
			    .groups = 1,
			    .group_sum = 1 };
	struct use none = { .blocks = 3, .bytes = 1000, .groups = 1 };
	double g;

	/* 0.5 each, and so is their mean: 12 - 6. */
	score(&u, (double[]){ 0.5, 0.5, 0.5, 0.25 }, 6, 200, "half");
	score(&best, (double[]){ 1, 1, 1, 1 }, 1, 0, "the best");
	/* All at the floor: 12 - 0. */
	score(&none, (double[]){ 0, 0, 0, 0 }, 12, 990, "the worst");
	/* Never accessed, but live all the time. */
	none.group_sum = 1;
	g = cbrt(1 * 0.01 * 0.01);
	score(&none, (double[]){ 1, 0, 0, 0 }, 12, 1000 * (1 - g), "unused");
	ok(near(profile_score(&none).severity, g), "its severity");
	/* 0.008 is below the floor, 0.27: 12 - 3. */
	u.group_sum = 2 * 0.27;
	u.useful = 4 * 0.27;
	u.span_used = 108;
	score(&u, (double[]){ 0.27, 0.27, 0.27, 0.25 }, 9, 400 * 0.73, "0.27");
	u.useful = 4 * 0.008;
	g = cbrt(0.27 * 0.27 * 0.01);
	ok(near(profile_score(&u).severity, g), "one score is at the floor");
	is_int(profile_score(&u).step, 12 - (int)(12 * g), "its step");
	u = (struct use){ 0 };
	score(&u, (double[]){ 0, 0, 0, 0 }, 0, 0, "nothing");
}

/* Every step from 1 to 12 occurs, at its bounds: k/12 is step 12 - k. */
static void
steps(void)
{
	struct use u = { .blocks = 1, .bytes = 12, .groups = 1 };
	int k;

	for (k = 1; k <= 12; k++) {
		u.group_sum = u.useful = k / 12.0;
		u.span_used = (uint64_t)k;
		is_int(profile_score(&u).step, k == 12 ? 1 : 12 - k, "%d/12",
		       k);
	}
}

/* ------------------------------------------------- from data to sites -- */

/* The groups of a use, and those that a gathering of it alone gives. */
static void
together(const struct profile *p, const struct use *u, const char *what,
	 uint64_t groups, double sum)
{
	struct groups_gather *g = profile_gather_new(p);
	struct use again;

	is_int(u->groups, groups, "%s: groups", what);
	ok(near(u->group_sum, sum), "%s: their scores: %g", what, u->group_sum);
	profile_gather(g, u);
	profile_gathered(g, &again);
	ok(again.groups == groups && near(again.group_sum, sum),
	   "%s: the same, gathered alone", what);
	profile_gather_free(g);
}

/* Two sites of the data that are one in the profile, and one without a use. */
static void
sites(void)
{
	struct mon_use uses[3] = {
		{ .n = { 0 } },
		{ .n = { 2, 64, 5, 6, 60, 48, 30, 16, 3 << 23, 700, 1, 32 } },
		{ .n = { 3, 90, 1, 2, 50, 40, 20, 10, 1 << 24, 300, 0, 0, 2,
			 60 } },
	};
	struct mon_site s[4] = { { .use = 1 }, { 0 }, { .use = 2 }, { 0 } };
	struct mon_group groups[] = {
		{ 0, true, 10, 0, 0, 1, 0, 0 },	    /* no span: 1 */
		{ 0, true, 50, 10, 20, 1, 5, 0 },   /* 5/20 */
		{ 2, true, 0, 100, 200, 3, 300, 0 } /* 300/600 */
	};
	struct mon m = { .sites = s,
			 .nsites = 4,
			 .uses = uses,
			 .nuses = 3,
			 .groups = groups,
			 .ngroups = 3 };
	uint32_t of[] = { 1, 0, 1, 0 };
	struct site to[2] = { { 0 } };
	struct profile_priv priv = { .site_of = of };
	struct profile p = { .sites = to, .nsites = 2, .priv = &priv };
	const struct use *u;
	struct mon_group *g;
	uint32_t *first;
	struct use *x;

	use_of_sites(&m, &x, &g, &first);
	ok(!x, "accesses aren't known, so there are no uses");
	use_make(&p, &m, x, first);
	ok(!to[0].use && !to[1].use, "which is nothing");
	is_str(p.uses_why, "", "for no known reason");
	m.uses_known = true;
	use_of_sites(&m, &x, &g, &first);
	use_make(&p, &m, x, first);
	ok(!to[0].use, "a site without");
	u = to[1].use;
	ok(u->blocks == 5 && u->bytes == 154, "blocks and bytes of both");
	ok(u->reads == 6 && u->writes == 8, "reads and writes");
	ok(u->span == 110 && u->cover == 88, "span and cover");
	ok(u->span_used == 50 && u->cover_used == 26, "of those used");
	ok(near(u->useful, 1.5 + 1), "useful parts: %g", u->useful);
	is_int(u->life, 1000, "lifetimes");
	is_int(u->flag_blocks[PROFILE_UNUSED], 1, "first flag");
	is_int(u->flag_bytes[PROFILE_UNUSED], 32, "... bytes");
	ok(u->flag_blocks[PROFILE_WRITE_ONLY] == 2 &&
		   u->flag_bytes[PROFILE_WRITE_ONLY] == 60,
	   "second flag");
	is_int(u->groups, 3, "groups");
	ok(near(u->group_sum, 1 + 0.25 + 0.5), "their scores");
	free(x);
	free(g);
	free(first);
	m.ngroups = 0;
	use_of_sites(&m, &x, &g, &first);
	ok(!x[0].blocks && !x[2].blocks, "groups are lost: no scores");
	free(x);
	free(g);
	free(first);
	arena_fini(&priv.arena);
}

/*
 * Two sites of the data that are one in the profile; it must have `groups'
 * groups.
 */
static void
one_site(struct mon_group *v, uint64_t groups, double sum, const char *what)
{
	struct mon_use uses[3] = { { .n = { 0 } },
				   { .n = { 2, 64 } },
				   { .n = { 3, 90 } } };
	struct mon_site s[2] = { { .use = 1 }, { .use = 2 } };
	struct mon m = { .uses_known = true,
			 .sites = s,
			 .nsites = 2,
			 .uses = uses,
			 .nuses = 3,
			 .groups = v,
			 .ngroups = 3 };
	uint32_t of[] = { 0, 0 };
	struct site to = { 0 };
	struct profile_priv priv = { .site_of = of };
	struct profile p = { .sites = &to, .nsites = 1, .priv = &priv };
	struct mon_group *g;
	uint32_t *first;
	struct use *x;

	use_of_sites(&m, &x, &g, &first);
	ok(near(x[0].group_sum, 1.25) && near(x[1].group_sum, 0.5),
	   "%s: of each site by itself", what);
	use_make(&p, &m, x, first);
	together(&p, to.use, what, groups, sum);
	free(x);
	free(g);
	free(first);
	arena_fini(&priv.arena);
}

static void
one_sites(void)
{
	struct mon_group v[] = {
		{ 0, true, 10, 0, 0, 1, 0, 0 },	    /* no span: 1 */
		{ 0, true, 50, 10, 20, 1, 5, 0 },   /* 5/20 */
		{ 1, true, 0, 100, 200, 3, 300, 0 } /* 300/600 */
	};

	one_site(v, 3, 1.75, "several runs");
	v[0].gap = v[1].gap = v[2].gap = 5;
	/* 10 is within the third's 0 to 100, 50 too: 305 in 5 x 200. */
	one_site(v, 1, 0.305, "one run");
	/* 5 after the last one of 0 to 100. */
	v[1].first = 105;
	one_site(v, 1, 0.305, "as long a gap");
	/* Born at 106: 300 in 4 x 200, and 5/20. */
	v[1].first = 106;
	one_site(v, 2, 0.25 + 300 / 800.0, "a longer one");
}

/*
 * Five sites of the data: the first two have one path, and so have the next
 * two.  Two of the profile's three sites have parts of the first path.
 */
static void
paths(void)
{
	struct mon_use uses[3] = { { .n = { 0 } },
				   { .n = { 2, 64, 5, 6 } },
				   { .n = { 3, 90, 1, 2 } } };
	struct mon_site s[5] = { { .use = 1 },
				 { .use = 0 },
				 { .use = 2 },
				 { .use = 0 },
				 { .use = 0 } };
	struct mon_group groups[] = { { 0, true, 10, 0, 0, 2, 0, 0 },
				      { 2, true, 0, 100, 200, 3, 300, 0 } };
	struct mon m = { .uses_known = true,
			 .sites = s,
			 .nsites = 5,
			 .uses = uses,
			 .nuses = 3,
			 .groups = groups,
			 .ngroups = 2 };
	uint32_t of[] = { 1, 2, 0, 0, 0 };
	struct site to[3] = { { 0 } };
	struct profile_priv priv = { .site_of = of };
	struct profile p = { .sites = to, .nsites = 3, .priv = &priv };
	size_t key[] = { 0, 1, 1 };
	struct use together[2] = { { 0 } };
	struct mon_group *g;
	uint32_t *first;
	struct use *x;

	first = use_paths(&m);
	ok(first[1] == 1 && first[3] == 3, "of single sites");
	free(first);
	use_paths_join(&m, 1, 0);
	use_paths_join(&m, 2, 3);
	use_paths_join(&m, 3, 2);
	use_of_sites(&m, &x, &g, &first);
	ok(!first[0] && !first[1] && first[2] == 2 && first[3] == 2 &&
		   first[4] == 4,
	   "two, two, one");
	use_make(&p, &m, x, first);
	ok(to[1].use == to[2].use && to[1].use->blocks == 2,
	   "those of one path have its use together");
	ok(profile_use_once(&to[1]) && !profile_use_once(&to[2]), "... once");
	ok(to[0].use->blocks == 3 && profile_use_once(&to[0]), "another");
	profile_use_all(&p, key, together, 2);
	ok(together[0].blocks == 3 && together[1].blocks == 2 &&
		   together[1].groups == 1,
	   "by key, each once");
	free(x);
	free(g);
	free(first);
	arena_fini(&priv.arena);
}

/* ----------------------------------------------- flags and the program -- */

enum { SITES = 11 };

static struct use uses[SITES];
static struct site all[SITES];

static struct profile
program(size_t n)
{
	struct profile p = { .sites = all, .nsites = n };
	size_t i;

	for (i = 0; i < n; i++) {
		uses[i] = (struct use){ .blocks = i + 1,
					.bytes = 100 * (n - i),
					.groups = 1 };
		uses[i].first = &all[i];
		all[i] = (struct site){ .use = &uses[i] };
	}
	return p;
}

/* Which sites have the flag, as bits. */
static unsigned
flagged(size_t n, enum profile_flag flag)
{
	unsigned bits = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		if (uses[i].flag_blocks[flag] == uses[i].blocks &&
		    uses[i].flag_bytes[flag] == uses[i].bytes)
			bits |= 1u << i;
	}
	return bits;
}

static void
flags(void)
{
	struct profile p = program(10);

	/* From the ninth of ten on: sites 8 and 9, 1 and 0. */
	use_finish(&p);
	is_int(flagged(10, PROFILE_TOP_BLOCKS), 0x300, "most blocks");
	is_int(flagged(10, PROFILE_TOP_BYTES), 0x3, "most bytes");
	p = program(10);
	p.peaks_known = true;
	all[4].count.peak = 7;
	use_finish(&p);
	is_int(flagged(10, PROFILE_TOP_BYTES), 0x10,
	       "nine with 0 at the peak: the one that has something");
	all[3].count.peak = 6;
	use_finish(&p);
	is_int(flagged(10, PROFILE_TOP_BYTES), 0x18, "by bytes at the peak");
	p = program(10);
	p.peaks_known = true;
	for (size_t i = 0; i < 10; i++)
		all[i].count.peak = i ? 10 : 0;
	all[0].count.allocs[2] = 2;
	all[0].count.bytes[2] = 1999;
	use_finish(&p);
	is_int(flagged(10, PROFILE_TOP_BYTES), 1,
	       "a mean block of 1000 bytes, freed before the peak");
	p = program(10);
	for (size_t i = 0; i < 10; i++)
		uses[i].blocks = 3;
	use_finish(&p);
	is_int(flagged(10, PROFILE_TOP_BLOCKS), 0x3ff, "all alike: all");
	p = program(11);
	all[5].use = NULL;
	use_finish(&p);
	is_int(flagged(11, PROFILE_TOP_BLOCKS), 0x600,
	       "a site without use doesn't count");
	p = program(1);
	use_finish(&p);
	is_int(flagged(1, PROFILE_TOP_BLOCKS), 1, "a single site");
	p = program(0);
	use_finish(&p);
	is_int(p.program_sites, 0, "and none has scores");
}

static void
means(void)
{
	struct profile p = program(3);

	/* Lifetimes 0.2, 0.8, 0; usages 1, 1, 0.25; useful 0, 0, 0. */
	uses[0].group_sum = 0.2;
	uses[1].group_sum = 0.8;
	uses[0].span_used = uses[0].bytes;
	uses[1].span_used = uses[1].bytes;
	uses[2].span_used = uses[2].bytes / 4;
	use_finish(&p);
	is_int(p.program_sites, 3, "sites");
	ok(near(p.program[0].mean, cbrt(0.2 * 0.8 * 0.01)), "lifetime: %g",
	   p.program[0].mean);
	/* Mean 1/3: (0.4/3)^2 + (1.4/3)^2 + (1/3)^2, a third of it. */
	ok(near(p.program[0].variance, (0.16 + 1.96 + 1) / 27),
	   "its variance: %g", p.program[0].variance);
	ok(near(p.program[1].mean, cbrt(0.25)), "usage");
	/* Mean 3/4: 1/16 + 1/16 + 1/4, a third of it. */
	ok(near(p.program[1].variance, 0.125), "its variance");
	ok(near(p.program[2].mean, 0.01), "useful: the floor");
	ok(near(p.program[2].variance, 0), "its variance");
}

/* Groups don't add up; lifetimes stop at the largest number. */
static void
sums(void)
{
	struct use a = { .blocks = 1, .life = UINT64_MAX - 1, .useful = 0.5 };
	struct use b = { .blocks = 2, .life = 2, .useful = 0.25, .groups = 3 };

	a.flag_blocks[PROFILE_LOW_COVER] = 1;
	b.flag_blocks[PROFILE_LOW_COVER] = 2;
	b.flag_blocks[PROFILE_TOP_BYTES] = b.flag_bytes[PROFILE_TOP_BLOCKS] = 2;
	use_add(&a, &b);
	is_int(a.blocks, 3, "a sum");
	ok(a.life == UINT64_MAX, "lifetimes stop at the largest number");
	ok(near(a.useful, 0.75) && !a.groups, "and parts of sums");
	is_int(a.flag_blocks[PROFILE_LOW_COVER], 3, "flags of blocks");
	is_int(a.flag_blocks[PROFILE_TOP_BYTES] +
		       a.flag_bytes[PROFILE_TOP_BLOCKS],
	       4, "flags of sites");
}

int
main(void)
{
	scores();
	steps();
	sites();
	one_sites();
	paths();
	flags();
	means();
	sums();
	return done_testing();
}
