/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fields, of hand-made layouts.  The figures of a granule (16 bytes) belong
 * to all members in it, and are printed once.
 */
#define _GNU_SOURCE
#include "display/text/layout.h"
#include "tests/unit/printed.h"

#define COUNTS(a, b, f, fb) \
	{ \
		.allocs[0] = a, .bytes[0] = b, .frees[0] = f, .freed[0] = fb \
	}
#define LEN(a) (sizeof(a) / sizeof *(a))

/*
 * Granules: 0 id, flags and x; 1 y and the start of name; 2 and 3 name; 4 the
 * end of name, and an unnamed member; 5 nothing; 6 count and spare.
 */
static const struct member node_members[] = {
	{ 0, 4, "id", "int", 0 },
	{ 4, 4, "flags", "unsigned", 0 },
	{ 8, 16, "where", "struct place", 0 },
	{ 8, 8, "x", "double", 1 },
	{ 16, 8, "y", "double", 1 },
	{ 24, 41, "name", "char[41]", 0 },
	{ 66, 2, "", "union { short a; }", 0 },
	{ 96, 8, "count", "long", 0 },
	{ 104, 8, "spare", "long", 0 },
	{ 112, 0, "tail", "char[]", 0 }
};
static const uint64_t node_reads[] = { 9000, 100, 20, 0, 3, 0, 800 };
static const uint64_t node_writes[] = { 1000, 0, 10, 5, 0, 0, 200 };

/* 70 granules: the first of every sixteen is read. */
static uint64_t range_reads[70], range_writes[70];
static const uint64_t small_reads[] = { 1 }, small_writes[] = { 0 };

static struct func f_main = { .name = "main", .module = "a", .file = "a.c" };
static struct func f_make = {
	.name = "make", .module = "a", .file = "a.c", .order = 1
};
static struct func *funcs[] = { &f_main, &f_make };
static struct frame frame[] = {
	{ .func = &f_main, .depth = 1 },
	{ .func = &f_make, .parent = &frame[0], .depth = 2 }
};
static struct site sites[] = {
	{ .leaf = &frame[1], .count = COUNTS(1000, 112000, 0, 0) },
	{ .leaf = &frame[0], .count = COUNTS(100, 111400, 0, 0) }
};
static struct fields fields[] = { { .type = "int",
				    .type_mark = '=',
				    .type_size = 4,
				    .size = 12,
				    .blocks = 1,
				    .whole = 1,
				    .n = 1,
				    .reads = small_reads,
				    .writes = small_writes },
				  { .site = &sites[1],
				    .size = 1114,
				    .blocks = 100,
				    .whole = 100,
				    .n = 70,
				    .reads = range_reads,
				    .writes = range_writes },
				  { .type = "struct node",
				    .type_mark = '=',
				    .type_size = 112,
				    .size = 112,
				    .blocks = 1000,
				    .whole = 1000,
				    .n = 7,
				    .reads = node_reads,
				    .writes = node_writes,
				    .members = node_members,
				    .nmembers = LEN(node_members) },
				  { .site = &sites[0],
				    .type = "struct node",
				    .type_mark = '=',
				    .type_size = 112,
				    .size = 112,
				    .blocks = 1000,
				    .whole = 1000,
				    .n = 7,
				    .reads = node_reads,
				    .writes = node_writes,
				    .members = node_members,
				    .nmembers = LEN(node_members) } };
static struct run run = { .path = "mon.out",
			  .program = "a",
			  .command = "a",
			  .end = "exit",
			  .version = "0.1.0" };
static const struct profile base = { .runs = &run,
				     .nruns = 1,
				     .total = COUNTS(1101, 223412, 0, 0),
				     .funcs = funcs,
				     .nfuncs = 2,
				     .sites = sites,
				     .nsites = 2,
				     .uses_known = true,
				     .uses_why = "",
				     .way = 2,
				     .step = 200000,
				     .ticked = true,
				     .fields = fields,
				     .nfields = LEN(fields) };

/* Each granule is in one row, and the rows add up to all granules. */
static void
conserved(const struct fields *f, size_t most, const char *name)
{
	struct layout a;
	uint64_t reads = 0, writes = 0, granules = 0;

	ok(layout_init(&a, f, most) == 0, "%s: a layout", name);
	for (size_t i = 0; i < a.n; i++) {
		reads += a.row[i].reads;
		writes += a.row[i].writes;
		granules += a.row[i].end - a.row[i].first;
	}
	for (size_t i = 0; i < f->n; i++) {
		reads -= f->reads[i];
		writes -= f->writes[i];
	}
	ok(reads == 0 && writes == 0, "%s: all accesses are in a row", name);
	is_int(granules, f->n, "%s: all granules", name);
	ok(a.members || !most || a.n <= most, "%s: not too many rows", name);
	layout_fini(&a);
}

static void
test_layout(void)
{
	/* Members in no order: one beyond the end, one too long. */
	static const struct member odd[] = { { 64, 8, "a", "A", 0 },
					     { 0, 16, "b", "B", 0 },
					     { 200, 8, "c", "C", 0 },
					     { 100, UINT64_MAX, "d", "D", 0 },
					     { UINT64_MAX, 9, "e", "E", 0 } };
	struct fields f = fields[2];
	struct layout a;

	conserved(&fields[0], 32, "one granule");
	conserved(&fields[1], 32, "ranges");
	conserved(&fields[1], 0, "all granules");
	conserved(&fields[2], 32, "members");
	f.members = odd;
	f.nmembers = LEN(odd);
	conserved(&f, 32, "odd members");
	f.n = 3;
	conserved(&f, 32, "granules missing");
	f.n = 0;
	conserved(&f, 32, "none at all");
	ok(layout_init(&a, &fields[2], 32) == 0, "the node");
	is_int(a.accesses, 11138, "its accesses");
	is_int(a.hot, 1000, "what is hot: 10000 + 1000 of 11138 are 98%%");
	is_int(layout_heat(&a, 0), LAYOUT_HOT, "hot");
	is_int(layout_heat(&a, 1), LAYOUT_COLD, "cold");
	is_int(layout_heat(&a, 5), LAYOUT_NEVER, "never");
	is_int(layout_bytes(&fields[1], 69), 10, "the last granule is cut");
	layout_fini(&a);
}

/* Half of a struct is written and never read; one member is in both halves. */
static void
test_unread(struct fields f)
{
	static const struct member members[] = { { 0, 32, "key", "A", 0 },
						 { 32, 36, "both", "B", 0 },
						 { 68, 4, "mark", "C", 0 },
						 { 72, 56, "log", "D", 0 } };
	static const uint64_t writes[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	static const uint64_t reads[8] = { 5, 5, 5, 5 };
	struct profile p = base;

	f.writes = writes;
	f.reads = reads;
	p.fields = &f;
	p.nfields = 1;
	has(&p, "--fields -b",
	    "\n64 of 128 bytes were never read by recorded code, at most "
	    "written, in 1 block: 64 bytes.\n",
	    "half of a block is never read");
	f.members = members;
	f.nmembers = LEN(members);
	has(&p, "--fields -b",
	    "\n64 of 128 bytes (mark, log) were never read by recorded code, "
	    "at most written, in 1 block: 64 bytes.\n",
	    "its members");
	has(&p, "--fields -b",
	    "\n      72      56         +0         +3   10   write-only   log "
	    "       D\n",
	    "what is only written is not hot");
	has_not(&p, "--fields -b", "cold", "... and no reason for advice");
	f.reads = writes;
	f.writes = reads;
	has_not(&p, "--fields -b", "write-only", "what is only read");
}

static void
test_advice(void)
{
	static const uint64_t writes[8] = { 0 };
	uint64_t reads[8] = { 1000, 1, 1, 1, 1, 1, 1, 1 };
	struct fields f = { .type = "struct { int a; }",
			    .type_mark = '=',
			    .type_size = 128,
			    .size = 128,
			    .blocks = 1,
			    .whole = 1,
			    .n = 8,
			    .reads = reads,
			    .writes = writes };
	struct profile p = base;

	p.fields = &f;
	p.nfields = 1;
	has(&p, "--fields -b",
	    "\n\n16 hot bytes have 99% of the accesses: the 112 cold bytes "
	    "could be in another block.\n",
	    "few are hot");
	reads[4] = 1000;
	has(&p, "--fields -b",
	    "\n\n32 hot bytes are in 2 cache lines (64 bytes) and would "
	    "fit in 1: put them together.\n",
	    "hot ones apart");
	for (size_t i = 0; i < 8; i++)
		reads[i] = 5;
	has_not(&p, "--fields -b", "ytes have", "all alike: no advice");
	has_not(&p, "--fields -b", "never", "nothing untouched");
	test_unread(f);
	memset(reads, 0, sizeof reads);
	has(&p, "--fields -b",
	    "\n       0     128          0          0        never\n\n"
	    "128 of 128 bytes were never accessed, in 1 block: 128 bytes.\n",
	    "no accesses");
}

static void
test_choice(void)
{
	struct profile p = base;

	has(&p, "--fields -b",
	    "\n\nleft out: 1 layout under 0.5 % of bytes and accesses "
	    "(--verbose shows all)\n",
	    "too small");
	has(&p, "--fields -b --verbose",
	    "\n\n\n=int, 12 bytes (the type has 4)\n"
	    "1 block, 12 bytes, 1 read, 0 writes\n",
	    "but with --verbose");
	has(&p, "--fields -b --verbose",
	    "\n    1040      74          0          0 ",
	    "a row for each granule that was touched");
	has_not(&p, "--fields -b", "make\n=", "nor of a site of a type");
	has(&p, "--fields -b --verbose",
	    "\n|| > main > make\n=struct node, 112 bytes\n",
	    "but that with --verbose, too");
	has(&p, "--fields=node -b", "\n=struct node, 112 bytes\n",
	    "a type without its keyword");
	has(&p, "--fields=struct?no* -b", "\n=struct node, 112 bytes\n",
	    "a glob");
	has_not(&p, "--fields=int -b", "node", "no other type");
	has(&p, "--fields=int -b", "\n=int, 12 bytes", "however small");
	has(&p, "--fields=int --fields=node -b", "=int, 12", "two of them");
	has(&p, "--fields=nobody", "error: no type nobody is in the fields: ",
	    "a type that isn't there");
	has(&p, "--fields=node -b --names=8",
	    "       0       4      *9000      *1000   89   hot     id      ",
	    "names are cut, figures not");
	p.nfields = 0;
	has(&p, "--fields",
	    "No accesses to blocks of at most 4096 bytes are "
	    "known",
	    "no layouts");
}

int
main(void)
{
	for (size_t i = 0; i < LEN(range_reads); i += 16)
		range_reads[i] = 160 + i;
	check(&base, "--fields", "fields.txt");
	check(&base, "--json", "fields.json");
	test_layout();
	test_advice();
	test_choice();
	return done_testing();
}
