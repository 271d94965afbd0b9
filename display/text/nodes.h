/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions and cycles as the nodes of the call graph, with the numbers and
 * names that the tables print, and the orders in which tables print them.
 *
 * A node's number is its place in the order of the graph, the [n] of the
 * tables: by bytes descending, then callers before callees, then name, then
 * address.
 */
#ifndef MEMMON_NODES_H
#define MEMMON_NODES_H

#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct node {
	const struct func *func;   /* NULL: a whole cycle */
	const struct cycle *cycle; /* the cycle that it is, or is a part of */
	char *label;		   /* its name as printed */
	uint64_t total, self;	   /* bytes */
	unsigned order;		   /* a cycle has that of its first member */
	size_t place;		   /* number of functions before it */
};

/* Key to find a function or a cycle. */
struct nodes_key {
	const void *what;
	size_t number;
};

struct nodes {
	struct node *v; /* by number */
	size_t n;
	struct nodes_key *keys; /* by address */
	size_t *direct;	       /* numbers of functions, by their own bytes */
	size_t ndirect;
	size_t *names; /* numbers of functions by name, then of cycles */
};

/*
 * Sort the functions and cycles of p into *s.  Labels are shortened to
 * name_width columns, unless it is 0.  *s refers to p.  0, or -1 when out of
 * memory; call nodes_fini() in both cases.
 */
int nodes_init(struct nodes *s, const struct profile *p, size_t name_width);
void nodes_fini(struct nodes *s);

/* The number of a struct func or struct cycle of the profile. */
size_t nodes_number(const struct nodes *s, const void *what);

/* The number of functions before f, and the name that is printed for f. */
size_t nodes_place(const struct nodes *s, const struct func *f);
const char *nodes_label(const struct nodes *s, const struct func *f);

/* The order of functions with equal bytes. */
int nodes_compare_funcs(const struct func *a, const struct func *b);

/* A line of a graph entry: memory passed between a function and `other'. */
struct link {
	const struct func *other;
	const struct counts *count;
	uint64_t bytes;
	uint64_t calls;
	bool inlined; /* other is inlined into its caller here */
};

/* Sort links by bytes: parents ascending, children descending. */
void nodes_sort_parents(struct link *links, size_t n);
void nodes_sort_children(struct link *links, size_t n);

#endif
