/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of the peak, of lifetimes and of threads, of a hand-made server.
 * Its allocations:
 *
 *	main > serve > parse > word	1000 of 16 bytes, 900 freed
 *	main > serve > log > word	  40 of 16 bytes, 30 freed
 *	main > serve			   9 of 300, 400 ... 1100, 8 by realloc
 *	worker > send		      100000 of 64 bytes, all freed, some timed
 *	(no chain)			   1 of 8 bytes, kept
 *
 * 101050 allocations of 6422948 bytes; 100938 frees of 6420080.
 */
#define _GNU_SOURCE
#include "display/text/amount.h"
#include "tests/unit/printed.h"

enum { SMALL, MEDIUM, LARGE };

#define COUNTS(class, a, b, f, fb, held) \
	{ \
		.allocs[class] = a, .bytes[class] = b, .frees[class] = f, \
		.freed[class] = fb, .peak = held \
	}
#define MINE(name_, order_) \
	.name = name_, .module = "server", .file = "server.c", .order = order_

#define PARSE COUNTS(SMALL, 1000, 16000, 900, 14400, 1600)
#define LOG COUNTS(SMALL, 40, 640, 30, 480, 480)
#define WORD COUNTS(SMALL, 1040, 16640, 930, 14880, 2080)
#define SERVE COUNTS(LARGE, 9, 6300, 8, 5200, 1100)
#define SEND COUNTS(MEDIUM, 100000, 6400000, 100000, 6400000, 64000)
#define LONE COUNTS(SMALL, 1, 8, 0, 0, 8)

/* 100 to 127 ns: 450 of 900; 1024 ns: 440; 2 ms: 10. */
static const struct life parse_life = { .temps = 450,
					.near = 500,
					.timed = 900,
					.weight = 900,
					.sum = 20496910,
					.min = 100,
					.max = 2000000,
					.bin[6] = 450,
					.bin[10] = 440,
					.bin[20] = 10 };
/* All of them lived for 3 seconds. */
static const struct life log_life = { .by_others = 30,
				      .timed = 30,
				      .weight = 30,
				      .sum = 90000000000,
				      .min = 3000000000,
				      .max = 3000000000,
				      .bin[31] = 30 };
/* Both together: 930 freed, of 20496910 ns and 90 s. */
static const struct life word_life = { .temps = 450,
				       .near = 500,
				       .by_others = 30,
				       .timed = 930,
				       .weight = 930,
				       .sum = 90020496910,
				       .min = 100,
				       .max = 3000000000,
				       .bin[6] = 450,
				       .bin[10] = 440,
				       .bin[20] = 10,
				       .bin[31] = 30 };
/* A buffer that grew eight times, and moved five times. */
static const struct life serve_life = { .moved = 5,
					.copied = 2500,
					.longest = 8,
					.timed = 8,
					.weight = 8,
					.sum = 8000,
					.min = 1000,
					.max = 1000,
					.bin[9] = 8 };
/* 1600 of 100000 were timed: 90 in 100 lived 40 us, the others 200 s. */
static const struct life send_life = { .temps = 20,
				       .near = 99999,
				       .by_others = 25000,
				       .timed = 1600,
				       .weight = 100000,
				       .sum = 2000003600000000,
				       .min = 40000,
				       .max = 200000000000,
				       .bin[15] = 90000,
				       .bin[37] = 10000 };

static struct func f_main = { MINE("main", 0), .addr = 1 };
static struct func f_serve = { MINE("serve", 1), .addr = 2, .self = SERVE,
			       .total = SERVE, .reallocs = 8 };
static struct func f_parse = { MINE("parse", 2), .addr = 3 };
static struct func f_log = { MINE("log", 3), .addr = 4 };
static struct func f_word = { MINE("word", 4), .addr = 5, .self = WORD,
			      .total = WORD };
static struct func f_worker = { MINE("worker", 0), .addr = 6 };
static struct func f_send = { MINE("send", 1), .addr = 7, .self = SEND,
			      .total = SEND };
static struct func *funcs[] = { &f_main, &f_serve,  &f_parse, &f_log,
				&f_word, &f_worker, &f_send };
static struct frame frame[] = {
	{ .func = &f_main, .depth = 1 },
	{ .func = &f_serve, .parent = &frame[0], .depth = 2 },
	{ .func = &f_parse, .parent = &frame[1], .depth = 3 },
	{ .func = &f_word, .parent = &frame[2], .depth = 4 },
	{ .func = &f_log, .parent = &frame[1], .depth = 3 },
	{ .func = &f_word, .parent = &frame[4], .depth = 4 },
	{ .func = &f_worker, .depth = 1 },
	{ .func = &f_send, .parent = &frame[6], .depth = 2 }
};
static struct site sites[] = {
	{ .leaf = &frame[1],
	  .count = SERVE,
	  .reallocs = 8,
	  .peak_blocks = 1,
	  .life = &serve_life },
	{ .leaf = NULL, .count = LONE, .peak_blocks = 1 },
	{ .leaf = &frame[3],
	  .count = PARSE,
	  .peak_blocks = 100,
	  .life = &parse_life },
	{ .leaf = &frame[5],
	  .count = LOG,
	  .peak_blocks = 30,
	  .life = &log_life },
	{ .leaf = &frame[7],
	  .count = SEND,
	  .peak_blocks = 1000,
	  .life = &send_life }
};
static struct thread threads[] = { { .name = "server",
				     .main = true,
				     .threads = 1,
				     .allocs = 1050,
				     .bytes = 22948,
				     .frees = 25908,
				     .freed = 1619600,
				     .of_others = 25000 },
				   { .name = "pool-worker",
				     .threads = 8,
				     .allocs = 99000,
				     .bytes = 6336000,
				     .frees = 74250,
				     .freed = 4752000 },
				   { .name = "",
				     .threads = 2,
				     .allocs = 1000,
				     .bytes = 64000,
				     .frees = 780,
				     .freed = 48480,
				     .of_others = 30 } };
static struct run run = { .path = "mon.out",
			  .program = "/usr/bin/server",
			  .command = "server",
			  .end = "exit",
			  .version = "0.1.0",
			  .pid = 7,
			  .start = 583000000000000000,
			  .length = 1500000000 };
static const struct profile server = {
	.runs = &run,
	.nruns = 1,
	.total = { .allocs = { 1041, 100000, 9 },
		   .bytes = { 16648, 6400000, 6300 },
		   .frees = { 930, 100000, 8 },
		   .freed = { 14880, 6400000, 5200 },
		   .peak = 67188 },
	.reallocs = 8,
	.peak = 67188,
	.peak_at = 250000000,
	.peaks_known = true,
	.peak_blocks = 1132,
	.timing = 64,
	.lives_known = true,
	.life = { .temps = 470,
		  .near = 100499,
		  .by_others = 25030,
		  .moved = 5,
		  .copied = 2500,
		  .longest = 8,
		  .timed = 2538,
		  .weight = 100938,
		  .sum = 2000093620504910,
		  .min = 100,
		  .max = 200000000000,
		  .bin = { [6] = 450,
			   [9] = 8,
			   [10] = 440,
			   [15] = 90000,
			   [20] = 10,
			   [31] = 30,
			   [37] = 10000 } },
	.threads = 11,
	.frames = 300000,
	.same = 1000,
	.chains = 12000,
	.deepest = 4,
	.own = 65536,
	.funcs = funcs,
	.nfuncs = 7,
	.sites = sites,
	.nsites = 5,
	.all_threads = threads,
	.nthreads = 3
};

/* One row of a table, found by its end. */
static void
row(const struct profile *p, const char *args, const char *want)
{
	has(p, args, want, want);
}

/* Sums of lives, which stop at the highest number. */
static void
test_sums(void)
{
	struct life sum = parse_life;
	struct counts c = PARSE, more = LOG, want = WORD;

	life_add(&sum, &log_life);
	ok(memcmp(&sum, &word_life, sizeof sum) == 0, "two lives");
	life_add(&sum, &(struct life){ .temps = 5 });
	is_int(sum.min, 100, "without lifetimes there is no shortest");
	is_int(sum.temps, 455, "but a count");
	sum = (struct life){ .temps = 5 };
	life_add(&sum, &log_life);
	ok(sum.min == 3000000000, "the first one timed is the shortest");
	sum.sum = UINT64_MAX - 1;
	life_add(&sum, &log_life);
	ok(sum.sum == UINT64_MAX, "a sum stops at the most");
	counts_add(&c, &more);
	ok(memcmp(&c, &want, sizeof c) == 0, "counts with their peak");
}

static void
test_peak(void)
{
	struct profile p = server;

	has(&p, "--peak --depth=1 -b",
	    "\n       3.1      98.4         2080        130   ...> word\n",
	    "paths that print the same are one row");
	has(&p, "--peak=2 -b",
	    "       2.4      97.6         1600        100   || > main > serve "
	    "> parse > word\n"
	    "       2.4     100.0         1588         32   (3 others)\n",
	    "--peak=2");
	has(&p, "--peak --verbose -b",
	    "       0.0     100.0            8          1   ...> (no chain)\n",
	    "--verbose shows all");
	has(&p, "--peak --verbose=no -b",
	    "         488         31   (2 others)\n",
	    "--verbose=no shows less");
	has_not(&p, "--peak=9 -b", "other", "more rows than there are");
	has(&p, "--peak -b --units=human",
	    "Peak: 65.6K bytes in 1132 blocks, "
	    "0.250000 s after the start\n\n",
	    "--units=human");
	p.peak_slack = 4096;
	has(&p, "--peak -b", " s after the start, exact to within 4096 bytes\n",
	    "what the peak may be off");
	p.peak = 70000;
	has(&p, "--peak -b",
	    "Peak: 70000 bytes in 1132 blocks, "
	    "0.250000 s after the "
	    "start, exact to within 4096 bytes\n"
	    "The rows add up to 67188 bytes.\n",
	    "a peak that the rows don't quite reach");
	p.nruns = 2;
	p.runs = (struct run[]){ run, run };
	has(&p, "--peak -b", "s after the start of the run with the largest,",
	    "of several runs");
	p = server;
	p.peaks_known = false;
	has(&p, "--peak",
	    "------------\n\n"
	    "Peak: 67188 bytes, 0.250000 s after the start\n"
	    "Who held it is not known: the data file has no record of it.\n",
	    "not known");
	has_not(&p, "--peak", "%", "then there is no table");
	p.incomplete = true;
	has(&p, "--peak", "is not known: a data file is truncated before it.",
	    "cut short");
	p = (struct profile){ .runs = &run, .nruns = 1, .peaks_known = true };
	has(&p, "--peak", "No memory was live at any time.\n", "no peak");
	p.total.allocs[0] = p.peak_blocks = 1;
	p.sites = &(struct site){ .count = p.total, .peak_blocks = 1 };
	p.nsites = 1;
	has(&p, "--peak -b --verbose",
	    "                                0          1   ...> (no chain)\n",
	    "a block of no bytes");
}

/* server.txt has all rows; here only some change. */
static void
test_lives(void)
{
	struct profile p = server;

	row(&p, "--lifetimes --depth=1 -b",
	    "      1040       930      43      48         30     930   100ns  "
	    "96.8ms   3.00s |    4 4    .    .     |         0       0       "
	    "0        0   ...> word\n");
	row(&p, "--lifetimes=1 -b",
	    "      1050       938      42      47         30     938   100ns  "
	    "96.0ms   3.00s |    4.4    .    .     |         8       5    "
	    "2500        8   (4 others)\n");
	row(&p, "--lifetimes=1 -b",
	    "      1050       938      42      47         30     938   100ns  "
	    "96.0ms   3.00s |    4.4    .    .     |         8       5    "
	    "2500        8   (3 others)\n");
	row(&p, "--lifetimes --verbose -b",
	    "         1         0                          0       0       -  "
	    "     -       - | -                    |         0       0       0 "
	    "       0   ...> (no chain)\n");
	row(&p, "--lifetimes --verbose -b", "       0   (no chain)\n");
	has(&p, "--lifetimes=1 -b --units=human",
	    "   2.44K        8   (3 others)\n", "--units=human");
	has(&p, "--lifetimes --names=8 -b -p", "   word\n", "--names=8");
	p.timing = 1;
	has_not(&p, "--lifetimes -b", "Timed", "nothing to say of timing");
	p.untimed = 1;
	has(&p, "--lifetimes -b",
	    "------------\n\n1 block could not be timed: the monitor got no "
	    "memory."
	    "\n\n    allocs",
	    "untimed");
	p.timing = 0;
	has(&p, "--lifetimes -b",
	    "------------\n\nTimed: a different part in each run; ~ marks "
	    "estimates.\n"
	    "1 block",
	    "runs of different timing");
	p.life.timed = 0;
	has(&p, "--lifetimes -b",
	    "No block was timed: there are counts, but no lifetimes.\n1 block",
	    "no timing");
}

/* Without samples and reallocs there are no columns for them. */
static void
test_columns(void)
{
	struct profile p = server;

	p.sites = &sites[2];
	p.nsites = 2;
	p.total = (struct counts)WORD;
	p.life = word_life;
	p.reallocs = 0;
	f_serve.self = f_send.self = (struct counts){ 0 };
	p.timing = 1;
	check(&p, "--lifetimes -b", "server-words.txt");
	p.life.sum = UINT64_MAX;
	has(&p, "--lifetimes -b",
	    "   100ns       -   3.00s |    4 4    .    .     |   <TOTAL>\n",
	    "a sum beyond counting has no mean");
	p.life.bin[40] = 1;
	has(&p, "--lifetimes -b", " | 1ns  1us  1ms  1s   17m  |   path\n",
	    "a scale for very long lives");
	has(&p, "--lifetimes -b",
	    "3.00s |    4 4    .    .    .    |   <TOTAL>\n",
	    "and the bins there");
	p.lives_known = false;
	has(&p, "--lifetimes",
	    "------------\n\nHow long blocks lived is not known: the data file "
	    "has no record of it.\n",
	    "not known");
	has_not(&p, "--lifetimes", "allocs", "then there is no table");
	p = (struct profile){ .runs = &run, .nruns = 1, .lives_known = true };
	has(&p, "--lifetimes", "Nothing was allocated.\n", "no blocks");
}

static void
test_threads(void)
{
	struct profile p = server;

	has(&p, "--threads -b --names=8",
	    "      98.6        8      99000     6336000      74250          0  "
	    "     4752000   po...ker\n",
	    "--names=8");
	has(&p, "--threads -b --units=human",
	    "      98.6        8      99000       6.04M      74250          0  "
	    "       4.53M   pool-worker\n",
	    "--units=human");
	p.nthreads = 2;
	has(&p, "--threads -b",
	    "       1.0        2       1000       64000        780          -  "
	    "       48480   (not known)\n",
	    "what no thread is known for");
	p.threads = 9;
	has(&p, "--threads -b",
	    "       1.0        -       1000       64000        780          -  "
	    "       48480   (not known)\n",
	    "nor how many these are");
	p.nthreads = 0;
	has(&p, "--threads",
	    "------------\n\nWhich thread did what is not known: the data file "
	    "has no record of it.\n",
	    "not known");
	p.nruns = 2;
	p.runs = (struct run[]){ run, run };
	has(&p, "--threads",
	    "not known: the data files have no full record of it.\n",
	    "in several files");
	p = (struct profile){ .runs = &run, .nruns = 1 };
	has(&p, "--threads", "Nothing was allocated.\n", "no threads");
}

/* Which tables are printed, and what the prolog says. */
static void
test_prolog(void)
{
	struct profile p = server;

	has_not(&p, "-b", "---- Threads", "--threads isn't the default");
	has_not(&p, "-b", "Lifetimes", "--lifetimes isn't");
	has_not(&p, "-b", "Who Held", "--peak isn't");
	has_not(&p, "--peak -b", "Memory Profile", "--peak alone");
	has_not(&p, "--peak -b", "Leaks", "no leaks then");
	has(&p, "-L --peak -b", "Leaks", "but with -L");
	has(&p, "-b",
	    "\npeak          67188 bytes, 0.250000 s after the start\n",
	    "the peak in the prolog");
	has_not(&p, "-b", "\nmaxmem", "no limit");
	has_not(&p, "-b", "shortened", "no shortened chains");
	has_not(&p, "-b", "untimed", "all were timed");
	p.peak_slack = 4096;
	p.shortened = 12;
	p.untimed = 13;
	has(&p, "-b",
	    "\npeak          67188 bytes (+- 4096), 0.250000 s after the "
	    "start\nmonitor       65536 bytes of memory for itself\n",
	    "what it may be off");
	has(&p, "-b",
	    "\nshortened     12 (allocations shown without their outer "
	    "callers, because the monitor got no memory)\n"
	    "untimed       13 (blocks not timed, because the monitor got no "
	    "memory)\n",
	    "shortened and untimed");
	has(&p, "--threads -b",
	    "------------\nshortened: 12 allocations are shown without their "
	    "outer callers, because the monitor got no memory\n\n",
	    "a note under each title");
	p.maxmem = 1048576;
	has(&p, "-b",
	    "\nmaxmem        1048576 bytes, the most that it may take\n",
	    "the limit");
	has(&p, "-b", "outer callers: raise MEMMON_MAXMEM=1048576)\n",
	    "what to do");
	has(&p, "-q -b", "callers, because of the limit MEMMON_MAXMEM\n\n",
	    "the note says why");
}

int
main(void)
{
	f_serve.life = serve_life;
	f_word.life = word_life;
	f_send.life = send_life;
	check(&server, "--threads --peak --lifetimes", "server.txt");
	check(&server, "--json", "server.json");
	test_sums();
	test_peak();
	test_lives();
	test_threads();
	test_prolog();
	test_columns();
	return done_testing();
}
