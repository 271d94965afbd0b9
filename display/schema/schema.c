/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names and values of a profile: see schema.h. */
#include "display/schema/schema.h"

#include "display/text/amount.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void
schema_start(struct schema *s, const struct profile *p)
{
	schema_findings(p);
	*s = (struct schema){ .p = p,
			      .bytes = counts_sum(p->total.bytes),
			      .kept = amount_kept(&p->total) };
	tally_start(&s->base, p);
}

int
schema_init(struct schema *s, const struct profile *p)
{
	schema_start(s, p);
	s->item = malloc((p->nitems + 1) * sizeof *s->item);
	return s->item && !tally_init(&s->base, p) ? 0 : -1;
}

void
schema_fini(struct schema *s)
{
	for (size_t i = 0; i < SCHEMA_MOST; i++)
		free(s->own[i]);
	free(s->item);
	free(s->path);
	tally_fini(&s->base);
	conditions_fini(&s->conditions);
	*s = (struct schema){ 0 };
}

/* ------------------------------------------------------------ call paths -- */

/*
 * The longest text of a path.  A longer path has its inner end and, in front,
 * its outermost function.
 */
enum { PATH_MAX_TEXT = 65536, PATH_OUTERMOST = 4096 };

/* Put text in front of the path; false: it doesn't fit. */
static bool
prepend(struct schema *s, size_t *at, const char *text)
{
	size_t n = strlen(text);

	if (n > *at)
		return false;
	*at -= n;
	memcpy(s->path + *at, text, n);
	return true;
}

/*
 * A path is too long: s->path has its inner part, from *at on.  Put the
 * outermost function and " > ... > " in front.
 */
static void
put_outermost(struct schema *s, const struct frame *f, size_t *at)
{
	static const char gap[] = " > ... > ";
	const char *name;

	while (f->parent)
		f = f->parent;
	name = f->site ? f->site : f->func->name;
	if (strlen(name) > PATH_OUTERMOST - sizeof gap)
		name = "...";
	(void)(prepend(s, at, gap) && prepend(s, at, name));
}

const char *
schema_path(struct schema *s, const struct site *site)
{
	const struct frame *f = site->leaf;
	size_t at = PATH_MAX_TEXT, was = at;

	if (!f)
		return "(no chain)";
	if (s->path && s->path_of == site)
		return s->path_text;
	if (!s->path)
		s->path = malloc(PATH_MAX_TEXT + 1);
	if (!s->path) {
		s->failed = true;
		return "";
	}
	s->path[at] = '\0';
	for (; f; f = f->parent) {
		was = at;
		if ((was < PATH_MAX_TEXT && !prepend(s, &at, " > ")) ||
		    !prepend(s, &at, f->site ? f->site : f->func->name) ||
		    (f->parent && at < PATH_OUTERMOST))
			break;
	}
	if (f) {
		at = was;
		put_outermost(s, f, &at);
	}
	s->path_of = site;
	s->path_text = s->path + at;
	return s->path_text;
}

/* ----------------------------------------------------------------- names -- */

const struct schema_table *
schema_table(const char *name)
{
	for (const struct schema_table *t = schema_tables; t->name; t++)
		if (!strcmp(t->name, name))
			return t;
	return NULL;
}

const struct schema_field *
schema_field(const struct schema_table *t, const char *name, size_t n)
{
	for (size_t i = 0; i < t->nfields; i++)
		if (strlen(t->field[i].name) == n &&
		    !memcmp(t->field[i].name, name, n))
			return &t->field[i];
	return NULL;
}

enum { NAME_MAX_LENGTH = 64 };

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* The number of letters to change (Levenshtein distance). */
static unsigned
distance(const char *a, size_t n, const char *b)
{
	unsigned row[NAME_MAX_LENGTH + 1], before, was;
	size_t m = strlen(b);

	for (unsigned k = 0; k <= m; k++)
		row[k] = k;
	for (size_t i = 0; i < n; i++) {
		before = row[0]++;
		for (size_t k = 0; k < m; k++) {
			was = row[k + 1];
			row[k + 1] = least(before + (a[i] != b[k]),
					   1 + least(row[k], was));
			before = was;
		}
	}
	return row[m];
}

unsigned
schema_distance(const char *name, size_t n, const char *other)
{
	if (!other)
		return n > NAME_MAX_LENGTH ? 0 : n < 4 ? 1 : n < 8 ? 2 : 3;
	if (n > NAME_MAX_LENGTH || strlen(other) > NAME_MAX_LENGTH)
		return UINT_MAX;
	return distance(name, n, other);
}

const char *
schema_nearest(const char *(*next)(void *arg), void *arg, const char *name,
	       size_t n)
{
	unsigned most = schema_distance(name, n, NULL), d;
	const char *best = NULL, *one;

	while ((one = next(arg)) != NULL) {
		d = schema_distance(name, n, one);
		if (d > most || (best && d == most))
			continue;
		best = one;
		most = d;
	}
	return best;
}

struct fields_left {
	const struct schema_table *t;
	size_t i;
};

static const char *
next_field(void *arg)
{
	struct fields_left *f = arg;

	return f->i < f->t->nfields ? f->t->field[f->i++].name : NULL;
}

/* Write the names of fields into buf, if they fit: "a, b, c".  Returns buf. */
static const char *
schema_names(const struct schema_table *t, char *buf, size_t n)
{
	size_t at = 0;

	*buf = '\0';
	for (size_t i = 0; i < t->nfields && at < n; i++)
		if (!t->field[i].hidden)
			at += (size_t)snprintf(buf + at, n - at, "%s%s",
					       i ? ", " : "", t->field[i].name);
	return buf;
}

const char *
schema_unknown(const struct schema_table *t, const char *kind, const char *name,
	       size_t n, bool all, char message[SCHEMA_MESSAGE])
{
	struct fields_left left = { t, 0 };
	const char *near = schema_nearest(next_field, &left, name, n);
	char list[SCHEMA_MESSAGE - 100];
	int len = n > 40 ? 40 : (int)n;

	schema_names(t, list, sizeof list);
	if (near)
		snprintf(message, SCHEMA_MESSAGE,
			 "no %s \"%.*s\"; do you mean \"%s\"?%s%s", kind, len,
			 name, near, all ? "  The names are " : "",
			 all ? list : "");
	else
		snprintf(message, SCHEMA_MESSAGE,
			 "no %s \"%.*s\"; the names are %s", kind, len, name,
			 list);
	return message;
}

/* The views for SQL. */
const struct schema_view schema_views[] = {
	{ "leaks", "call paths with lost blocks",
	  "SELECT leaked, leaked_blocks, type, site FROM sites "
	  "WHERE leaked_blocks > 0 ORDER BY leaked DESC" },
	{ "by_module", "figures of each program and library",
	  "SELECT module, sum(allocs) AS allocs, sum(bytes) AS bytes, "
	  "sum(kept) AS kept, sum(peak) AS peak FROM sites "
	  "GROUP BY module ORDER BY bytes DESC" },
	{ "by_type", "figures of each type",
	  "SELECT name AS type, sum(allocs) AS allocs, sum(bytes) AS bytes, "
	  "sum(kept) AS kept, sum(peak) AS peak FROM types "
	  "GROUP BY name ORDER BY bytes DESC" },
	{ 0 },
};

/* ---------------------------------------------------------------- values -- */

int
schema_rows(struct schema *s, const struct schema_table *t, const void **row,
	    size_t *n)
{
	const char *from =
		t->plain ? (const char *)s->p->allocator : (const char *)s->p;
	size_t k = (size_t)(t - schema_tables);

	if (t->findings) {
		*row = t->findings->cell;
		*n = t->findings->nrows;
		return 0;
	}
	if (!from)
		return err_set(&s->e, "%s",
			       conditions_unwritten(s->p)
				       ? conditions_unwritten(s->p)
				       : "the run wasn't recorded with memmon "
					 "--allocator");
	if (t->rows)
		return t->rows(s, row, n);
	*row = NULL;
	if (t->make) {
		if (!s->own[k])
			s->own[k] = t->make(s, &s->nown[k]);
		*row = s->own[k];
		*n = s->nown[k];
		return *row ? 0 : -1;
	}
	if (t->size)
		memcpy(row, from + t->array, sizeof *row);
	memcpy(n, from + t->many, sizeof *n);
	return 0;
}

static void
get_figure(const struct schema *s, const struct schema_field *f, const void *at,
	   struct value *v)
{
	const struct account *a;
	struct figures sum;

	if (f->classes) {
		sum = counts_figures(at, 0);
		sum.peak_known = s->p->peaks_known;
		at = &sum;
	}
	a = at;
#define T(id, name, value) \
	if (f->from == SCHEMA_##id) \
		value_number(v, value, true);
	MEASURES_TOLD(T)
#undef T
	if (f->from == SCHEMA_PEAK)
		value_number(v, ((const struct figures *)at)->peak,
			     ((const struct figures *)at)->peak_known);
}

/* Get a value of a kind that is a text. */
static void
get_text(struct schema *s, enum schema_from from, const char *at,
	 struct value *v)
{
	const struct func *const *f =
		(const struct func *const *)(const void *)at;
	const struct site *const *site =
		(const struct site *const *)(const void *)at;
	const struct root *const *root =
		(const struct root *const *)(const void *)at;

	switch (from) {
	case SCHEMA_MARK:
		s->text[0] = *at;
		s->text[1] = '\0';
		value_text(v, s->text);
		return;
	case SCHEMA_FUNCTION:
		value_text(v, *f ? (*f)->name : NULL);
		return;
	case SCHEMA_ROOT:
		value_text(v, *root ? (*root)->name : NULL);
		return;
	case SCHEMA_PATH:
		value_text(v, *site ? schema_path(s, *site) : NULL);
		return;
	default:
		value_text(v, *(const char *const *)(const void *)at);
		return;
	}
}

void
schema_get(struct schema *s, const struct schema_table *t,
	   const struct schema_field *f, const void *row, size_t number,
	   struct value *v)
{
	const char *at = (const char *)row + f->at;
	uint64_t n = 0;

	*v = (struct value){ 0 };
	if (f->from >= SCHEMA_U64 && f->from <= SCHEMA_MAX &&
	    f->from != SCHEMA_U32)
		memcpy(&n, at, sizeof n);
	switch (f->from) {
	case SCHEMA_CALL:
		t->value(s, row, number, f->at, v);
		return;
	case SCHEMA_ROWID:
		value_number(v, number, true);
		return;
	case SCHEMA_U64:
		value_number(v, n, true);
		return;
	case SCHEMA_SOME:
		value_number(v, n, n > 0);
		return;
	case SCHEMA_MAX:
		value_number(v, n, n != UINT64_MAX);
		return;
	case SCHEMA_U32:
		n = *(const unsigned *)(const void *)at;
		value_number(v, n, n > 0);
		return;
	case SCHEMA_INDEX:
	case SCHEMA_NEAR:
		n = *(const uint32_t *)(const void *)at;
		value_number(v, n,
			     n < (f->from == SCHEMA_NEAR ? LINK_FAR
							 : UINT32_MAX));
		return;
	case SCHEMA_ERROR:
		schema_get(s, t, f - 1, row, number, v);
		value_error(v, *(const double *)(const void *)at);
		return;
	case SCHEMA_TRUE:
		value_number(v, *(const bool *)at, true);
		return;
	case SCHEMA_STRING:
	case SCHEMA_MARK:
	case SCHEMA_FUNCTION:
	case SCHEMA_ROOT:
	case SCHEMA_PATH:
		get_text(s, f->from, at, v);
		return;
	default:
		get_figure(s, f, at, v);
		return;
	}
}

void
schema_list(FILE *out)
{
	static const char *const kind[] = {
		[VALUE_TEXT] = "text",	  [VALUE_COUNT] = "count",
		[VALUE_BYTES] = "bytes",  [VALUE_TIME] = "ns",
		[VALUE_SHARE] = "0 to 1", [VALUE_SCORE] = "0 to 1"
	};

	for (const struct schema_table *t = schema_tables; t->name; t++) {
		fprintf(out, "%s%s: %s\n", t == schema_tables ? "" : "\n",
			t->name, t->meaning);
		/* Print fields that two tables share only once. */
		if (t != schema_tables && t->field == t[-1].field) {
			fprintf(out, "  the columns of %s\n", t[-1].name);
			continue;
		}
		for (size_t i = 0; i < t->nfields; i++)
			if (!t->field[i].hidden)
				fprintf(out, "  %-16s %-6s %s\n",
					t->field[i].name,
					kind[t->field[i].kind],
					t->field[i].meaning);
	}
	for (const struct schema_view *v = schema_views; v->name; v++)
		fprintf(out, "\n%s (a view): %s\n", v->name, v->meaning);
}

void
schema_write(struct schema *s, struct writer *w, const struct schema_table *t,
	     const void *row, size_t number, const char *from, const char *to)
{
	const struct schema_field *f = t->field, *end = f + t->nfields - 1;
	struct value v;

	if (from) {
		f = schema_field(t, from, strlen(from));
		end = schema_field(t, to, strlen(to));
	}
	for (; f <= end; f++) {
		if (f->hidden)
			continue;
		schema_get(s, t, f, row, number, &v);
		value_write(w, f->name, f->kind, &v);
	}
}
