/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of a profile: see schema.h. */
#include "display/schema/columns.h"
#include "display/schema/schema.h"
#include "display/schema/schema_lists.h"
#include "display/schema/schema_rows.h"
#include "display/schema/totals.h"

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
		/* A weighted sum can leave a site without blocks. */
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
#define BOTH(id, n, text, blocks, bytes, units) \
	BYTES_OF(id, n, "bytes " text, .whole = "bytes"), \
		BLOCKS_OF(id, n "_blocks", units " " text, .whole = "allocs"),
#define EACH(id, n, text, ...) \
	BLOCKS_OF(id, n, text), BYTES_OF(id, n "_bytes", "bytes of " text),
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
/* A field of a struct counts. */
#define C(n, k, f, m, text) \
	VARIES(n, k, f, m, m.var[PROFILE_E_##f], text, .classes = true)
/* Blocks and bytes allocated, freed and kept. */
#define ALLOCATED(prefix, m, how) \
	C(prefix "allocs", COUNT, ALLOCS, m, "blocks " how), \
		C(prefix "bytes", BYTES, BYTES, m, "bytes " how), \
		C(prefix "kept", BYTES, KEPT, m, "bytes " how ", not freed")
#define AT_PEAK(prefix, m, how) \
	C(prefix "peak", BYTES, PEAK, m, "bytes " how ", live at the peak")
#define ALL_OF(prefix, m, how) \
	ALLOCATED(prefix, m, how), \
		C(prefix "kept_blocks", COUNT, KEPT_BLOCKS, m, \
		  "blocks " how ", not freed"), \
		AT_PEAK(prefix, m, how)
/* Totals; m: the member with the totals and a dot, or nothing. */
#define TOTALS_OF(m, when) \
	F("allocs", COUNT, U64, m allocs, "blocks allocated" when), \
		F("bytes", BYTES, U64, m bytes, "bytes allocated" when), \
		F("frees", COUNT, U64, m frees, "blocks freed" when), \
		F("freed", BYTES, U64, m freed, "bytes freed" when)

#define ROW func
static const struct schema_field functions[] = {
	ID("number of the function (function_id elsewhere)"),
	F("name", TEXT, STRING, name, "demangled name"),
	F("module", TEXT, STRING, module, "program or library of the function"),
	F("file", TEXT, STRING, file, "source file"),
	F("line", COUNT, U32, line, "line of the definition"),
	F("call_line", COUNT, U32, call_line, "line of the calls, with --line"),
	F("address", COUNT, U64, addr, "address in the library's file"),
	F("inlined", COUNT, TRUE, inlined, "1: inlined into every caller"),
	F("cycle", COUNT, U32, cycle, "number of its cycle of calls"),
	ALL_OF("self_", self, "the function itself allocated"),
	ALL_OF("", total, "allocated while it was active"),
	F("calls", COUNT, U64, calls, "allocating calls from other functions"),
	F("recursive", COUNT, U64, recursive,
	  "allocating calls from the function itself"),
	F("outcalls", COUNT, U64, outcalls,
	  "allocating calls that the function made"),
};
#undef ROW

/* The functions are one array. */
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
	F("inlined", COUNT, TRUE, inlined,
	  "1: the callee is inlined in every such call"),
	ALLOCATED("", count, "allocated over these calls"),
	AT_PEAK("", count, "allocated over these calls"),
};
#undef ROW
#define ROW schema_frame
static const struct schema_field frames[] = {
	F("site_id", COUNT, U64, site_id, "number of the call path"),
	F("depth", COUNT, U64, depth, "1 for the outermost function"),
	F("height", COUNT, U64, height, "1 for the function that allocated"),
	F("function_id", COUNT, U64, function_id, "number of the function"),
	F("function", TEXT, FUNCTION, func, "name of the function"),
};
#undef ROW

/* ---------------------------------------------------------- types, sizes -- */

enum { TYPE_PEAK_SHARE, TYPE_HOLES, TYPE_ROUNDED };
/* Another figure that varies. */
#define E(n, k, f, m, id, text) VARIES(n, k, f, m, var[PROFILE_E_##id], text)
#define ROW type_row
static const struct schema_field types[] = {
	F("name", TEXT, STRING, name, "name of the type; null: unknown"),
	F("mark", TEXT, MARK, mark, "= exact, ~ from code, ? by size"),
	F("size", BYTES, SOME, size, "size of one object"),
	E("allocs", COUNT, U64, allocs, ALLOCS, "blocks allocated"),
	E("bytes", BYTES, U64, bytes, BYTES, "bytes allocated"),
	F("frees", COUNT, U64, frees, "blocks freed"),
	F("freed", BYTES, U64, freed, "bytes freed"),
	E("kept", BYTES, KEPT, account, KEPT, "bytes not freed"),
	E("peak", BYTES, PEAK, figures, PEAK, "bytes live at the peak"),
	V("peak_share", SHARE, TYPE_PEAK_SHARE,
	  "share of all bytes live at the peak"),
	F("sites", COUNT, U64, sites, "call paths that allocated the type"),
	V("hole_bytes", BYTES, TYPE_HOLES,
	  "bytes of one object that no member uses", .needs = SCHEMA_WASTE),
	V("rounded", BYTES, TYPE_ROUNDED,
	  "bytes that the allocator added by rounding"),
};
#undef ROW

static void
type_value(struct schema *s, const void *row, size_t number, size_t at,
	   struct value *v)
{
	const struct type_row *r = row;
	(void)number;
	if (at == TYPE_PEAK_SHARE)
		value_share(v, r->peak, r->peak_known ? s->p->total.peak : 0);
	else if (at == TYPE_HOLES)
		value_number(v, r->holes.bytes, r->holes.known);
	else
		value_number(v, r->rounded, r->rounded_known);
}

#define ROW bin
static const struct schema_field bins[] = {
	F("size", BYTES, U64, size, "size of each block"),
	E("allocs", COUNT, U64, allocs, ALLOCS, "blocks allocated"),
	E("bytes", BYTES, U64, bytes, BYTES, "bytes allocated"),
	F("frees", COUNT, U64, frees, "blocks freed"),
	E("kept", BYTES, KEPT, account, KEPT, "bytes not freed"),
	V("type", TEXT, 0, "type that fits best"),
};
#undef ROW

static void
bin_value(struct schema *s, const void *row, size_t number, size_t at,
	  struct value *v)
{
	const struct bin *b = row;

	(void)s, (void)number, (void)at;
	v->known = b->ntypes > 0;
	v->text = b->ntypes ? b->types[0].name : "";
}

/* ------------------------------------------------------------- threads -- */

#define ROW thread
static const struct schema_field threads[] = {
	ID("number of the thread (thread_id elsewhere)"),
	F("name", TEXT, STRING, name, "name of the thread"),
	F("main", COUNT, TRUE, main, "1: the program's first thread"),
	F("threads", COUNT, U64, threads, "threads of this name"),
	E("allocs", COUNT, U64, allocs, ALLOCS, "blocks the thread allocated"),
	E("bytes", BYTES, U64, bytes, BYTES, "bytes the thread allocated"),
	V("frees", COUNT, offsetof(struct thread, frees),
	  "blocks the thread freed"),
	V("freed", BYTES, offsetof(struct thread, freed),
	  "bytes the thread freed"),
	V("of_others", COUNT, offsetof(struct thread, of_others),
	  "blocks the thread freed that other threads allocated"),
	V("kept", BYTES, offsetof(struct thread, kept),
	  "bytes the thread allocated that no thread freed"),
	ERROR_OF("kept", BYTES, var[PROFILE_E_KEPT]),
	V("peak", BYTES, offsetof(struct thread, peak),
	  "bytes of the thread live at the program's peak"),
	ERROR_OF("peak", BYTES, var[PROFILE_E_PEAK]),
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

#define ROW condition
static const struct schema_field conditions[] = {
	F("name", TEXT, STRING, name, "attached, running, sampled, filter ..."),
	F("text", TEXT, STRING, text,
	  "meaning of the condition for the figures"),
};
#undef ROW

#define ROW mark
static const struct schema_field marks[] = {
	F("name", TEXT, STRING, name, "name of the mark"),
	F("time", TIME, U64, time, "time since the start"),
	TOTALS_OF(, " so far"),
};
#undef ROW

/* ------------------------------------------------------- time, log, lines  */

#define ROW schema_snapshot
static const struct schema_field snapshots[] = {
	ID("number of the snapshot, from 0"),
	F("time", TIME, U64, time, "time since the start"),
	TOTALS_OF(count., " so far"),
	F("live", BYTES, U64, live, "bytes live"),
	F("peak", BYTES, MAX, peak, "most bytes live since the last snapshot"),
	F("rss", BYTES, MAX, rss, "resident memory of the process (RSS)"),
};
#undef ROW
#define ROW schema_change
static const struct schema_field history[] = {
	F("site_id", COUNT, U64, site_id, "number of the call path"),
	F("site", TEXT, PATH, site, "call path"),
	F("function", TEXT, FUNCTION, func, "function that allocated"),
	F("since", TIME, U64, since, "first snapshot with these figures"),
	F("until", TIME, U64, until, "first later snapshot with other figures"),
	TOTALS_OF(count., " since the start"),
	F("live", BYTES, U64, live, "bytes live"),
};
#undef ROW
#define ROW schema_block
static const struct schema_field blocks[] = {
	F("site_id", COUNT, MAX, site_id, "number of the call path"),
	F("site", TEXT, PATH, block.site, "call path"),
	F("function", TEXT, FUNCTION, func, "function that allocated"),
	F("thread", TEXT, STRING, thread, "thread that allocated the block"),
	F("freer", TEXT, STRING, freer, "thread that freed the block"),
	F("size", BYTES, U64, block.size, "size of the block"),
	F("address", COUNT, U64, block.address, "address of the block"),
	F("born", TIME, U64, block.born, "time of the allocation"),
	F("died", TIME, MAX, block.died, "time of the free"),
	F("life", TIME, MAX, life, "time from allocation to free"),
	F("by_others", COUNT, TRUE, block.by_others,
	  "1: freed by another thread"),
	F("reads", COUNT, MAX, reads, "reads, counted per 16 bytes"),
	F("writes", COUNT, MAX, writes, "writes, counted per 16 bytes"),
	F("first_access", TIME, MAX, first, "first access, to a clock step"),
	F("last_access", TIME, MAX, last, "last access, to a clock step"),
	F("low", BYTES, MAX, block.low, "first byte accessed, to 16 bytes"),
	F("high", BYTES, MAX, block.high, "end of the last bytes accessed"),
	F("shared", COUNT, MAX, shared, "1: accessed by several threads"),
	F("type", TEXT, STRING, type, "type of the block, as of its call path"),
	F("count", COUNT, MAX, count, "objects of the type in the block",
	  .needs = SCHEMA_TYPES | SCHEMA_WASTE),
};
#undef ROW
#define ROW schema_line
static const struct schema_field lines[] = {
	F("file", TEXT, STRING, file, "source file"),
	F("line", COUNT, U32, line, "line with calls that allocated"),
	F("self_allocs", COUNT, U64, self.allocs, "blocks its calls allocated"),
	F("self_bytes", BYTES, U64, self.bytes, "bytes its calls allocated"),
	F("allocs", COUNT, U64, total.allocs,
	  "blocks allocated while a call was active"),
	F("bytes", BYTES, U64, total.bytes, "bytes of these blocks"),
	F("freed", BYTES, U64, total.freed, "bytes freed of these blocks"),
};
#undef ROW

/* ------------------------------------------------------- the allocator ---- */
#define ROW schema_operation
static const struct schema_field operations[] = {
	F("class", TEXT, STRING, class, "function, size and result"),
	F("function", TEXT, STRING, function, "malloc, calloc, realloc, ..."),
	F("big", COUNT, TRUE, big, "1: at least the allocator's threshold"),
	F("reused", COUNT, TRUE, reused, "1: at an earlier block's address"),
	F("in_place", COUNT, TRUE, in_place, "1: realloc kept the address"),
	F("parallel", COUNT, TRUE, parallel, "1: several threads were active"),
	F("first", COUNT, TRUE, first, "1: a thread's first call"),
	F("calls", COUNT, U64, calls, "operations"),
	F("bytes", BYTES, U64, bytes, "bytes requested (free: usable)"),
	F("timed", COUNT, U64, timed, "operations that were timed"),
	F("time", TIME, MAX, ns.all, "time of all operations"),
	F("mean", TIME, MAX, ns.mean, "mean time of an operation"),
	F("median", TIME, MAX, ns.median, "half of the operations took less"),
	F("p99", TIME, MAX, ns.p99, "99 of 100 operations took less"),
	F("max", TIME, MAX, ns.most, "longest time of an operation"),
	F("cycles", COUNT, MAX, ns.cycles, "mean in time stamp ticks"),
	F("remote", COUNT, U64, remote, "frees of another thread's blocks"),
	F("system_calls", COUNT, MAX, system_calls, "system calls made"),
	F("in_system_calls", TIME, MAX, in_system_calls, "time in the kernel"),
	F("locks", COUNT, U64, locks, "mutexes and spin locks taken"),
	F("held", TIME, U64, held, "time that locks were held"),
	F("contended", COUNT, U64, contended, "locks that another thread held"),
	F("waited", TIME, U64, waited, "time that threads waited for locks"),
	F("looked", COUNT, U64, looked, "operations with known events"),
#define X(NAME, text) \
	F(text, COUNT, MAX, event[ALLOCATOR_##NAME], \
	  "seen in these operations"),
	MONREC_COST_EVENTS(X)
#undef X
};
#undef ROW
#define ROW schema_syscall
static const struct schema_field syscalls[] = {
	F("name", TEXT, STRING, name, "mmap, munmap, ...; other"),
	F("class", TEXT, STRING, class, "operation that made the system call"),
	F("calls", COUNT, U64, ns.n, "number of calls"),
	F("time", TIME, U64, ns.sum, "time in the kernel"),
	F("max", TIME, U64, ns.most, "longest call"),
	F("bytes", BYTES, MAX, bytes, "bytes requested or returned"),
};
#undef ROW
#define ROW allocator_lock
static const struct schema_field locks[] = {
	F("address", COUNT, SOME, at, "address; null: other locks"),
	F("taken", COUNT, U64, taken.n, "how often the lock was taken"),
	F("held", TIME, U64, taken.sum, "time that the lock was held"),
	F("longest", TIME, U64, taken.most, "longest time held"),
	F("contended", COUNT, U64, wait.n, "how often another thread held it"),
	F("waited", TIME, U64, wait.sum, "time threads waited for the lock"),
	F("most", TIME, U64, wait.most, "longest wait"),
};
#undef ROW
#define ROW allocator_size
static const struct schema_field usable[] = {
	F("size", BYTES, U64, usable, "usable size; 65,536: that or more"),
	F("allocs", COUNT, U64, made.n, "blocks of this usable size"),
	F("bytes", BYTES, U64, made.sum, "bytes requested for these blocks"),
	F("largest", BYTES, U64, made.most, "most bytes requested for a block"),
	F("live", COUNT, U64, live, "blocks live near the peak"),
	F("unused", COUNT, U64, free, "blocks free near the peak"),
};
#undef ROW
#define ROW allocator_sample
static const struct schema_field footprint[] = {
	F("time", TIME, U64, at, "time since the start"),
	F("requested", BYTES, MAX, requested, "requested bytes of live blocks"),
	F("usable", BYTES, MAX, usable, "usable bytes of live blocks"),
	F("unused", BYTES, MAX, unused, "free bytes not given back"),
	F("by_sizes", BYTES, MAX, blowup, "unused, from counts by size"),
	F("resident", BYTES, MAX, resident, "bytes in memory (RSS)"),
	F("mapped", BYTES, MAX, mapped, "bytes of all mappings"),
};
#undef ROW
#define ROW schema_share
static const struct schema_field shares[] = {
	F("site", TEXT, PATH, lines.site, "call path; null: all other paths"),
	F("active", COUNT, U64, lines.active, "lines that several threads use"),
	F("passive", COUNT, U64, lines.passive,
	  "lines where a block replaced another thread's"),
	F("writes", COUNT, MAX, writes, "writes to all blocks of the path"),
	F("handed", COUNT, MAX, handed, "blocks accessed by several threads"),
};
#undef ROW
#define T(n, f, row, need, text, ...) \
	{ \
		.name = n, .meaning = text, .field = f, \
		.nfields = sizeof(f) / sizeof *(f), .size = row, \
		.needs = need, __VA_ARGS__ \
	}
#define A(n, f, row, text, ...) \
	T("allocator_" n, f, sizeof(struct row), 0, text, .plain = true, \
	  __VA_ARGS__)
#define ARRAY_OF(from, v, count) \
	.array = offsetof(struct from, v), .many = offsetof(struct from, count)
#define ARRAY(v, count) ARRAY_OF(profile, v, count)
struct schema_table schema_tables[SCHEMA_MOST + SCHEMA_FINDINGS + 1] = {
	T("items", columns_field, 0, SCHEMA_ITEMS,
	  "by path, thread, size, type; leaks, lives, accesses are the path's",
	  .value = item_value, ARRAY(items, nitems)),
	T("sites", columns_field, 0, SCHEMA_ITEMS, "call paths that allocated",
	  .value = site_value, ARRAY(sites, nsites)),
	T("functions", functions, sizeof(struct func), 0,
	  "functions on call paths", .rows = func_rows),
	T("arcs", arcs, sizeof(struct schema_arc), 0, "calls between functions",
	  .make = schema_arcs),
	T("frames", frames, sizeof(struct schema_frame), 0,
	  "functions of each call path, by position", .make = schema_frames),
	T("types", types, sizeof(struct type_row), SCHEMA_TYPES,
	  "types, each with how it is known", .value = type_value,
	  ARRAY(types, ntypes)),
	T("bins", bins, sizeof(struct bin), 0, "sizes of blocks",
	  .value = bin_value, ARRAY(bins, nbins)),
	T("threads", threads, sizeof(struct thread), 0,
	  "threads; threads of one name share a row", .value = thread_value,
	  ARRAY(all_threads, nthreads)),
	T("totals", totals, 0, 0,
	  "figures of the whole run, in one row (--fail-if)",
	  .value = total_value, .rows = total_rows),
	T("runs", schema_runs, sizeof(struct run), 0, "data files",
	  .value = schema_rank_of, ARRAY(runs, nruns)),
	T("conditions", conditions, sizeof(struct condition), 0,
	  "conditions of the run and of all figures", .make = schema_conditions,
	  .json = true),
	T("ranks", schema_ranks, sizeof(struct rank), SCHEMA_RANKS,
	  "processes of a parallel job", ARRAY(ranks.v, ranks.n)),
	T("hosts", schema_hosts, sizeof(struct rank_host), SCHEMA_RANKS,
	  "hosts of the ranks, and their memory",
	  ARRAY(ranks.hosts, ranks.nhosts)),
	T("imbalance", schema_imbalance, sizeof(struct schema_imbalance),
	  SCHEMA_RANKS, "how unequal the ranks are",
	  .value = schema_imbalance_of, .make = schema_imbalances),
	T("memory", schema_memory, sizeof(struct memory_line), 0,
	  "where the memory of the process was when the file was written",
	  ARRAY(memory, nmemory), .json = true),
	T("memory_snapshots", schema_memory_snapshots,
	  sizeof(struct memory_snapshot), 0,
	  "where the memory was at snapshots of the run",
	  ARRAY(memory_snapshots, nmemory_snapshots), .json = true),
	T("system", schema_system, sizeof(struct fact), 0,
	  "what limited or changed the memory of the process",
	  ARRAY(facts, nfacts), .json = true),
	T("pins", schema_pins, sizeof(struct pins), 0,
	  "free memory that live blocks keep, by call path", ARRAY(pins, npins),
	  .json = true),
	T("mappings", schema_mappings, sizeof(struct mapping), 0,
	  "memory that the program maps, by call path",
	  ARRAY(mappings, nmappings), .json = true),
	T("freed_by", schema_freed_by, sizeof(struct ending), 0,
	  "timed blocks, by the call paths that allocated and freed them",
	  ARRAY(endings, nendings), .json = true),
	T("roots", schema_roots, sizeof(struct root), 0,
	  "variables, stacks and others that hold blocks",
	  ARRAY(links.roots, links.nroots), .json = true),
	T("retained", schema_retained, sizeof(struct retained), 0,
	  "what live blocks retain, by call path",
	  ARRAY(links.retained, links.nretained), .json = true),
	T("edges", schema_edges, sizeof(struct edge), 0,
	  "pointers, by where they are and what they point to",
	  .value = edge_value, ARRAY(links.edges, links.nedges), .json = true),
	T("steps", schema_steps, sizeof(struct step), 0,
	  "for each call path the way from a root to a block",
	  .value = step_value, ARRAY(links.steps, links.nsteps), .json = true),
	T("holdings", schema_holdings, sizeof(struct holding), 0,
	  "who retains what, as a tree: a root, then what it holds",
	  .value = holding_value, ARRAY(links.holdings, links.nholdings),
	  .json = true),
	T("marks", marks, sizeof(struct mark), 0, "marks that the program set",
	  .rows = schema_marks),
	T("snapshots", snapshots, sizeof(struct schema_snapshot), SCHEMA_TIMES,
	  "the heap over time", .make = schema_snapshots),
	T("history", history, sizeof(struct schema_change), SCHEMA_TIMES,
	  "call paths over time", .make = schema_history),
	T("lines", lines, sizeof(struct schema_line), SCHEMA_SOURCES,
	  "source lines with calls that allocated", .make = schema_lines),
	T("blocks", blocks, sizeof(struct schema_block), SCHEMA_LOG,
	  "single blocks of a log (memmon --log)", .make = schema_blocks),
	A("operations", operations, schema_operation,
	  "time and events in the allocator, by class",
	  .make = schema_operations),
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
	  "cache lines accessed by several threads, by call path",
	  .make = schema_shares),
	A("runs", schema_runs_tried, schema_tried,
	  "runs, one for each allocator", .make = schema_tried),
	A("predictions", schema_predicted, schema_prediction,
	  "predicted time with other allocators", .make = schema_predictions),
	/* The compiler warns if another row gets this index. */
	[SCHEMA_MOST] = { .name = NULL },
};
