/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cycles on call paths: on random ones, each element is as defined for struct
 * frame, computed for each call path alone; and the text of elements.
 */
#include "display/text/element.h"
#include "reduce/callgraph/callgraph.h"
#include "tests/tap.h"
#include "tests/unit/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 24, CHAINS = 60 };

/*
 * The first frame of frame i's element, on a call path of n: overlapping spans
 * are one.
 */
static size_t
entry_of(const char *chain, size_t i, size_t n)
{
	size_t begin = i, was;

	do {
		was = begin;
		for (size_t k = 0; k < n; k++)
			for (size_t j = k + 1; j < n; j++)
				if (chain[k] == chain[j] && k < begin &&
				    j >= begin)
					begin = k;
	} while (begin != was);
	return begin;
}

static size_t
different(const char *chain, size_t from, size_t to)
{
	size_t n = 0;

	for (; from <= to; from++)
		n += !memchr(chain + from + 1, chain[from], to - from);
	return n;
}

/*
 * Do the elements of a call path, innermost first, agree with the definition?
 */
static bool
as_defined(const char *chain, const struct frame *leaf)
{
	size_t n = strlen(chain);
	const struct frame *f = leaf;

	while (f) {
		size_t begin = entry_of(chain, n - 1, n);

		if (element_entry(f)->depth != begin + 1 || f->depth != n ||
		    element_is_cycle(f) != (begin < n - 1) ||
		    element_functions(f) != different(chain, begin, n - 1))
			return false;
		f = element_caller(f);
		n = begin;
	}
	return n == 0;
}

/* The text of all elements of a call path, or "". */
static const char *
text(const struct frame *leaf)
{
	static char all[400];
	char more[400];

	*all = '\0';
	for (const struct frame *f = leaf; f; f = element_caller(f)) {
		char *one = element_text(f, f->func->name, 0);

		snprintf(more, sizeof more, "%s%s%s", one ? one : "?",
			 *all ? " > " : "", all);
		free(one);
		snprintf(all, sizeof all, "%s", more);
	}
	return all;
}

static void
random_chains(unsigned letters)
{
	static struct graph g;
	static char chain[CHAINS][LONGEST + 1];
	static const struct frame *leaf[CHAINS];
	int wrong = 0;

	graph_init(&g, GRAPH_FUNCS);
	for (int i = 0; i < CHAINS; i++) {
		size_t n = 1 + (size_t)rand() % LONGEST;
		/* Most start with a part of another call path. */
		size_t same = i && rand() % 4 ? (size_t)rand() % LONGEST : 0;

		if (same)
			memcpy(chain[i], chain[rand() % i], LONGEST);
		for (size_t k = strnlen(chain[i], same); k < n; k++)
			chain[i][k] = (char)('A' + rand() % (int)letters);
		chain[i][n] = '\0';
		leaf[i] = graph_add(&g, chain[i], 8, 1, 0)->leaf;
	}
	elements_find(&g.p);
	for (int i = 0; i < CHAINS; i++)
		wrong += !as_defined(chain[i], leaf[i]);
	ok(!wrong, "elements are as defined");
	graph_fini(&g);
}

static void
texts(void)
{
	static struct graph g;
	const struct frame *a, *b, *c, *d, *e;

	graph_init(&g, GRAPH_FUNCS);
	a = graph_add(&g, "ABC", 8, 1, 0)->leaf;
	b = graph_add(&g, "ABCBDBCE", 8, 1, 0)->leaf;
	c = graph_add(&g, "ABDBCBCE", 8, 1, 0)->leaf;
	d = graph_add(&g, "AAABGFEDCBD", 8, 1, 0)->leaf;
	e = graph_add(&g, "ABCDEFGHB", 8, 1, 0)->leaf;
	elements_find(&g.p);
	is_str(text(a), "A > B > C", "no cycle");
	is_str(text(b), "A > <cycle: B, D, C> > E", "a cycle");
	is_str(text(c), "A > <cycle: B, D, C> > E", "another way through it");
	ok(!element_compare(b->parent, c->parent) &&
		   element_hash(b->parent) == element_hash(c->parent),
	   "which is the same");
	is_str(text(d), "<cycle: A> > <cycle: B, C, E, F, G, D>",
	       "two of them");
	is_str(text(e), "A > <cycle: B, C, D, E, 3 more, B>", "one of many");
	graph_fini(&g);
}

int
main(void)
{
	srand(1);
	for (unsigned letters = 1; letters <= GRAPH_FUNCS; letters += 3)
		random_chains(letters);
	texts();
	return done_testing();
}
