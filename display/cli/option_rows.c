/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options, one row each: see option.h and mpreduce(1). */
#include "display/cli/option.h"
#include "reduce/profile/profile.h"

#include <assert.h>

/* Offset 0 means "no field", so no option may set the first field. */
static_assert(offsetof(struct options, chosen) == 0, "0 is nothing");
#define AT(field) offsetof(struct options, field)

/* What can be printed instead of all tables. */
enum {
	ELSE = OPTION_WATCH | OPTION_DIFF | OPTION_QUERY | OPTION_EXPORT,
	TYPES = OPTIONS_WANT_TYPES,
	GUESS = OPTIONS_WANT_GUESS,
	ALL_TYPES = OPTIONS_WANT_TYPES | OPTIONS_WANT_ALL_TYPES,
	EVERYTHING = ALL_TYPES | OPTIONS_WANT_FIELDS | OPTIONS_WANT_WASTE
};

#define TABLE(field) \
	.on = AT(field), .table = true, .as = "a table", .no_part = ELSE
#define OF_LOG(field) \
	TABLE(field), .mode = OPTION_BLOCKS, .wants = OPTIONS_WANT_LOG
#define SELECT \
	.mode = OPTION_QUERY, .no_part = OPTION_WATCH | OPTION_DIFF, \
	.as = "a query (--where, --group-by, --columns)"
#define QUERY SELECT, .no_module = true
#define WORD(with, id, name, ...) #name " "
#define LIST(field) .kind = OPTION_LIST, .at = AT(field)
#define NUMBER(field) .kind = OPTION_NUMBER, .at = AT(field)
#define SAY(what, how) \
	.kind = OPTION_CONST, .at = AT(say_##what), .number = OPTIONS_##how
#define VERBOSITY(how) \
	.kind = OPTION_CONST, .at = AT(verbosity), .number = OPTIONS_##how, \
	.usual = true
#define TIMES \
	.as = "another time", .no_part = OPTION_WATCH, \
	.wants = OPTIONS_WANT_LOG, .no_module = true

const char *const option_mode_name[OPTION_MODES] = {
	"--watch",
	"--diff",
	"--log",
	"--types",
	"a query (--where, --group-by, --columns)",
	"--export",
	"--file-info",
	"--file-info=list",
};

/* name, letter, bare, argument, help; then the effects */
const struct option_row option_rows[] = {
	{ .help = "Overview (without a table: --summary on a terminal, else "
		  "--full)" },
	{ "summary", 0, false, NULL, "print the most important on a screen",
	  TABLE(summary),
	  .wants = GUESS | OPTIONS_WANT_CALLS | OPTIONS_WANT_MEMBERS },
	{ "full", 0, false, NULL,
	  "print the run, -L, -B, -p, -q and, if known, -S", .on = AT(full) },
	{ "prolog", 0, false, "[=marks]",
	  "describe the run, or its state at each mark", TABLE(prolog),
	  .take = option_part, .words = "marks" },
	{ "prolog=marks", 0, false, NULL, "", TABLE(marks) },

	{ .help = "What fills memory" },
	{ "peak", 0, false, "[=N]", "list who held memory at the peak",
	  TABLE(peak), NUMBER(peak_rows), .wants = GUESS | OPTIONS_WANT_KINDS },
	{ "memory", 0, false, "[=]",
	  "show where memory (RSS) is, or what keeps it", TABLE(memory),
	  .take = option_part },
	{ "types", 'T', false, NULL, "list blocks by type", TABLE(types),
	  .mode = OPTION_TYPES, .wants = ALL_TYPES | OPTIONS_WANT_WASTE },
	{ "bins", 'B', true, "[=all]", "list blocks by size", TABLE(bins),
	  .wants = TYPES, .words = "all", .kind = OPTION_GIVEN,
	  .at = AT(bins_all) },
	{ "timeline", 0, false, "[=site|type|thread|memory|match:GLOB,...]",
	  "draw live memory over time", TABLE(timeline),
	  .take = option_timeline, .words = "site type thread memory",
	  .at = AT(timeline_by), .wants = GUESS | OPTIONS_WANT_TIMES },
	{ "growth", 0, false, "=A,B", "list what grew from time A to B",
	  TABLE(growth), .take = option_growth,
	  .wants = GUESS | OPTIONS_WANT_TIMES | OPTIONS_WANT_KINDS },
	{ "waste", 0, false, NULL, "list bytes lost to padding and rounding",
	  TABLE(waste), .wants = ALL_TYPES | OPTIONS_WANT_WASTE },

	{ .help = "Leaks" },
	{ "leaks", 'L', true, "[=KIND,...]",
	  "list what was not freed, by call path", TABLE(leaks),
	  .take = option_kinds, .words = MEASURES_KINDS(WORD, ) "kept all",
	  .wants = GUESS | OPTIONS_WANT_MEMBERS | OPTIONS_WANT_KINDS },
	{ "suppressions", 0, false, "=FILE|none",
	  "leave out leaks as the file says, or none", .take = option_part,
	  .words = "none" },
	{ "suppressions=none", 0, false, NULL, "",
	  .on = AT(read.show_runtime) },
	{ "suppressions=", 0, false, "=FILE", "", LIST(suppressions) },

	{ .help = "Who holds what (memmon --graph)" },
	{ "retained", 0, false, NULL,
	  "list what each root and path keeps alive", TABLE(retained),
	  .wants = ALL_TYPES | OPTIONS_WANT_MEMBERS | OPTIONS_WANT_CALLS },
	{ "holders", 0, false, "[=TYPE]", "list what points to blocks",
	  TABLE(holders), LIST(holders_of),
	  .wants = ALL_TYPES | OPTIONS_WANT_MEMBERS | OPTIONS_WANT_CALLS },
	{ "path-to", 0, false, "[=TYPE]", "show a path from a root to a block",
	  TABLE(path_to), LIST(path_to_of),
	  .wants = ALL_TYPES | OPTIONS_WANT_MEMBERS | OPTIONS_WANT_CALLS },

	{ .help = "Who allocates" },
	{ "flat-profile", 'p', false, "[=SYM]", "list functions that allocate",
	  TABLE(direct), LIST(direct_only) },
	{ "graph", 'q', false, "[=SYM]", "print the call graph", TABLE(graph),
	  LIST(graph_only) },
	{ "annotated-source", 'A', false, "[=SYM]",
	  "print source lines with their allocations", TABLE(annotate),
	  LIST(annotate_only), .wants = OPTIONS_WANT_SOURCES },
	{ "directory-path", 'I', false, "=DIRS", "look for source files there",
	  LIST(source_dirs) },
	{ "threads", 0, false, "[=each|ranks]",
	  "list threads, or the ranks of an MPI job", TABLE(threads),
	  .take = option_part, .words = "each ranks" },
	{ "threads=each", 0, false, NULL, "", .on = AT(read.each_thread) },
	{ "threads=ranks", 0, false, "[:OF]", "", TABLE(ranks),
	  .words = "site function type", .at = AT(ranks_by),
	  .wants = GUESS | OPTIONS_WANT_RANKS },

	{ .help = "How blocks are used" },
	{ "lifetimes", 0, false, "[=N]", "list how long blocks live",
	  TABLE(lifetimes), NUMBER(lifetimes_rows) },
	{ "scores", 'S', true, "[=N|gap:PERCENT]",
	  "score how well blocks are used", TABLE(scores), .take = option_parts,
	  .words = "gap", .wants = TYPES, .both = true },
	{ "scores=gap", 0, false, ":PERCENT", "", .take = option_tau },
	{ "scores=", 0, false, "=N", "", NUMBER(scores_rows) },
	{ "fields", 0, false, "[=TYPE]", "list reads and writes of each member",
	  TABLE(fields), LIST(fields_only),
	  .wants = ALL_TYPES | OPTIONS_WANT_FIELDS },
	{ "allocator", 0, false, "[=compare]", "show what malloc itself costs",
	  TABLE(allocator), .words = "compare", .at = AT(allocator_how) },
	{ "log", 0, false, "[=TABLE[:SYM]]",
	  "list single blocks, addresses or quantiles", OF_LOG(chunks),
	  .take = option_part, .words = "blocks addresses quantiles" },
	{ "log=blocks", 0, false, "[:SYM]", "", OF_LOG(chunks),
	  .at = AT(chunks_of) },
	{ "log=addresses", 0, false, "[:BYTES]", "", OF_LOG(addresses),
	  NUMBER(addresses_sign) },
	{ "log=quantiles", 0, false, NULL, "", OF_LOG(quantiles) },
	{ "module", 0, false, "=NAME,...", "print results of profiling modules",
	  .take = option_modules },

	{ .help = "Keep only, or leave out" },
	{ "focus", 0, false, "=SPEC",
	  "keep only blocks allocated below a function",
	  LIST(read.filter.focus), .no_module = true },
	{ "ignore", 0, false, "=SPEC",
	  "leave out blocks allocated below a function",
	  LIST(read.filter.ignore), .no_module = true },
	{ "hide", 0, false, "=SPEC", "leave functions out of call paths",
	  LIST(read.filter.hide), .no_module = true },
	{ "only", 0, false, "=WHAT:VALUE",
	  "keep only a type, thread, size or library", .take = option_part,
	  .words = "type thread size library" },
	{ "only=type", 0, false, ":GLOB", "", LIST(read.filter.type),
	  .wants = ALL_TYPES, .no_module = true },
	{ "only=thread", 0, false, ":GLOB", "", LIST(read.filter.thread),
	  .no_module = true },
	{ "only=size", 0, false, ":A..B", "", .take = option_size,
	  .no_module = true },
	{ "only=library", 0, false, ":GLOB", "", LIST(read.filter.module) },
	{ "at", 0, false, "=TIME",
	  "show the state at 3s, 5%, peak or mark:NAME", TIMES,
	  .at = AT(read.when.at) },
	{ "between", 0, false, "=A,B", "keep only what came between two times",
	  TIMES, .take = option_between },

	{ .help = "Questions" },
	{ "where", 0, false, "=EXPR", "keep only blocks that fit", QUERY,
	  LIST(where) },
	{ "group-by", 0, false, "=type,thread...", "add up blocks to rows",
	  QUERY, .at = AT(group_by) },
	{ "columns", 0, false, "=COLUMN,...", "choose the columns", QUERY,
	  .at = AT(columns) },
	{ "sql", 0, false, "=SELECT|list", "ask in SQL, or list its tables",
	  SELECT, .at = AT(sql) },
	{ "fail-if", 0, false, "=EXPR",
	  "exit with status 3 if it is true, for CI", .take = option_limit,
	  .wants = OPTIONS_WANT_ANSWER,
	  .no_part =
		  OPTION_WATCH | OPTION_DIFF | OPTION_INFO | OPTION_LISTING },

	{ .help = "Several runs, and running programs" },
	{ "diff", 0, false, "[=HOW,...]",
	  "compare OLD with NEW: common, normalize, force", .on = AT(diff),
	  .table = true, .mode = OPTION_DIFF, .no_part = OPTION_WATCH,
	  .no_module = true, .take = option_parts,
	  .words = "common normalize force", .both = true,
	  .wants = OPTIONS_WANT_CALLS },
	{ "diff=common", 0, false, NULL, "", .on = AT(common), .table = true,
	  .mode = OPTION_DIFF, .no_part = OPTION_WATCH, .no_module = true },
	{ "diff=normalize", 0, false, NULL, "", .on = AT(normalize) },
	{ "diff=force", 0, false, NULL, "", .on = AT(force) },
	{ "sum", 's', false, NULL, "write the sum of the files to mon.sum",
	  .on = AT(sum), .wants = OPTIONS_WANT_ANSWER,
	  .no_part = OPTION_WATCH | OPTION_DIFF | OPTION_QUERY,
	  .no_module = true },
	{ "watch", 0, false, "[=SECONDS[,COUNT]]",
	  "show a running program, as top(1) does", .take = option_watch,
	  .mode = OPTION_WATCH, .no_module = true },
	{ "file-info", 'i', true, "[=list]",
	  "describe the data files, or list them", .on = AT(info),
	  .mode = OPTION_INFO, .no_module = true, .take = option_part,
	  .words = "list" },
	{ "file-info=list", 0, false, NULL, "", .on = AT(list),
	  .mode = OPTION_LISTING, .no_module = true },
	{ "jobs", 'j', false, "=N", "use at most N threads",
	  NUMBER(read.jobs) },

	{ .help = "Output for other programs" },
	{ "html", 0, false, "=FILE",
	  "write a page: flame graph, timeline, tables", .at = AT(html),
	  .no_part = OPTION_WATCH | OPTION_QUERY,
	  .wants = OPTIONS_WANT_ANSWER | TYPES | OPTIONS_WANT_FIELDS |
		   OPTIONS_WANT_WASTE | OPTIONS_WANT_TIMES |
		   OPTIONS_WANT_ITEMS | OPTIONS_WANT_LOG | OPTIONS_WANT_RANKS },
	{ "json", 0, false, NULL, "print everything as JSON", .on = AT(json),
	  .no_part = OPTION_INFO,
	  .wants = OPTIONS_WANT_ANSWER | EVERYTHING | OPTIONS_WANT_LOG |
		   OPTIONS_WANT_TIMES | OPTIONS_WANT_RANKS },
	{ "export", 0, false, "=FORMAT|list",
	  "write pprof, massif, dhat, csv ...", .at = AT(format),
	  .mode = OPTION_EXPORT,
	  .no_part = OPTION_WATCH | OPTION_DIFF | OPTION_INFO,
	  .wants = OPTIONS_WANT_ANSWER | EVERYTHING | OPTIONS_WANT_RANKS },
	{ "output", 'o', false, "=FILE", "write to the file",
	  .at = AT(output) },

	{ .help = "Rows and names" },
	{ "top", 0, false, "=N", "print the first N rows", NUMBER(top),
	  .usual = true },
	{ "sort", 0, false, "=KEY",
	  "sort scores, types, queries, differences by KEY",
	  .take = option_sort,
	  .words = "save severity bytes blocks lifetime usage useful kept",
	  .usual = true },
	{ "depth", 0, false, "=N|all", "print N functions of a call path",
	  NUMBER(depth), .words = "all", .usual = true },
	{ "verbose", 0, false, "[=no|usual|zero]",
	  "print all rows, fewer, or those of no bytes too", VERBOSITY(VERBOSE),
	  .take = option_part, .words = "no usual zero" },
	{ "verbose=no", 0, false, NULL, "", VERBOSITY(TERSE) },
	{ "verbose=usual", 0, false, NULL, "", VERBOSITY(NORMAL) },
	{ "verbose=zero", 0, false, NULL, "", .on = AT(zero),
	  VERBOSITY(VERBOSE) },
	{ "line", 'l', false, NULL, "tell source lines apart",
	  .on = AT(read.lines), .usual = true },
	{ "paths", 0, false, "=HOW,...",
	  "print own lines, all functions, or frames ...", .take = option_parts,
	  .words = "own all frames offsets collapsed" },
	{ "paths=own", 0, false, NULL, "", SAY(own, YES) },
	{ "paths=all", 0, false, NULL, "", SAY(own, NO) },
	{ "paths=frames", 0, false, NULL, "", .on = AT(read.frames),
	  .usual = true },
	{ "paths=offsets", 0, false, NULL, "", .on = AT(read.offsets),
	  .usual = true },
	{ "paths=collapsed", 0, false, NULL, "", .on = AT(read.filter.collapse),
	  .no_module = true },
	{ "names", 0, false, "=short|long|N|mangled",
	  "shorten templates, or names over N columns", .take = option_part,
	  .words = "short long mangled" },
	{ "names=short", 0, false, NULL, "", SAY(short, YES) },
	{ "names=long", 0, false, NULL, "", SAY(short, NO) },
	{ "names=mangled", 0, false, NULL, "", .on = AT(read.mangled),
	  .usual = true },
	{ "names=", 0, false, "=N", "", NUMBER(name_width), .least = 8 },
	{ "units", 0, false, "=human|bytes", "print KB and MB, or bytes",
	  .take = option_part, .words = "human bytes" },
	{ "units=human", 0, false, NULL, "", SAY(human, YES) },
	{ "units=bytes", 0, false, NULL, "", SAY(human, NO) },
	{ "brief", 'b', true, "[=no]", "print no legends, or print them",
	  SAY(brief, YES), .take = option_part, .words = "no" },
	{ "brief=no", 0, false, NULL, "", SAY(brief, NO) },
	{ "wrapper", 0, false, "=GLOB|none",
	  "count a wrapper's blocks for its caller", .take = option_part,
	  .words = "none" },
	{ "wrapper=none", 0, false, NULL, "", .on = AT(read.no_wrappers) },
	{ "wrapper=", 0, false, "=GLOB", "", LIST(wrappers) },
	{ "color", 0, false, "=WHEN", "use colors: auto, always or never",
	  .kind = OPTION_WORD, .words = "auto always never",
	  .at = AT(say_colour) },
	{ "no-pager", 0, false, NULL, "print without less(1)",
	  .on = AT(no_pager) },

	{ .help = "Symbols" },
	{ "sysroot", 0, false, "=DIR", "read programs and libraries below DIR",
	  .at = AT(read.where.sysroot) },
	{ "debug-dir", 0, false, "=DIR", "read debug information there",
	  LIST(read.where.debug) },
	{ "debuginfod", 0, false, "[=SECONDS]", "fetch debug information",
	  .take = option_debuginfod },

	{ .help = "About mpreduce" },
	{ "version", 'v', false, NULL, "print the version",
	  .take = option_version },
	{ "help", 'h', true, "[=list]", "print these lines",
	  .take = option_help, .words = "list" },
};

const size_t option_nrows = sizeof option_rows / sizeof *option_rows;
