/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options, one row each: see option.h and mpreduce(1). */
#include "display/cli/option.h"

#include <assert.h>

/* What is first there is no option's. */
static_assert(offsetof(struct options, chosen) == 0, "0 is nothing");
#define AT(field) offsetof(struct options, field)

/* What is printed in place of all tables. */
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
	.as = "a query (--where, --group-by and their like)"
#define QUERY SELECT, .no_module = true
#define LIST(field) .kind = OPTION_LIST, .at = AT(field)
#define NUMBER(field) .kind = OPTION_NUMBER, .at = AT(field)
#define SAY(what, how) \
	.kind = OPTION_CONST, .at = AT(say_##what), .number = OPTIONS_##how
#define TIMES \
	.as = "another time", .no_part = OPTION_WATCH, \
	.wants = OPTIONS_WANT_LOG, .no_module = true

const char *const option_mode_name[OPTION_MODES] = {
	"--watch",
	"--diff",
	"a table of a log (--chunks and its like)",
	"--types",
	"a query (--where, --group-by and their like)",
	"--export",
	"--file-info",
	"--list",
};

/* name, alias, letter, bare, argument, help; then what it does */
const struct option_row option_rows[] = {
	{ .help = "Tables (if none is named: --summary on a terminal, else "
		  "--full)" },
	{ "summary", NULL, 0, false, NULL, "one screen", TABLE(summary),
	  .wants = GUESS | OPTIONS_WANT_CALLS },
	{ "leaks", NULL, 'L', false, NULL, "not freed, by call path",
	  TABLE(leaks), .wants = GUESS },
	{ "bins", NULL, 'B', true, "[=all]", "blocks by size", TABLE(bins),
	  .wants = TYPES, .words = "all", .kind = OPTION_GIVEN,
	  .at = AT(bins_all) },
	{ "flat-profile", "flat", 'p', false, "[=SYM]", "", TABLE(direct),
	  LIST(direct_only) },
	{ "graph", NULL, 'q', false, "[=SYM]", "the call graph", TABLE(graph),
	  LIST(graph_only) },
	{ "no-flat-profile", NULL, 'P', false, "[=SYM]", "not these",
	  .take = option_without, .on = AT(no_direct), LIST(direct_not),
	  .usual = true },
	{ "no-graph", NULL, 'Q', false, "[=SYM]", "not these",
	  .take = option_without, .on = AT(no_graph), LIST(graph_not),
	  .usual = true },
	{ "types", NULL, 'T', false, NULL, "blocks by type", TABLE(types),
	  .mode = OPTION_TYPES, .wants = ALL_TYPES | OPTIONS_WANT_WASTE },
	{ "annotated-source", NULL, 'A', false, "[=SYM]", "", TABLE(annotate),
	  LIST(annotate_only), .wants = OPTIONS_WANT_SOURCES },
	{ "scores", NULL, 'S', true, "[=N]", "how memory is used",
	  TABLE(scores), NUMBER(scores_rows), .wants = TYPES },
	{ "fields", NULL, 0, false, "[=TYPE]", "which bytes are used",
	  TABLE(fields), LIST(fields_only),
	  .wants = ALL_TYPES | OPTIONS_WANT_FIELDS },
	{ "peak", NULL, 0, false, "[=N]", "who held the most", TABLE(peak),
	  NUMBER(peak_rows), .wants = GUESS },
	{ "timeline", NULL, 0, false, "[=site|type|thread]", "",
	  TABLE(timeline), .take = option_timeline, .words = "site type thread",
	  .at = AT(timeline_by), .wants = GUESS | OPTIONS_WANT_TIMES },
	{ "lifetimes", NULL, 0, false, "[=N]", "how long blocks live",
	  TABLE(lifetimes), NUMBER(lifetimes_rows) },
	{ "growth", NULL, 0, false, "=A,B", "between two times", TABLE(growth),
	  .take = option_growth, .wants = OPTIONS_WANT_TIMES },
	{ "allocator", NULL, 0, false, "[=compare]", "malloc's cost",
	  TABLE(allocator), .words = "compare", .at = AT(allocator_how) },
	{ "waste", NULL, 0, false, NULL, "in holes and by rounding",
	  TABLE(waste), .wants = ALL_TYPES | OPTIONS_WANT_WASTE },
	{ "threads", NULL, 0, false, NULL, NULL, TABLE(threads) },
	{ "ranks", NULL, 0, false, "[=OF]", "by either", TABLE(ranks),
	  .words = "site function type", .at = AT(ranks_by),
	  .wants = GUESS | OPTIONS_WANT_RANKS },
	{ "marks", NULL, 0, false, NULL, NULL, TABLE(marks) },
	{ "prolog", NULL, 0, false, NULL, "at marks; the run", TABLE(prolog) },
	{ "full", NULL, 0, false, NULL, "-L -B -p -q, maybe -S",
	  .on = AT(full) },
	{ "chunks", NULL, 0, false, "[=SYM]", "single blocks", OF_LOG(chunks),
	  .at = AT(chunks_of) },
	{ "addresses", NULL, 0, false, NULL, NULL, OF_LOG(addresses) },
	{ "quantiles", NULL, 0, false, NULL, "of a log", OF_LOG(quantiles) },

	{ .help = "More or less" },
	{ "verbose", NULL, 0, false, NULL, NULL, .kind = OPTION_CONST,
	  .at = AT(verbosity), .number = OPTIONS_VERBOSE, .usual = true },
	{ "normal", NULL, 0, false, NULL, NULL, .kind = OPTION_CONST,
	  .at = AT(verbosity), .number = OPTIONS_NORMAL, .usual = true },
	{ "terse", NULL, 0, false, NULL, "how many", .kind = OPTION_CONST,
	  .at = AT(verbosity), .number = OPTIONS_TERSE, .usual = true },
	{ "zero", NULL, 'z', false, NULL, "functions without bytes",
	  .on = AT(zero), .usual = true },
	{ "depth", NULL, 0, false, "=N", "frames of a path, or all",
	  NUMBER(depth), .words = "all", .usual = true },
	{ "top", NULL, 0, false, "=N", "the first N rows", NUMBER(top),
	  .usual = true },
	{ "line", NULL, 'l', false, NULL, "by source line",
	  .on = AT(read.lines), .usual = true },
	{ "frames", NULL, 0, false, NULL, "cycles frame by frame",
	  .on = AT(read.frames), .usual = true },
	{ "offsets", NULL, 0, false, NULL, "call sites apart",
	  .on = AT(read.offsets), .usual = true },
	{ "sort", NULL, 0, false, "=KEY", "the order of rows",
	  .take = option_sort,
	  .words = "save severity bytes blocks lifetime usage useful",
	  .usual = true },
	{ "tau", NULL, 0, false, "=PERCENT", "pauses, for -S",
	  .take = option_tau, .usual = true },
	{ "brief", NULL, 'b', false, NULL, NULL, SAY(brief, YES) },
	{ "legend", NULL, 0, false, NULL, "legends or not", SAY(brief, NO) },
	{ "directory-path", NULL, 'I', false, "=DIRS", "with sources",
	  LIST(source_dirs) },
	{ "leak-kinds", NULL, 0, false, "=KIND,...", "for -L",
	  .take = option_kinds, .on = AT(kinds_chosen),
	  .words = "lost indirect interior reachable kept all", .usual = true },
	{ "suppressions", NULL, 0, false, "=FILE", "leaks left out",
	  LIST(suppressions) },
	{ "show-runtime", NULL, 0, false, NULL, "libc's leaks, too",
	  .on = AT(read.show_runtime) },

	{ .help = "A part of the program" },
	{ "focus", NULL, 0, false, "=SPEC", NULL, LIST(read.filter.focus),
	  .no_module = true },
	{ "ignore", NULL, 0, false, "=SPEC", "by callers",
	  LIST(read.filter.ignore), .no_module = true },
	{ "hide", NULL, 0, false, "=SPEC", "not in paths",
	  LIST(read.filter.hide), .no_module = true },
	{ "module", NULL, 0, false, "=GLOB", NULL, LIST(read.filter.module) },
	{ "type", NULL, 0, false, "=GLOB", "", LIST(read.filter.type),
	  .wants = ALL_TYPES, .no_module = true },
	{ "thread", NULL, 0, false, "=GLOB", NULL, LIST(read.filter.thread),
	  .no_module = true },
	{ "size", NULL, 0, false, "=A..B", "", .take = option_size,
	  .no_module = true },
	{ "collapse-recursion", NULL, 0, false, NULL, "",
	  .on = AT(read.filter.collapse), .no_module = true },
	{ "at", NULL, 0, false, "=TIME", "3s, 5%, peak, mark:NAME", TIMES,
	  .at = AT(read.when.at) },
	{ "between", NULL, 0, false, "=A,B", "what came between", TIMES,
	  .take = option_between },

	{ .help = "Questions" },
	{ "where", NULL, 0, false, "=EXPR", "which blocks", QUERY,
	  LIST(where) },
	{ "having", NULL, 0, false, "=EXPR", "which rows", QUERY,
	  LIST(having) },
	{ "group-by", NULL, 0, false, "=type,thread...", "into rows", QUERY,
	  .at = AT(group_by) },
	{ "columns", NULL, 0, false, "=COLUMN,...", "", QUERY,
	  .at = AT(columns) },
	{ "query", NULL, 0, false, "=FILE[:NAME]", "a saved question", QUERY,
	  .at = AT(query) },
	{ "sql", NULL, 0, false, "=SELECT", "SQL, or list", SELECT,
	  .at = AT(sql) },
	{ "fail-if", NULL, 0, false, "=EXPR", "exit status 3",
	  .take = option_limit, .wants = OPTIONS_WANT_ANSWER,
	  .no_part =
		  OPTION_WATCH | OPTION_DIFF | OPTION_INFO | OPTION_LISTING },

	{ .help = "Several runs, and one that still runs" },
	{ "diff", NULL, 0, false, NULL, "of two: OLD NEW", .on = AT(diff),
	  .table = true, .mode = OPTION_DIFF, .no_part = OPTION_WATCH,
	  .no_module = true },
	{ "common", NULL, 0, false, NULL, "what both have", .on = AT(common),
	  .table = true, .mode = OPTION_DIFF, .no_part = OPTION_WATCH,
	  .no_module = true },
	{ "normalize", NULL, 0, false, NULL, NULL, .on = AT(normalize),
	  .needs = OPTION_DIFF },
	{ "force", NULL, 0, false, NULL, "for --diff", .on = AT(force),
	  .needs = OPTION_DIFF },
	{ "weights", NULL, 0, false, "=W,...|mean", "for a sum",
	  .at = AT(read.weights), .no_part = OPTION_DIFF, .no_module = true },
	{ "sum", NULL, 's', false, NULL, "write mon.sum", .on = AT(sum),
	  .wants = OPTIONS_WANT_ANSWER,
	  .no_part = OPTION_WATCH | OPTION_DIFF | OPTION_QUERY,
	  .no_module = true },
	{ "jobs", NULL, 'j', false, "=N", NULL, NUMBER(read.jobs) },
	{ "list", NULL, 0, false, NULL, "threads; files", .on = AT(list),
	  .mode = OPTION_LISTING, .no_module = true },
	{ "watch", NULL, 0, false, "[=SECONDS]", "like top(1)",
	  .take = option_watch, .mode = OPTION_WATCH, .no_module = true },
	{ "times", NULL, 0, false, "=N", "how often", NUMBER(times),
	  .needs = OPTION_WATCH },

	{ .help = "Elsewhere" },
	{ "html", NULL, 0, false, "=FILE", "a page to look at", .at = AT(html),
	  .no_part = OPTION_WATCH | OPTION_QUERY,
	  .wants = OPTIONS_WANT_ANSWER | TYPES | OPTIONS_WANT_FIELDS |
		   OPTIONS_WANT_WASTE | OPTIONS_WANT_TIMES |
		   OPTIONS_WANT_ITEMS | OPTIONS_WANT_LOG | OPTIONS_WANT_RANKS },
	{ "export", NULL, 0, false, "=FORMAT|list", "for other tools",
	  .at = AT(format), .mode = OPTION_EXPORT,
	  .no_part = OPTION_WATCH | OPTION_DIFF | OPTION_INFO,
	  .wants = OPTIONS_WANT_ANSWER | EVERYTHING | OPTIONS_WANT_RANKS },
	{ "output", NULL, 'o', false, "=FILE", "where to write",
	  .at = AT(output) },
	{ "json", NULL, 0, false, NULL, "everything", .on = AT(json),
	  .no_part = OPTION_INFO,
	  .wants = OPTIONS_WANT_ANSWER | EVERYTHING | OPTIONS_WANT_LOG |
		   OPTIONS_WANT_RANKS },
	{ "file-info", NULL, 'i', false, NULL, "what is in the files",
	  .on = AT(info), .mode = OPTION_INFO, .no_module = true },

	{ .help = "Names and numbers" },
	{ "human", NULL, 'h', false, NULL, NULL, SAY(human, YES) },
	{ "bytes", NULL, 0, false, NULL, "K, M, G or not", SAY(human, NO) },
	{ "width", NULL, 'w', false, "=N", "columns", NUMBER(width),
	  .usual = true },
	{ "short-names", NULL, 0, false, NULL, NULL, SAY(short, YES) },
	{ "long-names", NULL, 0, false, NULL, "templates", SAY(short, NO) },
	{ "name-width", NULL, 0, false, "=N", "longer ones are cut",
	  NUMBER(name_width), .least = 8 },
	{ "color", NULL, 0, false, "=WHEN", NULL, .kind = OPTION_WORD,
	  .words = "auto always never", .at = AT(say_colour) },
	{ "no-pager", NULL, 0, false, NULL, "", .on = AT(no_pager) },
	{ "demangle", NULL, 0, false, "[=STYLE]", NULL, .kind = OPTION_WORD,
	  .words = "auto none", .at = AT(read.demangle) },
	{ "no-demangle", NULL, 0, false, NULL, "", .kind = OPTION_CONST,
	  .at = AT(read.demangle), .number = PROFILE_DEMANGLE_NONE },
	{ "wrapper", NULL, 0, false, "=GLOB", NULL, LIST(wrappers) },
	{ "no-wrappers", NULL, 0, false, NULL, "", .on = AT(read.no_wrappers) },
	{ "sysroot", NULL, 0, false, "=DIR", NULL,
	  .at = AT(read.where.sysroot) },
	{ "debug-dir", NULL, 0, false, "=DIR", "", LIST(read.where.debug) },
	{ "debuginfod", NULL, 0, false, "[=SECONDS]", "",
	  .take = option_debuginfod },
	{ "version", NULL, 'v', false, NULL, NULL, .take = option_version },
	{ "help", NULL, 0, false, "[=list]", "", .take = option_help,
	  .words = "list" },
};

const size_t option_nrows = sizeof option_rows / sizeof *option_rows;
