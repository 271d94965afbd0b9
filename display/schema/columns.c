/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of queries: see columns.h. */
#include "display/schema/columns.h"

#include "display/text/amount.h"
#include "reduce/base/str.h"

static const char *const ranges[TALLY_LIVED] = {
	"under 1us",   "1us to 10us",	"10us to 100us",  "100us to 1ms",
	"1ms to 10ms", "10ms to 100ms", "100ms to 1s",	  "1s to 10s",
	"10s to 100s", "100s to 1000s", "1000s and more",
};

/* ---------------------------------------------------------------- values -- */

static long double
mean(const struct life *a)
{
	return tally_mean_known(a) ? (long double)a->sum / a->weight : 0;
}

static void
life(const struct schema *s, const struct tally *t, struct value *v,
     long double n, bool known)
{
	v->known = s->base.lives && t->whole && known;
	v->number = n;
}

/* exact: it is known without FIGURES if no block is sampled. */
static void
figure(const struct schema *s, const struct tally *t, struct value *v,
       uint64_t n, enum monout_figure what, bool exact)
{
	exact &= !s->p->sample.rate;
	life(s, t, v, n, exact || s->p->figures_known >> what & 1);
}

static void
use(const struct schema *s, const struct tally *t, struct value *v,
    long double n, bool known)
{
	v->known =
		s->base.uses && t->whole && t->use && t->use->blocks && known;
	v->number = n;
}

/* The peak of the site itself, or its time. */
static void
own_peak(const struct schema *s, const struct tally *t, struct value *v,
	 bool when)
{
	const struct site *site =
		t->item && t->one_site ? t->item->site : t->site;
	struct amount_most m = { 0 };

	v->known = site && t->whole && s->p->peaks_known;
	if (v->known)
		m = amount_most(s->p, site);
	v->known &= m.snapshots && (m.bytes || !when);
	v->number = when ? m.at : m.bytes;
}

static bool
scored(const struct use *u)
{
	return profile_score(u).known;
}

static void
flag(const struct schema *s, const struct tally *t, struct value *v,
     enum profile_flag flag)
{
	const struct use *u = t->use;

	use(s, t, v, u ? u->flag_blocks[flag] : 0,
	    u && profile_flag_blocks(u, flag));
}

static void
leak(const struct schema *s, const struct tally *t, struct value *v, uint64_t n)
{
	v->known = s->base.leaks && t->whole;
	v->number = n;
}

static void
holds(const struct schema *s, const struct tally *t, struct value *v,
      uint64_t n)
{
	leak(s, t, v, n);
	v->known &= s->base.holds;
}

/* ----------------------------------------------------------------- texts -- */

/* Set *v to a text.  It is known unless items differ (!one) or it is empty. */
static void
columns_text(struct value *v, const char *s, bool one)
{
	value_text(v, one ? s : NULL);
}

static void
columns_mark(struct schema *s, const struct tally *t, struct value *v)
{
	s->text[0] = t->mark;
	s->text[1] = '\0';
	columns_text(v, s->text, t->item && t->item->type && t->one_type);
}

static void
columns_lived(const struct schema *s, const struct tally *t, struct value *v)
{
	int n = t->item ? tally_lived(&s->base, t->item->site) : -1;

	columns_text(v,
		     n >= 0   ? ranges[n]
		     : n < -1 ? "(not freed)"
			      : NULL,
		     t->one_lived);
}

/* The number of the range of lifetimes; rows without a lifetime come last. */
static void
lived_id(const struct schema *s, const struct tally *t, struct value *v)
{
	int n = t->item ? tally_lived(&s->base, t->item->site) : 0;

	value_number(v, (uint64_t)(n < 0 ? TALLY_LIVED - n : n),
		     t->item && t->one_lived);
}

static void
size_id(const struct tally *t, struct value *v)
{
	const struct item *x = t->item;

	v->known = x;
	v->number = !x ? 0 : x->any ? -1.0L - x->size : x->size;
}

static void
thread(const struct tally *t, struct value *v)
{
	const struct thread *x = t->item ? t->item->thread : NULL;

	columns_text(v,
		     x && !*x->name ? "(no name)"
		     : x	    ? x->name
				    : NULL,
		     t->one_thread);
}

static uint64_t
thread_id(const struct schema *s, const struct item *x)
{
	return x && x->thread ? (uint64_t)(x->thread - s->p->all_threads) : 0;
}

static void
file_name(const struct tally *t, struct value *v)
{
	columns_text(v, t->item ? str_basename(tally_file(t->item)) : NULL,
		     t->one_file);
}

/* -------------------------------------------------------------- the list -- */

#define C(id, kind, level, name, meaning, get, ...) \
	static void get_##id(struct schema *s, const struct tally *t, \
			     struct value *v) \
	{ \
		const struct item *x = t->item; \
		const struct func *f = x ? tally_func(x) : NULL; \
		const struct life *a = t->life ? t->life : &no_life; \
		const struct use *u = t->use ? t->use : &no_use; \
		const struct leak *l = t->leak ? t->leak : &no_leak; \
\
		(void)s, (void)x, (void)f, (void)a, (void)u, (void)l; \
		get; \
	}
static const struct life no_life;
static const struct use no_use;
static const struct leak no_leak;
#define ERROR(id, name, variance) \
	static void get_##id##_ERROR(struct schema *s, const struct tally *t, \
				     struct value *v) \
	{ \
		const struct life *a = t->life ? t->life : &no_life; \
		const struct use *u = t->use ? t->use : &no_use; \
\
		(void)a, (void)u; \
		get_##id(s, t, v); \
		value_error(v, variance); \
	}
COLUMNS(C)
COLUMNS_OTHER(C)
COLUMNS_ERRORS
#undef ERROR
#undef C

/* The kinds of columns. */
enum {
#define C(id, kind, ...) KIND_##id = VALUE_##kind,
	COLUMNS(C)
#undef C
};

static void (*const get[COLUMN_ALL])(struct schema *s, const struct tally *t,
				     struct value *v) = {
#define C(id, ...) [COLUMN_##id] = get_##id,
#define ERROR(id, ...) [COLUMN_##id##_ERROR] = get_##id##_ERROR,
	COLUMNS(C) COLUMNS_OTHER(C) COLUMNS_ERRORS
#undef ERROR
#undef C
};

const struct schema_field columns_field[COLUMN_ALL] = {
#define C(id, k, l, n, m, get, ...) \
	[COLUMN_##id] = { .name = n, \
			  .meaning = m, \
			  .kind = VALUE_##k, \
			  .at = COLUMN_##id, \
			  .level = SCHEMA_##l, \
			  __VA_ARGS__ },
#define ERROR(id, n, ...) \
	[COLUMN_##id##_ERROR] = { .name = #n "_error", \
				  .meaning = "standard error of " #n, \
				  .kind = (enum value_kind)KIND_##id, \
				  .at = COLUMN_##id##_ERROR, \
				  .level = SCHEMA_ROW, \
				  .hidden = true, \
				  .error = true },
	COLUMNS(C) COLUMNS_OTHER(C) COLUMNS_ERRORS
#undef ERROR
#undef C
};

const struct schema_table columns_table = { .name = "rows",
					    .field = columns_field,
					    .nfields = COLUMN_N };

struct value
columns_value(struct schema *c, const struct tally *t, enum column column)
{
	struct value v = { .known = true };

	get[column](c, t, &v);
	return v;
}

void
columns_write(struct schema *c, const struct tally *t, struct writer *w,
	      enum column from, enum column to)
{
	struct value v;

	for (enum column i = from; i <= to; i++) {
		v = columns_value(c, t, i);
		value_write(w, columns_field[i].name, columns_field[i].kind,
			    &v);
	}
}

bool
columns_estimate(const struct tally *t, enum column column)
{
	return column >= COLUMN_LIFE && column <= COLUMN_LIFE_MAX && t->life &&
	       t->life->timed < t->frees;
}
