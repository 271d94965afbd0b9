/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heap as a graph: what roots, types and paths retain. */
#include "display/tables/held.h"
#include "display/grid/grid.h"
#include "display/grid/origins.h"
#include "display/grid/paths.h"
#include "display/grid/view.h"
#include "display/text/conditions.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* The width of a place after a type, columns. */
enum { PLACE = 60 };

void
held_site(struct tables *t, size_t site, bool place)
{
	const struct site *s = &t->p->sites[site];
	bool std = false;
	const struct frame *f = s->leaf ? origins_own(s->leaf, &std) : NULL;

	if (!f)
		f = s->leaf;
	if (s->type)
		line_add(&t->line, "%c%s", s->type_mark, s->type);
	if (s->type && !place)
		return;
	line_add(&t->line, s->type ? ", from " : "a block from ");
	if (f)
		origins_place(t, f, NULL, PLACE);
	else
		line_add(&t->line, "(not known)");
}

void
held_root(struct tables *t, const struct root *r)
{
	tables_name(t, r->name);
	if (r->file)
		line_add(&t->line, " (%s:%u)", r->file, r->line);
	else if (r->kind == ROOT_DATA)
		line_add(&t->line, " (variable)");
}

const char *
held_place(const struct links *l, const struct root *r)
{
	const char *place = "";
	uint64_t best = 0;

	/*
	 * Don't count the root's pointers: other blocks hold most of it, too.
	 */
	for (size_t i = 0; i < l->nsteps; i++) {
		const struct step *s = &l->steps[i];

		if (s->n || s->root != r || l->retained[s->site].most <= best)
			continue;
		best = l->retained[s->site].most;
		place = s->member;
	}
	return place;
}

const struct holding *
held_several(const struct links *l)
{
	for (size_t i = 0; i < l->nholdings; i++)
		if (l->holdings[i].parent == HOLDING_ROOT &&
		    !l->holdings[i].root && l->holdings[i].all_blocks)
			return &l->holdings[i];
	return NULL;
}

static bool
is_one(const char *type, const char *name)
{
	return fnmatch(name, type, 0) == 0 || strstr(type, name);
}

bool
held_is(const struct profile *p, size_t site, const struct profile_list *of)
{
	const char *type = p->sites[site].type;

	for (size_t i = 0; i < of->n; i++)
		if (type && is_one(type, of->item[i]))
			return true;
	return !of->n;
}

static int
held_check_types(const struct profile *p, const struct profile_list *of,
		 struct err *e)
{
	for (size_t i = 0; i < of->n; i++) {
		const struct profile_list one = { .item = &of->item[i],
						  .n = 1 };
		size_t k = 0;

		while (k < p->nsites && !held_is(p, k, &one))
			k++;
		if (k == p->nsites && p->links.retained)
			return err_set(e,
				       "no blocks of a type %s; mpreduce -T "
				       "lists all types",
				       of->item[i]);
	}
	return 0;
}

int
held_check(const struct profile *p, const struct options *o, struct err *e)
{
	return held_check_types(p, &o->holders_of, e) ||
			       held_check_types(p, &o->path_to_of, e)
		       ? -1
		       : 0;
}

bool
held_known(struct tables *t, const char *title)
{
	const struct links *l = &t->p->links;
	char buf[NUMBER_SIZE];

	tables_title(t, title);
	if (l->retained) {
		line_say(&t->line,
			 "As of %s s after %s:", number_seconds(buf, l->at),
			 conditions_since(t->p));
		line_end(&t->line);
		return true;
	}
	if (l->why)
		line_say(&t->line, "Who holds what is not known: %s.", l->why);
	else if (t->p->snapshot.note)
		tables_say(t, "The graph shows one time only; leave out --at "
			      "and --between.");
	else if (t->p->filter.options)
		tables_say(t, "The graph shows the whole run only; leave out "
			      "the filter.");
	else if (t->p->sample.rate)
		tables_say(t, "The file has no graph: a recording of samples "
			      "has none.");
	else
		tables_say(t, "The file has no graph; record one with memmon "
			      "--graph.");
	return false;
}

/* ----------------------------------------------------- what it retains -- */

/* A row: a root, several roots together, a path, or a type. */
struct row {
	const struct root *root;
	bool several;
	const struct path *path;
	const char *type;
	struct retained n;
	uint64_t own; /* bytes of its own blocks */
};

struct view {
	struct paths paths;
	const char **type; /* by number */
	uint64_t all;
};

static void
held_get(const struct grid *g, const void *row, unsigned at,
	 struct grid_cell *c)
{
	const struct view *v = g->arg;

	c->n = *(const uint64_t *)((const char *)row + at);
	c->of = at == offsetof(struct row, n.bytes) ? v->all : 0;
}

static void
held_put(const struct grid *g, const void *row)
{
	const struct view *v = g->arg;
	const struct row *r = row;

	if (r->path)
		paths_print_typed(g->t, &v->paths, r->path, origins_bytes);
	if (r->type)
		tables_name(g->t, r->type);
	if (r->several)
		line_add(&g->t->line, "several roots; see --holders");
	if (!r->root)
		return;
	held_root(g->t, r->root);
	if (r->root->kind == ROOT_STACK)
		held_member(g->t, held_place(&g->t->p->links, r->root), 0);
}

#define RETAINED(text) \
	COLUMN("retained", BYTES, 14, held_get, offsetof(struct row, n.bytes), \
	       text, .share = 4, .term = "retained (%)"), \
		COLUMN("blocks", COUNT, 11, held_get, \
		       offsetof(struct row, n.blocks), \
		       "how many blocks these bytes are in")

static const struct grid_column of_roots[] = {
	RETAINED("bytes of all blocks that the program could not reach any "
		 "more without this root; share of all live bytes.  Lost "
		 "blocks are not here"),
	NAME(" held by", "   ", held_put,
	     "a variable, a thread's stack or storage, or memory from mmap",
	     .term = "held by"),
};

static const struct grid_column of_paths[] = {
	RETAINED("bytes of all blocks that could not be reached any more "
		 "without the blocks of this path, these among them"),
	COLUMN("own", BYTES, 13, held_get, offsetof(struct row, own),
	       "bytes of the path's own blocks"),
	COLUMN("largest", BYTES, 13, held_get, offsetof(struct row, n.most),
	       "bytes that one block of the path retains"),
	NAME(" path", "   ", held_put, LEGEND_PATH, .term = "path"),
};

static const struct grid_column of_types[] = {
	RETAINED("bytes of all blocks that could not be reached any more "
		 "without the blocks of this type, these among them"),
	COLUMN("own", BYTES, 13, held_get, offsetof(struct row, own),
	       "bytes of the blocks of this type"),
	NAME(" type", "   ", held_put, "type of the blocks", .term = "type"),
};

static const struct legend legend_roots = {
	.about = "What would become unreachable without a root.  If two "
		 "variables point to the same block, neither retains it: it "
		 "is in the row of several roots.  A stack retains only "
		 "blocks that no variable leads to.",
};
static const struct legend legend_types = {
	.about = "The same by type, as far as types are known.",
};
static const struct legend legend_paths = {
	.about = "What would become unreachable without the blocks of a call "
		 "path.  The bytes of several paths overlap.",
};

static int
held_compare(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;

	if (a->n.bytes != b->n.bytes)
		return a->n.bytes < b->n.bytes ? 1 : -1;
	if (a->several || b->several)
		return b->several - a->several;
	if (a->root)
		return strcmp(a->root->name, b->root->name);
	if (a->type)
		return strcmp(a->type, b->type);
	return paths_compare(a->path, b->path);
}

static bool
held_worth(const void *row, size_t place, void *arg)
{
	const struct grid *g = arg;
	const struct view *v = g->arg;

	return g->t->o->top
		       ? place < g->t->o->top
		       : tables_worth(g->t, ((const struct row *)row)->n.bytes,
				      v->all);
}

/* Paths overlap, so rows that are left out have no sum. */
static void
add_none(void *to, const void *from)
{
	(void)to;
	(void)from;
}

static void
held_print_rows(struct grid *g, struct row *row, size_t n, const char *noun)
{
	struct row other = { .root = NULL };
	size_t left;

	qsort(row, n, sizeof *row, held_compare);
	left = grid_pick(row, n, sizeof *row, g->t->o->top, held_worth,
			 add_none, &other, g);
	grid_print(g, &(struct grid_rows){ GRID_ROWS(row, left) });
	if (left < n)
		tables_left_out(g->t, n - left, noun, "with less than",
				" of the live bytes");
}

static void
print_roots(struct tables *t, const struct view *v)
{
	const struct links *l = &t->p->links;
	struct row *row = tables_room(t, l->nroots + 1, sizeof *row);
	const struct holding *several = held_several(l);
	char buf[NUMBER_SIZE];
	struct grid g;
	size_t n = 0;

	for (size_t i = 0; i < l->nroots; i++)
		if (l->roots[i].blocks)
			row[n++] =
				(struct row){ .root = &l->roots[i],
					      .n.bytes = l->roots[i].bytes,
					      .n.blocks = l->roots[i].blocks };
	if (several)
		row[n++] = (struct row){ .several = true,
					 .n.bytes = several->all_bytes,
					 .n.blocks = several->all_blocks };
	GRID_INIT(&g, t, of_roots);
	g.arg = v;
	held_print_rows(&g, row, n, "root");
	if (l->roots_left)
		line_say(&t->line,
			 "%s more roots, which retain less, are not in the "
			 "file.",
			 number_grouped(buf, l->roots_left));
	grid_legend(&g, &legend_roots);
}

/* Make rows with the sums over key[site], for *n keys.  NULL: out of memory. */
static struct row *
rows_by(struct tables *t, const size_t *key, size_t *n)
{
	const struct profile *p = t->p;
	const struct links *l = &p->links;
	struct retained *sum = tables_room(t, *n, sizeof *sum);
	struct row *row = tables_room(t, *n, sizeof *row);

	links_sum(l, key, sum);
	for (size_t i = 0; i < p->nsites; i++)
		if (l->retained[i].most > sum[key[i]].most)
			sum[key[i]].most = l->retained[i].most;
	for (size_t i = 0; i < l->nholdings; i++)
		if (l->holdings[i].site != HOLDING_ROOT)
			row[key[l->holdings[i].site]].own +=
				l->holdings[i].bytes;
	for (size_t i = 0; i < *n; i++)
		row[i].n = sum[i];
	return row;
}

/* Move the rows that retain anything to the front; returns their number. */
static size_t
drop_empty(struct row *row, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (row[i].n.blocks)
			row[k++] = row[i];
	return k;
}

static int
print_paths(struct tables *t, struct view *v)
{
	size_t n = v->paths.n;
	struct row *row = rows_by(t, v->paths.of, &n);
	struct grid g;

	if (!row)
		return -1;
	for (size_t i = 0; i < n; i++)
		row[i].path = &v->paths.path[i];
	GRID_INIT(&g, t, of_paths);
	g.arg = v;
	line_end(&t->line);
	held_print_rows(&g, row, drop_empty(row, n), "path");
	grid_legend(&g, &legend_paths);
	return 0;
}

size_t
held_types(const struct profile *p, size_t *key, const char **type)
{
	size_t n = 1, k;

	for (size_t i = 0; i < p->nsites; i++) {
		const char *name = p->sites[i].type;

		for (k = 1; name && k < n && type[k] != name;)
			k++;
		key[i] = name ? k : 0;
		if (name && k == n)
			type[n++] = name;
	}
	return n;
}

static void
print_types(struct tables *t, struct view *v)
{
	size_t n = t->p->nsites + 2;
	size_t *key = tables_room(t, n, sizeof *key);
	struct row *row;
	struct grid g;

	v->type = tables_room(t, n, sizeof *v->type);
	n = held_types(t->p, key, v->type);
	row = rows_by(t, key, &n);
	row[0].n.blocks = 0;
	for (size_t i = 1; i < n; i++)
		row[i].type = v->type[i];
	n = drop_empty(row, n);
	if (n) {
		GRID_INIT(&g, t, of_types);
		g.arg = v;
		line_end(&t->line);
		held_print_rows(&g, row, n, "type");
		grid_legend(&g, &legend_types);
	}
}

int
retained_print(struct tables *t)
{
	struct view v = { .all = t->p->links.bytes };
	int status = 0;

	if (!held_known(t, "Who Retains Memory"))
		return 0;
	paths_init(&v.paths, t, PATHS_PLAIN);
	print_roots(t, &v);
	print_types(t, &v);
	status = print_paths(t, &v);
	if (t->p->links.pruned)
		tables_say(t, "Paths and types retain at least so much: small "
			      "parts are not told apart.");
	return status;
}
