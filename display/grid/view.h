/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables.  Each function prints a table, with its legend unless options
 * forbid it.  0, or -1 with *t->e set.  Write errors stay in the stream's error
 * flag.
 */
#ifndef MEMMON_DISPLAY_VIEW_H
#define MEMMON_DISPLAY_VIEW_H

#include "display/grid/table.h"

/*
 * The tables in the order of printing: VIEW(function, when to print it: o are
 * the options, p is the profile).
 */
#define VIEWS(VIEW) \
	VIEW(summary_print, o->summary) \
	VIEW(prolog_print, o->prolog) \
	VIEW(marks_print, o->marks || (options_usual(o) && p->nmarks)) \
	VIEW(threads_print, o->threads) \
	VIEW(ranks_print, o->ranks) \
	VIEW(leaks_print, o->leaks) \
	VIEW(retained_print, o->retained) \
	VIEW(holders_print, o->holders) \
	VIEW(path_to_print, o->path_to) \
	VIEW(peak_print, o->peak) \
	VIEW(memory_print, o->memory) \
	VIEW(lifetimes_print, o->lifetimes) \
	VIEW(bins_print, o->bins) \
	VIEW(types_print, o->types) \
	VIEW(waste_print, o->waste) \
	VIEW(direct_print, o->direct) \
	VIEW(graph_print, o->graph) \
	VIEW(scores_print, o->scores || (options_usual(o) && p->uses_known)) \
	VIEW(fields_print, o->fields) \
	VIEW(annotate_print, o->annotate) \
	VIEW(timeline_print, o->timeline) \
	VIEW(growth_print, o->growth) \
	VIEW(allocator_print, o->allocator) \
	VIEW(findings_print, o->read.findings.n) \
	VIEW(chunks_print, o->chunks) \
	VIEW(addresses_print, o->addresses) \
	VIEW(quantiles_print, o->quantiles)

/* VIEW_AT_peak_print and so on: places, with VIEW_GAP others after each. */
enum { VIEW_GAP = 8 };
enum view_place {
#define VIEW_PLACE(print, wanted) \
	VIEW_AT_##print, VIEW_END_##print = VIEW_AT_##print + VIEW_GAP,
	VIEWS(VIEW_PLACE)
#undef VIEW_PLACE
};

/*
 * A table that only its own file knows: --OPTION=WORD prints it.  VIEW_OF() at
 * the end of the file is its row.  OPTION is an option that prints a table;
 * --help and messages add the word to its values.
 */
struct view_row {
	const char *option, *word;
	unsigned wants; /* enum options_want */
	int (*print)(struct tables *t);
	int place; /* of the table above that it follows, plus 1 to VIEW_GAP;
		    * each row has another */
};
#define VIEW_OF(...) \
	static const struct view_row *const view_own \
		__attribute__((used, section("view_rows"))) = \
			&(const struct view_row){ __VA_ARGS__ };

/* All rows, in any order; bit n of options.views asks for row n. */
extern const struct view_row *const __start_view_rows[]
	__attribute__((weak, visibility("hidden")));
extern const struct view_row *const __stop_view_rows[]
	__attribute__((weak, visibility("hidden")));
#define VIEW_EACH(v) \
	for (const struct view_row *const *v = __start_view_rows; \
	     v < __stop_view_rows; v++)

/* The row of --OPTION=WORD, or NULL. */
const struct view_row *const *view_find(const char *option, const char *word);

/* The row with the next place after `place'; NULL: there is none. */
const struct view_row *const *view_next(int place);

/* The words of an option, by place, each after the letter: "|a|b". */
const char *view_words(const char *option, char letter, char *to, size_t room);

#define VIEW_DECLARE(print, wanted) int print(struct tables *t);
VIEWS(VIEW_DECLARE)

/* Does each type exist that o->fields_only names?  0, or -1 with *e set. */
int fields_check(const struct profile *p, const struct options *o,
		 struct err *e);

/*
 * Is there a source line for each symspec in o->annotate_only?  0, or -1 with
 * *e set.
 */
int annotate_check(const struct profile *p, const struct options *o,
		   struct err *e);

/*
 * Is a function that --log=blocks names on a call path?  0, or -1 with *e set.
 */
int chunks_check(const struct profile *p, const struct options *o,
		 struct err *e);

/* Print the index of the functions for which seen[number] is true. */
void index_print(struct tables *t, const bool *seen);

#endif
