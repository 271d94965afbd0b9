/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of symbols that need no object file. */
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "reduce/symbols/symbols.h"
#include "reduce/symbols/symbols_elf.h"
#include "reduce/symbols/symbols_name.h"
#include "reduce/symbols/symbols_span.h"
#include "reduce/types/types.h"
#include "tests/tap.h"

/* The item at the address, or -1. */
static int
item_at(const struct symbols_spans *s, uint64_t addr)
{
	const struct symbols_span *span = symbols_spans_find(s, addr);

	return span ? (int)span->item : -1;
}

static void
test_spans(void)
{
	static const struct symbols_span spans[] = {
		{ 20, 30, 0, 1 }, /* nested in 0 */
		{ 0, 100, 0, 0 },
		{ 22, 24, 0, 2 },   /* nested in 1 */
		{ 90, 120, 0, 3 },  /* over the end of 0 */
		{ 200, 210, 1, 4 }, /* the same start: rank wins ... */
		{ 200, 220, 0, 5 }, /* ... and what is longer stays */
		{ 300, 300, 0, 6 }, /* empty */
		{ UINT64_MAX - 1, UINT64_MAX, 0, 7 },
	};
	static const struct {
		uint64_t addr;
		int item;
	} want[] = {
		{ 0, 0 },	    { 19, 0 },
		{ 20, 1 },	    { 22, 2 },
		{ 23, 2 },	    { 24, 1 },
		{ 29, 1 },	    { 30, 0 },
		{ 89, 0 },	    { 90, 3 },
		{ 119, 3 },	    { 120, -1 },
		{ 199, -1 },	    { 200, 4 },
		{ 209, 4 },	    { 210, 5 },
		{ 219, 5 },	    { 220, -1 },
		{ 300, -1 },	    { UINT64_MAX - 1, 7 },
		{ UINT64_MAX, -1 },
	};
	struct symbols_spans s = { 0 };
	size_t i;

	is_int(item_at(&s, 0), -1, "no spans");
	for (i = 0; i < sizeof spans / sizeof *spans; i++)
		symbols_spans_add(&s, spans[i]);
	symbols_spans_flatten(&s);
	for (i = 0; i < sizeof want / sizeof *want; i++)
		is_int(item_at(&s, want[i].addr), want[i].item, "at %ju",
		       (uintmax_t)want[i].addr);
	symbols_spans_fini(&s);
}

/* Many random spans, compared with the plain definition. */
static void
test_spans_random(void)
{
	enum { SPANS = 60, END = 200 };
	struct symbols_span v[SPANS];
	struct symbols_spans s = { 0 };
	unsigned seed = 1, turn, bad = 0;
	uint64_t addr;
	size_t i;

	for (turn = 0; turn < 200; turn++) {
		for (i = 0; i < SPANS; i++) {
			seed = seed * 1103515245 + 12345;
			v[i].start = (seed >> 16) % END;
			v[i].end = v[i].start + (seed >> 8) % 20;
			v[i].rank = (uint32_t)i;
			v[i].item = (uint32_t)i;
			symbols_spans_add(&s, v[i]);
		}
		symbols_spans_flatten(&s);
		for (addr = 0; addr < END + 20; addr++) {
			int best = -1;

			for (i = 0; i < SPANS; i++)
				if (v[i].start <= addr && addr < v[i].end &&
				    (best < 0 || v[best].start <= v[i].start))
					best = (int)i;
			bad += item_at(&s, addr) != best;
		}
		symbols_spans_fini(&s);
	}
	is_int(bad, 0, "200 sets of spans at random");
}

static const char *
show(struct symbols_names *s, const char *name)
{
	return symbols_names_show(s, name, strlen(name));
}

static void
test_names(void)
{
	struct symbols_names s = { .demangle = true };
	char *longest = malloc(1000001);
	const char *first;

	is_str(show(&s, "main"), "main", "C");
	is_str(show(&s, "_ZN2ns1fEiPKc"), "ns::f(int, char const*)", "C++");
	is_str(show(&s, "_ZN2ns1fEi.part.0"), "ns::f(int)", "C++, a part");
	is_str(show(&s, "_ZN3std2io5stdin17h0123456789abcdefE"),
	       "std::io::stdin", "Rust, old");
	is_str(show(&s, "_RNvC6_123foo3bar"), "123foo::bar", "Rust, new");
	is_str(show(&s, "_Zbad"), "_Zbad", "not mangled");
	is_str(show(&s, "a\x1b[31m\n"), "a?[31m?", "no control characters");
	first = show(&s, "_ZN2ns1fEi");
	ok(first == show(&s, "_ZN2ns1fEi.cold"), "one string for one name");
	if (longest) {
		memset(longest, 'A', 1000000);
		memcpy(longest, "_Z", 2);
		longest[1000000] = '\0';
		is_str(show(&s, longest), longest, "a name of 1 MB");
	}
	symbols_names_fini(&s);
	s = (struct symbols_names){ .demangle = false };
	is_str(show(&s, "_ZN2ns1fEi"), "_ZN2ns1fEi", "as the linker has it");
	symbols_names_fini(&s);
	free(longest);
}

static void
test_modules(void)
{
	static const unsigned char id[300];
	struct symbols *s = symbols_new(true);
	const struct symbols_frame *f, *again;
	bool severe;
	size_t a, b;

	a = symbols_add(s, "/nowhere/libx.so", NULL, 0);
	b = symbols_add(s, (const char *)getauxval(AT_EXECFN), id, sizeof id);
	ok(a == 0 && b == 1, "modules are numbered from 0");
	is_int(symbols_find(s, a, 0x12, &f), 1, "one frame");
	is_str(f->name, "[libx.so+0x12]", "name of a file that isn't there");
	ok(!f->known && !f->inlined && !*f->file && !*f->def_file &&
		   f->line == 0 && f->def_line == 0 && f->entry == 0x12,
	   "nothing else is known");
	symbols_find(s, a, 0x12, &again);
	ok(again == f, "looked up once");
	ok(symbols_problem(s, a, &severe) && severe, "severe");
	symbols_find(s, b, 0x12, &f);
	is_str(f->name, "[t_symbols+0x12]", "a build-id longer than any");
	is_int(symbols_find(s, 77, 0x12, &f), 1, "no such module");
	ok(f->name && !symbols_problem(s, 77, &severe) && !severe,
	   "no such module: a name, no problem");
	symbols_free(s);
	symbols_free(NULL);
}

static void
test_types(void)
{
	struct symbols *s = symbols_new(true);
	struct types *t = types_new(NULL);
	const char *names[3];

	is_int(types_find(t, 8, names, 3), 0, "no types");
	is_int(types_add(t, s, symbols_add(s, "/nowhere", NULL, 0)), -1,
	       "no file");
	is_int(types_add(t, s, 1), -1, "no module");
	is_int(types_find(t, 8, names, 0), 0, "no room");
	types_free(t);
	types_free(NULL);
	symbols_free(s);
}

int
main(void)
{
	test_spans();
	test_spans_random();
	test_names();
	test_modules();
	test_types();
	return done_testing();
}
