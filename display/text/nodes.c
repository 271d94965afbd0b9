/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions and cycles, numbered, named and sorted: see nodes.h. */
#define _GNU_SOURCE
#include "display/text/nodes.h"

#include "display/text/func_name.h"
#include "display/text/line.h"
#include "reduce/base/sort.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

int
nodes_compare_funcs(const struct func *a, const struct func *b)
{
	int c = ORDER(a->order, b->order);

	if (!c)
		c = strcmp(a->name, b->name);
	if (!c)
		c = strcmp(a->module, b->module);
	if (!c)
		c = ORDER(a->addr, b->addr);
	if (!c && a->call_line && b->call_line)
		c = strcmp(a->call_file, b->call_file);
	if (!c)
		c = ORDER(a->call_line, b->call_line);
	/* If both are only inlined, keep the order of the data file. */
	return c ? c : ORDER((uintptr_t)a, (uintptr_t)b);
}

/* For SORT_BY(): a field that is a function. */
#define SORT_FUNC(field) \
	c_ = nodes_compare_funcs(x->field, y->field); \
	if (c_) \
		return c_;

/*
 * Members of a cycle are callers and callees of each other, so the largest
 * allocator comes first.  The cycle itself precedes its members.
 */
static int
compare_nodes(const void *va, const void *vb)
{
	const struct node *a = va, *b = vb;
	int c = ORDER(b->total, a->total);

	if (!c)
		c = ORDER(a->order, b->order);
	if (!c)
		c = ORDER(a->cycle ? a->cycle->number : 0,
			  b->cycle ? b->cycle->number : 0);
	if (!c)
		c = (a->func != NULL) - (b->func != NULL);
	if (!c && a->cycle)
		c = ORDER(b->self, a->self);
	if (c || !a->func || !b->func)
		return c;
	return nodes_compare_funcs(a->func, b->func);
}

SORT_BY(compare_keys, struct nodes_key, SORT_UP(what))

/* These two functions compare node numbers, so they need the nodes. */
static int
compare_direct(const void *va, const void *vb, void *nodes)
{
	const struct node *a = (struct node *)nodes + *(const size_t *)va;
	const struct node *b = (struct node *)nodes + *(const size_t *)vb;
	int c = ORDER(b->self, a->self);

	return c ? c : nodes_compare_funcs(a->func, b->func);
}

static int
nodes_compare_names(const void *va, const void *vb, void *nodes)
{
	const struct node *a = (struct node *)nodes + *(const size_t *)va;
	const struct node *b = (struct node *)nodes + *(const size_t *)vb;
	int c = (a->func == NULL) - (b->func == NULL);

	if (!c && !a->func)
		c = ORDER(a->cycle->number, b->cycle->number);
	if (!c)
		c = strcmp(a->label, b->label);
	return c ? c : ORDER(a, b);
}

SORT_BY_POINTER(compare_labels, struct node,
		SORT_TEXT(label) SORT_UP(func->line) SORT_FUNC(func))

SORT_BY_POINTER(compare_files, struct node, SORT_TEXT(func->call_file))

/* Replace a node's label, from malloc().  -1: the label is NULL. */
static int
set_label(struct node *node, char *label)
{
	if (!label)
		return -1;
	free(node->label);
	node->label = label;
	return 0;
}

/*
 * Relabel lines of calls.  The path distinguishes files of the same name, the
 * place functions of the same name.
 */
static int
relabel_calls(struct node **node, size_t n)
{
	bool path = false, place = false;

	qsort(node, n, sizeof(struct node *), compare_files);
	for (size_t i = 1; i < n; i++) {
		if (compare_files(&node[i - 1], &node[i]) != 0)
			path = true;
		else
			place = true;
	}
	for (size_t i = 0; i < n; i++) {
		const struct func *f = node[i]->func;

		if (f->call_line &&
		    set_label(node[i], func_name_call(f, path, place)))
			return -1;
	}
	return 0;
}

/*
 * Add the line to the labels of functions that the file doesn't distinguish, or
 * else the address.
 */
static int
relabel(struct node **node, size_t n)
{
	enum func_name_detail detail = FUNC_NAME_LINE;

	if (node[0]->func->call_line)
		return relabel_calls(node, n);
	for (size_t i = 0; i < n; i++) {
		unsigned line = node[i]->func->line;

		if (!line || (i && line == node[i - 1]->func->line))
			detail = FUNC_NAME_ADDRESS;
	}
	for (size_t i = 0; i < n; i++)
		if (set_label(node[i], func_name(node[i]->func, detail, 0)))
			return -1;
	return 0;
}

/* Make the labels of functions with a common name differ. */
static int
tell_apart(struct nodes *s)
{
	struct node **node = calloc(s->n + 1, sizeof(struct node *));
	size_t n = 0, run;
	int status = 0;

	if (!node)
		return -1;
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].func &&
		    (s->v[i].func->ambiguous || s->v[i].func->call_line))
			node[n++] = &s->v[i];
	qsort(node, n, sizeof(struct node *), compare_labels);
	for (size_t i = 0; i < n && !status; i += run) {
		for (run = 1; i + run < n; run++)
			if (strcmp(node[i]->label, node[i + run]->label) != 0)
				break;
		if (run > 1)
			status = relabel(node + i, run);
	}
	free(node);
	return status;
}

/* The name of a function as if no other function had that name. */
static char *
nodes_label_of(const struct func *f)
{
	if (f->call_line)
		return func_name_call(f, false, false);
	return func_name(f, FUNC_NAME_USUAL, 0);
}

static int
labels(struct nodes *s, size_t width)
{
	for (size_t i = 0; i < s->n; i++) {
		struct node *node = &s->v[i];

		if (node->func)
			node->label = nodes_label_of(node->func);
		else if (asprintf(&node->label, "<cycle %u>",
				  node->cycle->number) < 0)
			node->label = NULL;
		if (!node->label)
			return -1;
	}
	if (tell_apart(s))
		return -1;
	for (size_t i = 0; i < s->n && width; i++)
		if (set_label(&s->v[i], line_shorten(s->v[i].label, width)))
			return -1;
	return 0;
}

static unsigned
first_order(const struct cycle *c)
{
	unsigned order = ~0u;

	for (size_t i = 0; i < c->nmembers; i++)
		if (c->members[i]->order < order)
			order = c->members[i]->order;
	return order;
}

/* Make the nodes of p, unsorted; cycles come first. */
static void
nodes_fill(struct nodes *s, const struct profile *p)
{
	struct node *node = s->v;

	for (size_t i = 0; i < p->ncycles; i++, node++) {
		node->cycle = &p->cycles[i];
		node->total = counts_sum(node->cycle->total.bytes);
		node->self = counts_sum(node->cycle->self.bytes);
		node->order = first_order(node->cycle);
	}
	for (size_t i = 0; i < p->nfuncs; i++, node++) {
		const struct func *f = p->funcs[i];

		node->func = f;
		node->total = counts_sum(f->total.bytes);
		node->self = counts_sum(f->self.bytes);
		node->order = f->order;
		if (f->cycle && f->cycle <= p->ncycles) {
			node->cycle = &p->cycles[f->cycle - 1];
			node->order = s->v[f->cycle - 1].order;
		}
	}
	s->n = (size_t)(node - s->v);
}

int
nodes_init(struct nodes *s, const struct profile *p, size_t name_width)
{
	size_t n = p->nfuncs + p->ncycles;

	memset(s, 0, sizeof *s);
	s->v = calloc(n + 1, sizeof *s->v);
	s->keys = calloc(n + 1, sizeof *s->keys);
	s->direct = calloc(n + 1, sizeof *s->direct);
	s->names = calloc(n + 1, sizeof *s->names);
	if (!s->v || !s->keys || !s->direct || !s->names)
		return -1;
	nodes_fill(s, p);
	qsort(s->v, n, sizeof *s->v, compare_nodes);
	for (size_t i = 0; i < n; i++) {
		struct node *node = &s->v[i];

		s->keys[i].what = node->func ? (const void *)node->func
					     : (const void *)node->cycle;
		s->keys[i].number = i;
		s->names[i] = i;
		node->place = s->ndirect;
		if (node->func)
			s->direct[s->ndirect++] = i;
	}
	if (labels(s, name_width))
		return -1;
	qsort(s->keys, n, sizeof *s->keys, compare_keys);
	qsort_r(s->direct, s->ndirect, sizeof *s->direct, compare_direct, s->v);
	qsort_r(s->names, n, sizeof *s->names, nodes_compare_names, s->v);
	return 0;
}

void
nodes_fini(struct nodes *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->v[i].label);
	free(s->v);
	free(s->keys);
	free(s->direct);
	free(s->names);
	memset(s, 0, sizeof *s);
}

size_t
nodes_number(const struct nodes *s, const void *what)
{
	struct nodes_key key = { what, 0 };
	const struct nodes_key *found;

	found = bsearch(&key, s->keys, s->n, sizeof key, compare_keys);
	return found ? found->number : 0;
}

size_t
nodes_place(const struct nodes *s, const struct func *f)
{
	return s->v[nodes_number(s, f)].place;
}

const char *
nodes_label(const struct nodes *s, const struct func *f)
{
	size_t i = nodes_number(s, f);

	/* A function without counts has no node: return its plain name. */
	return s->v[i].func == f ? s->v[i].label : f->name;
}

SORT_BY(compare_parents, struct link, SORT_UP(bytes) SORT_FUNC(other))

SORT_BY(compare_children, struct link, SORT_DOWN(bytes) SORT_FUNC(other))

void
nodes_sort_parents(struct link *links, size_t n)
{
	qsort(links, n, sizeof *links, compare_parents);
}

void
nodes_sort_children(struct link *links, size_t n)
{
	qsort(links, n, sizeof *links, compare_children);
}
