/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of processes, of a parallel job, of memory and of runs with other
 * allocators: fields, and functions that make rows.
 */
#ifndef MEMMON_SCHEMA_RANKS_H
#define MEMMON_SCHEMA_RANKS_H

#include "display/schema/schema.h"

struct schema_imbalance {
	const char *of, *figure; /* kind of rows, and name of the figure */
	const struct site *site;
	const char *name, *type;
	struct rank_spread spread;
	uint64_t mean;
	const char *most_rank, *least_rank;
};

/* make() and value() of the table. */
schema_maker schema_imbalances;
void schema_imbalance_of(struct schema *s, const void *row, size_t number,
			 size_t at, struct value *v);

/* A value(): the rank of a run. */
void schema_rank_of(struct schema *s, const void *row, size_t number, size_t at,
		    struct value *v);

#endif
