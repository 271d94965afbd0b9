/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Print what --watch shows: see watch.h. */
#define _GNU_SOURCE
#include "display/watch/watch.h"

#include "display/grid/grid.h"
#include "display/text/amount.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NS 1000000000u

/* A cell holds a sign, a number and a NUL. */
enum { CELL = 2 * NUMBER_SIZE };

static const char *const sorts[WATCH_NSORT] = { "live", "last", "since",
						"rate" };
static const char *const orders[WATCH_NSORT] = { "live bytes",
						 "growth since the last look",
						 "growth since the watch began",
						 "bytes allocated a second" };
static const char *const kinds[WATCH_NBY] = { "call paths", "functions",
					      "types" };

/* A row, and its counts at earlier looks. */
struct shown {
	const struct watch_row *row;
	struct amounts last, first; /* all 0: it did not exist */
};

bool
watch_sort_of(const char *text, enum watch_sort *sort)
{
	for (int i = 0; i < WATCH_NSORT; i++) {
		if (strcmp(text, sorts[i]) != 0)
			continue;
		*sort = (enum watch_sort)i;
		return true;
	}
	return false;
}

/* --------------------------------------------------------------- numbers -- */

static void
watch_print_change(const struct watch_view *v, char *buf, bool known,
		   uint64_t from, uint64_t to)
{
	if (!known) {
		snprintf(buf, CELL, "-");
	} else if (from == to) {
		snprintf(buf, CELL, "0");
	} else {
		*buf = to > from ? '+' : '-';
		number_bytes(buf + 1, to > from ? to - from : from - to,
			     v->human);
	}
}

/* Print a rate per second: n in `ns' nanoseconds. */
static void
rate(const struct watch_view *v, char *buf, uint64_t n, uint64_t ns, bool bytes)
{
	unsigned __int128 r;

	if (!ns) {
		snprintf(buf, NUMBER_SIZE, "-");
		return;
	}
	r = ((unsigned __int128)n * NS + ns / 2) / ns;
	if (r > UINT64_MAX)
		r = UINT64_MAX;
	number_bytes(buf, (uint64_t)r, bytes && v->human);
}

/* ns from the last look to this one; 0: no last look. */
static uint64_t
watch_print_since(const struct watch_view *v)
{
	return v->last->there ? amount_sub(v->now->length, v->last->length) : 0;
}

/* Print the parts of RSS. */
static void
put_memory(const struct watch_view *v, struct line *l,
	   const struct watch_memory *m)
{
	char buf[CELL];

	line_add(l, " (anonymous %s",
		 number_bytes(buf, m->anonymous, v->human));
	line_add(l, ", files %s", number_bytes(buf, m->file, v->human));
	line_add(l, ", shared %s)", number_bytes(buf, m->shared, v->human));
}

/* Print RSS at the last snapshot, with parts of at least 1%. */
static void
watch_print_put_snapshot(const struct watch_view *v, struct line *l)
{
	const struct watch_look *a = v->now;
	uint64_t all = a->snapshot.bytes[MEMORY_RESIDENT];
	char buf[CELL];

	if (!a->nparts || a->end)
		return;
	line_add(l, "RSS of %s s ago: ",
		 number_seconds(buf, amount_sub(a->length, a->snapshot.at)));
	for (size_t i = 0; i < a->nparts && a->part[i].bytes >= all / 100; i++)
		line_add(l, "%s%s %s", i ? ", " : "", a->part[i].words,
			 number_bytes(buf, a->part[i].bytes, v->human));
	line_end(l);
}

/* --------------------------------------------------------------- heading -- */

static void
watch_print_heading(const struct watch_view *v, struct line *l)
{
	const struct watch_look *a = v->now;
	char buf[CELL], more[CELL];

	line_add(l, "%s, pid %" PRIu64 ", %s s since %s", a->program, a->pid,
		 number_seconds(buf, a->length), a->from);
	if (v->first->length < a->length)
		line_add(l, ", watched for %s s",
			 number_seconds(buf, a->length - v->first->length));
	if (a->end)
		line_add(l, "; it has ended: %s", a->end);
	if (a->incomplete)
		line_add(l, "; figures are lower bounds");
	line_end(l);
	line_add(l, "live %s bytes in %" PRIu64 " blocks, ",
		 number_bytes(buf, amount_live(&a->all), v->human),
		 amount_live_blocks(&a->all));
	line_add(l, "peak %s, RSS %s", number_bytes(buf, a->peak, v->human),
		 a->memory.known ? number_bytes(more, a->memory.rss, v->human)
				 : "-");
	if (a->memory.known)
		put_memory(v, l, &a->memory);
	line_end(l);
	watch_print_put_snapshot(v, l);
	rate(v, buf, amount_sub(a->all.allocs, v->last->all.allocs),
	     watch_print_since(v), false);
	rate(v, more, amount_sub(a->all.bytes, v->last->all.bytes),
	     watch_print_since(v), true);
	line_add(l, "a second: %s allocations of %s bytes; ", buf, more);
	rate(v, buf, a->all.allocs, a->length, false);
	rate(v, more, a->all.bytes, a->length, true);
	line_say(l, "since %s %s of %s a second", a->from, buf, more);
	watch_print_change(v, buf, v->last->there, amount_live(&v->last->all),
			   amount_live(&a->all));
	watch_print_change(v, more, true, amount_live(&v->first->all),
			   amount_live(&a->all));
	line_add(l, "growth: %s since the last look, %s since the watch began",
		 buf, more);
	watch_print_change(v, buf, true, 0, amount_live(&a->all));
	line_say(l, ", %s since %s", buf, a->from);
}

/* ------------------------------------------------------------------ rows -- */

/* The sort key of a row: a signed number, shifted to be positive. */
static unsigned __int128
watch_print_weight(const struct watch_view *v, const struct shown *a)
{
	const unsigned __int128 zero = (unsigned __int128)1 << 64;
	const struct amounts *c = &a->row->count;
	uint64_t live = amount_live(c);

	switch (v->sort) {
	case WATCH_LAST:
		return zero + live - amount_live(&a->last);
	case WATCH_SINCE:
		return zero + live - amount_live(&a->first);
	case WATCH_RATE:
		return zero + c->bytes - a->last.bytes;
	case WATCH_LIVE:
	default:
		return zero + live;
	}
}

static int
watch_print_compare(const void *va, const void *vb, void *arg)
{
	const struct shown *a = va, *b = vb;
	unsigned __int128 x = watch_print_weight(arg, a),
			  y = watch_print_weight(arg, b);

	if (x != y)
		return x < y ? 1 : -1;
	x = amount_live(&a->row->count);
	y = amount_live(&b->row->count);
	if (x != y)
		return x < y ? 1 : -1;
	if (a->row->count.bytes != b->row->count.bytes)
		return a->row->count.bytes < b->row->count.bytes ? 1 : -1;
	return strcmp(a->row->name, b->row->name);
}

enum { LIVE, BLOCKS, LAST, SINCE, ALLOCS, BYTES };

static void
watch_print_get(const struct grid *g, const void *row, unsigned at,
		struct grid_cell *c)
{
	const struct watch_view *v = g->arg;
	const struct shown *a = row;
	const struct amounts *n = &a->row->count;
	bool last = v->last->there && v->last->rows[v->by].known;
	uint64_t live = amount_live(n);
	uint64_t from = amount_live(at == LAST ? &a->last : &a->first);

	switch (at) {
	case LIVE:
		c->n = live;
		break;
	case BLOCKS:
		c->n = amount_live_blocks(n);
		break;
	case LAST:
	case SINCE:
		c->unknown = at == LAST ? !last : !v->first->rows[v->by].known;
		c->n = live > from ? live - from : from - live;
		c->plus = live > from;
		c->negative = live < from;
		break;
	default:
		rate(v, c->buf,
		     at == ALLOCS ? amount_sub(n->allocs, a->last.allocs)
				  : amount_sub(n->bytes, a->last.bytes),
		     last ? watch_print_since(v) : 0, at == BYTES);
		c->text = c->buf;
	}
}

static void
watch_print_put(const struct grid *g, const void *row)
{
	line_left(&g->t->line, 0, ((const struct shown *)row)->row->name);
}

static const char *
what(const struct grid *g, size_t column)
{
	const struct watch_view *v = g->arg;

	(void)column;
	return v->by == WATCH_SITES   ? "path, innermost first"
	       : v->by == WATCH_FUNCS ? "function"
				      : "type";
}

static const struct grid_column columns[] = {
	COLUMN("live", BYTES, 8, watch_print_get, LIVE, NULL),
	COLUMN("blocks", COUNT, 9, watch_print_get, BLOCKS, NULL),
	COLUMN("+-last", BYTES, 9, watch_print_get, LAST, NULL),
	COLUMN("+-watch", BYTES, 9, watch_print_get, SINCE, NULL),
	COLUMN("allocs/s", TEXT, 9, watch_print_get, ALLOCS, NULL),
	COLUMN("bytes/s", TEXT, 9, watch_print_get, BYTES, NULL),
	NAME(NULL, "   ", watch_print_put, NULL),
};

static struct amounts
watch_print_counts_of(const struct watch_look *a, enum watch_by by,
		      const char *name)
{
	const struct watch_row *r = watch_find(&a->rows[by], name);

	return r ? r->count : (struct amounts){ 0 };
}

static int
watch_print_rows(const struct watch_view *v, struct tables *t)
{
	const struct watch_rows *r = &v->now->rows[v->by];
	struct shown *a = calloc(r->n + 1, sizeof *a);
	struct grid g;

	if (!a)
		return -1;
	for (size_t i = 0; i < r->n; i++) {
		a[i].row = &r->row[i];
		a[i].last =
			watch_print_counts_of(v->last, v->by, r->row[i].name);
		a[i].first =
			watch_print_counts_of(v->first, v->by, r->row[i].name);
	}
	qsort_r(a, r->n, sizeof *a, watch_print_compare, (void *)v);
	GRID_INIT(&g, t, columns);
	g.arg = v;
	g.head = what;
	g.dense = true;
	grid_print(&g, &(struct grid_rows){
			       GRID_ROWS(a, r->n < v->rows ? r->n : v->rows) });
	if (!r->known)
		line_add(&t->line, "   (at the next look)");
	else if (!r->n)
		line_add(&t->line, "   (nothing yet)");
	if (!r->n)
		line_end(&t->line);
	free(a);
	return 0;
}

int
watch_print(const struct watch_view *v, FILE *out)
{
	struct options o = *v->o;
	struct tables t = { .o = &o };
	int status;

	o.human = v->human;
	line_init(&t.line, out);
	watch_print_heading(v, &t.line);
	line_add(&t.line, "%s by %s", kinds[v->by], orders[v->sort]);
	if (v->keys)
		line_add(&t.line, "; keys: s sort, t what, q quit");
	line_end(&t.line);
	line_end(&t.line);
	status = watch_print_rows(v, &t);
	if (t.line.failed)
		status = -1;
	line_fini(&t.line);
	return status;
}
