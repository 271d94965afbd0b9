/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of two hand-made profiles, compared with the expected text: the
 * widgets (10000 blocks of 204 bytes, 5019 of them red and not freed) and the
 * recursion main > F > G > F > G, where G allocates 10 bytes.
 */
#define _GNU_SOURCE
#include "display/text/line.h"
#include "display/text/number.h"
#include "tests/unit/printed.h"

enum { SMALL, MEDIUM };

#define COUNTS(class, a, b, f, fb, held) \
	{ \
		.allocs[class] = a, .bytes[class] = b, .frees[class] = f, \
		.freed[class] = fb, .peak = held \
	}
#define MINE(name_, order_) \
	.name = name_, .module = "a.out", .file = "widgets.c", .order = order_

/* The widgets; at most one blue one at a time. */
#define BLUE COUNTS(MEDIUM, 4981, 1016124, 4981, 1016124, 204)
#define RED COUNTS(MEDIUM, 5019, 1023876, 0, 0, 1023876)
#define BOTH COUNTS(MEDIUM, 10000, 2040000, 4981, 1016124, 1024080)

static struct func w_main, w_make, w_red, w_blue;
static struct arc w_arc[4] = { { &w_main, &w_red, RED, 5019, false },
			       { &w_main, &w_blue, BLUE, 4981, false },
			       { &w_red, &w_make, RED, 5019, false },
			       { &w_blue, &w_make, BLUE, 4981, false } };
static struct arc *w_arcs[] = { &w_arc[3], &w_arc[2], &w_arc[1], &w_arc[0] };
static struct arc *w_of_main[] = { &w_arc[1], &w_arc[0] };
static struct arc *w_of_red[] = { &w_arc[0], &w_arc[2] };
static struct arc *w_of_blue[] = { &w_arc[1], &w_arc[3] };
static struct arc *w_of_make[] = { &w_arc[3], &w_arc[2] };
static struct func w_main = { MINE("main", 0),	    .addr = 0x1300,
			      .total = BOTH,	    .outcalls = 10000,
			      .callees = w_of_main, .ncallees = 2 };
static struct func w_make = { MINE("make_widget", 3), .addr = 0x1100,
			      .self = BOTH,	      .total = BOTH,
			      .calls = 10000,	      .callers = w_of_make,
			      .ncallers = 2 };
static struct func w_red = { MINE("make_red_widget", 1),
			     .addr = 0x1200,
			     .total = RED,
			     .calls = 5019,
			     .outcalls = 5019,
			     .callers = w_of_red,
			     .ncallers = 1,
			     .callees = w_of_red + 1,
			     .ncallees = 1 };
static struct func w_blue = { MINE("make_blue_widget", 2),
			      .addr = 0x1280,
			      .total = BLUE,
			      .calls = 4981,
			      .outcalls = 4981,
			      .callers = w_of_blue,
			      .ncallers = 1,
			      .callees = w_of_blue + 1,
			      .ncallees = 1 };
static struct func *w_funcs[] = { &w_blue, &w_make, &w_red, &w_main };
static struct frame w_frame[] = {
	{ .func = &w_main, .depth = 1 },
	{ .func = &w_red, .parent = &w_frame[0], .depth = 2 },
	{ .func = &w_make, .parent = &w_frame[1], .depth = 3 },
	{ .func = &w_blue, .parent = &w_frame[0], .depth = 2 },
	{ .func = &w_make, .parent = &w_frame[3], .depth = 3 }
};
static struct site w_sites[] = {
	{ .leaf = &w_frame[4], .count = BLUE, .peak_blocks = 1 },
	{ .leaf = &w_frame[2], .count = RED, .peak_blocks = 5019 }
};
static struct bin_type w_types[] = { { "widget", '?' } };
static struct bin w_bins[] = { { .size = 204,
				 .allocs = 10000,
				 .bytes = 2040000,
				 .frees = 4981,
				 .freed = 1016124,
				 .types = w_types,
				 .ntypes = 1 } };
static struct run w_run = { .path = "mon.out",
			    .program = "/home/zorn/widgets",
			    .command = "./widgets",
			    .end = "exit",
			    .version = "0.1.0",
			    .pid = 1988,
			    .start = 583000000000000000,
			    .length = 1500000000 };
static const struct profile widgets = { .runs = &w_run,
					.nruns = 1,
					.total = BOTH,
					.peak = 1024080,
					.peak_at = 1234567890,
					.threads = 1,
					.frames = 30000,
					.same = 10000,
					.chains = 10000,
					.deepest = 3,
					.own = 65536,
					.funcs = w_funcs,
					.nfuncs = 4,
					.arcs = w_arcs,
					.narcs = 4,
					.sites = w_sites,
					.nsites = 2,
					.bins = w_bins,
					.nbins = 1 };

/* The recursion. */
#define TEN COUNTS(SMALL, 1, 10, 0, 0, 10)

static struct func r_main, r_f, r_g;
static struct arc r_arc[3] = { { &r_main, &r_f, TEN, 1, false },
			       { &r_f, &r_g, TEN, 2, false },
			       { &r_g, &r_f, TEN, 1, false } };
static struct arc *r_arcs[] = { &r_arc[0], &r_arc[1], &r_arc[2] };
static struct arc *r_into_f[] = { &r_arc[0], &r_arc[2] };
static struct func r_main = {
	MINE("main", 0), .addr = 1,	    .total = TEN,
	.outcalls = 1,	 .callees = r_arcs, .ncallees = 1
};
static struct func r_f = { MINE("F", 1),	  .addr = 2,
			   .total = TEN,	  .calls = 2,
			   .outcalls = 2,	  .cycle = 1,
			   .callers = r_into_f,	  .ncallers = 2,
			   .callees = r_arcs + 1, .ncallees = 1 };
static struct func r_g = { MINE("G", 2),  .addr = 3,
			   .self = TEN,	  .total = TEN,
			   .calls = 2,	  .outcalls = 1,
			   .cycle = 1,	  .callers = r_arcs + 1,
			   .ncallers = 1, .callees = r_arcs + 2,
			   .ncallees = 1 };
static struct func *r_funcs[] = { &r_f, &r_g, &r_main };
static struct frame r_frame[] = {
	{ .func = &r_main, .depth = 1 },
	{ .func = &r_f, .parent = &r_frame[0], .depth = 2 },
	{ .func = &r_g, .parent = &r_frame[1], .depth = 3 },
	{ .func = &r_f, .parent = &r_frame[2], .depth = 4 },
	{ .func = &r_g, .parent = &r_frame[3], .depth = 5 }
};
static struct func *r_members[] = { &r_f, &r_g };
static struct carc r_carc = { &r_main, TEN, 1 };
static struct cycle r_cycle = { .number = 1,
				.members = r_members,
				.nmembers = 2,
				.self = TEN,
				.total = TEN,
				.calls = 1,
				.internal = 3,
				.callers = &r_carc,
				.ncallers = 1 };
static struct site r_sites[] = { { .leaf = &r_frame[4], .count = TEN } };
static struct bin r_bins[] = { { .size = 10, .allocs = 1, .bytes = 10 } };
static const struct profile recursion = { .runs = &w_run,
					  .nruns = 1,
					  .total = TEN,
					  .peak = 10,
					  .threads = 1,
					  .frames = 5,
					  .chains = 1,
					  .deepest = 5,
					  .funcs = r_funcs,
					  .nfuncs = 3,
					  .arcs = r_arcs,
					  .narcs = 3,
					  .cycles = &r_cycle,
					  .ncycles = 1,
					  .sites = r_sites,
					  .nsites = 1,
					  .bins = r_bins,
					  .nbins = 1 };

static void
test_percent(void)
{
	static const struct {
		uint64_t part, whole;
		const char *want, *tenths;
	} p[] = { { 0, 0, "", "" },
		  { 0, 5, "", "0.0" },
		  { 5, 0, "", "" },
		  { 1, 101, ".", "1.0" },
		  { 1, 100, "1", "1.0" },
		  { 99, 100, "99", "99.0" },
		  { 9999, 10000, "99", "100.0" },
		  { 5, 5, "**", "100.0" },
		  { 5019, 10000, "50", "50.2" },
		  { 4981, 10000, "49", "49.8" },
		  { 1, 3, "33", "33.3" },
		  { 1, 2000, ".", "0.1" },
		  { 1, 2001, ".", "0.0" },
		  { UINT64_MAX - 1, UINT64_MAX, "99", "100.0" },
		  { UINT64_MAX / 100, UINT64_MAX, ".", "1.0" },
		  { UINT64_MAX / 100 + 1, UINT64_MAX, "1", "1.0" } };
	char buf[NUMBER_SIZE];

	for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
		is_str(number_percent(buf, p[i].part, p[i].whole), p[i].want,
		       "percent %zu", i);
		is_str(number_tenths(buf, p[i].part, p[i].whole), p[i].tenths,
		       "tenths %zu", i);
	}
	is_str(number_cell(buf, 1, 1), "(**)", "cell");
	is_str(number_cell(buf, 0, 1), "", "empty cell");
	is_str(number_classes(buf, (uint64_t[]){ 100, 50, 0, 1 }, 100),
	       " ** 50     1", "classes");
}

static void
test_bytes(void)
{
	static const struct {
		uint64_t n;
		const char *human;
	} b[] = { { 0, "0" },
		  { 1023, "1023" },
		  { 1024, "1.00K" },
		  { 10234, "9.99K" },
		  { 10235, "10.0K" },
		  { 1016124, "992K" },
		  { 1023876, "1000K" },
		  { 1048063, "1023K" },
		  { 1048064, "1.00M" },
		  { 2040000, "1.95M" },
		  { 1073741823, "1.00G" },
		  { 1125899906842624, "1.00P" },
		  { UINT64_MAX, "16.0E" } };
	char buf[NUMBER_SIZE];

	for (size_t i = 0; i < sizeof b / sizeof *b; i++)
		is_str(number_bytes(buf, b[i].n, true), b[i].human, "human %s",
		       b[i].human);
	is_str(number_bytes(buf, UINT64_MAX, false), "18446744073709551615",
	       "all digits");
}

static void
test_times(void)
{
	static const struct {
		uint64_t ns;
		const char *want;
	} t[] = { { 0, "0ns" },
		  { 999, "999ns" },
		  { 1000, "1.00us" },
		  { 1004, "1.00us" },
		  { 1005, "1.01us" },
		  { 9994, "9.99us" },
		  { 9995, "10.0us" },
		  { 99949, "99.9us" },
		  { 99950, "100us" },
		  { 999499, "999us" },
		  { 999500, "1.00ms" },
		  { 12345678, "12.3ms" },
		  { 999499999, "999ms" },
		  { 999500000, "1.00s" },
		  { 60000000000, "60.0s" },
		  { 86400000000000, "86400s" },
		  { UINT64_MAX, "18446744074s" } };
	char buf[NUMBER_SIZE];

	for (size_t i = 0; i < sizeof t / sizeof *t; i++)
		is_str(number_time(buf, t[i].ns), t[i].want, "%s", t[i].want);
	is_str(number_seconds(buf, 999999999), "0.999999", "below a second");
	is_str(number_seconds(buf, 61234567890), "61.234", "seconds are cut");
	is_int(number_mean(10, 4), 3, "a mean is rounded");
	is_int(number_mean(10, 0), 0, "of nothing it is 0");
	ok(number_mean(UINT64_MAX, 1) == UINT64_MAX, "the largest mean");
}

static void
test_spread(void)
{
	struct life a = { .weight = 100,
			  .bin = { [0] = 1,
				   [1] = 8,
				   [2] = 9,
				   [3] = 1,
				   [10] = 80,
				   [47] = 1 } };
	char buf[NUMBER_SIZE];

	is_str(number_spread(buf, &a), ".1   8                 .",
	       "two bins a character, tenths cut");
	a = (struct life){ .weight = 3, .bin = { [20] = 3 } };
	is_str(number_spread(buf, &a), "          *", "all in one");
	a = (struct life){ .weight = UINT64_MAX,
			   .bin = { [4] = UINT64_MAX / 2, [5] = 1 } };
	is_str(number_spread(buf, &a), "  5", "half of the most");
	a = (struct life){ .weight = UINT64_MAX,
			   .bin = { [6] = UINT64_MAX, [7] = UINT64_MAX } };
	is_str(number_spread(buf, &a), "   *", "more than all is all");
	a = (struct life){ 0 };
	is_str(number_spread(buf, &a), "", "nothing");
}

static void
test_names(void)
{
	struct func f = { MINE("void ns::get<int, A<B> >(char*, int) const",
			       0) };
	char *cut;

	f.file = "/src/x.cc";
	ok(profile_means(&f, f.name), "the whole name");
	ok(profile_means(&f, "ns::get<int, A<B> >"), "without the parameters");
	ok(profile_means(&f, "x.cc:ns::get<int, A<B> >"), "with a file");
	ok(!profile_means(&f, "y.cc:ns::get<int, A<B> >"), "another file");
	ok(!profile_means(&f, "get"), "not by a part");
	f.name = "operator new(unsigned long)";
	ok(profile_means(&f, "operator new"), "an operator");
	f.name = "(anonymous namespace)::f(int)";
	ok(profile_means(&f, "(anonymous namespace)::f"), "anonymous");
	f.name = "main";
	ok(profile_means(&f, "main"), "C");
	f.name = ")(";
	ok(!profile_means(&f, "x"), "odd parentheses");
	cut = line_shorten("abcdefghijklmnop", 9);
	is_str(cut, "abc...nop", "cut in the middle");
	free(cut);
	cut = line_shorten(
		"\303\244\303\244\303\244\303\244\303\244\303\244\303"
		"\244\303\244\303\244",
		8);
	is_str(cut, "\303\244\303\244...\303\244\303\244\303\244",
	       "cut between characters");
	free(cut);
}

static void
test_options(void)
{
	char *text;

	has(&recursion, "-L --depth=2", "...> F > G\n", "--depth cuts a path");
	has(&recursion, "-L --depth=5", "|| > main > F > G > F > G\n",
	    "a path that just fits is whole");
	has(&recursion, "-L --depth=4", "...> F > G > F > G\n",
	    "a path one longer isn't");
	has(&widgets, "-L -b --units=human",
	    "     1000K (50)      5019     1000K (50)   ",
	    "--units=human in the leaks");
	has(&widgets, "-p --verbose=zero -b",
	    "       0.0            0 |             |  "
	    "          0 |             |            0   main\n",
	    "--verbose=zero");
	has_not(&widgets, "-p -b", "main", "no row without bytes");
	has(&widgets, "-qmake_red_widget -b", "[2]     50.2", "-q with a name");
	has_not(&widgets, "-qmake_red_widget -b", "[1]    100.0",
		"-q with a name: no other entry");
	has_not(&widgets, "-p -b", "index", "-p: no graph");
	has(&widgets, "-pnobody", "error: no function nobody ", "unknown name");
	has(&widgets, "-p --names=9 -b", "   mak...get\n", "--names=9");
	text = printed(&widgets, "-b");
	ok(!strstr(text, " \n"), "no blanks at the ends of lines");
	free(text);
}

/* The columns of the peak appear only if it is known. */
static void
test_peak(void)
{
	struct profile p = widgets, r = recursion;

	has_not(&p, "", "  at peak ", "no column when it isn't known");
	p.peaks_known = true;
	p.peak_blocks = 5020;
	check(&p, "--peak -p -q -b", "widgets-peak.txt");
	check(&p, "--json", "widgets-peak.json");
	has(&p, "-p -b --units=human",
	    " |    **       |        1000K |        10000   make_widget\n",
	    "--units=human in the direct table's peak");
	has(&p, "-q -b --units=human",
	    "     1000K     1000K |    **       |    50  ",
	    "--units=human in the graph's peak");
	r.peaks_known = true;
	has(&r, "-q -b",
	    "[1]    100.0       10 (**)        10        10 | **          |"
	    " ----------- |       1+3       <cycle 1> [1] as a whole\n",
	    "the peak of a cycle");
	has(&r, "-q -b",
	    "                   10 (**)        10        10 | **          |"
	    " **          |                     G [2] in <cycle 1>\n",
	    "the peak of its members is what they allocated themselves");
	has(&r, "-q -b",
	    "                    0              0         0 |             |"
	    "             |                     F [3] in <cycle 1>\n",
	    "which may be nothing");
}

/* Frames of call paths: in JSON, and not in the prolog. */
static void
test_chains(void)
{
	struct profile p = widgets;

	has_not(&p, "-b", "\nc  ", "the prolog has no c");
	has_not(&p, "-b", "\nm  ", "... and no m");
	p.chains = 9999;
	has(&p, "--json", "\"same\":10000,\"chains\":9999,\"deepest\":3,",
	    "in JSON");
	p.chains = p.deepest = 0;
	has(&p, "--json", "\"chains\":null,", "null in JSON");
}

/* Each title is followed by the problems of its data, if there are any. */
static void
test_notes(void)
{
	struct profile p = widgets;

	has_not(&p, "", "lost", "nothing is said of lost when there is none");
	p.lost = 3;
	p.lost_bytes = 300;
	has(&p, "-p",
	    "------------\nunrecorded: 3 allocations of 300 bytes could not"
	    " be recorded and are not in the figures\n\n",
	    "lost");
	has(&p, "-q", "unrecorded: 3", "unrecorded, in the graph");
	p.incomplete = true;
	has(&p, "-L",
	    "figures\nincomplete: a data file is truncated, so the "
	    "figures are lower bounds\n\n",
	    "incomplete");
	p.unseen = 7;
	has(&p, "-b", "\nunseen        7 (frees of blocks whose", "unseen");
	p.filter.less = true;
	p.filter.options = "--focus=f";
	has(&p, "-b", "\nrecording     of the whole program:\nunseen        7 ",
	    "a filter: what is of the whole");
	p.filter.less = false;
	has_not(&p, "-b", "\ninherited", "no inherited");
}

/* Two functions of one name in files of one name, and hostile names. */
static void
test_ambiguous(void)
{
	struct func a = w_make, b = w_make, *funcs[] = { &a, &b };
	struct profile p = widgets;

	p.funcs = funcs;
	p.nfuncs = 2;
	p.narcs = p.nsites = 0;
	a.ncallers = b.ncallers = 0;
	a.ambiguous = b.ambiguous = true;
	b.file = "/other/gadgets.c";
	has(&p, "-p", "make_widget (widgets.c)\n", "a file for who has none");
	has(&p, "-p", "make_widget (gadgets.c)\n", "a file for the other");
	b.file = "/other/widgets.c";
	a.line = 10;
	b.line = 20;
	has(&p, "-p", "make_widget (widgets.c:10)\n", "the line");
	b.line = 10;
	b.addr = 0x77;
	has(&p, "-p", "make_widget (widgets.c, a.out+0x77)\n", "the address");
	a.ambiguous = b.ambiguous = false;
	a.name = "evil\033[2J\nname\302\233x";
	has(&p, "-p", "evil?[2J?name??x\n", "no controls in names");
	b.name = "\"\\\001\377\303\244\355\240\200";
	has(&p, "--json",
	    "\"name\":\"\\\"\\\\\\u0001\\ufffd\303\244"
	    "\\ufffd\\ufffd\\ufffd\"",
	    "JSON escapes");
}

int
main(void)
{
	static const struct profile nothing = { .runs = &w_run, .nruns = 1 };

	test_percent();
	test_bytes();
	test_times();
	test_spread();
	test_names();
	check(&widgets, "", "widgets.txt");
	check(&widgets, "--units=human -b", "widgets-human.txt");
	check(&widgets, "--json", "widgets.json");
	check(&recursion, "-b", "recursion.txt");
	check(&nothing, "-b", "nothing.txt");
	test_options();
	test_peak();
	test_chains();
	test_notes();
	test_ambiguous();
	return done_testing();
}
