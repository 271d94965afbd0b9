/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of queries: see columns.h. */
#include "display/query/columns.h"

#include "display/text/amount.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------ lifetimes -- */

static const char *const lived[TALLY_LIVED] = {
	"under 1us",   "1us to 10us",	"10us to 100us",  "100us to 1ms",
	"1ms to 10ms", "10ms to 100ms", "100ms to 1s",	  "1s to 10s",
	"10s to 100s", "100s to 1000s", "1000s and more",
};

static void
life(const struct schema *c, const struct tally *t, enum column column,
     struct schema_value *v)
{
	static const struct life nothing;
	const struct life *a = t->life ? t->life : &nothing;

	v->known = c->base.lives && t->whole;
	/* Of samples it isn't known what came between. */
	if (c->p->sample.rate)
		v->known &= column != COLUMN_TEMPS && column != COLUMN_NEAR &&
			    column != COLUMN_MOVED && column != COLUMN_COPIED &&
			    column != COLUMN_LONGEST;
	switch (column) {
	case COLUMN_LIFE:
		v->known &= tally_mean_known(a);
		v->number = v->known ? (long double)a->sum / a->weight : 0;
		break;
	case COLUMN_LIFE_MIN:
		v->known &= a->timed > 0;
		v->number = a->min;
		break;
	case COLUMN_LIFE_MAX:
		v->known &= a->timed > 0;
		v->number = a->max;
		break;
	case COLUMN_TEMPS:
		v->number = a->temps;
		break;
	case COLUMN_NEAR:
		v->number = a->near;
		break;
	case COLUMN_FOREIGN:
		v->number = a->foreign;
		break;
	case COLUMN_MOVED:
		v->number = a->moved;
		break;
	case COLUMN_COPIED:
		v->number = a->copied;
		break;
	default:
		v->number = a->longest;
		break;
	}
}

/* ----------------------------------------------------------- uses, leaks -- */

static void
use(const struct schema *c, const struct tally *t, enum column column,
    struct schema_value *v)
{
	const struct use *u = t->use;
	struct score s;

	v->known = c->base.uses && t->whole && u && u->blocks;
	if (!v->known)
		return;
	if (column == COLUMN_READS || column == COLUMN_WRITES) {
		v->number = column == COLUMN_READS ? u->reads : u->writes;
		return;
	}
	if (column >= COLUMN_UNUSED) {
		v->number = u->flag_blocks[column - COLUMN_UNUSED];
		v->known =
			profile_flag_blocks(u, (enum profile_flag)(
						       column - COLUMN_UNUSED));
		return;
	}
	s = profile_score(u);
	v->known = column == COLUMN_LIFETIME
			   ? u->groups > 0
			   : profile_use_known(u) && u->groups > 0;
	v->number = column == COLUMN_LIFETIME	? s.lifetime
		    : column == COLUMN_USAGE	? s.usage
		    : column == COLUMN_USEFUL	? s.useful
		    : column == COLUMN_COVER	? s.cover
		    : column == COLUMN_MEAN	? s.severity
		    : column == COLUMN_SEVERITY ? s.step
						: s.saving;
}

static void
leak(const struct schema *c, const struct tally *t, enum column column,
     struct schema_value *v)
{
	static const struct leak nothing;
	const struct leak *a = t->leak ? t->leak : &nothing;
	unsigned kind = (column - COLUMN_LOST) / 2;
	bool blocks = (column - COLUMN_LOST) & 1;
	const uint64_t *n = blocks ? a->blocks : a->bytes;

	v->known = c->base.leaks && t->whole;
	v->number = kind < PROFILE_NLEAK
			    ? n[kind]
			    : amount_add(n[PROFILE_LOST], n[PROFILE_INDIRECT]);
}

/* ----------------------------------------------------------------- texts -- */

/* A text that is known unless it is empty. */
static void
text(struct schema_value *v, const char *s, bool one)
{
	v->known = one && s && *s;
	v->text = v->known ? s : "";
}

static void
thread(const struct tally *t, struct schema_value *v)
{
	const struct thread *x = t->item->thread;

	if (!x || !t->one_thread) {
		v->known = false;
		v->text = "";
		return;
	}
	text(v, *x->name ? x->name : "(no name)", true);
}

static void
texts(struct schema *c, const struct tally *t, enum column column,
      struct schema_value *v)
{
	const struct func *f = t->item ? tally_func(t->item) : NULL;
	int n;

	text(v, NULL, false);
	if (!t->item)
		return;
	switch (column) {
	case COLUMN_TYPE:
		text(v, t->item->type, t->one_type);
		return;
	case COLUMN_MARK:
		c->text[0] = t->mark;
		c->text[1] = '\0';
		text(v, c->text, t->item->type && t->one_type);
		return;
	case COLUMN_LIVED:
		n = tally_lived(&c->base, t->item->site);
		if (n >= -1)
			text(v, n < 0 ? NULL : lived[n], t->one_lived);
		else
			text(v, "(not freed)", t->one_lived);
		return;
	case COLUMN_THREAD:
		thread(t, v);
		return;
	case COLUMN_MODULE:
		text(v, tally_module(t->item), t->one_module);
		return;
	case COLUMN_FILE:
		text(v, tally_file(t->item), t->one_file);
		return;
	case COLUMN_FILE_NAME:
		text(v, tally_file(t->item), t->one_file);
		v->text = strrchr(v->text, '/') ? strrchr(v->text, '/') + 1
						: v->text;
		return;
	case COLUMN_THREAD_ALIAS:
		text(v, t->item->thread && t->item->thread->main ? "main" : "",
		     t->one_thread);
		return;
	case COLUMN_FUNCTION:
		text(v, f ? f->name : NULL, t->one_func);
		return;
	default:
		if (t->one_site)
			text(v, schema_path(c, t->item->site), true);
		return;
	}
}

/* --------------------------------------------------------------- all ------ */

static void
number(struct schema_value *v, uint64_t n, bool known)
{
	v->known = known;
	v->number = n;
}

static void
share(struct schema_value *v, uint64_t n, uint64_t of)
{
	v->known = of > 0;
	v->number = of ? (long double)n / of : 0;
}

static void
count(const struct schema *c, const struct tally *t, enum column column,
      struct schema_value *v)
{
	uint64_t kept = amount_sub(t->bytes, t->freed);
	bool sizes = t->size_known && t->item;

	switch (column) {
	case COLUMN_ALLOCS:
		number(v, t->allocs, true);
		break;
	case COLUMN_BYTES:
		number(v, t->bytes, true);
		break;
	case COLUMN_FREES:
	case COLUMN_FREED:
		number(v, column == COLUMN_FREES ? t->frees : t->freed, true);
		break;
	case COLUMN_KEPT:
		number(v, kept, true);
		break;
	case COLUMN_KEPT_BLOCKS:
		number(v, amount_sub(t->allocs, t->frees), true);
		break;
	case COLUMN_PEAK:
		number(v, t->peak, t->peak_known);
		break;
	case COLUMN_PEAK_BLOCKS:
		number(v, t->peak_blocks, t->peak_known);
		break;
	case COLUMN_SIZE:
		number(v, t->least, sizes && t->least == t->largest);
		break;
	case COLUMN_SIZE_MIN:
		number(v, t->least, sizes);
		break;
	case COLUMN_SIZE_MAX:
		number(v, t->largest, sizes);
		break;
	case COLUMN_AVERAGE:
		share(v, t->bytes, t->allocs);
		break;
	case COLUMN_SHARE:
		share(v, t->bytes, c->bytes);
		break;
	case COLUMN_KEPT_SHARE:
		share(v, kept, c->kept);
		break;
	case COLUMN_PEAK_SHARE:
		share(v, t->peak, c->p->total.peak);
		v->known &= t->peak_known;
		break;
	case COLUMN_SITES:
		number(v, t->sites, true);
		break;
	case COLUMN_REALLOCS:
		number(v, t->reallocs, t->whole && !c->p->filter.part);
		break;
	default: /* COLUMN_LINE */
		number(v, t->item ? tally_line(t->item) : 0,
		       t->item && t->one_line && tally_line(t->item));
		break;
	}
}

/* Numbers of what texts name. */
static void
ids(const struct schema *c, const struct tally *t, enum column column,
    struct schema_value *v)
{
	const struct profile *p = c->p;
	const struct item *x = t->item;
	const struct func *f = x ? tally_func(x) : NULL;
	int n;

	number(v, 0, false);
	if (column == COLUMN_SITE_ID && x)
		number(v, (uint64_t)(x->site - p->sites), t->one_site);
	if (column == COLUMN_FUNCTION_ID && f)
		number(v, (uint64_t)(f - p->funcs[0]), t->one_func);
	if (column == COLUMN_THREAD_ID && x && x->thread)
		number(v, (uint64_t)(x->thread - p->all_threads),
		       t->one_thread);
	if (column == COLUMN_SIZE_ID && x) {
		v->known = true;
		v->number = x->any ? -1.0L - x->size : x->size;
	}
	if (column != COLUMN_LIVED_ID || !x)
		return;
	/* Those without a time come last. */
	n = tally_lived(&c->base, x->site);
	number(v, (uint64_t)(n < 0 ? TALLY_LIVED - n : n), t->one_lived);
}

struct schema_value
columns_value(struct schema *c, const struct tally *t, enum column column)
{
	struct schema_value v = { .known = true };

	if (column >= COLUMN_SITE_ID && column <= COLUMN_SIZE_ID)
		ids(c, t, column, &v);
	else if (columns_field[column].kind == ROWS_TEXT)
		texts(c, t, column, &v);
	else if (column < COLUMN_LIFE || column == COLUMN_REALLOCS ||
		 column == COLUMN_LINE)
		count(c, t, column, &v);
	else if (column < COLUMN_READS)
		life(c, t, column, &v);
	else if (column < COLUMN_LOST)
		use(c, t, column, &v);
	else
		leak(c, t, column, &v);
	return v;
}

bool
columns_estimate(const struct tally *t, enum column column)
{
	return column >= COLUMN_LIFE && column <= COLUMN_LIFE_MAX && t->life &&
	       t->life->timed < t->frees;
}
