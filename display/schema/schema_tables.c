/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of a profile: see schema.h. */
#include "display/schema/columns.h"
#include "display/schema/schema.h"
#include "display/schema/schema_fields.h"
#include "display/schema/schema_ranks.h"
#include "display/schema/schema_rows.h"
#include "display/schema/totals.h"
#include "display/text/amount.h"

#include <stddef.h>

/* ------------------------------------------------------- items and sites -- */

static void
item_value(struct schema *s, const void *row, size_t number, size_t at,
	   struct value *v)
{
	(void)row;
	if (s->tallied != &schema_tables[0] || s->number != number) {
		s->tally = tally_item(&s->base, number);
		s->tallied = &schema_tables[0];
		s->number = number;
	}
	*v = columns_value(s, &s->tally, (enum column)at);
}

static void
site_value(struct schema *s, const void *row, size_t number, size_t at,
	   struct value *v)
{
	const size_t *first = s->base.first + number;

	(void)row;
	if (s->tallied != &schema_tables[1] || s->number != number) {
		for (size_t i = first[0]; i < first[1]; i++)
			s->item[i - first[0]] = i;
		/* A weighted sum may have left it without blocks. */
		s->tally = first[1] > first[0]
				   ? tally_items(&s->base, s->item,
						 first[1] - first[0], &s->room)
				   : tally_site(&s->base,
						&s->base.p->sites[number]);
		s->tallied = &schema_tables[1];
		s->number = number;
	}
	*v = columns_value(s, &s->tally, (enum column)at);
}

/* ---------------------------------------------------------------- totals -- */

#define BYTES_OF(id, n, text, ...) \
	V(n, BYTES, (size_t)TOTALS_##id * 2, text, ##__VA_ARGS__)
#define BLOCKS_OF(id, n, text, ...) \
	V(n, COUNT, (size_t)TOTALS_##id * 2 + 1, text, ##__VA_ARGS__)
#define BOTH(id, n, text, ...) \
	BYTES_OF(id, n, text, .whole = "bytes"), \
		BLOCKS_OF(id, n "_blocks", "the same in blocks", \
			  .whole = "allocs"),
#define EACH(id, n, text, ...) \
	BLOCKS_OF(id, n, text), BYTES_OF(id, n "_bytes", "bytes of these"),
#define NUMBER(id, n, text, ...) BLOCKS_OF(id, n, text),
#define SUM(id, n, text, ...) BYTES_OF(id, n, text),
static const struct schema_field totals[] = { TOTALS(BOTH, EACH, NUMBER, SUM) };

static int
total_rows(struct schema *s, const void **row, size_t *n)
{
	(void)s;
	*row = NULL;
	*n = 1;
	return 0;
}

static void
total_value(struct schema *s, const void *row, size_t number, size_t at,
	    struct value *v)
{
	uint64_t n;

	(void)row, (void)number;
	v->known = !totals_figure(s->p, (enum totals_what)(at / 2), at & 1, &n);
	v->number = n;
}

/* ----------------------------------------------------------- functions ---- */

#define ROW func
static const struct schema_field functions[] = {
	ID("number of the function, as function_id elsewhere"),
	F("name", TEXT, STRING, name, "its name, demangled"),
	F("module", TEXT, STRING, module, "program or library it is in"),
	F("file", TEXT, STRING, file, "its source file"),
	F("line", COUNT, U32, line, "line of its definition"),
	F("call_line", COUNT, U32, call_line, "line of its calls, with --line"),
	F("address", COUNT, U64, addr, "address in the module's file"),
	F("inlined", COUNT, TRUE, inlined, "1: always inlined"),
	F("cycle", COUNT, U32, cycle, "number of its cycle of calls"),
	F("self_allocs", COUNT, ALLOCS, self, "blocks it allocated itself"),
	F("self_bytes", BYTES, BYTES, self, "bytes of these"),
	F("self_kept", BYTES, KEPT, self, "of these not freed"),
	F("self_kept_blocks", COUNT, KEPT_BLOCKS, self, "blocks not freed"),
	F("self_peak", BYTES, PEAK, self, "of these live at the peak"),
	F("allocs", COUNT, ALLOCS, total,
	  "blocks allocated while it was active"),
	F("bytes", BYTES, BYTES, total, "bytes of these"),
	F("kept", BYTES, KEPT, total, "of these not freed"),
	F("kept_blocks", COUNT, KEPT_BLOCKS, total, "blocks not freed"),
	F("peak", BYTES, PEAK, total, "of these live at the peak"),
	F("calls", COUNT, U64, calls, "allocating calls from other functions"),
	F("recursive", COUNT, U64, recursive, "allocating calls from itself"),
	F("outcalls", COUNT, U64, outcalls, "allocating calls it made"),
};
#undef ROW

/* They are one array. */
static int
func_rows(struct schema *s, const void **row, size_t *n)
{
	*row = s->p->nfuncs ? s->p->funcs[0] : NULL;
	*n = s->p->nfuncs;
	return 0;
}

#define ROW schema_arc
static const struct schema_field arcs[] = {
	F("caller_id", COUNT, U64, caller_id, "number of the calling function"),
	F("callee_id", COUNT, U64, callee_id, "number of the called function"),
	F("caller", TEXT, FUNCTION, caller, "name of the calling function"),
	F("callee", TEXT, FUNCTION, callee, "name of the called function"),
	F("calls", COUNT, U64, calls, "allocating calls"),
	F("inlined", COUNT, TRUE, inlined, "1: callee is always inlined there"),
	F("allocs", COUNT, ALLOCS, count, "blocks allocated over the call"),
	F("bytes", BYTES, BYTES, count, "bytes of these"),
	F("kept", BYTES, KEPT, count, "of these not freed"),
	F("peak", BYTES, PEAK, count, "of these live at the peak"),
};
#undef ROW
#define ROW schema_frame
static const struct schema_field frames[] = {
	F("site_id", COUNT, U64, site_id, "number of the call path"),
	F("depth", COUNT, U64, depth, "1 for the outermost function"),
	F("height", COUNT, U64, height, "1 for the one that allocated"),
	F("function_id", COUNT, U64, function_id, "number of the function"),
	F("function", TEXT, FUNCTION, func, "name of the function"),
};
#undef ROW

/* ---------------------------------------------------------- types, sizes -- */

enum { TYPE_KEPT, TYPE_PEAK, TYPE_PEAK_SHARE, TYPE_HOLES, TYPE_ROUNDED };
#define ROW type_row
static const struct schema_field types[] = {
	F("name", TEXT, STRING, name, "the type; null: not known"),
	F("mark", TEXT, MARK, mark, "= exact, ~ from the code, ? by size"),
	F("size", BYTES, SOME, size, "bytes of one object"),
	F("allocs", COUNT, U64, allocs, "blocks of it that were allocated"),
	F("bytes", BYTES, U64, bytes, "bytes of these"),
	F("frees", COUNT, U64, frees, "blocks freed"),
	F("freed", BYTES, U64, freed, "bytes freed"),
	V("kept", BYTES, TYPE_KEPT, "bytes not freed"),
	V("peak", BYTES, TYPE_PEAK, "bytes live at the peak"),
	V("peak_share", SHARE, TYPE_PEAK_SHARE,
	  "its share of all bytes live then"),
	F("sites", COUNT, U64, sites, "call paths that allocate it"),
	V("hole_bytes", BYTES, TYPE_HOLES, "bytes that no member uses, of one",
	  .needs = SCHEMA_WASTE),
	V("rounded", BYTES, TYPE_ROUNDED, "bytes more than were asked for"),
};
#undef ROW

static void
type_value(struct schema *s, const void *row, size_t number, size_t at,
	   struct value *v)
{
	const struct type_row *r = row;
	uint64_t kept = amount_left(r->bytes, r->freed, r->hidden.bytes);

	(void)number;
	if (at == TYPE_KEPT)
		value_number(v, kept, true);
	else if (at == TYPE_PEAK)
		value_number(v, r->peak, r->peak_known);
	else if (at == TYPE_PEAK_SHARE)
		value_share(v, r->peak, r->peak_known ? s->p->total.peak : 0);
	else if (at == TYPE_HOLES)
		value_number(v, r->holes.bytes, r->holes.known);
	else
		value_number(v, r->rounded, r->rounded_known);
}

enum { BIN_BYTES, BIN_KEPT, BIN_TYPE };
#define ROW bin
static const struct schema_field bins[] = {
	F("size", BYTES, U64, size, "bytes of each block"),
	F("allocs", COUNT, U64, allocs, "blocks allocated"),
	V("bytes", BYTES, BIN_BYTES, "bytes allocated"),
	F("frees", COUNT, U64, frees, "blocks freed"),
	V("kept", BYTES, BIN_KEPT, "bytes not freed"),
	V("type", TEXT, BIN_TYPE, "the type that fits best"),
};
#undef ROW

static void
bin_value(struct schema *s, const void *row, size_t number, size_t at,
	  struct value *v)
{
	const struct bin *b = row;

	(void)s, (void)number;
	if (at == BIN_TYPE) {
		v->known = b->ntypes > 0;
		v->text = b->ntypes ? b->types[0].name : "";
	} else {
		uint64_t n = at == BIN_BYTES ? b->allocs
					     : amount_left(b->allocs, b->frees,
							   b->hidden);

		value_number(v, amount_mul(b->size, n), true);
	}
}

/* --------------------------------------------------------- threads, runs -- */

#define ROW thread
static const struct schema_field threads[] = {
	ID("number of the thread, as thread_id elsewhere"),
	F("name", TEXT, STRING, name, "its name"),
	F("main", COUNT, TRUE, main, "1: the program's first"),
	F("threads", COUNT, U64, threads, "how many of this name it is"),
	F("allocs", COUNT, U64, allocs, "blocks it allocated"),
	F("bytes", BYTES, U64, bytes, "bytes of these"),
	V("frees", COUNT, offsetof(struct thread, frees),
	  "blocks it freed, whoever allocated them"),
	V("freed", BYTES, offsetof(struct thread, freed), "bytes of these"),
	V("of_others", COUNT, offsetof(struct thread, of_others),
	  "of these blocks, those that other threads allocated"),
	V("kept", BYTES, offsetof(struct thread, kept),
	  "bytes it allocated that nobody freed"),
	V("peak", BYTES, offsetof(struct thread, peak),
	  "bytes it allocated that were live at the program's peak"),
};
#undef ROW

static void
thread_value(struct schema *s, const void *row, size_t number, size_t at,
	     struct value *v)
{
	const struct thread *t = row;

	(void)number;
	value_number(v,
		     *(const uint64_t *)(const void *)((const char *)row + at),
		     at == offsetof(struct thread, kept) ? t->kept_known
		     : at == offsetof(struct thread, peak)
			     ? t->peak_known
			     : !profile_is_less(s->p));
}

#define ROW run
static const struct schema_field runs[] = {
	F("path", TEXT, STRING, path, "the data file"),
	F("program", TEXT, STRING, program, "the executable, as recorded"),
	F("command", TEXT, STRING, command, "its arguments"),
	F("ended", TEXT, STRING, end, "exit, or what ended it"),
	F("problem", TEXT, STRING, problem, "why it couldn't be read"),
	F("pid", COUNT, U64, pid, "process number"),
	F("ppid", COUNT, U64, ppid, "of its parent"),
	F("host", TEXT, STRING, host, "where it ran"),
	F("job", TEXT, STRING, job, "the job that it was part of"),
	V("rank", COUNT, 0, "its number there"),
	F("start", COUNT, U64, start, "ns since 1970, UTC"),
	F("length", TIME, U64, length, "how long it ran"),
	F("allocs", COUNT, U64, allocs, "blocks allocated"),
	F("bytes", BYTES, U64, bytes, "bytes allocated"),
	F("live", BYTES, U64, live, "bytes live at the end"),
	F("peak", BYTES, SOME, peak, "the most bytes live at one time"),
};
#undef ROW

#define ROW condition
static const struct schema_field conditions[] = {
	F("name", TEXT, STRING, name, "attached, running, sampled, filter ..."),
	F("text", TEXT, STRING, text,
	  "what the condition means for the figures"),
};
#undef ROW

#define ROW mark
static const struct schema_field marks[] = {
	F("name", TEXT, STRING, name, "the name that the program gave it"),
	F("time", TIME, U64, time, "since the start"),
	F("allocs", COUNT, U64, allocs, "blocks allocated till then"),
	F("bytes", BYTES, U64, bytes, "bytes allocated till then"),
	F("frees", COUNT, U64, frees, "blocks freed till then"),
	F("freed", BYTES, U64, freed, "bytes freed till then"),
};
#undef ROW

/* ------------------------------------------------------- time, log, lines  */

#define ROW schema_snapshot
static const struct schema_field snapshots[] = {
	ID("number of the snapshot, from 0"),
	F("time", TIME, U64, time, "since the start"),
	F("allocs", COUNT, U64, count.allocs, "blocks allocated till then"),
	F("bytes", BYTES, U64, count.bytes, "bytes allocated till then"),
	F("frees", COUNT, U64, count.frees, "blocks freed till then"),
	F("freed", BYTES, U64, count.freed, "bytes freed till then"),
	F("live", BYTES, U64, live, "bytes live then"),
	F("peak", BYTES, MAX, peak, "most live since the snapshot before"),
	F("rss", BYTES, MAX, rss, "memory of the process"),
};
#undef ROW
#define ROW schema_change
static const struct schema_field history[] = {
	F("site_id", COUNT, U64, site_id, "number of the call path"),
	F("site", TEXT, PATH, site, "the call path"),
	F("function", TEXT, FUNCTION, func, "the function that allocated"),
	F("since", TIME, U64, since, "first snapshot of which this is true"),
	F("until", TIME, U64, until, "the first of which it isn't any more"),
	F("allocs", COUNT, U64, count.allocs,
	  "blocks allocated since the start"),
	F("bytes", BYTES, U64, count.bytes, "bytes allocated"),
	F("frees", COUNT, U64, count.frees, "blocks freed"),
	F("freed", BYTES, U64, count.freed, "bytes freed"),
	F("live", BYTES, U64, live, "bytes live"),
};
#undef ROW
#define ROW schema_block
static const struct schema_field blocks[] = {
	F("site_id", COUNT, MAX, site_id, "number of the call path"),
	F("site", TEXT, PATH, block.site, "the call path"),
	F("function", TEXT, FUNCTION, func, "the function that allocated"),
	F("thread", TEXT, STRING, thread, "thread that allocated it"),
	F("freer", TEXT, STRING, freer, "thread that freed it"),
	F("size", BYTES, U64, block.size, "bytes"),
	F("address", COUNT, U64, block.address, "where it was"),
	F("born", TIME, U64, block.born, "when it was allocated"),
	F("died", TIME, MAX, block.died, "when it was freed"),
	F("life", TIME, MAX, life, "from born to died"),
	F("by_others", COUNT, TRUE, block.by_others,
	  "1: freed by another thread"),
	F("reads", COUNT, MAX, reads, "reads, counted by 16 bytes"),
	F("writes", COUNT, MAX, writes, "writes, likewise"),
	F("first_access", TIME, MAX, first, "first accessed, to a clock step"),
	F("last_access", TIME, MAX, last, "when it was last accessed"),
};
#undef ROW
#define ROW schema_line
static const struct schema_field lines[] = {
	F("file", TEXT, STRING, file, "source file"),
	F("line", COUNT, U32, line, "line with calls that allocated"),
	F("self_allocs", COUNT, U64, self.allocs,
	  "blocks that its calls allocated"),
	F("self_bytes", BYTES, U64, self.bytes, "bytes of these"),
	F("allocs", COUNT, U64, total.allocs,
	  "blocks allocated while a call was active"),
	F("bytes", BYTES, U64, total.bytes, "bytes of these"),
	F("freed", BYTES, U64, total.freed, "of these freed"),
};
#undef ROW

/* ------------------------------------------------------- the allocator ---- */
#define ROW schema_operation
static const struct schema_field operations[] = {
	F("class", TEXT, STRING, class, "function, size, and how it went"),
	F("function", TEXT, STRING, function, "malloc, calloc, realloc, ..."),
	F("big", COUNT, TRUE, big, "1: from the allocator's threshold on"),
	F("reused", COUNT, TRUE, reused, "1: at an address handed out before"),
	F("in_place", COUNT, TRUE, in_place, "1: realloc left it there"),
	F("parallel", COUNT, TRUE, parallel, "1: several threads were active"),
	F("first", COUNT, TRUE, first, "1: a thread's first call"),
	F("calls", COUNT, U64, calls, "operations"),
	F("bytes", BYTES, U64, bytes, "asked for; of free, usable"),
	F("timed", COUNT, U64, timed, "operations that were timed"),
	F("time", TIME, MAX, ns.all, "what all of them took together"),
	F("mean", TIME, MAX, ns.mean, "what one took, on average"),
	F("median", TIME, MAX, ns.median, "half of them took less"),
	F("p99", TIME, MAX, ns.p99, "99 of 100 took less"),
	F("max", TIME, MAX, ns.most, "the longest"),
	F("cycles", COUNT, MAX, ns.cycles,
	  "mean in ticks of the time stamp counter"),
	F("remote", COUNT, U64, remote, "frees of another thread's blocks"),
	F("system_calls", COUNT, MAX, system_calls,
	  "system calls made in them"),
	F("in_system_calls", TIME, MAX, in_system_calls, "time spent in these"),
	F("locks", COUNT, U64, locks, "mutexes and spin locks taken"),
	F("held", TIME, U64, held, "how long these were held"),
	F("contended", COUNT, U64, contended,
	  "how often another thread had it"),
	F("waited", TIME, U64, waited, "how long threads waited for them"),
	F("looked", COUNT, U64, looked, "operations whose events are known"),
#define X(NAME, text) \
	F(text, COUNT, MAX, event[ALLOCATOR_##NAME], "seen in these"),
	MONREC_COST_EVENTS(X)
#undef X
};
#undef ROW
#define ROW schema_syscall
static const struct schema_field syscalls[] = {
	F("name", TEXT, STRING, name, "mmap, munmap, ...; other"),
	F("class", TEXT, STRING, class, "the operations that made it"),
	F("calls", COUNT, U64, ns.n, "how often"),
	F("time", TIME, U64, ns.sum, "in the kernel"),
	F("max", TIME, U64, ns.most, "the longest"),
	F("bytes", BYTES, MAX, bytes, "how many they were for"),
};
#undef ROW
#define ROW allocator_lock
static const struct schema_field locks[] = {
	F("address", COUNT, SOME, at, "where it is; null: others"),
	F("taken", COUNT, U64, taken.n, "how often"),
	F("held", TIME, U64, taken.sum, "how long it was held in all"),
	F("longest", TIME, U64, taken.most, "the longest time"),
	F("contended", COUNT, U64, wait.n, "how often another thread had it"),
	F("waited", TIME, U64, wait.sum,
	  "how long threads waited for it in all"),
	F("most", TIME, U64, wait.most, "the longest wait"),
};
#undef ROW
#define ROW allocator_size
static const struct schema_field usable[] = {
	F("size", BYTES, U64, usable, "usable; above 65,536, that or more"),
	F("allocs", COUNT, U64, made.n, "blocks of it"),
	F("bytes", BYTES, U64, made.sum, "asked for, of these"),
	F("largest", BYTES, U64, made.most, "most that was asked for"),
	F("live", COUNT, U64, live, "live near the peak"),
	F("unused", COUNT, U64, free, "freed, not allocated again then"),
};
#undef ROW
#define ROW allocator_sample
static const struct schema_field footprint[] = {
	F("time", TIME, U64, at, "since the start"),
	F("requested", BYTES, MAX, requested, "of live blocks, asked for"),
	F("usable", BYTES, MAX, usable, "of live blocks, usable"),
	F("unused", BYTES, MAX, unused, "free, and not given back"),
	F("by_sizes", BYTES, MAX, blowup, "the same by counters of sizes"),
	F("resident", BYTES, MAX, resident, "in memory"),
	F("mapped", BYTES, MAX, mapped, "all its mappings"),
};
#undef ROW
#define ROW schema_share
static const struct schema_field shares[] = {
	F("site", TEXT, PATH, lines.site, "the call path; null: others"),
	F("active", COUNT, U64, lines.active, "lines that threads share"),
	F("passive", COUNT, U64, lines.passive, "lines of another thread's"),
	F("writes", COUNT, MAX, writes, "to all blocks of the path"),
	F("handed", COUNT, MAX, handed, "blocks that others accessed, too"),
};
#undef ROW
#define ROW schema_tried
static const struct schema_field tried[] = {
	F("allocator", TEXT, STRING, allocator, "the object that it is in"),
	F("path", TEXT, STRING, path, "the data file"),
	F("cpu", TIME, MAX, cpu,
	  "time of the process, what memmon does included"),
	F("length", TIME, U64, length, "from start to end"),
	F("time", TIME, MAX, in, "in the allocator"),
	F("requested", BYTES, MAX, requested, "most that was live"),
	F("held", BYTES, MAX, held, "most handed out and not given back"),
	F("resident", BYTES, MAX, resident, "most that was seen in memory"),
	F("predicted", TIME, MAX, predicted, "cpu, by the first run"),
};
#undef ROW
#define ROW schema_prediction
static const struct schema_field predictions[] = {
	F("allocator", TEXT, STRING, allocator, "the object that it is in"),
	F("time", TIME, MAX, would.in, "what the run would take in it"),
	F("cpu", TIME, MAX, would.cpu, "what the process would use"),
	F("known", COUNT, U64, would.known, "operations that were measured"),
};
#define T(n, f, row, need, text, ...) \
	{ \
		.name = n, .meaning = text, .field = f, \
		.nfields = sizeof(f) / sizeof *(f), .size = row, \
		.needs = need, __VA_ARGS__ \
	}
#define A(n, f, row, text, ...) \
	T("allocator_" n, f, sizeof(struct row), 0, text, .plain = true, \
	  __VA_ARGS__)
/* An array of a struct, and how many are in it. */
#define ARRAY_OF(from, v, count) \
	.array = offsetof(struct from, v), .many = offsetof(struct from, count)
#define ARRAY(v, count) ARRAY_OF(profile, v, count)
struct schema_table schema_tables[SCHEMA_MOST + SCHEMA_FINDINGS + 1] = {
	T("items", columns_field, 0, SCHEMA_ITEMS,
	  "blocks of one call path, thread, size and type", .value = item_value,
	  ARRAY(items, nitems)),
	T("sites", columns_field, 0, SCHEMA_ITEMS, "call paths that allocated",
	  .value = site_value, ARRAY(sites, nsites)),
	T("functions", functions, sizeof(struct func), 0,
	  "functions on call paths", .rows = func_rows),
	T("arcs", arcs, sizeof(struct schema_arc), 0, "calls between functions",
	  .make = schema_arcs),
	T("frames", frames, sizeof(struct schema_frame), 0,
	  "functions of call paths", .make = schema_frames),
	T("types", types, sizeof(struct type_row), SCHEMA_TYPES,
	  "types, each by how it is known", .value = type_value,
	  ARRAY(types, ntypes)),
	T("bins", bins, sizeof(struct bin), 0, "sizes of blocks",
	  .value = bin_value, ARRAY(bins, nbins)),
	T("threads", threads, sizeof(struct thread), 0,
	  "threads, those of one name together", .value = thread_value,
	  ARRAY(all_threads, nthreads)),
	T("totals", totals, 0, 0,
	  "one row: figures of the whole run, as of --fail-if",
	  .value = total_value, .rows = total_rows),
	T("runs", runs, sizeof(struct run), 0, "data files",
	  .value = schema_rank_of, ARRAY(runs, nruns)),
	T("conditions", conditions, sizeof(struct condition), 0,
	  "what holds for the run and all figures", .make = schema_conditions),
	T("ranks", schema_ranks, sizeof(struct rank), SCHEMA_RANKS,
	  "processes of a parallel job", ARRAY(ranks.v, ranks.n)),
	T("hosts", schema_hosts, sizeof(struct rank_host), SCHEMA_RANKS,
	  "where these ran, and what they held at the same time",
	  ARRAY(ranks.hosts, ranks.nhosts)),
	T("imbalance", schema_imbalance, sizeof(struct schema_imbalance),
	  SCHEMA_RANKS, "how unequal ranks are", .value = schema_imbalance_of,
	  .make = schema_imbalances),
	T("marks", marks, sizeof(struct mark), 0,
	  "times that the program gave a name", .rows = schema_marks),
	T("snapshots", snapshots, sizeof(struct schema_snapshot), SCHEMA_TIMES,
	  "the heap over time", .make = schema_snapshots),
	T("history", history, sizeof(struct schema_change), SCHEMA_TIMES,
	  "call paths over time", .make = schema_history),
	T("lines", lines, sizeof(struct schema_line), SCHEMA_SOURCES,
	  "lines of source with calls that allocated", .make = schema_lines),
	T("blocks", blocks, sizeof(struct schema_block), SCHEMA_LOG,
	  "single blocks, of a log (memmon --log)", .make = schema_blocks),
	A("operations", operations, schema_operation,
	  "what the allocator took, by class", .make = schema_operations),
	A("calls", syscalls, schema_syscall,
	  "system calls made in the allocator", .make = schema_syscalls),
	A("locks", locks, allocator_lock, "locks that the allocator took",
	  ARRAY_OF(allocator, locks, nlocks)),
	A("sizes", usable, allocator_size, "blocks by usable size",
	  ARRAY_OF(allocator, sizes, nsizes)),
	A("memory", footprint, allocator_sample,
	  "the allocator's memory as the heap grew",
	  ARRAY_OF(allocator, samples, nsamples)),
	A("shares", shares, schema_share,
	  "cache lines that threads share, by call path",
	  .make = schema_shares),
	A("runs", tried, schema_tried, "runs, each with its allocator",
	  .make = schema_tried),
	A("predictions", predictions, schema_prediction,
	  "what the run would take with other allocators",
	  .make = schema_predictions),
};
