/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The directives of tests/monmake.c for marks and leaks.  For that one program
 * only.
 */
#ifndef MEMMON_TESTS_MONMAKE_MARKS_H
#define MEMMON_TESTS_MONMAKE_MARKS_H

#include "tests/monmake.h"
#include "tests/monmake_use.h"

static inline void
do_mark(void)
{
	static const char *const keys[] = { NULL, "allocs", "bytes", "frees",
					    "freed" };
	static size_t room;
	struct mark x = { .name = word(1), .n = { number(2) } };
	size_t i, k;

	for (i = 3; i < nwords; i += 2) {
		k = key(keys, 5, words[i]);
		if (!k)
			die("no such word for a mark");
		x.n[k] = number(i + 1);
	}
	marks = grow(marks, &room, nmarks + 1, sizeof(x));
	marks[nmarks++] = x;
}

static void
hold(uint64_t site, uint64_t blocks, uint64_t bytes)
{
	static size_t room;
	struct row r = new_row(3);

	r.n[0] = site;
	r.n[1] = blocks;
	r.n[2] = bytes;
	holds = grow(holds, &room, nholds + 1, sizeof(r));
	holds[nholds++] = r;
}

static inline void
do_leak(void)
{
	static const char *const kinds[] = { NULL, "lost", "indirect",
					     "interior", "reachable" };
	static size_t room;
	struct leak x = { .site = find_site(word(1)) };
	char *bytes;
	size_t i, k;

	for (i = 2; i < nwords; i += 2) {
		k = key(kinds, MONOUT_NLEAK + 1, words[i]);
		/* A word that isn't a kind is a bit, without numbers. */
		if (!k && strcmp(words[i], "holds") != 0) {
			x.mask |= UINT64_C(1) << to_number(words[i]);
			continue;
		}
		bytes = strchr(word(i + 1), ':');
		if (!bytes)
			die("BLOCKS:BYTES expected");
		*bytes++ = '\0';
		if (!k) {
			hold(x.site, number(i + 1), to_number(bytes));
			continue;
		}
		x.mask |= UINT64_C(1) << (k - 1);
		x.n[k - 1][0] = number(i + 1);
		x.n[k - 1][1] = to_number(bytes);
	}
	leaks = grow(leaks, &room, nleaks + 1, sizeof(x));
	leaks[nleaks++] = x;
}

#endif
