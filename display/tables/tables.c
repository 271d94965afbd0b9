/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Print all tables. */
#include "display/tables/tables.h"
#include "display/grid/view.h"
#include "display/tables/held.h"
#include "display/schema/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Set *e to why no call path has a function of that name. */
static int
absent(const struct profile *p, const char *name, struct err *e)
{
	switch (profile_absent(p, name)) {
	case PROFILE_ABSENT_TAIL:
		return err_set(e,
			       "%s is in the program, but on no call path: it "
			       "ends in a tail call (a jump to another "
			       "function), so it was no longer active when "
			       "memory was allocated; "
			       "-fno-optimize-sibling-calls keeps it",
			       name);
	case PROFILE_ABSENT_THERE:
		return err_set(
			e,
			"%s is in the program, but on no call path: it "
			"allocated nothing, or is an allocation wrapper "
			"(--wrapper=none shows it), or made a tail call; "
			"-p --verbose=zero has all names",
			name);
	default:
		return err_set(e,
			       "no function %s is in the tables; it may be a "
			       "wrapper (--wrapper=none); -p --verbose=zero "
			       "has all names",
			       name);
	}
}

/* Set on[] for the functions that the symbols name. */
static int
tables_mark(const struct tables *t, const struct profile_list *symbols,
	    bool *on)
{
	const struct nodes *s = &t->nodes;

	for (size_t i = 0; i < symbols->n; i++) {
		bool found = false;

		for (size_t k = 0; k < s->n; k++) {
			const struct func *f = s->v[k].func;

			if (!f || !profile_means(f, symbols->item[i]))
				continue;
			on[k] = true;
			found = true;
		}
		if (!found)
			return absent(t->p, symbols->item[i], t->e);
	}
	return 0;
}

/* Set *on to the nodes that a table shows: those of `only', if any. */
static int
tables_choose(const struct tables *t, const struct profile_list *only,
	      bool **on)
{
	*on = malloc(t->nodes.n + 1);
	if (!*on)
		return err_memory(t->e);
	memset(*on, only->n == 0, t->nodes.n);
	return tables_mark(t, only, *on);
}

/* Print a table, after a form feed if it isn't the first. */
static int
tables_print_one(struct tables *t, int (*print)(struct tables *t), bool *first)
{
	if (!*first)
		line_block(&t->line, "\n\f\n");
	*first = false;
	arena_fini(&t->room);
	return print(t);
}

/* Print the tables that follow the one at `place'. */
static int
tables_print_after(struct tables *t, int place, bool *first)
{
	const struct view_row *const *v;

	for (int at = place; (v = view_next(at)); at = (*v)->place) {
		if ((*v)->place > place + VIEW_GAP)
			break;
		if (t->o->views >> (v - __start_view_rows) & 1 &&
		    tables_print_one(t, (*v)->print, first))
			return -1;
	}
	return 0;
}

static int
tables_print_all(struct tables *t)
{
	const struct options *o = t->o;
	const struct profile *p = t->p;
	bool first = true;

#define VIEW_PRINT(print, wanted) \
	if (((wanted) && tables_print_one(t, print, &first)) || \
	    tables_print_after(t, VIEW_AT_##print, &first)) \
		return -1;
	VIEWS(VIEW_PRINT)
#undef VIEW_PRINT
	return t->line.failed ? -1 : 0;
}

int
tables_print(const struct profile *p, const struct options *o, FILE *out,
	     struct err *e)
{
	struct schema schema;
	struct tables t = { .p = p, .o = o, .e = e, .schema = &schema };
	int status = -1;

	schema_start(&schema, p);
	tables_line(&t, out);
	err_memory(e);
	if (nodes_init(&t.nodes, p, o->name_width) == 0 &&
	    tables_choose(&t, &o->direct_only, &t.direct_on) == 0 &&
	    tables_choose(&t, &o->graph_only, &t.graph_on) == 0 &&
	    fields_check(p, o, e) == 0 && annotate_check(p, o, e) == 0 &&
	    chunks_check(p, o, e) == 0 && held_check(p, o, e) == 0)
		status = tables_print_all(&t);
	arena_fini(&t.room);
	free(t.direct_on);
	free(t.graph_on);
	nodes_fini(&t.nodes);
	schema_fini(&schema);
	line_fini(&t.line);
	return status;
}
