/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --export=callgrind: callgrind.out, version 1.  The inclusive cost of a
 * function has each chain once: the second call of f on a chain is a function
 * of its own, f'2, as callgrind --separate-recs names it.
 */
#include "display/export/export.h"

#include "display/text/amount.h"
#include "display/text/intern.h"
#include "reduce/base/sort.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Deeper recursion counts as the last level. */
enum { LEVELS = 64, MOST = 6 };

static const char *const events[MOST] = { "bytes", "allocs", "kept",
					  "peak",  "reads",  "writes" };

struct cost {
	uint64_t v[MOST];
};

/* A call from a line of a function at some level, or from nowhere. */
struct call {
	uint32_t from; /* number in callgrind.lines; 0: nowhere */
	uint32_t to;   /* number in callgrind.funcs */
	uint64_t calls;
	struct cost cost;
	const struct func *func; /* that is called */
};

/* All arrays by frame are in the order of p->tree. */
struct callgrind {
	struct export *x;
	const struct profile *p;
	FILE *out;
	const struct export_metric *metric[MOST];
	size_t n;	     /* of them */
	struct cost *below;  /* by frame: of all chains through it */
	uint32_t *level;     /* by frame, from 1 */
	bool *again;	     /* by frame: a caller has its function and level */
	struct intern funcs; /* (whole, level) */
	struct intern lines; /* (place in p->funcs, level); nowhere first */
	struct cost *self;   /* by line */
	struct intern pairs; /* (from, to) of calls */
	struct call *call;
	size_t *first;	      /* by line: of its calls */
	const char **file;    /* by whole */
	bool *named, *placed; /* functions, files, that had their names */
	bool *loaded;	      /* modules */
};

static void
add(struct cost *to, const struct cost *from)
{
	for (size_t i = 0; i < MOST; i++)
		to->v[i] = amount_add(to->v[i], from->v[i]);
}

static struct cost
cost_of(const struct callgrind *c, const struct site *s)
{
	struct cost a = { { 0 } };

	for (size_t i = 0; i < c->n; i++)
		a.v[i] = export_value(c->x, c->metric[i], s);
	return a;
}

/* --------------------------------------------------- levels of recursion -- */

/* A walk over the tree: what is open, by whole, and each frame's children. */
struct walk {
	uint32_t *open;
	uint32_t *child, *next; /* frame plus one, 0: none */
};

static void
enter(struct callgrind *c, struct walk *w, uint32_t i)
{
	uint32_t *n = &w->open[c->p->tree[i].func->whole];

	c->again[i] = *n >= LEVELS;
	++*n;
	c->level[i] = *n < LEVELS ? *n : LEVELS;
}

static void
walk_from(struct callgrind *c, struct walk *w, uint32_t i)
{
	const struct frame *tree = c->p->tree;
	const struct frame *root = &tree[i];

	enter(c, w, i);
	for (;;) {
		if (w->child[i]) {
			i = w->child[i] - 1;
			enter(c, w, i);
			continue;
		}
		while (!w->next[i] && &tree[i] != root) {
			w->open[tree[i].func->whole]--;
			i = (uint32_t)(tree[i].parent - tree);
		}
		w->open[tree[i].func->whole]--;
		if (&tree[i] == root)
			return;
		i = w->next[i] - 1;
		enter(c, w, i);
	}
}

/* Set level and again.  wholes: one more than the largest. */
static int
levels(struct callgrind *c, size_t wholes)
{
	const struct profile *p = c->p;
	struct walk w = { export_room(c->x, wholes, sizeof *w.open),
			  export_room(c->x, p->ntree + 1, sizeof *w.child),
			  export_room(c->x, p->ntree + 1, sizeof *w.next) };

	if (!w.open || !w.child || !w.next)
		return -1;
	for (size_t i = p->ntree; i-- > 0;) {
		const struct frame *up = p->tree[i].parent;

		if (!up)
			continue;
		w.next[i] = w.child[up - p->tree];
		w.child[up - p->tree] = (uint32_t)i + 1;
	}
	for (size_t i = 0; i < p->ntree; i++)
		if (!p->tree[i].parent)
			walk_from(c, &w, (uint32_t)i);
	return 0;
}

/* ------------------------------------------------------- lines and calls -- */

static uint32_t
func_number(struct callgrind *c, size_t i)
{
	return intern_pair(&c->funcs, c->p->tree[i].func->whole, c->level[i]);
}

static uint32_t
line_number(struct callgrind *c, const struct frame *f)
{
	const struct profile *p = c->p;

	if (!f)
		return intern_pair(&c->lines, UINT64_MAX, 0);
	return intern_pair(&c->lines, (uint64_t)(f->func - p->funcs[0]),
			   c->level[f - p->tree]);
}

/* What the chains through each frame have. */
static void
totals(struct callgrind *c)
{
	const struct profile *p = c->p;

	for (size_t i = 0; i < p->nsites; i++) {
		struct cost a = cost_of(c, &p->sites[i]);

		if (p->sites[i].leaf)
			add(&c->below[p->sites[i].leaf - p->tree], &a);
	}
	for (size_t i = p->ntree; i-- > 0;)
		if (p->tree[i].parent)
			add(&c->below[p->tree[i].parent - p->tree],
			    &c->below[i]);
}

/* The call that frame i is.  0, or -1 when out of memory. */
static int
add_call(struct callgrind *c, size_t i)
{
	const struct frame *f = &c->p->tree[i];
	uint32_t from = line_number(c, f->parent), to = func_number(c, i), n;
	struct call *a;

	/* The line, which it may call from, has a number then, too. */
	if (from == INTERN_FAILED || to == INTERN_FAILED ||
	    line_number(c, f) == INTERN_FAILED)
		return -1;
	n = intern_pair(&c->pairs, from, to);
	if (n == INTERN_FAILED)
		return -1;
	a = &c->call[n];
	a->from = from;
	a->to = to;
	a->func = f->func;
	/* events[1] is allocs. */
	a->calls = amount_add(a->calls, c->below[i].v[1]);
	if (!c->again[i])
		add(&a->cost, &c->below[i]);
	return 0;
}

static int
calls(struct callgrind *c)
{
	const struct profile *p = c->p;

	if (line_number(c, NULL) == INTERN_FAILED)
		return -1;
	for (size_t i = 0; i < p->ntree; i++)
		if (add_call(c, i))
			return -1;
	for (size_t i = 0; i < p->nsites; i++) {
		struct cost a = cost_of(c, &p->sites[i]);

		add(&c->self[line_number(c, p->sites[i].leaf)], &a);
	}
	return 0;
}

SORT_BY(compare, struct call, SORT_UP(from) SORT_UP(to))

/* --------------------------------------------------------------- output -- */

/* "fn=(3) name", and the next time "fn=(3)". */
static void
name(struct callgrind *c, const char *key, size_t n, bool *had,
     const char *text, unsigned level)
{
	fprintf(c->out, "%s=(%zu)", key, n + 1);
	if (!*had) {
		putc(' ', c->out);
		export_clean(c->out, text);
		if (level > 1)
			fprintf(c->out, "'%u", level);
	}
	*had = true;
	putc('\n', c->out);
}

/* Module, file and name of a function; in: "" or, of one called, "c". */
static void
function(struct callgrind *c, const char *in, const struct func *f, uint32_t n)
{
	const struct profile_module *m = &c->p->modules[f->in];
	const char *file = c->file[f->whole];
	unsigned level = (unsigned)c->funcs.pair[n][1];
	uint32_t at = intern_text(&c->x->strings, file);
	char key[4];

	snprintf(key, sizeof key, "%sob", in);
	name(c, key, f->in, &c->loaded[f->in], *m->path ? m->path : "???", 0);
	snprintf(key, sizeof key, "%s", *in ? "cfi" : "fl");
	name(c, key, at, &c->placed[at], file, 0);
	snprintf(key, sizeof key, "%sfn", in);
	name(c, key, n, &c->named[n], f->name, level);
}

static void
costs(const struct callgrind *c, const char *key, unsigned line,
      const struct cost *a)
{
	if (key)
		fputs(key, c->out);
	else
		fprintf(c->out, "%u", line);
	for (size_t i = 0; i < c->n; i++)
		fprintf(c->out, " %" PRIu64, a->v[i]);
	putc('\n', c->out);
}

/* A line of a function: what it allocated itself, and the calls on it. */
static void
line(struct callgrind *c, size_t n)
{
	const uint64_t *at = c->lines.pair[n];
	const struct func *f = n ? c->p->funcs[at[0]] : NULL;
	unsigned number = f ? f->call_line : 0;
	const struct call *a = &c->call[c->first[n]];
	size_t k = c->first[n + 1] - c->first[n];

	putc('\n', c->out);
	if (f)
		function(c, "", f, intern_pair(&c->funcs, f->whole, at[1]));
	else
		fputs("ob=???\nfl=???\nfn=(below main)\n", c->out);
	costs(c, NULL, number, &c->self[n]);
	for (; k--; a++) {
		function(c, "c", a->func, a->to);
		fprintf(c->out, "calls=%" PRIu64 " %u\n",
			a->calls ? a->calls : 1, a->func->line);
		costs(c, NULL, number, &a->cost);
	}
}

static void
head(const struct callgrind *c, const struct cost *all)
{
	const struct profile *p = c->p;
	const struct run *r = p->nruns ? &p->runs[0] : NULL;

	fprintf(c->out, "# callgrind format\nversion: 1\n"
			"creator: mpreduce " MEMMON_VERSION "\n");
	if (r)
		fprintf(c->out, "pid: %" PRIu64 "\ncmd: %s\n", r->pid,
			r->command);
	fputs("part: 1\n\n", c->out);
	if (c->x->note)
		fprintf(c->out, "desc: %s\n", c->x->note);
	fputs("desc: calls are counted by the allocations made below them\n"
	      "\npositions: line\n",
	      c->out);
	for (size_t i = 0; i < c->n; i++)
		fprintf(c->out, "event: %s : %s\n", c->metric[i]->name,
			c->metric[i]->what);
	fputs("events:", c->out);
	for (size_t i = 0; i < c->n; i++)
		fprintf(c->out, " %s", c->metric[i]->name);
	putc('\n', c->out);
	costs(c, "summary:", 0, all);
}

static void
write_all(struct callgrind *c)
{
	const struct profile *p = c->p;
	struct cost all = { { 0 } };

	qsort(c->call, c->pairs.n, sizeof *c->call, compare);
	for (size_t i = 0, n = 0; n <= c->lines.n; n++) {
		while (i < c->pairs.n && c->call[i].from < n)
			i++;
		c->first[n] = i;
	}
	for (size_t i = 0; i < p->nsites; i++) {
		struct cost a = cost_of(c, &p->sites[i]);

		add(&all, &a);
	}
	head(c, &all);
	for (size_t n = 0; n < c->lines.n; n++)
		line(c, n);
	putc('\n', c->out);
	costs(c, "totals:", 0, &all);
}

/* ------------------------------------------------------------ the whole -- */

/* The file of each function, whatever its lines say.  0, or -1. */
static int
files(struct callgrind *c, size_t wholes)
{
	const struct profile *p = c->p;

	for (size_t i = 0; i < wholes; i++)
		c->file[i] = "???";
	for (size_t i = 0; i < p->nfuncs; i++) {
		const struct func *f = p->funcs[i];

		if (*f->file)
			c->file[f->whole] = f->file;
		else if (*f->call_file)
			c->file[f->whole] = f->call_file;
	}
	for (size_t i = 0; i < wholes; i++)
		if (intern_text(&c->x->strings, c->file[i]) == INTERN_FAILED)
			return -1;
	return 0;
}

static int
init(struct callgrind *c)
{
	const struct profile *p = c->p;
	size_t wholes = export_wholes(p), n = p->ntree + 2;

	for (size_t i = 0; i < MOST; i++) {
		const struct export_metric *m =
			export_metric(events[i], strlen(events[i]));

		if (!export_unknown(p, m))
			c->metric[c->n++] = m;
	}
	c->below = export_room(c->x, n, sizeof *c->below);
	c->level = export_room(c->x, n, sizeof *c->level);
	c->again = export_room(c->x, n, sizeof *c->again);
	c->self = export_room(c->x, n, sizeof *c->self);
	c->call = export_room(c->x, n, sizeof *c->call);
	c->first = export_room(c->x, n + 1, sizeof *c->first);
	c->named = export_room(c->x, n, sizeof *c->named);
	c->file = export_room(c->x, wholes, sizeof *c->file);
	c->placed = export_room(c->x, wholes, sizeof *c->placed);
	c->loaded = export_room(c->x, p->nmodules + 1, sizeof *c->loaded);
	if (!c->below || !c->level || !c->again || !c->self || !c->call ||
	    !c->first || !c->named || !c->file || !c->placed || !c->loaded)
		return -1;
	return files(c, wholes) || levels(c, wholes) ? -1 : 0;
}

int
export_callgrind(struct export *x)
{
	struct callgrind c = { .x = x, .p = x->p, .out = x->out };
	int status = init(&c);

	if (!status) {
		totals(&c);
		status = calls(&c);
	}
	if (!status)
		write_all(&c);
	intern_fini(&c.funcs);
	intern_fini(&c.lines);
	intern_fini(&c.pairs);
	return status;
}
