/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Macros that describe the fields of tables (schema.h); and the fields of
 * tables of processes, of memory and of the graph.  For schema_tables.c, which
 * has the other tables' fields.
 */
#ifndef MEMMON_SCHEMA_LISTS_H
#define MEMMON_SCHEMA_LISTS_H

#include "display/schema/schema_rows.h"

#include <stddef.h>

/* Fields of a struct: name, kind, how, member, meaning. */
#define F(n, k, f, m, text, ...) \
	{ \
		.name = n, .kind = VALUE_##k, .from = SCHEMA_##f, \
		.at = offsetof(struct ROW, m), .meaning = text, __VA_ARGS__ \
	}
/*
 * A field that is an estimate if blocks are samples, and after it the field of
 * its standard error: NAME_error.  var: the variance.
 */
#define VARIES(n, k, f, m, var, text, ...) \
	F(n, k, f, m, text, ##__VA_ARGS__), ERROR_OF(n, k, var)
#define ERROR_OF(n, k, var) \
	{ \
		.name = n "_error", .kind = VALUE_##k, .from = SCHEMA_ERROR, \
		.at = offsetof(struct ROW, var), \
		.meaning = "standard error of " n, .hidden = true, \
		.error = true \
	}
/* A field whose value comes from the table's value(). */
#define V(n, k, number, text, ...) \
	{ \
		.name = n, .kind = VALUE_##k, .at = number, .meaning = text, \
		__VA_ARGS__ \
	}
#define ID(text) \
	{ \
		.name = "id", .kind = VALUE_COUNT, .from = SCHEMA_ROWID, \
		.meaning = text, .sorted = true \
	}

#define ROW run
static const struct schema_field schema_runs[] = {
	F("path", TEXT, STRING, path, "data file"),
	F("program", TEXT, STRING, program, "executable, as recorded"),
	F("command", TEXT, STRING, command, "arguments of the program"),
	F("ended", TEXT, STRING, end, "exit, or what ended the process"),
	F("problem", TEXT, STRING, problem, "why the file couldn't be read"),
	F("pid", COUNT, U64, pid, "process id"),
	F("ppid", COUNT, U64, ppid, "process id of the parent"),
	F("host", TEXT, STRING, host, "host name"),
	F("job", TEXT, STRING, job, "parallel job of the process"),
	V("rank", COUNT, 0, "rank in the job"),
	F("start", COUNT, U64, start, "start: ns since 1970, UTC"),
	F("length", TIME, U64, length, "length of the run"),
	F("allocs", COUNT, U64, allocs, "blocks allocated"),
	F("bytes", BYTES, U64, bytes, "bytes allocated"),
	F("live", BYTES, U64, live, "bytes live at the end"),
	F("peak", BYTES, SOME, peak, "most bytes live at one time"),
};
#undef ROW

/* Runs with other allocators: they are no ranks, but are processes, too. */
#define ROW schema_tried
static const struct schema_field schema_runs_tried[] = {
	F("allocator", TEXT, STRING, allocator, "library of the allocator"),
	F("path", TEXT, STRING, path, "data file"),
	F("cpu", TIME, MAX, cpu, "CPU time of the process, with the monitor's"),
	F("length", TIME, U64, length, "length of the run"),
	F("time", TIME, MAX, in, "time in the allocator"),
	F("requested", BYTES, MAX, requested, "most bytes live"),
	F("held", BYTES, MAX, held, "most bytes held by the allocator"),
	F("resident", BYTES, MAX, resident, "most bytes in memory (RSS)"),
	F("predicted", TIME, MAX, predicted, "CPU time, from the first run"),
};
#undef ROW
#define ROW schema_prediction
static const struct schema_field schema_predicted[] = {
	F("allocator", TEXT, STRING, allocator, "library of the allocator"),
	F("time", TIME, MAX, would.in, "predicted time in the allocator"),
	F("cpu", TIME, MAX, would.cpu, "predicted CPU time of the process"),
	F("known", COUNT, U64, would.known, "operations that were measured"),
};
#undef ROW
#define ROW memory_line
static const struct schema_field schema_memory[] = {
	F("name", TEXT, STRING, name, "name of the line, as in mon.out(5)"),
	F("bytes", BYTES, U64, bytes, "bytes; of the line blocks: a number"),
	F("part", COUNT, TRUE, part,
	  "1: the line is a part of resident; these add up to it"),
	F("means", TEXT, STRING, means, "what it is"),
};
#undef ROW

#define ROW memory_snapshot
#define X(NAME, name) \
	F(#name, BYTES, U64, bytes[MEMORY_##NAME], "as in the table memory"),
static const struct schema_field schema_memory_snapshots[] = {
	F("at", TIME, U64, at, "time after the start"), MONREC_MEMORY_LINES(X)
};
#undef X
#undef ROW

#define ROW pins
static const struct schema_field schema_pins[] = {
	ID("number of the call path (sites.id)"),
	F("blocks", COUNT, U64, blocks, "live blocks in memory"),
	F("alone", COUNT, U64, alone, "of these, blocks alone on a page"),
	F("resident", BYTES, U64, resident, "their bytes in memory"),
	F("pinned", BYTES, U64, pinned, "free bytes on their pages"),
};
#undef ROW

#define ROW mapping
static const struct schema_field schema_mappings[] = {
	F("site", TEXT, PATH, site, "call path"),
	F("kind", TEXT, STRING, kind,
	  "private, file, shared, break (sbrk); or several"),
	F("calls", COUNT, U64, maps, "calls that mapped memory"),
	F("bytes", BYTES, U64, bytes, "bytes that these mapped"),
	F("mapped", BYTES, U64, live, "bytes mapped when the file was written"),
	F("most", BYTES, MAX, most,
	  "most bytes mapped at one time; null: by several calls"),
	F("resident", BYTES, U64, resident, "bytes in memory then"),
	F("ended", COUNT, U64, ended, "mappings that were unmapped"),
	F("lives", TIME, U64, life, "sum of their lifetimes"),
};
#undef ROW

#define ROW ending
static const struct schema_field schema_freed_by[] = {
	F("site", TEXT, PATH, site, "call path that allocated the blocks"),
	F("freed_by", TEXT, PATH, by,
	  "call path that freed them by free or realloc; null: unknown"),
	F("timed", COUNT, U64, blocks, "timed blocks that it freed"),
	F("blocks", COUNT, U64, weight, "blocks that these represent"),
	F("bytes", BYTES, U64, bytes, "bytes of those blocks"),
	F("lives", TIME, U64, life, "sum of the lifetimes of those blocks"),
};
#undef ROW

#define ROW rank
static const struct schema_field schema_ranks[] = {
	F("job", TEXT, STRING, job, "parallel job"),
	F("rank", TEXT, STRING, name,
	  "rank in the job, or the data file if it is unknown"),
	F("host", TEXT, STRING, host, "host name"),
	F("ended", TEXT, STRING, end, "exit, or what ended the process"),
	F("files", COUNT, U64, files, "data files"),
#define R(id, name, meaning, title) \
	F(#name, BYTES, U64, value[RANK_##id], meaning),
	RANKS_FIGURES(R)
#undef R
};
#undef ROW
#define ROW rank_host
static const struct schema_field schema_hosts[] = {
	F("host", TEXT, STRING, name, "host name"),
	F("ranks", COUNT, U64, ranks, "ranks that ran on the host"),
	F("peak", BYTES, U64, about,
	  "most bytes live on the host, about, from snapshots"),
	F("peak_at", COUNT, U64, about_at,
	  "time of this peak: ns since 1970, UTC"),
	F("peak_most", BYTES, U64, most, "upper bound of peak"),
};
#undef ROW
#define ROW schema_imbalance
static const struct schema_field schema_imbalance[] = {
	F("of", TEXT, STRING, of, "all, site, function or type"),
	F("figure", TEXT, STRING, figure, "peak, kept or bytes"),
	F("site", TEXT, PATH, site, "call path"),
	F("function", TEXT, STRING, name, "function that allocated"),
	F("type", TEXT, STRING, type, "type of the blocks"),
	F("ranks", COUNT, U64, spread.ranks, "ranks with a figure above 0"),
	F("sum", BYTES, U64, spread.sum, "sum of all ranks"),
	F("mean", BYTES, U64, mean, "mean of all ranks"),
	F("most", BYTES, U64, spread.most, "figure of the rank with the most"),
	F("most_rank", TEXT, STRING, most_rank,
	  "rank with the most; the first of several"),
	F("least", BYTES, U64, spread.least,
	  "figure of the rank with the least"),
	F("least_rank", TEXT, STRING, least_rank, "rank with the least"),
	V("imbalance", SHARE, 0, "most divided by mean"),
};
#undef ROW

#define ROW fact
static const struct schema_field schema_system[] = {
	F("name", TEXT, STRING, name, "name, as in mon.out(5)"),
	F("value", TEXT, STRING, value, "its value"),
};
#undef ROW

#define ROW root
static const struct schema_field schema_roots[] = {
	F("root", TEXT, STRING, name, "variable, stack, mapping, ..."),
	F("kind", TEXT, STRING, kind_name, "what it is"),
	F("file", TEXT, STRING, file, "source file that defines it"),
	F("line", COUNT, U32, line, "line in the file"),
	F("size", BYTES, U64, size, "its size; 0: not known"),
	F("blocks", COUNT, U64, blocks, "blocks that it retains"),
	F("bytes", BYTES, U64, bytes, "their bytes"),
};
#undef ROW

#define ROW retained
static const struct schema_field schema_retained[] = {
	ID("number of the call path (sites.id)"),
	F("tops", COUNT, U64, count,
	  "its blocks that no other block of the path retains"),
	F("blocks", COUNT, U64, blocks, "blocks that these retain"),
	F("bytes", BYTES, U64, bytes, "their bytes"),
	F("largest", BYTES, U64, most, "bytes that one block retains"),
};
#undef ROW

/* value(): the call path that holds blocks, if no root does. */
static void
edge_value(struct schema *s, const void *row, size_t number, size_t at,
	   struct value *v)
{
	const struct edge *e = row;

	(void)s, (void)number, (void)at;
	value_number(v, e->holder, !e->root);
}

static void
step_value(struct schema *s, const void *row, size_t number, size_t at,
	   struct value *v)
{
	const struct step *e = row;

	(void)s, (void)number, (void)at;
	value_number(v, e->holder, e->n > 0);
}

/* value(): figures of accesses. */
static void
holding_value(struct schema *s, const void *row, size_t number, size_t at,
	      struct value *v)
{
	const struct holding *h = row;

	(void)number;
	value_number(v, at ? h->last : h->unread,
		     s->p->links.used && (h->last || !at));
}

#define ROW edge
static const struct schema_field schema_edges[] = {
	F("root", TEXT, ROOT, root, "root with the pointers; null: a block"),
	V("holder_id", COUNT, 0, "call path of that block (sites.id)"),
	F("offset", COUNT, NEAR, offset, "offset in it; null: several"),
	F("member", TEXT, STRING, member,
	  "member at the offset; on a stack the function"),
	F("site_id", COUNT, INDEX, held, "call path pointed to (sites.id)"),
	F("pointers", COUNT, U64, pointers, "number of pointers"),
	F("interior", COUNT, U64, interior,
	  "of these, into a block, not to its start"),
	F("bytes", BYTES, U64, bytes, "bytes of their blocks, once for each"),
};
#undef ROW

#define ROW step
static const struct schema_field schema_steps[] = {
	F("site_id", COUNT, INDEX, site, "call path whose largest block it is"),
	F("step", COUNT, INDEX, n, "0: the root"),
	F("root", TEXT, ROOT, root, "name of the root"),
	V("holder_id", COUNT, 0, "call path of the block (sites.id)"),
	F("offset", COUNT, NEAR, offset, "offset of the pointer to the next"),
	F("member", TEXT, STRING, member, "member at the offset"),
};
#undef ROW

#define ROW holding
static const struct schema_field schema_holdings[] = {
	ID("number of the row"),
	F("parent_id", COUNT, INDEX, parent, "row that holds it; null: none"),
	F("depth", COUNT, INDEX, depth, "rows above it"),
	F("root", TEXT, ROOT, root,
	  "root; null with parent_id null: no single one"),
	F("site_id", COUNT, INDEX, site, "call path of its blocks (sites.id)"),
	F("blocks", COUNT, U64, blocks, "its own blocks"),
	F("bytes", BYTES, U64, bytes, "their bytes"),
	F("rest_blocks", COUNT, U64, rest_blocks,
	  "blocks below it that are in no row: small ones"),
	F("rest_bytes", BYTES, U64, rest_bytes, "their bytes"),
	F("retained_blocks", COUNT, U64, all_blocks,
	  "its blocks and all below it"),
	F("retained_bytes", BYTES, U64, all_bytes, "their bytes"),
	V("unread_bytes", BYTES, 0,
	  "of these, of blocks that were never read (memmon-cc)"),
	V("used", TIME, 1, "last access to one of these blocks"),
};
#undef ROW

#endif
