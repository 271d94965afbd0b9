/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of tables (schema.h) that aren't an array in the profile.  Each function
 * is a table's make().
 */
#ifndef MEMMON_SCHEMA_ROWS_H
#define MEMMON_SCHEMA_ROWS_H

#include "display/schema/schema.h"

struct schema_arc {
	uint64_t caller_id, callee_id, calls;
	const struct func *caller, *callee;
	struct counts count;
	bool inlined;
};

struct schema_frame {
	uint64_t site_id, depth, height, function_id;
	const struct func *func;
};

struct schema_snapshot {
	uint64_t time, live, peak, rss;
	struct amounts count;
};

struct schema_change {
	uint64_t site_id, since, until, live;
	const struct site *site;
	const struct func *func;
	struct amounts count;
};

struct schema_block {
	struct block block;
	uint64_t site_id, life, reads, writes, first, last, shared,
		count; /* UINT64_MAX: unknown */
	const struct func *func;
	const char *thread, *freer, *type;
};

struct schema_line {
	const char *file;
	unsigned line;
	struct account self, total;
};

/* UINT64_MAX: unknown. */
struct schema_operation {
	const char *class, *function;
	bool big, reused, in_place, parallel, first;
	uint64_t calls, bytes, timed;
	struct allocator_times ns;
	uint64_t remote, system_calls, in_system_calls, locks, held, contended,
		waited;
	uint64_t looked, event[ALLOCATOR_NEVENT];
};

struct schema_syscall {
	const char *name, *class;
	struct allocator_sum ns;
	uint64_t bytes;
};

struct schema_share {
	struct allocator_share lines;
	uint64_t writes, handed;
};

struct schema_tried {
	const char *allocator, *path;
	uint64_t cpu, length, in, requested, held, resident, predicted;
};

struct schema_prediction {
	const char *allocator;
	struct allocator_prediction would;
};

schema_maker schema_arcs, schema_frames, schema_snapshots, schema_history,
	schema_conditions, schema_blocks, schema_lines, schema_operations,
	schema_syscalls, schema_shares, schema_tried, schema_predictions;

/* A table's rows(). */
int schema_marks(struct schema *s, const void **row, size_t *n);

/*
 * The tables of processes, of a parallel job, of memory and of runs with other
 * allocators: fields, and functions that make rows.
 */

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
