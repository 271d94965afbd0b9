/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of queries: see columns.h. */
#include "display/query/columns.h"

#include "display/text/amount.h"

#include <stdlib.h>
#include <string.h>

static const struct expr_name names[COLUMN_N] = {
#define PLAIN(c, text) [COLUMN_##c] = { text, EXPR_NUMBER, EXPR_PLAIN }
#define BYTES(c, text) [COLUMN_##c] = { text, EXPR_NUMBER, EXPR_BYTES }
#define TIME(c, text) [COLUMN_##c] = { text, EXPR_NUMBER, EXPR_TIME }
#define TEXT(c, text) [COLUMN_##c] = { text, EXPR_TEXT, EXPR_PLAIN }
	PLAIN(ALLOCS, "allocs"),
	BYTES(BYTES, "bytes"),
	PLAIN(FREES, "frees"),
	BYTES(FREED, "freed"),
	BYTES(KEPT, "kept"),
	PLAIN(KEPT_BLOCKS, "kept_blocks"),
	BYTES(PEAK, "peak"),
	PLAIN(PEAK_BLOCKS, "peak_blocks"),
	BYTES(SIZE, "size"),
	BYTES(SIZE_MIN, "size_min"),
	BYTES(SIZE_MAX, "size_max"),
	BYTES(AVERAGE, "average"),
	PLAIN(SHARE, "share"),
	PLAIN(KEPT_SHARE, "kept_share"),
	PLAIN(SITES, "sites"),
	TIME(LIFE, "life"),
	TIME(LIFE_MIN, "life_min"),
	TIME(LIFE_MAX, "life_max"),
	PLAIN(TEMPS, "temps"),
	PLAIN(NEAR, "near"),
	PLAIN(FOREIGN, "foreign"),
	PLAIN(REALLOCS, "reallocs"),
	PLAIN(MOVED, "moved"),
	BYTES(COPIED, "copied"),
	PLAIN(LONGEST, "longest"),
	PLAIN(READS, "reads"),
	PLAIN(WRITES, "writes"),
	PLAIN(LIFETIME, "lifetime"),
	PLAIN(USAGE, "usage"),
	PLAIN(USEFUL, "useful"),
	PLAIN(COVER, "cover"),
	PLAIN(MEAN, "mean"),
	PLAIN(SEVERITY, "severity"),
	BYTES(SAVE, "save"),
	PLAIN(UNUSED, "unused"),
	PLAIN(WRITE_ONLY, "write_only"),
	PLAIN(READ_ONLY, "read_only"),
	PLAIN(SHORT_LIVED, "short_lived"),
	PLAIN(EARLY, "early"),
	PLAIN(LATE, "late"),
	PLAIN(GROWING, "growing"),
	PLAIN(SHARED, "shared"),
	PLAIN(LOW_COVER, "low_cover"),
	BYTES(LOST, "lost"),
	PLAIN(LOST_BLOCKS, "lost_blocks"),
	BYTES(INDIRECT, "indirect"),
	PLAIN(INDIRECT_BLOCKS, "indirect_blocks"),
	BYTES(INTERIOR, "interior"),
	PLAIN(INTERIOR_BLOCKS, "interior_blocks"),
	BYTES(REACHABLE, "reachable"),
	PLAIN(REACHABLE_BLOCKS, "reachable_blocks"),
	BYTES(LEAKED, "leaked"),
	PLAIN(LEAKED_BLOCKS, "leaked_blocks"),
	TEXT(TYPE, "type"),
	TEXT(MARK, "mark"),
	TEXT(LIVED, "lived"),
	TEXT(THREAD, "thread"),
	TEXT(MODULE, "module"),
	TEXT(FILE, "file"),
	PLAIN(LINE, "line"),
	TEXT(FUNCTION, "function"),
	TEXT(SITE, "site"),
};

const struct expr_scope columns_scope = { names, COLUMN_N, NULL };

enum rows_kind
columns_kind(enum column c)
{
	if (names[c].kind == EXPR_TEXT)
		return ROWS_TEXT;
	if (c == COLUMN_SHARE || c == COLUMN_KEPT_SHARE)
		return ROWS_SHARE;
	if (c >= COLUMN_LIFETIME && c <= COLUMN_MEAN)
		return ROWS_SCORE;
	return names[c].unit == EXPR_BYTES  ? ROWS_BYTES
	       : names[c].unit == EXPR_TIME ? ROWS_TIME
					    : ROWS_COUNT;
}

void
columns_init(struct columns *c, const struct tally_base *base)
{
	*c = (struct columns){ .base = base,
			       .bytes = amount_bytes(&base->p->total),
			       .kept = amount_kept(&base->p->total) };
}

void
columns_fini(struct columns *c)
{
	free(c->path);
	*c = (struct columns){ 0 };
}

/* ------------------------------------------------------------ lifetimes -- */

static const char *const lived[TALLY_LIVED] = {
	"under 1us",   "1us to 10us",	"10us to 100us",  "100us to 1ms",
	"1ms to 10ms", "10ms to 100ms", "100ms to 1s",	  "1s to 10s",
	"10s to 100s", "100s to 1000s", "1000s and more",
};

static void
life(const struct columns *c, const struct tally *t, enum column column,
     struct expr_value *v)
{
	static const struct life nothing;
	const struct life *a = t->life ? t->life : &nothing;

	v->known = c->base->lives && t->whole;
	/* Of samples it isn't known what came between. */
	if (c->base->p->sample.rate)
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
use(const struct columns *c, const struct tally *t, enum column column,
    struct expr_value *v)
{
	const struct use *u = t->use;
	struct score s;

	v->known = c->base->uses && t->whole && u && u->blocks;
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
leak(const struct columns *c, const struct tally *t, enum column column,
     struct expr_value *v)
{
	static const struct leak nothing;
	const struct leak *a = t->leak ? t->leak : &nothing;
	unsigned kind = (column - COLUMN_LOST) / 2;
	bool blocks = (column - COLUMN_LOST) & 1;
	const uint64_t *n = blocks ? a->blocks : a->bytes;

	v->known = c->base->leaks && t->whole;
	v->number = kind < PROFILE_NLEAK
			    ? n[kind]
			    : amount_add(n[PROFILE_LOST], n[PROFILE_INDIRECT]);
}

/* ----------------------------------------------------------------- texts -- */

/* The longest text of a path; what is further out is left out of it. */
enum { PATH_MAX_TEXT = 65536 };

/* Put text before what is there; false: it doesn't fit any more. */
static bool
prepend(struct columns *c, size_t *at, const char *text)
{
	size_t n = strlen(text);

	if (n > *at)
		return false;
	*at -= n;
	memcpy(c->path + *at, text, n);
	return true;
}

/* "main > f > g" */
static const char *
path(struct columns *c, const struct site *s)
{
	const struct frame *f = s->tip;
	size_t at = PATH_MAX_TEXT, was = at;

	if (!f)
		return "(no chain)";
	if (!c->path)
		c->path = malloc(PATH_MAX_TEXT + 1);
	if (!c->path) {
		c->failed = true;
		return "";
	}
	c->path[at] = '\0';
	for (; f; f = f->parent) {
		was = at;
		if ((was < PATH_MAX_TEXT && !prepend(c, &at, " > ")) ||
		    !prepend(c, &at, f->site ? f->site : f->func->name))
			break;
	}
	return c->path + (f ? was : at);
}

/* A text that is known unless it is empty. */
static void
text(struct expr_value *v, const char *s, bool one)
{
	v->known = one && s && *s;
	v->text = v->known ? s : "";
}

static void
thread(const struct tally *t, struct expr_value *v)
{
	const struct thread *x = t->item->thread;

	if (!x || !t->one_thread) {
		v->known = false;
		v->text = "";
		return;
	}
	text(v, *x->name ? x->name : "(no name)", true);
	v->other = x->main ? "main" : NULL;
}

static void
texts(struct columns *c, const struct tally *t, enum column column,
      struct expr_value *v)
{
	const struct func *f = t->item ? tally_func(t->item) : NULL;
	const char *slash;
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
		n = tally_lived(c->base, t->item->site);
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
		slash = strrchr(v->text, '/');
		v->other = slash ? slash + 1 : NULL;
		return;
	case COLUMN_FUNCTION:
		text(v, f ? f->name : NULL, t->one_func);
		return;
	default:
		if (t->one_site)
			text(v, path(c, t->item->site), true);
		return;
	}
}

/* --------------------------------------------------------------- all ------ */

static void
number(struct expr_value *v, uint64_t n, bool known)
{
	v->known = known;
	v->number = n;
}

static void
share(struct expr_value *v, uint64_t n, uint64_t of)
{
	v->known = of > 0;
	v->number = of ? (long double)n / of : 0;
}

static void
count(const struct columns *c, const struct tally *t, enum column column,
      struct expr_value *v)
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
		number(v, t->frees, true);
		break;
	case COLUMN_FREED:
		number(v, t->freed, true);
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
	case COLUMN_SITES:
		number(v, t->sites, true);
		break;
	case COLUMN_REALLOCS:
		number(v, t->reallocs, t->whole && !c->base->p->filter.part);
		break;
	default: /* COLUMN_LINE */
		number(v, t->item ? tally_line(t->item) : 0,
		       t->item && t->one_line && tally_line(t->item));
		break;
	}
}

struct expr_value
columns_value(struct columns *c, const struct tally *t, enum column column)
{
	struct expr_value v = { .known = true };

	if (names[column].kind == EXPR_TEXT)
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
