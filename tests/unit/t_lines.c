/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places in the source: simplified paths, and numbers of places. */
#include "reduce/base/str.h"
#include "reduce/symbols/lines.h"
#include "tests/tap.h"

#include <string.h>

static struct arena arena;

static void
test_plain(void)
{
	static const struct {
		const char *path, *want;
	} p[] = {
		{ "/a/b.c", "/a/b.c" },
		{ "/a/./b.c", "/a/b.c" },
		{ "//a///b.c", "/a/b.c" },
		{ "/a/../b.c", "/b.c" },
		{ "/a/b/../../c.c", "/c.c" },
		{ "/../../a.c", "/a.c" },
		{ "/a/.../b..c", "/a/.../b..c" },
		{ "/a/..b/../c.c", "/a/c.c" },
		{ "a.c", "a.c" },
		{ "./elf/./elf/a.c", "elf/elf/a.c" },
		{ "a/../b.c", "b.c" },
		{ "../a.c", "../a.c" },
		{ "a/../../../b.c", "../../b.c" },
		{ "../../a/../b.c", "../../b.c" },
		{ "/a/b/", "/a/b" },
		{ "/", "/" },
		{ "..", ".." },
		{ "a/..", "a/.." },
	};

	char to[64];

	for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
		str_plain_path(p[i].path, to);
		is_str(to, p[i].want, "%s", p[i].path);
	}
}

static void
test_numbers(void)
{
	static const char one[] = "/src/a.c", same[] = "/src/./x/../a.c",
			  two[] = "/src/b.c", none[] = "";
	struct lines l = { .arena = &arena };
	uint32_t a = lines_number(&l, one, 10);
	uint32_t b = lines_number(&l, two, 10);

	is_int(a, 1, "the first place");
	is_int(b, 2, "the same line of another file");
	is_int(lines_number(&l, same, 10), a, "the same place, spelled anew");
	is_int(lines_number(&l, one, 11), 3, "another line of the first file");
	is_int(lines_number(&l, one, 10), a, "found again");
	is_int(lines_number(&l, one, 0), LINES_NONE, "no line");
	is_int(lines_number(&l, none, 5), LINES_NONE, "no file");
	is_int(lines_number(&l, NULL, 5), LINES_NONE, "nor that");
	is_int(l.nfiles, 2, "two files");
	is_str(l.file[l.place[a].file].path, one, "path");
	is_str(l.file[l.place[a].file].recorded, one, "as recorded at first");
	is_int(l.place[3].line, 11, "line");
	lines_fini(&l);
}

int
main(void)
{
	test_plain();
	test_numbers();
	arena_fini(&arena);
	return done_testing();
}
