/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of heap scores and of types, of a shop made by hand:
 *
 *					blocks	bytes	life-	usage	useful
 *							time
 *	main > load			     1	1000000	1	1	1
 *	main > serve > cache		  1000	 100000	0.005	0	0
 *	main > serve > log		   800	  51200	0.5	0.5	0.5
 *	worker > collect		     9	   6300	1	0.25	0.5
 *	main > start			     3	     30	1	1	0.125
 *	(no chain)			     1	      8	0	1	1
 *	main > empty			     7	      0	no scores
 *
 * Their geometric means: 1; 0.01, each being taken as 0.01; 0.5; 0.5; 0.5;
 * 0.01^(1/3) = 0.215.  In twelve steps 1, 12, 6, 6, 6, 10 (0.215 x 12 = 2.6).
 * The savings: 0, 99000, 25600, 3150, 15, 6.3.
 */
#define _GNU_SOURCE
#include "display/text/amount.h"
#include "display/text/number.h"
#include "tests/unit/printed.h"

#include <math.h>

#define COUNTS(a, b, f, fb) \
	{ \
		.allocs[0] = a, .bytes[0] = b, .frees[0] = f, .freed[0] = fb \
	}
#define MINE(name_, order_) \
	.name = name_, .module = "shop", .file = "shop.c", .order = order_

#define LOAD COUNTS(1, 1000000, 1, 1000000)
#define CACHE COUNTS(1000, 100000, 990, 99000)
#define LOG COUNTS(800, 51200, 800, 51200)
#define COLLECT COUNTS(9, 6300, 8, 5200)
#define START COUNTS(3, 30, 0, 0)
#define LONE COUNTS(1, 8, 0, 0)
#define EMPTY COUNTS(7, 0, 7, 0)

static const struct use load_use = {
	.blocks = 1,
	.bytes = 1000000,
	.reads = 700000,
	.writes = 62500,
	.span = 1000000,
	.cover = 999000,
	.span_used = 1000000,
	.cover_used = 999000,
	.useful = 1,
	.life = 1000000000,
	.groups = 1,
	.group_sum = 1,
	.flag_blocks[PROFILE_TOP_BYTES] = 1,
	.flag_bytes[PROFILE_TOP_BYTES] = 1000000,
};
static const struct use cache_use = {
	.blocks = 1000,
	.bytes = 100000,
	.life = 5000000000,
	.groups = 1,
	.group_sum = 0.005,
	.flag_blocks = { [PROFILE_UNUSED] = 1000, [PROFILE_TOP_BLOCKS] = 1000 },
	.flag_bytes = { [PROFILE_UNUSED] = 100000,
			[PROFILE_TOP_BLOCKS] = 100000 },
};
/* Half of the blocks are only written; the other half is touched as a whole. */
static const struct use log_use = {
	.blocks = 800,
	.bytes = 51200,
	.reads = 1600,
	.writes = 3200,
	.span = 51200,
	.cover = 32000,
	.span_used = 25600,
	.cover_used = 14848,
	.useful = 400,
	.life = 80000000000,
	.groups = 4,
	.group_sum = 2,
	.flag_blocks = { [PROFILE_WRITE_ONLY] = 400,
			 [PROFILE_SHORT_LIVED] = 40,
			 [PROFILE_LATE] = 600,
			 [PROFILE_SHARED] = 1 },
	.flag_bytes = { [PROFILE_WRITE_ONLY] = 25600,
			[PROFILE_SHORT_LIVED] = 2560,
			[PROFILE_LATE] = 38400,
			[PROFILE_SHARED] = 64 },
};
static const struct use collect_use = {
	.blocks = 9,
	.bytes = 6300,
	.reads = 100,
	.writes = 100,
	.span = 1575,
	.cover = 1575,
	.span_used = 1575,
	.cover_used = 1575,
	.useful = 4.5,
	.life = 1000,
	.groups = 2,
	.group_sum = 2,
	.flag_blocks = { [PROFILE_GROWING] = 9, [PROFILE_LOW_COVER] = 5 },
	.flag_bytes = { [PROFILE_GROWING] = 6300, [PROFILE_LOW_COVER] = 4500 },
};
static const struct use start_use = { .blocks = 3,
				      .bytes = 30,
				      .reads = 3,
				      .writes = 3,
				      .span = 30,
				      .cover = 30,
				      .span_used = 30,
				      .cover_used = 30,
				      .useful = 0.375,
				      .life = 3000000000,
				      .groups = 1,
				      .group_sum = 1 };
static const struct use lone_use = { .blocks = 1,
				     .bytes = 8,
				     .reads = 1,
				     .writes = 1,
				     .span = 8,
				     .cover = 8,
				     .span_used = 8,
				     .cover_used = 8,
				     .useful = 1,
				     .groups = 1 };

static struct func f_main = { MINE("main", 0), .addr = 1 };
static struct func f_load = { MINE("load", 1), .addr = 2, .self = LOAD };
static struct func f_serve = { MINE("serve", 1), .addr = 3 };
static struct func f_cache = { MINE("cache", 2), .addr = 4, .self = CACHE };
static struct func f_log = { MINE("log", 2), .addr = 5, .self = LOG };
static struct func f_start = { MINE("start", 1), .addr = 6, .self = START };
static struct func f_empty = { MINE("empty", 1), .addr = 7, .self = EMPTY };
static struct func f_worker = { MINE("worker", 0), .addr = 8 };
static struct func f_collect = { MINE("collect", 1), .addr = 9,
				 .self = COLLECT };
static struct func *funcs[] = { &f_main,  &f_load,   &f_serve,
				&f_cache, &f_log,    &f_start,
				&f_empty, &f_worker, &f_collect };
static struct frame frame[] = {
	{ .func = &f_main, .depth = 1 },
	{ .func = &f_load, .parent = &frame[0], .depth = 2 },
	{ .func = &f_serve, .parent = &frame[0], .depth = 2 },
	{ .func = &f_cache, .parent = &frame[2], .depth = 3 },
	{ .func = &f_log, .parent = &frame[2], .depth = 3 },
	{ .func = &f_start, .parent = &frame[0], .depth = 2 },
	{ .func = &f_empty, .parent = &frame[0], .depth = 2 },
	{ .func = &f_worker, .depth = 1 },
	{ .func = &f_collect, .parent = &frame[7], .depth = 2 }
};
static struct site sites[] = {
	{ .leaf = &frame[5], .count = START, .use = &start_use },
	{ .leaf = &frame[8], .count = COLLECT, .use = &collect_use },
	{ .leaf = NULL, .count = LONE, .use = &lone_use },
	{ .leaf = &frame[6], .count = EMPTY },
	{ .leaf = &frame[4],
	  .count = LOG,
	  .use = &log_use,
	  .type = "char",
	  .type_mark = '=',
	  .type_size = 1 },
	{ .leaf = &frame[3],
	  .count = CACHE,
	  .use = &cache_use,
	  .type = "struct entry",
	  .type_mark = '=',
	  .type_size = 100 },
	{ .leaf = &frame[1], .count = LOAD, .use = &load_use }
};
static struct type_row types[] = { { .name = "struct entry",
				     .mark = '=',
				     .size = 100,
				     .allocs = 1000,
				     .bytes = 100000,
				     .frees = 990,
				     .freed = 99000,
				     .sites = 2,
				     .elements = 1000,
				     .multiple = true },
				   { .name = "char",
				     .mark = '=',
				     .size = 1,
				     .allocs = 800,
				     .bytes = 51200,
				     .frees = 800,
				     .freed = 51200,
				     .sites = 1,
				     .confidence[PROFILE_COMPILER] = 800,
				     .elements = 51200,
				     .multiple = true },
				   { .name = "std::map<int, struct never>",
				     .mark = '=',
				     .allocs = 3,
				     .bytes = 30,
				     .sites = 1 },
				   { .name = "",
				     .mark = '?',
				     .allocs = 18,
				     .bytes = 1006308,
				     .frees = 16,
				     .freed = 1005200,
				     .sites = 3 } };
static struct run run = { .path = "mon.out",
			  .program = "/usr/bin/shop",
			  .command = "shop",
			  .end = "exit",
			  .version = "0.1.0",
			  .pid = 7,
			  .start = 583000000000000000,
			  .length = 1000000000 };
/*
 * Geometric means: lifetime (1 x 0.01 x 0.5 x 1 x 1 x 0.01)^(1/6) = 0.1919,
 * usage (1 x 0.01 x 0.5 x 0.25 x 1 x 1)^(1/6) = 0.3282, useful (1 x 0.01 x 0.5
 * x 0.5 x 0.125 x 1)^(1/6) = 0.2604.
 */
static struct profile shop = { .runs = &run,
			       .nruns = 1,
			       .total = COUNTS(1821, 1157538, 1806, 1155400),
			       .peak = 1100000,
			       .peak_at = 250000000,
			       .threads = 2,
			       .frames = 5000,
			       .same = 1000,
			       .chains = 1821,
			       .deepest = 3,
			       .own = 65536,
			       .funcs = funcs,
			       .nfuncs = 9,
			       .sites = sites,
			       .nsites = 7,
			       .uses_known = true,
			       .uses_why = "",
			       .way = 1,
			       .step = 400000,
			       .tau = 1000000,
			       .reads = 701704,
			       .writes = 65804,
			       .ticked = true,
			       .program = { { 0.1919, 0.2025, 6 },
					    { 0.3282, 0.16, 6 },
					    { 0.2604, 0.0004, 6 } },
			       .program_sites = 6,
			       .types = types,
			       .ntypes = 4 };

static void
test_numbers(void)
{
	static const struct {
		double score;
		const char *want;
	} s[] = { { 0, "0.00" },     { 1e-300, "<.01" }, { 0.0099, "<.01" },
		  { 0.01, "0.01" },  { 0.29, "0.29" },	 { 0.57, "0.57" },
		  { 0.999, "0.99" }, { 1, "1.00" },	 { 7, "1.00" },
		  { -1, "0.00" },    { NAN, "-" },	 { INFINITY, "1.00" } };
	char buf[NUMBER_SIZE];

	for (size_t i = 0; i < sizeof s / sizeof *s; i++)
		is_str(number_score(buf, s[i].score), s[i].want, "score %g",
		       s[i].score);
}

static void
test_sums(void)
{
	struct use sum = log_use;

	use_add(&sum, &collect_use);
	is_int(sum.blocks, 809, "blocks of two");
	is_int(sum.flag_bytes[PROFILE_GROWING], 6300, "bytes of a flag");
	ok(sum.useful == 404.5 && sum.group_sum == 2 && sum.groups == 4,
	   "the sum of useful parts; groups aren't added up");
}

/* No division by a number that may be 0. */
static void
test_nothing(void)
{
	struct use none = { .blocks = 1 };
	struct site site = { .count = LONE, .use = &none };
	struct profile p = { .runs = &run, .nruns = 1, .uses_known = true };

	has(&p, "-S", "------------\n\nNothing was allocated.\n", "no blocks");
	has(&p, "-T", "------------\n\nNothing was allocated.\n", "no types");
	has(&p, "--fields", "------------\n\nNothing was allocated.\n",
	    "no fields");
	p.total = (struct counts)LONE;
	p.ticked = true;
	has(&p, "-S", "------------\n\nThe scores of no block are known.\n",
	    "no block with a use");
	has(&p, "-T", "------------\n\nNo type is known.", "no type");
	p.sites = &site;
	p.nsites = 1;
	has(&p, "-S -b",
	    "         -         -         -    1.00    0.00    1.00          1 "
	    "          0   ...> (no chain)\n",
	    "a use without bytes and groups");
	has(&p, "-S -b",
	    "program, 0 sites; granule 16 bytes, clock step 0ns\n"
	    "                      lifetime   usage  useful\n"
	    "geometric mean               -       -       -\n"
	    "variance                     -       -       -\n",
	    "no scores of the program");
	has_not(&p, "-S -T --fields", "nan", "nothing that isn't a number");
}

static void
test_unknown(void)
{
	struct profile p = shop;

	p.uses_known = false;
	has(&p, "-S",
	    "------------\n\nHow blocks were used is not known: the data "
	    "file has no record of it.\n\nTo record accesses, compile the "
	    "program with memmon-cc in place of the\ncompiler; see "
	    "memmon-cc(1).\n",
	    "not known, and what to do");
	has_not(&p, "-S", "severity", "then there is no table");
	has(&p, "--fields", "is not known: the data file has no record",
	    "nor of fields");
	has_not(&p, "", "Scores", "and no scores without being asked");
	has_not(&p, "", "\naccesses", "nor a word in the prolog");
	has_not(&p, "-T -b", "usage", "no scores of types");
	has(&p, "-T -b",
	    " (8)         990       1000 (46)      2   =struct entry\n",
	    "but the types");
	p.uses_why = "no address space for the shadow (RLIMIT_AS)";
	has(&p, "-S",
	    "No accesses were recorded: no address space for the shadow "
	    "(RLIMIT_AS).\n",
	    "why not");
	p.uses_why = "";
	p.incomplete = true;
	has(&p, "-S", "is not known: a data file is truncated before it.",
	    "cut short");
}

static void
test_prolog(void)
{
	struct profile p = shop;

	has(&p, "-b",
	    "\naccesses      701704 reads, 65804 writes recorded (plugin), "
	    "clock step 400us\n",
	    "accesses in the prolog");
	has(&p, "-b", "Heap Scores by Call Path", "and scores by default");
	has_not(&p, "-L -b", "Heap Scores", "but not with -L");
	has_not(&p, "-b", "Allocations by Type", "nor -T");
	has_not(&p, "-S -b", "left out", "nothing to say of the figures");
	p.way = 3;
	p.unfolded = 1;
	p.ticked = false;
	has(&p, "-b", " recorded (plugin and calls), ", "both ways");
	has(&p, "-b", "\nclock         moved only when blocks were timed\n",
	    "the clock");
	has(&p, "-b",
	    "\nunfolded      1 (blocks missing from the scores, because the "
	    "monitor got no memory, or blocks are too close to each other)\n",
	    "unfolded");
	has(&p, "-S -b",
	    "------------\n\n1 block is left out, because the monitor got no "
	    "memory, or blocks are too close to each other.\nThe clock moved "
	    "only when blocks were timed: accesses may seem earlier than "
	    "they were.\n\nprogram, 6 sites; granule",
	    "both above the scores");
}

/* The n-th line that ends in a path. */
static void
first(const char *args, const char *want)
{
	char *got = printed(&shop, args), name[100];
	char *start = strstr(got, "path\n\n"), *path;

	path = start ? strpbrk(start + 6, "|.>") : NULL;
	while (path && strncmp(path, "|| ", 3) != 0 &&
	       strncmp(path, "...", 3) != 0)
		path = strpbrk(path + 1, "|.>");
	snprintf(name, sizeof name, "%.*s", path ? (int)strcspn(path, "\n") : 0,
		 path ? path : "");
	is_str(name, want, "first of %s", args);
	free(got);
}

static void
test_order(void)
{
	first("-S -b", "|| > main > serve > cache");
	first("-S -b --sort=save", "|| > main > serve > cache");
	first("-S -b --sort=severity", "|| > main > serve > cache");
	first("-S -b --sort=bytes", "|| > main > load");
	first("-S -b --sort=blocks", "|| > main > serve > cache");
	first("-S -b --sort=lifetime --verbose", "...> (no chain)");
	first("-S -b --sort=usage", "|| > main > serve > cache");
	first("-S -b --sort=useful", "|| > main > serve > cache");
	first("-S -b --sort=useful --depth=1", "...> cache");
	has(&shop, "-S -b --sort=usage --scores=2 --units=human",
	    "    0.25    0.50    0.25          9       6.15K   || > worker > "
	    "collect\n",
	    "second by usage");
}

static void
test_rows(void)
{
	static const char *const late =
		"          late          75%   600 blocks, 38400 bytes: idle "
		"for more than half of their lives after the last access; free "
		"earlier\n"
		"          write-only    50%   400 blocks, 25600 bytes: "
		"written, "
		"never read; is the content needed?\n";
	struct use all = log_use;

	has(&shop, "-S -b", late, "flags by bytes");
	has_not(&shop, "-S -b", "short-lived", "less than a tenth: no line");
	has(&shop, "-S -b --verbose",
	    "          short-lived    5%   40 blocks, 2560 bytes: ",
	    "but with --verbose");
	has(&shop, "-S -b --verbose",
	    "          shared        <1%   1 block, 64 bytes: accessed by ",
	    "a share that isn't 0");
	has(&shop, "-S -b --verbose=no", late, "--verbose=no");
	has(&shop, "--scores=1 -b",
	    "reuse them\n"
	    "     28771                                                    "
	    "814     1057538   (5 others)\n",
	    "--scores=1");
	has(&shop, "-S -b",
	    "          turnover            1000 blocks, but only 5.0 live at a "
	    "time on average: keep some and reuse them\n",
	    "turnover");
	all.flag_blocks[PROFILE_WRITE_ONLY] = 800;
	all.flag_bytes[PROFILE_WRITE_ONLY] = 51200;
	all.flag_bytes[PROFILE_LATE] = 5119;
	sites[4].use = &all;
	has(&shop, "-S -b",
	    "          write-only   100%   800 blocks, 51200 bytes: written, "
	    "never read; is the content needed? (4.0 writes a block)\n",
	    "all of them");
	has_not(&shop, "-S -b", "          late ", "just under a tenth");
	sites[4].use = &log_use;
}

static void
test_types(void)
{
	struct profile p = shop;

	has(&p, "-T -b --verbose",
	    " -       -          3         30 (.)           0         30 (1) "
	    "      1       -       -   =std::map<int, struct never>\n",
	    "a type without size and use");
	has(&p, "-T -b --verbose --names=11", "   =std:...ver>\n",
	    "--name-width");
	has(&p, "-S -b --names=10", "   =str...ntry\n",
	    "--name-width of the scores");
	has(&p, "-T -b --units=human",
	    "       100       1       1000      97.7K (8) ", "--units=human");
	p.ntypes = 0;
	has_not(&p, "-S -b", "Heap Scores by Type", "no section for no types");
	p.types = types + 3;
	p.ntypes = 1;
	has_not(&p, "-S -b", "Heap Scores by Type", "nor for the rest alone");
	has(&p, "-T -b", "No type is known.", "in the types, too");
}

/* Two identical runs give the same result. */
static void
test_same(void)
{
	char *a = printed(&shop, "-S -T --verbose"),
	     *b = printed(&shop, "-S -T --verbose");

	ok(strcmp(a, b) == 0, "the same again");
	ok(!strstr(a, " \n"), "no blanks at the ends of lines");
	free(a);
	free(b);
}

int
main(void)
{
	f_load.use = load_use;
	f_cache.use = cache_use;
	f_log.use = log_use;
	f_start.use = start_use;
	f_collect.use = collect_use;
	types[0].use = cache_use;
	types[1].use = log_use;
	types[3].use = load_use;
	use_add(&types[3].use, &collect_use);
	types[3].use.groups += collect_use.groups;
	types[3].use.group_sum += collect_use.group_sum;
	check(&shop, "-S -T", "shop.txt");
	check(&shop, "-S -b --verbose --depth=1 --units=human",
	      "shop-more.txt");
	check(&shop, "--json", "shop.json");
	test_numbers();
	test_sums();
	test_nothing();
	test_unknown();
	test_prolog();
	test_order();
	test_rows();
	test_types();
	test_same();
	return done_testing();
}
