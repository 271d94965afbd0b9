/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of processes: see schema_ranks.h. */
#include "display/schema/schema_ranks.h"

#include "display/schema/schema_fields.h"
#include "display/schema/schema_rows.h"

#include <stdlib.h>

void
schema_rank_of(struct schema *s, const void *row, size_t number, size_t at,
	       struct value *v)
{
	const struct run *r = row;

	(void)s, (void)number, (void)at;
	value_number(v, r->rank, r->rank_known);
}

/* Runs with other allocators: they are no ranks, but are processes, too. */
#define ROW schema_tried
const struct schema_field schema_runs_tried[SCHEMA_TRIED_FIELDS] = {
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
const struct schema_field schema_predicted[SCHEMA_PREDICTED_FIELDS] = {
	F("allocator", TEXT, STRING, allocator, "library of the allocator"),
	F("time", TIME, MAX, would.in, "predicted time in the allocator"),
	F("cpu", TIME, MAX, would.cpu, "predicted CPU time of the process"),
	F("known", COUNT, U64, would.known, "operations that were measured"),
};
#undef ROW
#define ROW memory_line
const struct schema_field schema_memory[SCHEMA_MEMORY_FIELDS] = {
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
const struct schema_field
	schema_memory_snapshots[SCHEMA_MEMORY_SNAPSHOTS_FIELDS] = {
		F("at", TIME, U64, at, "time after the start"),
		MONREC_MEMORY_LINES(X)
	};
#undef X
#undef ROW

#define ROW pins
const struct schema_field schema_pins[SCHEMA_PINS_FIELDS] = {
	ID("number of the call path (sites.id)"),
	F("blocks", COUNT, U64, blocks, "live blocks in memory"),
	F("alone", COUNT, U64, alone, "of these, blocks alone on a page"),
	F("resident", BYTES, U64, resident, "their bytes in memory"),
	F("pinned", BYTES, U64, pinned, "free bytes on their pages"),
};
#undef ROW

#define ROW mapping
const struct schema_field schema_mappings[SCHEMA_MAPPINGS_FIELDS] = {
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
const struct schema_field schema_freed_by[SCHEMA_FREED_BY_FIELDS] = {
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
const struct schema_field schema_ranks[SCHEMA_RANK_FIELDS] = {
	F("job", TEXT, STRING, job, "parallel job"),
	F("rank", TEXT, STRING, name,
	  "rank in the job, or the data file if it is unknown"),
	F("host", TEXT, STRING, host, "host name"),
	F("ended", TEXT, STRING, end, "exit, or what ended the process"),
	F("files", COUNT, U64, files, "data files"),
	F("peak", BYTES, U64, value[RANK_PEAK], "most bytes live at one time"),
	F("kept", BYTES, U64, value[RANK_KEPT], "bytes not freed"),
	F("bytes", BYTES, U64, value[RANK_BYTES], "bytes allocated"),
};
#undef ROW
#define ROW rank_host
const struct schema_field schema_hosts[SCHEMA_HOST_FIELDS] = {
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
const struct schema_field schema_imbalance[SCHEMA_IMBALANCE_FIELDS] = {
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

void
schema_imbalance_of(struct schema *s, const void *row, size_t number, size_t at,
		    struct value *v)
{
	const struct schema_imbalance *r = row;

	(void)number, (void)at;
	v->known = r->spread.sum > 0;
	v->number = rank_imbalance(&s->p->ranks, &r->spread);
}

void *
schema_imbalances(struct schema *s, size_t *n)
{
	static const char *const of[] = { [RANK_OF_ALL] = "all",
					  [RANK_OF_SITE] = "site",
					  [RANK_OF_FUNC] = "function",
					  [RANK_OF_TYPE] = "type" };
	static const char *const figure[] = { [RANK_PEAK] = "peak",
					      [RANK_KEPT] = "kept",
					      [RANK_BYTES] = "bytes" };
	const struct profile_ranks *r = &s->p->ranks;
	struct schema_imbalance *v;

	*n = RANK_NFIGURE * r->nrows;
	v = calloc(*n + 1, sizeof *v);
	for (size_t i = 0; v && i < *n; i++) {
		const struct rank_row *x = &r->rows[i / RANK_NFIGURE];
		const struct rank_spread *y = &x->figure[i % RANK_NFIGURE];

		v[i] = (struct schema_imbalance){
			.of = of[x->of],
			.figure = figure[i % RANK_NFIGURE],
			.site = x->site,
			.name = x->func ? x->func->name : NULL,
			.type = x->type,
			.spread = *y,
			.mean = rank_mean(r, y),
			.most_rank = r->v[y->most_at].name,
			.least_rank = r->v[y->least_at].name,
		};
	}
	return v;
}
