/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file with USES, GROUPS and FIELDS, for tests of reading them. */
#ifndef MEMMON_TESTS_USES_H
#define MEMMON_TESTS_USES_H

#include "reduce/monout/emit.h"
#include "reduce/image/open.h"
#include "tests/tap.h"

static struct mon m;
static struct err e;

/* ------------------------------------------------------------- the file -- */

enum { SITE, FIRST }; /* of every item */

/* Three blocks with 100 bytes in all, at site 1. */
enum { USE_N = 1 + MON_USE_NUMBERS };
#define USE(member) \
	(FIRST + (int)(offsetof(struct mon_use, member) / sizeof(uint64_t)))
#define FLAG(of) (USE(flag) + 2 * MONOUT_##of)
static const uint64_t good_use[USE_N] = {
	1, 3, 100, 50, 40, 90, 80, 70, 60, 5 << 23, 1000, 1, 10, /* unused */
	0, 0, 0,   0,  0,  0,  0,  0,  0,  0,	    0,	  0, 0,
	0, 2, 90 /* low coverage */
};

enum {
	GROUP_FORM = FIRST,
	GROUP_N,
	GROUP_FIRST,
	GROUP_LAST,
	GROUP_END,
	GROUP_BLOCKS,
	GROUP_LIFE,
	GROUP_NEXT,
	GROUP_ALL = GROUP_NEXT + 5
};
/* A group of two blocks, and one of one block. */
static const uint64_t good_group[GROUP_ALL] = { 1,   0,	  2, 500, 10, 100, 2,
						200, 900, 0, 800, 1,  800 };

enum {
	FIELD_SIZE = FIRST,
	FIELD_BLOCKS,
	FIELD_N,
	FIELD_READ,
	FIELD_WRITE,
	FIELD_LAST = FIELD_READ + 2,
	FIELD_ALL = FIELD_READ + 4
};
/* Three blocks of 20 bytes: two granules. */
static const uint64_t good_field[FIELD_ALL] = { 1, 20, 3, 2, 20, 15, 30, 25 };

/* Sites 0 and 1 have eight blocks each, 200 bytes in all. */
static inline void
begin(struct emit *f)
{
	static const uint64_t site[] = { 0, 0, 1, 8, 200, 0, 0 };
	size_t i, k;

	memset(f, 0, sizeof(*f));
	emit_header(f, 0);
	emit_open(f, MONOUT_RUN, 0);
	emit_key_number(f, MONOUT_R_WAY, MONOUT_W_CALLS);
	emit_close(f);
	emit_open(f, MONOUT_SITES, 0);
	for (i = 0; i < 2; i++) {
		for (k = 0; k < 7; k++)
			emit_number(f, site[k]);
		emit_item(f);
	}
	emit_close(f);
	emit_open(f, MONOUT_BINS, 0);
	emit_number(f, 25);
	emit_number(f, 16);
	emit_number(f, 0);
	emit_item(f);
	emit_close(f);
}

static inline void
row(struct emit *f, const uint64_t *v, size_t n)
{
	while (n--)
		emit_number(f, *v++);
	emit_item(f);
}

static inline void
table(struct emit *f, uint32_t tag, const uint64_t *v, size_t n)
{
	emit_open(f, tag, 0);
	row(f, v, n);
	emit_close(f);
}

static inline void
finish(struct emit *f, const uint64_t (*totals)[2], size_t n)
{
	emit_open(f, MONOUT_TOTALS, 0);
	emit_key_number(f, MONOUT_T_ALLOCS, 16);
	for (; n; n--, totals++)
		emit_key_number(f, (*totals)[0], (*totals)[1]);
	emit_close(f);
	if (open_memory(&m, "f", f->data, f->length, &e))
		diag("%s", e.text);
	emit_fini(f);
}

#endif
