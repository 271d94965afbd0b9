/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks for unrecorded code, each from its own function.  The function's
 * number of blocks, and how many count as passed to unrecorded code:
 *
 *	in out user		1 1	through a struct on a caller's stack
 *	inner			1 1	a struct in a heap block, read ahead
 *	nodes texts		5 5	a list
 *	kept			1 1	the library uses it later
 *	by_value		1 1	in a struct that is passed itself
 *	of_static		1 1	to code of the program's own
 *	called_with		1 1	iterated over, with a callback
 *	of_other		1 0	to recorded code elsewhere
 *	own			1 0	only the program has it
 */
#include <stdlib.h>
#include <string.h>

#include "tests/access/handed.h"

#define BLOCK(name, size) \
	NOINLINE void *name(void) \
	{ \
		return calloc(1, size); \
	}
BLOCK(in, 64)
BLOCK(out, 64)
BLOCK(user, 64)
BLOCK(inner, 48)
BLOCK(nodes, sizeof(struct node))
BLOCK(texts, 32)
BLOCK(kept, 48)
BLOCK(by_value, 80)
BLOCK(of_static, 100)
BLOCK(called_with, 40)
BLOCK(of_other, 100)
BLOCK(own, 100)

static NOINLINE void
through(struct stream *s)
{
	lib_run(s);
}

static void
callback(char *p, void *user)
{
	(void)p;
	++*(int *)user;
}

int
main(void)
{
	struct stream s = { 0 }, v = { 0 }, *heap = inner();
	struct node *list = NULL, *n;
	char *p;
	int calls = 0;

	p = in();
	p[0] = 1;
	s = (struct stream){ .next = p, .n = 20, .out = out(), .user = user() };
	through(&s);
	*heap = s;
	heap->n = 1;
	lib_run(heap);
	for (int i = 0; i < 5; i++) {
		n = nodes();
		n->next = list;
		n->text = texts();
		list = n;
	}
	lib_list(list);
	lib_keep(kept());
	lib_use();
	v.out = by_value();
	v.next = v.out;
	lib_value(v);
	static_fill(of_static(), 20);
	p = called_with();
	memcpy(p, "text", 5);
	lib_each(p, callback, &calls);
	other_fill(of_other(), 20);
	p = own();
	((volatile char *)p)[3] = 1;
	return calls != 4;
}
