/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --watch shows of a program: see watch.h. */
#define _GNU_SOURCE
#include "display/watch/watch.h"

#include "display/text/amount.h"
#include "display/text/line.h"
#include "display/text/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NS 1000000000u

/* A cell holds a sign, a number and a NUL. */
enum { CELL = 2 * NUMBER_SIZE, COLUMNS = 6 };

static const char *const sorts[WATCH_NSORT] = { "live", "last", "since",
						"rate" };
static const char *const orders[WATCH_NSORT] = { "live bytes",
						 "growth since the last look",
						 "growth since the watch began",
						 "bytes allocated a second" };
static const char *const kinds[WATCH_NBY] = { "call paths", "functions",
					      "types" };

/* A row, and what is compared with it. */
struct shown {
	const struct watch_row *row;
	struct watch_counts last, first; /* all 0: it wasn't there */
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
change(const struct watch_view *v, char *buf, bool known, uint64_t from,
       uint64_t to)
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

/* n in ns, as so many a second. */
static void
rate(const struct watch_view *v, char *buf, uint64_t n, uint64_t ns, bool bytes)
{
	unsigned __int128 r;

	if (!ns) {
		snprintf(buf, CELL, "-");
		return;
	}
	r = ((unsigned __int128)n * NS + ns / 2) / ns;
	if (r > UINT64_MAX)
		r = UINT64_MAX;
	number_bytes(buf, (uint64_t)r, bytes && v->human);
}

/* ns from the last look to this one; 0: there was none. */
static uint64_t
since(const struct watch_view *v)
{
	return v->last->there ? amount_sub(v->now->length, v->last->length) : 0;
}

/* --------------------------------------------------------------- heading -- */

static void
heading(const struct watch_view *v, struct line *l)
{
	const struct watch_look *a = v->now;
	char buf[CELL], more[CELL];

	line_add(l, "%s, pid %" PRIu64 ", up %s s", a->program, a->pid,
		 number_seconds(buf, a->length));
	if (v->first->length < a->length)
		line_add(l, ", watched for %s s",
			 number_seconds(buf, a->length - v->first->length));
	if (a->end)
		line_add(l, "; it has ended: %s", a->end);
	if (a->incomplete)
		line_add(l, "; figures are lower bounds");
	line_end(l);
	line_add(l, "live %s bytes in %" PRIu64 " blocks, ",
		 number_bytes(buf, a->all.live, v->human), a->all.blocks);
	line_add(l, "peak %s, RSS %s", number_bytes(buf, a->peak, v->human),
		 a->rss == UINT64_MAX ? "-"
				      : number_bytes(more, a->rss, v->human));
	line_end(l);
	rate(v, buf, amount_sub(a->all.allocs, v->last->all.allocs), since(v),
	     false);
	rate(v, more, amount_sub(a->all.bytes, v->last->all.bytes), since(v),
	     true);
	line_add(l, "a second: %s allocations of %s bytes; ", buf, more);
	rate(v, buf, a->all.allocs, a->length, false);
	rate(v, more, a->all.bytes, a->length, true);
	line_add(l, "since the start %s of %s a second", buf, more);
	line_end(l);
	change(v, buf, v->last->there, v->last->all.live, a->all.live);
	change(v, more, true, v->first->all.live, a->all.live);
	line_add(l, "growth: %s since the last look, %s since the watch began",
		 buf, more);
	change(v, buf, true, 0, a->all.live);
	line_add(l, ", %s since the start", buf);
	line_end(l);
}

/* ------------------------------------------------------------------ rows -- */

/* What a row is sorted by; a signed number, made larger than 0. */
static unsigned __int128
weight(const struct watch_view *v, const struct shown *a)
{
	const unsigned __int128 zero = (unsigned __int128)1 << 64;
	const struct watch_counts *c = &a->row->count;

	switch (v->sort) {
	case WATCH_LAST:
		return zero + c->live - a->last.live;
	case WATCH_SINCE:
		return zero + c->live - a->first.live;
	case WATCH_RATE:
		return zero + c->bytes - a->last.bytes;
	case WATCH_LIVE:
	default:
		return zero + c->live;
	}
}

static int
compare(const void *va, const void *vb, void *arg)
{
	const struct shown *a = va, *b = vb;
	unsigned __int128 x = weight(arg, a), y = weight(arg, b);

	if (x != y)
		return x < y ? 1 : -1;
	if (a->row->count.live != b->row->count.live)
		return a->row->count.live < b->row->count.live ? 1 : -1;
	if (a->row->count.bytes != b->row->count.bytes)
		return a->row->count.bytes < b->row->count.bytes ? 1 : -1;
	return strcmp(a->row->name, b->row->name);
}

static void
cell(const struct watch_view *v, const struct shown *a, int c, char buf[CELL])
{
	static const char *const head[COLUMNS] = { "live",     "blocks",
						   "+-last",   "+-watch",
						   "allocs/s", "bytes/s" };
	const struct watch_counts *n;
	bool last = v->last->there && v->last->rows[v->by].known;
	bool first = v->first->rows[v->by].known;

	if (!a) {
		snprintf(buf, CELL, "%s", head[c]);
		return;
	}
	n = &a->row->count;
	switch (c) {
	case 0:
		number_bytes(buf, n->live, v->human);
		break;
	case 1:
		number_count(buf, n->blocks);
		break;
	case 2:
		change(v, buf, last, a->last.live, n->live);
		break;
	case 3:
		change(v, buf, first, a->first.live, n->live);
		break;
	case 4:
		rate(v, buf, amount_sub(n->allocs, a->last.allocs),
		     last ? since(v) : 0, false);
		break;
	default:
		rate(v, buf, amount_sub(n->bytes, a->last.bytes),
		     last ? since(v) : 0, true);
	}
}

static void
table(const struct watch_view *v, struct line *l, const struct shown *a,
      size_t n)
{
	size_t width[COLUMNS] = { 0 };
	char buf[CELL];

	for (size_t i = 0; i <= n; i++)
		for (int c = 0; c < COLUMNS; c++) {
			cell(v, i ? &a[i - 1] : NULL, c, buf);
			if (width[c] < strlen(buf))
				width[c] = strlen(buf);
		}
	for (size_t i = 0; i <= n; i++) {
		for (int c = 0; c < COLUMNS; c++) {
			cell(v, i ? &a[i - 1] : NULL, c, buf);
			line_right(l, (width[c] < 8 ? 8 : width[c]) + (c > 0),
				   buf);
		}
		line_add(l, "   %s",
			 i		    ? a[i - 1].row->name
			 : v->by == WATCH_SITES ? "path, innermost first"
			 : v->by == WATCH_FUNCS ? "function"
						: "type");
		line_end(l);
	}
}

static struct watch_counts
counts_of(const struct watch_look *a, enum watch_by by, const char *name)
{
	const struct watch_row *r = watch_find(&a->rows[by], name);

	return r ? r->count : (struct watch_counts){ 0 };
}

static int
rows(const struct watch_view *v, struct line *l)
{
	const struct watch_rows *r = &v->now->rows[v->by];
	struct shown *a = calloc(r->n + 1, sizeof *a);

	if (!a)
		return -1;
	for (size_t i = 0; i < r->n; i++) {
		a[i].row = &r->row[i];
		a[i].last = counts_of(v->last, v->by, r->row[i].name);
		a[i].first = counts_of(v->first, v->by, r->row[i].name);
	}
	qsort_r(a, r->n, sizeof *a, compare, (void *)v);
	table(v, l, a, r->n < v->rows ? r->n : v->rows);
	if (!r->known)
		line_add(l, "   (at the next look)");
	else if (!r->n)
		line_add(l, "   (nothing yet)");
	if (!r->n)
		line_end(l);
	free(a);
	return 0;
}

int
watch_print(const struct watch_view *v, FILE *out)
{
	struct line l;
	int status;

	line_init(&l, out);
	heading(v, &l);
	line_add(&l, "%s by %s", kinds[v->by], orders[v->sort]);
	if (v->keys)
		line_add(&l, "; keys: s sort, t what, q quit");
	line_end(&l);
	line_end(&l);
	status = rows(v, &l);
	if (l.failed)
		status = -1;
	line_fini(&l);
	return status;
}
