/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The directives of tests/monmake.c for types, cells and vtables.  For that one
 * program only.
 */
#ifndef MEMMON_TESTS_MONMAKE_CELLS_H
#define MEMMON_TESTS_MONMAKE_CELLS_H

#include "tests/monmake.h"

static inline void
do_type(void)
{
	static size_t room;

	types = grow(types, &room, ntypes + 1, sizeof(*types));
	types[ntypes++] = (struct type){ word(1), number(2) };
}

/* A number that may be below 0, as the file encodes it. */
static inline uint64_t
zigzag(const char *s)
{
	return *s == '-' ? 2 * to_number(s + 1) - 1 : 2 * to_number(s);
}

static inline void
do_cell(void)
{
	static const char *const keys[] = { NULL,    "peak",	   "bytes",
					    "freed", "peak_bytes", "looked",
					    "slack" };
	static const char classes[] = "smlx";
	static size_t room;
	struct cell x = { .n = { find_site(word(1)), number(2) } };
	const char *c = strchr(classes, word(3)[0]);
	size_t i, k;

	x.n[2] = c ? 2 * (uint64_t)(c - classes) + 1 : 2 * number(3);
	x.n[3] = zigzag(word(4));
	x.n[4] = zigzag(word(5));
	for (i = 6; i < nwords; i += 2) {
		k = key(keys, 7, words[i]);
		if (!k)
			die("no such word for a cell");
		x.n[4 + k] = k < 5 ? zigzag(word(i + 1)) : number(i + 1);
	}
	cells = grow(cells, &room, ncells + 1, sizeof(x));
	cells[ncells++] = x;
}

static inline void
do_vtable(void)
{
	static size_t room;
	struct vtable x = { .n = { find_site(word(1)), find_module(word(2)),
				   number(3), number(4), number(5) } };

	vtables = grow(vtables, &room, nvtables + 1, sizeof(x));
	vtables[nvtables++] = x;
}

/* The numbers of a cell, without those that the file leaves out. */
static inline void
put_cell(struct emit *e, const uint64_t *n)
{
	size_t k;

	for (k = 0; k < 11; k++) {
		/*
		 * Only cells of any size have bytes; only looked-at ones have
		 * slack.
		 */
		if ((k >= 6 && k < 9 && !(n[2] & 1)) || (k == 10 && !n[9]))
			continue;
		emit_number(e, n[k]);
	}
	emit_item(e);
}

static inline void
put_cells(struct emit *e)
{
	size_t i, k;

	emit_open(e, MONOUT_TYPES, 1);
	for (i = 0; i < ntypes; i++) {
		emit_number(e, types[i].size);
		emit_string(e, types[i].name, strlen(types[i].name));
		emit_item(e);
	}
	emit_close(e);
	emit_open(e, MONOUT_CELLS, 0);
	for (i = 0; i < ncells; i++)
		put_cell(e, cells[i].n);
	emit_close(e);
	emit_open(e, MONOUT_VTABLES, 0);
	for (i = 0; i < nvtables; i++) {
		for (k = 0; k < 5; k++)
			emit_number(e, vtables[i].n[k]);
		emit_item(e);
	}
	emit_close(e);
}

#endif
