/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The directives of tests/monmake.c for the tables on accesses: use, group,
 * field.  For that one program only.
 */
#ifndef MEMMON_TESTS_MONMAKE_USE_H
#define MEMMON_TESTS_MONMAKE_USE_H

#include "tests/monmake.h"

/* Numbers of an item of USES: site, ten of the keys, two of each flag. */
enum { USE_KEYS = 11, USE_N = USE_KEYS + 2 * MONOUT_NFLAG };

static inline struct row
new_row(size_t length)
{
	struct row r = { arena_array(&arena, length + 1, sizeof(*r.n)),
			 length };

	if (!r.n)
		die("out of memory");
	return r;
}

/*
 * N:N..., at most `most' numbers, into to; numbers may be missing at the end.
 */
static inline void
numbers(char *s, uint64_t *to, size_t most)
{
	char *colon;

	while (s) {
		if (!most--)
			die("too many numbers in a word");
		colon = strchr(s, ':');
		if (colon)
			*colon++ = '\0';
		*to++ = to_number(s);
		s = colon;
	}
}

static inline void
do_use(void)
{
	static const char *const keys[USE_KEYS] = {
		NULL,	 "blocks",    "bytes",	    "reads",  "writes", "span",
		"cover", "span_used", "cover_used", "useful", "life"
	};
	static const char *const flags[MONOUT_NFLAG + 1] = {
		NULL,	 "unused", "write_only", "read_only", "brief",
		"early", "late",   "growing",	 "shared",    "low_cover"
	};
	static size_t room;
	struct row r = new_row(USE_N);
	size_t i, k;

	r.n[0] = find_site(word(1));
	for (i = 2; i < nwords; i += 2) {
		k = key(keys, USE_KEYS, words[i]);
		if (k) {
			r.n[k] = number(i + 1);
			continue;
		}
		k = key(flags, MONOUT_NFLAG + 1, words[i]);
		if (!k)
			die("no such word for a use");
		numbers(word(i + 1), r.n + USE_KEYS + 2 * (k - 1), 2);
	}
	uses = grow(uses, &room, nuses + 1, sizeof(r));
	uses[nuses++] = r;
}

static inline void
do_group(void)
{
	static size_t room;
	size_t n = nwords > 3 ? nwords - 3 : 0, i;
	struct row r = new_row(3 + 5 * n);

	r.n[0] = find_site(word(1));
	r.n[1] = number(2);
	r.n[2] = n;
	for (i = 0; i < n; i++)
		numbers(word(3 + i), r.n + 3 + 5 * i, 5);
	groups = grow(groups, &room, ngroups + 1, sizeof(r));
	groups[ngroups++] = r;
}

static inline void
do_field(void)
{
	static size_t room;
	size_t n = nwords > 4 ? nwords - 4 : 0, i;
	struct row r = new_row(4 + 2 * n);

	r.n[0] = find_site(word(1));
	r.n[1] = number(2);
	r.n[2] = number(3);
	r.n[3] = n;
	for (i = 0; i < n; i++)
		numbers(word(4 + i), r.n + 4 + 2 * i, 2);
	fields = grow(fields, &room, nfields + 1, sizeof(r));
	fields[nfields++] = r;
}

#endif
