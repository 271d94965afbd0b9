/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of processes, of a parallel job, of memory and of runs with other
 * allocators: fields, and functions that make rows.
 */
#ifndef MEMMON_SCHEMA_RANKS_H
#define MEMMON_SCHEMA_RANKS_H

#include "display/schema/schema.h"

enum {
	SCHEMA_MEMORY_FIELDS = 4,
	SCHEMA_MEMORY_SNAPSHOTS_FIELDS = 1 + MONREC_MEMORY_COUNT,
	SCHEMA_PINS_FIELDS = 5,
	SCHEMA_MAPPINGS_FIELDS = 9,
	SCHEMA_FREED_BY_FIELDS = 6,
	SCHEMA_TRIED_FIELDS = 9,
	SCHEMA_PREDICTED_FIELDS = 4,
	SCHEMA_RANK_FIELDS = 8,
	SCHEMA_HOST_FIELDS = 5,
	SCHEMA_IMBALANCE_FIELDS = 13
};

#define SCHEMA_MEMORY_IS \
	"where the memory of the process was when the file was written"
extern const struct schema_field schema_memory[SCHEMA_MEMORY_FIELDS];
#define SCHEMA_MEMORY_SNAPSHOTS_IS \
	"where the memory was at snapshots of the run"
extern const struct schema_field
	schema_memory_snapshots[SCHEMA_MEMORY_SNAPSHOTS_FIELDS];
#define SCHEMA_PINS_IS "free memory that live blocks keep, by call path"
extern const struct schema_field schema_pins[SCHEMA_PINS_FIELDS];
#define SCHEMA_MAPPINGS_IS "memory that the program maps, by call path"
extern const struct schema_field schema_mappings[SCHEMA_MAPPINGS_FIELDS];
#define SCHEMA_FREED_BY_IS \
	"timed blocks, by the call paths that allocated and freed them"
extern const struct schema_field schema_freed_by[SCHEMA_FREED_BY_FIELDS];
extern const struct schema_field schema_runs_tried[SCHEMA_TRIED_FIELDS];
extern const struct schema_field schema_predicted[SCHEMA_PREDICTED_FIELDS];
extern const struct schema_field schema_ranks[SCHEMA_RANK_FIELDS];
extern const struct schema_field schema_hosts[SCHEMA_HOST_FIELDS];
extern const struct schema_field schema_imbalance[SCHEMA_IMBALANCE_FIELDS];

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
