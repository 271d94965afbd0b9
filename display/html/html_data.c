/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's data: columns, strings, functions, frames and sites. */
#include "display/html/html_data.h"

#include "display/grid/table.h"
#include "display/tables/advice.h"
#include "display/tables/memory.h"
#include "display/text/element.h"
#include "display/text/number.h"

#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------- columns -- */

uint64_t
html_string(struct html *h, const char *text)
{
	uint32_t n = intern_text(&h->strings, text);

	if (n != INTERN_FAILED)
		return n;
	h->failed = true;
	return 0;
}

uint64_t
html_copied(struct html *h, const char *text)
{
	return html_string(h, arena_copy(&h->texts, text, strlen(text)));
}

struct html_table
html_room(struct html *h, size_t n)
{
	struct html_table t = { h, n, calloc(n + 1, sizeof *t.v) };

	h->failed |= !t.v;
	return t;
}

struct html_table
html_table(struct html *h, const char *name, size_t n)
{
	writer_line(&h->w, name, '{');
	writer_number(&h->w, "n", n);
	return html_room(h, n);
}

void
html_table_end(struct html_table *t)
{
	writer_leave(&t->h->w, '}');
	free(t->v);
}

/* Write t->v as a column, unless it is all 0. */
void
html_column(struct html_table *t, const char *name)
{
	for (size_t i = 0; t->v && i < t->n; i++)
		if (t->v[i]) {
			writer_numbers(&t->h->w, name, t->v, t->n);
			return;
		}
}

void
html_errors(struct html_table *t, const void *row, size_t size, size_t at,
	    size_t most)
{
	static const struct {
		const char *name;
		enum profile_error of;
	} columns[] = { { "e_allocs", PROFILE_E_ALLOCS },
			{ "e_bytes", PROFILE_E_BYTES },
			{ "e_kept", PROFILE_E_KEPT },
			{ "e_peak", PROFILE_E_PEAK } };
	const char *from = row;

	for (size_t k = 0; k < most; k++) {
		for (size_t i = 0; t->v && i < t->n; i++) {
			const void *var = from + i * size + at;

			t->v[i] = errors_thousandths(
				((const double *)var)[columns[k].of]);
		}
		html_column(t, columns[k].name);
	}
}

void
html_fields(struct html_table *t, const char *table, const void *row,
	    const char *from, const char *to)
{
	const struct schema_table *s = schema_table(table);
	const struct schema_field *f = schema_field(s, from, strlen(from));
	const struct schema_field *last = schema_field(s, to, strlen(to));
	struct value x;

	for (; t->v && f <= last; f++) {
		if (f->kind >= VALUE_SHARE)
			continue; /* the page computes these itself */
		for (size_t i = 0; i < t->n; i++) {
			schema_get(&t->h->schema, s, f,
				   (const char *)row + i * s->size, i, &x);
			t->v[i] = x.known ? (uint64_t)x.number : 0;
		}
		html_column(t, f->name);
	}
}

static void
html_signed(struct html *h, int n)
{
	if (n >= 0)
		writer_number(&h->w, NULL, (uint64_t)n);
	else
		writer_real(&h->w, NULL, n);
}

static int
html_hundredths(double score)
{
	char buf[NUMBER_SIZE], *dot;

	number_score(buf, score);
	if (*buf == '<')
		return -1;
	dot = strchr(buf, '.');
	return dot ? (int)(strtol(buf, NULL, 10) * 100 +
			   strtol(dot + 1, NULL, 10))
		   : 0;
}

void
html_score(struct html *h, double score, bool known)
{
	if (known)
		html_signed(h, html_hundredths(score));
	else
		writer_null(&h->w, NULL);
}

/* ------------------------------------------------------------- functions -- */

/* Write what each function allocated itself, by size class. */
static void
by_class(struct html *h, const char *name, bool kept)
{
	writer_enter(&h->w, name, '[');
	for (size_t i = 0; i < h->nfuncs; i++) {
		for (unsigned k = 0; k < PROFILE_NCLASS; k++) {
			struct account a =
				counts_of_class(&h->funcs[i]->func->self, k);

			writer_number(&h->w, NULL,
				      kept ? account_kept(&a) : a.bytes);
		}
	}
	writer_leave(&h->w, ']');
}

void
html_functions(struct html *h)
{
	struct html_table t = html_table(h, "functions", h->nfuncs);

#define ROW \
	const struct node *n = h->funcs[i]; \
	const struct func *f = n->func
#define COLUMN(name, value) HTML_COLUMN(&t, name, ((void)f, value))
	COLUMN(label, html_string(h, n->label));
	COLUMN(name, html_string(h, f->name));
	COLUMN(module, html_string(h, f->module));
	COLUMN(file, html_string(h, f->file));
	COLUMN(line, f->line);
	COLUMN(whose, f->whose);
	COLUMN(graph, (uint64_t)(n - h->nodes.v));
	COLUMN(cycle, f->cycle);
	COLUMN(inlined, f->inlined);
	COLUMN(outcalls, f->outcalls);
	COLUMN(recursive, f->recursive);
	COLUMN(calls, f->calls);
#undef COLUMN
#undef ROW
	by_class(h, "classes", false);
	by_class(h, "kept_classes", true);
	html_table_end(&t);
}

/* ------------------------------------------------------ frames and sites -- */

/* The frame's number, from 1; 0: no number yet, or no frame. */
static uint32_t *
html_data_number(const struct html *h, const struct frame *f)
{
	return &h->frame[f ? f - h->p->tree + 1 : 0];
}

/* Number all frames of call paths; a caller's number is the lower one. */
static int
number_all(struct html *h)
{
	const struct profile *p = h->p;
	const struct frame *f;
	size_t n;

	h->frame = calloc(p->ntree + 1, sizeof *h->frame);
	h->frames = calloc(p->ntree + 1, sizeof(const struct frame *));
	if (!h->frame || !h->frames)
		return -1;
	for (size_t i = 0; i < p->nsites; i++) {
		n = h->nframes;
		for (f = p->sites[i].leaf; f && !*html_data_number(h, f);
		     f = f->parent)
			n++;
		h->nframes = n;
		for (f = p->sites[i].leaf; f && !*html_data_number(h, f);
		     f = f->parent) {
			*html_data_number(h, f) = (uint32_t)n;
			h->frames[--n] = f;
		}
	}
	return 0;
}

/* The number, from 1, of the cycle that ends with frame f; 0: none. */
static uint64_t
cycle(struct html *h, const struct frame *f)
{
	uint32_t n;

	if (!element_is_cycle(f))
		return 0;
	n = intern_pair(&h->cycles, element_hash(f),
			nodes_number(&h->nodes, element_entry(f)->func));
	if (n != INTERN_FAILED)
		return (uint64_t)n + 1;
	h->failed = true;
	return 0;
}

/* The part of a call site "func+0xoff (file:line)" after the function. */
static const char *
call_place(const struct frame *f)
{
	size_t n = strlen(f->func->name);

	return strncmp(f->site, f->func->name, n) ? f->site : f->site + n;
}

/*
 * The number of what many frames have in common: the function, whether it is
 * inlined, and the place of the call, a string's number plus one.
 */
static uint64_t
place(struct html *h, struct intern *places, const struct frame *f)
{
	uint32_t n =
		intern_pair(places,
			    2 * nodes_place(&h->nodes, f->func) + f->inlined,
			    f->site ? html_string(h, call_place(f)) + 1 : 0);

	h->failed |= n == INTERN_FAILED;
	return n;
}

/*
 * Write the frames, by column.  back: the frame's number minus its caller's.
 * cycle: the cycle that ends with the frame.  entry: the frame's number minus
 * that of the cycle's first frame, or 0 if the caller has the same entry.
 */
static void
frames(struct html *h, struct intern *places)
{
	struct html_table t = html_table(h, "frames", h->nframes);

#define ROW const struct frame *f = h->frames[i]
	HTML_COLUMN(&t, back, i + 1 - *html_data_number(h, f->parent));
	HTML_COLUMN(&t, place, place(h, places, f));
	HTML_COLUMN(&t, cycle, cycle(h, f));
	HTML_COLUMN(&t, entry,
		    f->entry && f->parent->entry != f->entry
			    ? i + 1 - *html_data_number(h, f->entry)
			    : 0);
#undef ROW
	html_table_end(&t);
}

/* Write the places of frames(), by column. */
static void
places(struct html *h)
{
	struct intern all = { .n = 0 };
	struct html_table t;

	frames(h, &all);
	t = html_table(h, "places", all.n);
#define ROW const uint64_t *x = all.pair[i]
	HTML_COLUMN(&t, function, x[0] / 2);
	HTML_COLUMN(&t, inlined, x[0] % 2);
	HTML_COLUMN(&t, call, x[1]);
#undef ROW
	html_table_end(&t);
	intern_fini(&all);
}

/* Write the functions of each cycle, beginning with its entry. */
static void
cycles(struct html *h)
{
	size_t done = 0, n;

	writer_enter(&h->w, "on_paths", '[');
	for (size_t i = 0; i < h->nframes; i++) {
		const struct frame *f = h->frames[i];
		const struct func **v, *entry;

		if (cycle(h, f) != done + 1)
			continue;
		v = element_others(f, &n);
		if (!v) {
			h->failed = true;
			break;
		}
		entry = element_entry(f)->func;
		writer_enter(&h->w, NULL, '[');
		writer_number(&h->w, NULL, nodes_place(&h->nodes, entry));
		for (size_t k = 0; k < n; k++)
			writer_number(&h->w, NULL,
				      nodes_place(&h->nodes, v[k]));
		if (f->func->whole != entry->whole)
			writer_number(&h->w, NULL,
				      nodes_place(&h->nodes, f->func));
		writer_leave(&h->w, ']');
		free(v);
		done++;
	}
	writer_leave(&h->w, ']');
}

/* The step of a site's severity, from 1; 0: unknown. */
static uint64_t
severity(const struct html *h, const struct site *s)
{
	struct score x = { .known = false };

	if (s->use && h->p->uses_known)
		x = profile_score(s->use);
	return x.known ? x.step : 0;
}

/* Write the four scores of each site with a severity, in hundredths. */
static void
scores(struct html *h)
{
	writer_enter(&h->w, "scores", '[');
	for (size_t i = 0; i < h->p->nsites; i++) {
		struct score s;

		if (!severity(h, &h->p->sites[i]))
			continue;
		s = profile_score(h->p->sites[i].use);
		html_score(h, s.lifetime, s.lived);
		html_score(h, s.usage, true);
		html_score(h, s.useful, s.timed);
		html_score(h, s.cover, true);
	}
	writer_leave(&h->w, ']');
}

/*
 * Write for each site with a severity: the number of its flags; then each
 * flag's number, and its share of the site's bytes as a text.
 */
static void
flags(struct html *h)
{
	size_t order[PROFILE_NFLAG];
	char buf[NUMBER_SIZE];

	writer_enter(&h->w, "flags", '[');
	for (size_t i = 0; i < h->p->nsites; i++) {
		const struct use *u = h->p->sites[i].use;
		size_t n;

		if (!severity(h, &h->p->sites[i]))
			continue;
		n = advice_flags(h->o, u, order);
		writer_number(&h->w, NULL, n);
		for (size_t k = 0; k < n; k++) {
			writer_number(&h->w, NULL, order[k]);
			writer_number(&h->w, NULL,
				      html_copied(h, advice_share(buf, u,
								  order[k])));
		}
	}
	writer_leave(&h->w, ']');
}

/*
 * Write the name and advice of each flag, and the program's scores: mean,
 * variance and number of sites.
 */
void
html_scores(struct html *h)
{
	const struct profile *p = h->p;

	if (!p->uses_known || !p->program_sites)
		return;
	writer_line(&h->w, "flags", '[');
	for (size_t i = 0; i < PROFILE_NFLAG; i++) {
		writer_text(&h->w, NULL, advice_title((enum profile_flag)i));
		writer_text(&h->w, NULL, advice_text((enum profile_flag)i));
	}
	writer_leave(&h->w, ']');
	writer_line(&h->w, "scores", '[');
	for (int k = 0; k < 3; k++) {
		html_score(h, p->program[k].mean, p->program[k].sites);
		html_score(h, p->program[k].variance, p->program[k].sites);
		writer_number(&h->w, NULL, p->program[k].sites);
	}
	writer_leave(&h->w, ']');
}

/* The histogram of lifetimes: a string's number plus one; 0: none. */
static uint64_t
html_data_spread(struct html *h, const struct life *a)
{
	char buf[NUMBER_SIZE];

	return a->weight ? html_copied(h, number_spread(buf, a)) + 1 : 0;
}

/* Write the columns of sites.  Without lives, uses or leaks, these are 0. */
static void
site_columns(struct html_table *t)
{
	static const struct life no_life;
	static const struct use no_use;
	static const struct leak no_leak;
	struct html *h = t->h;

#define ROW \
	const struct site *s = &h->p->sites[i]; \
	const struct account all = counts_of_all(&s->count); \
	const struct life *a = s->life ? s->life : &no_life; \
	const struct use *once = profile_use_once(s); /* the page adds up
						       * sites */ \
	const struct use *u = once && h->p->uses_known ? once : &no_use; \
	const struct leak *l = s->leak ? s->leak : &no_leak
#define COLUMN(name, value) \
	HTML_COLUMN(t, name, ((void)all, (void)a, (void)u, (void)l, value))
	COLUMN(leaf, *html_data_number(h, s->leaf));
	COLUMN(start, s->leaf ? s->leaf->start : 0);
	COLUMN(allocs, all.allocs);
	COLUMN(bytes, all.bytes);
	COLUMN(frees, all.frees);
	COLUMN(freed, all.freed);
	COLUMN(peak, s->count.peak);
	COLUMN(peak_blocks, s->peak_blocks);
	COLUMN(reallocs, s->reallocs);
	COLUMN(type, s->type ? html_string(h, s->type) + 1 : 0);
	COLUMN(mark, s->type ? (unsigned char)s->type_mark : 0);
	COLUMN(temps, a->temps);
	COLUMN(by_others, a->by_others);
	COLUMN(mean, a->sum == UINT64_MAX ? 0 : number_mean(a->sum, a->weight));
	COLUMN(timed, a->timed);
	COLUMN(spread, html_data_spread(h, a));
	COLUMN(reads, u->reads);
	COLUMN(writes, u->writes);
	COLUMN(handed, u->handed_blocks);
	COLUMN(handed_bytes, u->handed_bytes);
	COLUMN(severity, severity(h, s));
	COLUMN(save, u->blocks ? profile_score(u).saving : 0);
	COLUMN(leaked, leak_leaked(l->bytes));
#define K(with, id, name, ...) COLUMN(name, l->bytes[PROFILE_##id]);
	MEASURES_KINDS(K, )
#undef K
	COLUMN(leaked_blocks, leak_leaked(l->blocks));
	COLUMN(pinned, memory_pins_known(h->p) ? h->p->pins[i].pinned : 0);
	COLUMN(hidden, all.hidden.bytes);
	COLUMN(kept, account_kept(&all));
	html_errors(t, h->p->sites, sizeof *h->p->sites,
		    offsetof(struct site, count.var), 4);
#undef COLUMN
#undef ROW
}

void
html_sites(struct html *h)
{
	struct html_table t;

	if (number_all(h)) {
		h->failed = true;
		return;
	}
	places(h);
	cycles(h);
	t = html_table(h, "sites", h->p->nsites);
	site_columns(&t);
	scores(h);
	flags(h);
	html_table_end(&t);
}
