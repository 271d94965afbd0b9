/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * USES, GROUPS and FIELDS with random numbers, most of them nearly right: the
 * numbers that are accepted are consistent.
 */
#include "tests/unit/uses.h"

static uint64_t state = 0x2545f4914f6cdd1d;

static uint64_t
random_number(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state >> 8;
}

/* A number that is wrong, most of the time only a little. */
static uint64_t
spoil(uint64_t n)
{
	switch (random_number() % 6) {
	case 0:
		return n + 1;
	case 1:
		return n - 1;
	case 2:
		return random_number() % 300;
	case 3:
		return UINT64_MAX - random_number() % 3;
	default:
		return n;
	}
}

/* Are the accepted numbers consistent? */
static bool
holds(void)
{
	uint64_t blocks[2] = { 0 }, n[MON_USE_NUMBERS] = { 0 };
	const struct mon_group *g;
	size_t i, k;

	for (i = 1; i < m.nuses; i++) {
		for (k = 0; k < MON_USE_NUMBERS; k++)
			n[k] += m.uses[i].n[k];
		if (m.uses[i].cover > m.uses[i].span ||
		    m.uses[i].span > m.uses[i].bytes ||
		    m.uses[i].fields.bytes > m.uses[i].bytes)
			return false;
	}
	n[offsetof(struct mon_use, life) / sizeof *n] = m.use.life;
	for (i = 0; i < m.ngroups; i++) {
		g = &m.groups[i];
		if (g->site > 1 || g->last > g->end ||
		    g->first + g->end < g->first)
			return false;
		blocks[g->site] += g->blocks;
	}
	for (i = 0; i < 2; i++) {
		if (blocks[i] && (!m.sites[i].use ||
				  blocks[i] > m.uses[m.sites[i].use].blocks))
			return false;
	}
	for (i = 0; i < m.nfields; i++) {
		if (m.fields[i].n != (m.fields[i].size + 15) / 16 ||
		    m.fields[i].counts + 2 * m.fields[i].n > m.ncounts)
			return false;
	}
	return !memcmp(n, m.use.n, sizeof(n));
}

static void
put_spoilt(struct emit *f, uint32_t tag, const uint64_t *good, size_t n)
{
	size_t rows = 1 + random_number() % 3, i;

	emit_open(f, tag, 0);
	while (rows--) {
		emit_number(f, random_number() % 8 ? 1 : random_number() % 3);
		for (i = 1; i < n; i++)
			emit_number(f, random_number() % 8 ? good[i]
							   : spoil(good[i]));
		emit_item(f);
	}
	emit_close(f);
}

static void
at_random(void)
{
	int turn, bad = 0, whole = 0;
	struct emit f;

	for (turn = 0; turn < 30000; turn++) {
		begin(&f);
		if (random_number() % 2)
			table(&f, MONOUT_USES, good_use, USE_N);
		else
			put_spoilt(&f, MONOUT_USES, good_use, USE_N);
		put_spoilt(&f, MONOUT_GROUPS, good_group, GROUP_ALL);
		put_spoilt(&f, MONOUT_FIELDS, good_field, FIELD_ALL);
		finish(&f, NULL, 0);
		bad += !holds();
		whole += !m.incomplete;
		mon_fini(&m);
	}
	is_int(bad, 0, "whatever is in a file, what is taken holds together");
	ok(whole > 100 && whole < 20000, "%d of the files are right", whole);
}

int
main(void)
{
	at_random();
	return done_testing();
}
