/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What accesses to unsampled blocks cost: prints for each kind its name and the
 * instructions of one round, a tenth of ten rounds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/access/apart_steps.h"

#define ROUNDS 10
#define EACH \
	int round = 0; \
	round < ROUNDS; \
	round++

struct node {
	struct node *next;
	long a, b, c;
};

static struct node *list;
static char *from, *to;
static int *row;
static volatile long n = 40, sum;

static void
nodes(void) /* 100 nodes, three members each */
{
	for (EACH)
		for (struct node *p = list; p; p = p->next)
			sum += p->a + p->c;
}

static void
rows(void) /* 100 elements */
{
	for (EACH)
		for (int i = 0; i < 100; i++)
			row[i] += i;
}

static void
copies(void) /* 40 bytes */
{
	for (EACH)
		memcpy(to, from, (size_t)n);
}

static void
compares(void) /* 40 bytes, which differ */
{
	for (EACH)
		sum += memcmp(to + 64, from, (size_t)n);
}

static void
strings(void) /* 40 characters */
{
	for (EACH)
		sum += strcmp(to, from);
}

static void
calls(void) /* of a function that isn't recorded */
{
	for (EACH)
		steps_call(list);
}

static void
blocks(void) /* a block is made and freed */
{
	for (EACH)
		free(malloc((size_t)n));
}

int
main(void)
{
	static const struct {
		const char *name;
		void (*f)(void);
	} kinds[] = {
		{ "nodes", nodes },	  { "rows", rows },
		{ "copies", copies },	  { "compares", compares },
		{ "strings", strings },	  { "calls", calls },
		{ "blocks", blocks },
	};

	for (int i = 0; i < 100; i++) {
		struct node *p = calloc(1, sizeof(*p));

		p->next = list;
		list = p;
	}
	row = calloc(100, sizeof(*row));
	from = malloc(200);
	to = malloc(200);
	memset(from, 'a', 200);
	memset(to, 'a', 200);
	from[41] = to[41] = 0;
	to[64 + 30] = 'b';
	for (int i = 0; i < 300; i++)
		steps_call(list); /* as of a function that is often called */
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		printf("%s %ld\n", kinds[i].name,
		       steps_of(kinds[i].f) / ROUNDS);
	return 0;
}
