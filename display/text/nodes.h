/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions and cycles as the nodes of the call graph, with the numbers and the
 * names that the tables give them, and the orders in which they come there.
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
	const struct func *func;   /* NULL: a cycle as a whole */
	const struct cycle *cycle; /* of which it is, or which it is */
	char *label;		   /* its name as printed */
	uint64_t total, self;	   /* bytes */
	unsigned order;		   /* of a cycle: its first member's */
	size_t place;		   /* functions that come before it */
};

/* Where to find a function or a cycle. */
struct nodes_key {
	const void *what;
	size_t number;
};

struct nodes {
	struct node *v; /* by number */
	size_t n;
	struct nodes_key *keys; /* by address */
	size_t *direct;	       /* functions by their own bytes: numbers */
	size_t ndirect;
	size_t *names; /* functions by name, then cycles: numbers */
};

/*
 * Sort the functions and cycles of p into *s; labels longer than name_width are
 * cut if that isn't 0.  *s refers to p.  0, or -1 when out of memory; *s needs
 * nodes_fini() in any case.
 */
int nodes_init(struct nodes *s, const struct profile *p, size_t name_width);
void nodes_fini(struct nodes *s);

/* The number of a struct func or struct cycle of the profile. */
size_t nodes_number(const struct nodes *s, const void *what);

/* How many functions come before one, and the name that is printed of it. */
size_t nodes_place(const struct nodes *s, const struct func *f);
const char *nodes_label(const struct nodes *s, const struct func *f);

/* The order of functions whose bytes are the same. */
int nodes_compare_funcs(const struct func *a, const struct func *b);

/* A line of a graph entry: what a function got from, or gave to, another. */
struct link {
	const struct func *other;
	const struct counts *count;
	uint64_t bytes;
	uint64_t calls;
	bool inlined; /* other, into whoever calls it here */
};

/* Sort links by bytes, parents ascending and children descending. */
void nodes_sort_parents(struct link *links, size_t n);
void nodes_sort_children(struct link *links, size_t n);

#endif
