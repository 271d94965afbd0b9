/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queries: --where, --group-by, --columns and --sql. */
#include "display/query/query.h"
#include "display/grid/table.h"

#include "display/text/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool
query_wanted(const struct options *o)
{
	return o->where.n || o->group_by || o->columns || o->sql;
}

/* ------------------------------------------------------------ as a table -- */

static void
query_title(struct tables *t, const struct query *q)
{
	char text[256];
	size_t n;

	n = (size_t)snprintf(text, sizeof text, "Blocks by ");
	for (size_t i = 0; i < q->nby; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%s",
				      !i	       ? ""
				      : i + 1 < q->nby ? ", "
						       : " and ",
				      query_by[q->by[i]].meaning);
	tables_title(t, text);
}

/* Print which rows are shown: the conditions, and their share of all bytes. */
static void
notes(struct tables *t, const struct query *q, const struct query_rows *r)
{
	const struct counts *all = &t->p->total;
	char n[NUMBER_SIZE], of[NUMBER_SIZE], percent[NUMBER_SIZE];
	uint64_t bytes = counts_sum(all->bytes),
		 allocs = counts_sum(all->allocs);
	struct line *l = &t->line;

	for (size_t i = 0; i < q->nwhere; i++)
		line_say(l, "where: %s", q->where[i].text);
	if (q->nwhere) {
		number_tenths(percent, r->bytes, bytes);
		line_say(l,
			 "       keeps %s of %s bytes (%s%%), %" PRIu64
			 " of %" PRIu64 " allocations",
			 tables_bytes(t, n, r->bytes),
			 tables_bytes(t, of, bytes), bytes ? percent : "0.0",
			 r->allocs, allocs);
	}
	if (t->p->items_why)
		tables_say(t, "Threads, and sizes that differ, are unknown: "
			      "see below.");
	if (q->nwhere || t->p->items_why)
		line_end(l);
}

static void
legend(struct tables *t, const struct query_rows *r)
{
	char text[160], name[32];

	if (t->o->brief)
		return;
	line_block(&t->line, "\n");
	for (size_t k = 0; k < r->rows.ncolumns; k++) {
		enum column c = r->which[k];
		bool share = columns_field[c].kind == VALUE_SHARE;

		snprintf(name, sizeof name, "%s%s", share ? "% " : "",
			 r->column[k].name);
		for (char *s = name; *s; s++)
			if (*s == '_')
				*s = ' ';
		snprintf(text, sizeof text, "%-16s %s\n", name,
			 columns_field[c].meaning);
		line_block(&t->line, text);
	}
	line_block(&t->line, "\n-  unknown, or not the same in all blocks; "
			     "lives, uses and leaks are known only\n   for "
			     "all blocks of call paths\n");
	if (!t->p->items_why)
		return;
	snprintf(text, sizeof text, "\n%s\n", t->p->items_why);
	line_block(&t->line, text);
}

static void
query_print_table(struct tables *t, const struct query *q,
		  const struct query_rows *r)
{
	query_title(t, q);
	notes(t, q, r);
	if (!counts_sum(t->p->total.allocs)) {
		tables_nothing(t);
		return;
	}
	if (!r->rows.n) {
		tables_say(t, "No block matches.");
		return;
	}
	result_table(&r->rows, t);
	legend(t, r);
}

/* ----------------------------------------------------------- in all ways -- */

struct printer {
	struct tables t;
	struct sql sql;
	struct writer w;
	enum query_way way;
};

/* Print the rows as JSON or CSV. */
static void
query_print_rows(struct printer *p, const struct result *r)
{
	if (p->way == QUERY_JSON)
		p->t.line.failed |= result_json(r, &p->w, NULL) != 0;
	else
		result_csv(r, p->t.line.out);
}

/* Run a query of --where and similar options.  0, or -1 with *e set. */
static int
print_plain(struct printer *p, const struct query *q, struct err *e)
{
	struct query_rows *r = calloc(1, sizeof *r);
	struct query_groups g = { 0 };
	int status = -1;

	if (!r || query_groups_init(&g, q, &p->sql, e)) {
		free(r);
		query_groups_fini(&g);
		return -1;
	}
	if (!query_rows_make(r, &g, p->t.o)) {
		if (p->way == QUERY_TABLE)
			query_print_table(&p->t, q, r);
		else
			query_print_rows(p, &r->rows);
		status = p->t.line.failed ? -1 : 0;
	}
	query_groups_fini(&g);
	result_fini(&r->rows);
	free(r);
	return status;
}

/* Run a statement of --sql.  0, or -1 with *e set. */
static int
print_answer(struct printer *p, const struct query *q, struct err *e)
{
	struct result r;
	int status = query_answer(&r, &p->sql, q, e);

	if (!status && p->way == QUERY_TABLE) {
		if (r.n)
			result_table(&r, &p->t);
		else
			tables_say(&p->t, "No row matches.");
	} else if (!status) {
		query_print_rows(p, &r);
	}
	result_fini(&r);
	return p->t.line.failed ? -1 : status;
}

int
query_way(const struct options *o, enum query_way *way, struct err *e)
{
	const char *format = o->format;

	*way = o->json || (format && !strcmp(format, "json")) ? QUERY_JSON
	       : format					      ? QUERY_CSV
							      : QUERY_TABLE;
	if (!format || !strcmp(format, "json") || !strcmp(format, "csv"))
		return 0;
	return err_set(e,
		       "--export=%.100s: a query can be exported only as csv "
		       "or json; leave out --where and similar options",
		       format);
}

int
query_print(const struct profile *p, const struct options *o, FILE *out,
	    struct err *e)
{
	struct printer r = { .t = { .p = p, .o = o },
			     .w = { .out = out, .first = true } };
	struct schema schema = { 0 };
	struct query q;
	int status = -1;

	if (query_init(&q, o, e))
		return -1;
	if (query_way(o, &r.way, e)) {
		query_fini(&q);
		return -1;
	}
	line_init(&r.t.line, out);
	if (schema_init(&schema, p))
		err_memory(e);
	else if (!sql_open(&r.sql, &schema, e))
		status = q.sql ? print_answer(&r, &q, e)
			       : print_plain(&r, &q, e);
	if (status && !*e->text)
		err_memory(e);
	if (r.way == QUERY_JSON && !status)
		putc('\n', out);
	sql_close(&r.sql);
	schema_fini(&schema);
	line_fini(&r.t.line);
	query_fini(&q);
	return status;
}
