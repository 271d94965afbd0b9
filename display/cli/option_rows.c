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
#define QUERY \
	.mode = OPTION_QUERY, .no_part = OPTION_WATCH | OPTION_DIFF, \
	.as = "a query (--where, --group-by and their like)"
#define LIST(field) .kind = OPTION_LIST, .at = AT(field)
#define NUMBER(field) .kind = OPTION_NUMBER, .at = AT(field)
#define TIMES \
	.as = "another time", .no_part = OPTION_WATCH, .wants = OPTIONS_WANT_LOG

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
	{ .help = "Tables; without any a prolog, -L -B -p -q, and -S if "
		  "accesses are known" },
	{ "leaks", NULL, 'L', false, NULL, "not freed, by path", TABLE(leaks),
	  .wants = GUESS },
	{ "bins", NULL, 'B', true, "[=all]", "by size", TABLE(bins),
	  .wants = TYPES, .words = "all", .kind = OPTION_GIVEN,
	  .at = AT(bins_all) },
	{ "flat-profile", "flat", 'p', false, "[=SYM]", "", TABLE(direct),
	  LIST(direct_only) },
	{ "graph", NULL, 'q', false, "[=SYM]", "the call graph", TABLE(graph),
	  LIST(graph_only) },
	{ "no-flat-profile", NULL, 'P', false, "[=SYM]", "not these",
	  .take = option_without, .on = AT(no_direct), LIST(direct_not) },
	{ "no-graph", NULL, 'Q', false, "[=SYM]", "not these",
	  .take = option_without, .on = AT(no_graph), LIST(graph_not) },
	{ "types", NULL, 'T', false, NULL, "by type", TABLE(types),
	  .mode = OPTION_TYPES, .wants = ALL_TYPES | OPTIONS_WANT_WASTE },
	{ "annotated-source", NULL, 'A', false, "[=SYM]", "", TABLE(annotate),
	  LIST(annotate_only), .wants = OPTIONS_WANT_SOURCES },
	{ "scores", NULL, 'S', true, "[=N]", "how well it is used",
	  TABLE(scores), NUMBER(scores_rows), .wants = TYPES },
	{ "fields", NULL, 0, false, "[=TYPE]", "which bytes are used",
	  TABLE(fields), LIST(fields_only),
	  .wants = ALL_TYPES | OPTIONS_WANT_FIELDS },
	{ "peak", NULL, 0, false, "[=N]", "who held the most", TABLE(peak),
	  NUMBER(peak_rows), .wants = GUESS },
	{ "timeline", NULL, 0, false, "[=site|type|thread]", "",
	  TABLE(see.timeline), .take = option_timeline,
	  .words = "site type thread", .at = AT(see.timeline_by),
	  .wants = GUESS | OPTIONS_WANT_TIMES },
	{ "lifetimes", NULL, 0, false, "[=N]", "how long it lived",
	  TABLE(lives), NUMBER(lives_rows) },
	{ "growth", NULL, 0, false, "=A,B", "between times", TABLE(see.growth),
	  .take = option_growth, .wants = OPTIONS_WANT_TIMES },
	{ "waste", NULL, 0, false, NULL, "what nobody uses", TABLE(waste),
	  .wants = ALL_TYPES | OPTIONS_WANT_WASTE },
	{ "threads", NULL, 0, false, NULL, "who allocated", TABLE(threads) },
	{ "marks", NULL, 0, false, NULL, "between the program's marks",
	  TABLE(marks) },
	{ "prolog", NULL, 0, false, NULL, "the totals", TABLE(prolog) },
	{ "chunks", NULL, 0, false, "[=SYM]", "blocks of a log",
	  OF_LOG(see.chunks), .at = AT(see.chunks_of) },
	{ "addresses", NULL, 0, false, NULL, NULL, OF_LOG(see.addresses) },
	{ "quantiles", NULL, 0, false, NULL, "of a log",
	  OF_LOG(see.quantiles) },

	{ .help = "More or less" },
	{ "verbose", NULL, 0, false, NULL, NULL, .kind = OPTION_CONST,
	  .at = AT(verbosity), .number = OPTIONS_VERBOSE },
	{ "normal", NULL, 0, false, NULL, NULL, .kind = OPTION_CONST,
	  .at = AT(verbosity), .number = OPTIONS_NORMAL },
	{ "terse", NULL, 0, false, NULL, "rows", .kind = OPTION_CONST,
	  .at = AT(verbosity), .number = OPTIONS_TERSE },
	{ "zero", NULL, 'z', false, NULL, "functions without bytes",
	  .on = AT(zero) },
	{ "depth", NULL, 0, false, "=N", "frames of a path, or all",
	  NUMBER(depth), .words = "all" },
	{ "top", NULL, 0, false, "=N", "the first rows", NUMBER(see.top),
	  .needs = OPTION_WATCH | OPTION_DIFF | OPTION_BLOCKS | OPTION_TYPES |
		   OPTION_QUERY },
	{ "line", NULL, 'l', false, NULL, "by source line",
	  .on = AT(read.lines) },
	{ "frames", NULL, 0, false, NULL, "cycles on paths, frame by frame",
	  .on = AT(read.frames) },
	{ "offsets", NULL, 0, false, NULL, "call sites apart",
	  .on = AT(read.offsets) },
	{ "sort", NULL, 0, false, "=KEY", "of scores and other rows",
	  .take = option_sort,
	  .words = "save severity bytes blocks lifetime usage useful" },
	{ "tau", NULL, 0, false, "=PERCENT", "pauses in the scores",
	  .take = option_tau },
	{ "brief", NULL, 'b', false, NULL, "no legends", .on = AT(brief) },
	{ "directory-path", NULL, 'I', false, "=DIRS", "of sources",
	  LIST(source_dirs) },
	{ "leak-kinds", NULL, 0, false, "=KIND,...", "of -L",
	  .take = option_kinds, .on = AT(kinds_chosen),
	  .words = "lost indirect interior reachable kept all" },
	{ "suppressions", NULL, 0, false, "=FILE", "leaks left out",
	  LIST(suppressions) },
	{ "show-runtime", NULL, 0, false, NULL,
	  "what libc and libstdc++ keep, too", .on = AT(read.show_runtime) },

	{ .help = "A part of the program" },
	{ "focus", NULL, 0, false, "=SPEC", NULL, LIST(read.filter.focus) },
	{ "ignore", NULL, 0, false, "=SPEC", "by callers",
	  LIST(read.filter.ignore) },
	{ "hide", NULL, 0, false, "=SPEC", "out of paths",
	  LIST(read.filter.hide) },
	{ "module", NULL, 0, false, "=GLOB", NULL, LIST(read.filter.module) },
	{ "type", NULL, 0, false, "=GLOB", "", LIST(read.filter.type),
	  .wants = ALL_TYPES },
	{ "thread", NULL, 0, false, "=GLOB", NULL, LIST(read.filter.thread) },
	{ "size", NULL, 0, false, "=A..B", "", .take = option_size },
	{ "collapse-recursion", NULL, 0, false, NULL, "",
	  .on = AT(read.filter.collapse) },
	{ "at", NULL, 0, false, "=TIME", "3s, 5%, peak, mark:NAME", TIMES,
	  .at = AT(read.when.at) },
	{ "between", NULL, 0, false, "=A,B", "what came between", TIMES,
	  .take = option_between },

	{ .help = "Questions" },
	{ "where", NULL, 0, false, "=EXPR", "of blocks", QUERY,
	  LIST(see.where) },
	{ "having", NULL, 0, false, "=EXPR", "of rows", QUERY,
	  LIST(see.having) },
	{ "group-by", NULL, 0, false, "=type,thread...", "rows", QUERY,
	  .at = AT(see.group_by) },
	{ "columns", NULL, 0, false, "=COLUMN,...", "", QUERY,
	  .at = AT(see.columns) },
	{ "query", NULL, 0, false, "=FILE[:NAME]", "saved ones", QUERY,
	  .at = AT(see.query) },
	{ "sql", NULL, 0, false, "=SELECT", "in SQL, or list: of its tables",
	  QUERY, .at = AT(see.sql) },
	{ "fail-if", NULL, 0, false, "=EXPR", "exit status 3",
	  .take = option_limit, .wants = OPTIONS_WANT_ANSWER,
	  .no_part =
		  OPTION_WATCH | OPTION_DIFF | OPTION_INFO | OPTION_LISTING },

	{ .help = "Several runs, and one that goes on" },
	{ "diff", NULL, 0, false, NULL, "of two: OLD NEW", .on = AT(see.diff),
	  .table = true, .mode = OPTION_DIFF, .no_part = OPTION_WATCH },
	{ "common", NULL, 0, false, NULL, "what both have",
	  .on = AT(see.common), .table = true, .mode = OPTION_DIFF,
	  .no_part = OPTION_WATCH },
	{ "normalize", NULL, 0, false, NULL, NULL, .on = AT(see.normalize),
	  .needs = OPTION_DIFF },
	{ "force", NULL, 0, false, NULL, "of --diff", .on = AT(see.force),
	  .needs = OPTION_DIFF },
	{ "weights", NULL, 0, false, "=W,...|mean", "of the sum",
	  .at = AT(read.weights), .no_part = OPTION_DIFF },
	{ "sum", NULL, 's', false, NULL, "write mon.sum", .on = AT(sum),
	  .wants = OPTIONS_WANT_ANSWER,
	  .no_part = OPTION_WATCH | OPTION_DIFF | OPTION_QUERY },
	{ "list", NULL, 0, false, NULL, "a line for each file", .on = AT(list),
	  .mode = OPTION_LISTING },
	{ "watch", NULL, 0, false, "[=SECONDS]", "as top(1) has it",
	  .take = option_watch, .mode = OPTION_WATCH },
	{ "times", NULL, 0, false, "=N", "looks at it", NUMBER(see.times),
	  .needs = OPTION_WATCH },

	{ .help = "Elsewhere" },
	{ "html", NULL, 0, false, "=FILE", "a page to look at",
	  .at = AT(see.html), .no_part = OPTION_WATCH | OPTION_QUERY,
	  .wants = OPTIONS_WANT_ANSWER | TYPES | OPTIONS_WANT_FIELDS |
		   OPTIONS_WANT_WASTE | OPTIONS_WANT_TIMES |
		   OPTIONS_WANT_ITEMS | OPTIONS_WANT_LOG },
	{ "export", NULL, 0, false, "=FORMAT|list", "for other tools",
	  .at = AT(see.format), .mode = OPTION_EXPORT,
	  .no_part = OPTION_WATCH | OPTION_DIFF,
	  .wants = OPTIONS_WANT_ANSWER | EVERYTHING },
	{ "output", NULL, 'o', false, "=FILE", "written to",
	  .at = AT(see.output) },
	{ "json", NULL, 0, false, NULL, "everything", .on = AT(json),
	  .wants = OPTIONS_WANT_ANSWER | EVERYTHING | OPTIONS_WANT_LOG },
	{ "file-info", NULL, 'i', false, NULL, "what is in the files",
	  .on = AT(info), .mode = OPTION_INFO },

	{ .help = "Names and numbers" },
	{ "human", NULL, 'h', false, NULL, "K, M, G", .on = AT(human) },
	{ "width", NULL, 'w', false, "=N", "columns", NUMBER(width) },
	{ "short-names", NULL, 0, false, NULL, "no template arguments",
	  .on = AT(read.short_names) },
	{ "name-width", NULL, 0, false, "=N", "longer ones are cut",
	  NUMBER(name_width), .least = 8 },
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
	{ "version", NULL, 'v', false, NULL, "", .take = option_version },
	{ "help", NULL, 0, false, NULL, "", .take = option_help },
};

const size_t option_nrows = sizeof option_rows / sizeof *option_rows;
