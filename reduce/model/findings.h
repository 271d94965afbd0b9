/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What memory profiling modules found in a run (memmon-cc --module), from files
 * beside the data file: tables whose columns the modules have named.
 */
#ifndef MEMMON_REDUCE_FINDINGS_H
#define MEMMON_REDUCE_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum finding_type {
	FINDING_PLACE,
	FINDING_COUNT,
	FINDING_BYTES,
	FINDING_RATIO, /* 0 to 1 */
	FINDING_TEXT,
	FINDING_HISTOGRAM, /* text: "n,n", how many are 0, 1, 2-3, 4-7 ... */
	FINDING_NTYPES
};

/* A number or a text.  A place has both: its number, and the text of it. */
struct finding_cell {
	uint64_t n; /* of a ratio: millionths */
	const char *text;
	bool known;
};

struct finding_column {
	const char *name, *about;
	enum finding_type type;
};

struct finding_table {
	const char *name, *title;
	struct finding_column *column;
	size_t ncolumns;
	struct finding_cell *cell; /* nrows times ncolumns */
	size_t nrows, room;
};

struct finding_place {
	uint64_t number, code; /* code: an address in place of the text, or 0 */
	const char *text;
};

struct findings {
	const char *path, *module, *about;
	const char *options; /* "" none */
	const char *failed;  /* why it has no tables; NULL: it has */
	uint64_t pid, start; /* of the run; 0 not known */
	uint64_t workers;
	uint64_t lost, lost_at; /* words of events; ns after the start */
	struct finding_table *table;
	size_t ntables, tables_room;
	struct finding_place *place; /* by number */
	size_t nplaces, places_room;
	const char **note;
	size_t nnotes, notes_room;
};

#endif
