/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutual recursion.
 *
 *	recurse fg		the paper's: main > F > G > F > G > malloc(10)
 *	recurse self N		main > count > count ... N deep > malloc(24)
 *	recurse parse EXPR	a recursive-descent parser: parse_sum >
 *				parse_product > parse_factor > parse_sum ...,
 *				a node of 40 bytes for each number and operator
 *	recurse twins N M	main > twins > twin_count ... N deep >
 *				malloc(24), 2M times, by turns from two places
 *	recurse stairs N	stair ... N deep; each allocates 16 bytes on the
 *				way down and 16 on the way up, and frees them
 *	recurse teeth N D M	M times N + (0 ... D) deep and back: tooth
 *				allocates 32 bytes where it turns round
 *
 * For fg: one allocation of 10 bytes; F and G are each on the chain twice.
 * For parse "(1+2)*(3+(4*5))": 5 numbers and 4 operators, 9 nodes, 360 bytes,
 * all kept; at main, and at parse_sum, all 360.
 * For stairs N: 2N allocations, two with d frames of stair on their chain for
 * each d = 1 ... N.  For twins: M blocks on each path.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *F(int n);
void *G(int n);

void *
G(int n)
{
	return n ? F(n - 1) : malloc(10);
}

void *
F(int n)
{
	return G(n);
}

static void *
count(int n)
{
	void *p = n > 1 ? count(n - 1) : malloc(24);

	/* Not a tail call. */
	__asm__ volatile("" : : "r"(p) : "memory");
	return p;
}

struct node {
	struct node *left, *right;
	long value;
	char op;
	char pad[15];
};

static const char *at;

static struct node *parse_sum(void);

static struct node *
parse_number(void)
{
	struct node *n = calloc(1, sizeof(*n));
	char *end;

	n->value = strtol(at, &end, 10);
	at = end;
	return n;
}

static struct node *
parse_factor(void)
{
	struct node *n;

	if (*at != '(')
		return parse_number();
	at++;
	n = parse_sum();
	at++;
	return n;
}

static struct node *
binary(char op, struct node *left, struct node *right)
{
	struct node *n = malloc(sizeof(*n));

	n->op = op;
	n->left = left;
	n->right = right;
	return n;
}

static struct node *
parse_product(void)
{
	struct node *n = parse_factor();

	while (*at == '*') {
		at++;
		n = binary('*', n, parse_factor());
	}
	return n;
}

static struct node *
parse_sum(void)
{
	struct node *n = parse_product();

	while (*at == '+') {
		at++;
		n = binary('+', n, parse_product());
	}
	return n;
}

static void *
twin_count(int n)
{
	void *p = n > 1 ? twin_count(n - 1) : malloc(24);

	__asm__ volatile("" : : "r"(p) : "memory");
	return p;
}

static void *
twins(int n, int m)
{
	void *p = NULL;

	for (int i = 0; i < m; i++) {
		p = twin_count(n);
		p = twin_count(n);
	}
	return p;
}

static void
stair(int n)
{
	free(malloc(16));
	if (n > 1)
		stair(n - 1);
	free(malloc(16));
}

static void
tooth(int n)
{
	if (n > 1)
		tooth(n - 1);
	else
		free(malloc(32));
	__asm__ volatile("" : : : "memory");
}

int
main(int argc, char **argv)
{
	void *volatile p = NULL;

	if (argc > 1 && !strcmp(argv[1], "fg"))
		p = F(1);
	else if (argc > 2 && !strcmp(argv[1], "self"))
		p = count(atoi(argv[2]));
	else if (argc > 2 && !strcmp(argv[1], "parse"))
		p = (at = argv[2], parse_sum());
	else if (argc > 3 && !strcmp(argv[1], "twins"))
		p = twins(atoi(argv[2]), atoi(argv[3]));
	else if (argc > 2 && !strcmp(argv[1], "stairs"))
		stair(atoi(argv[2]));
	else if (argc > 4 && !strcmp(argv[1], "teeth"))
		for (int i = 0; i < atoi(argv[4]); i++)
			tooth(atoi(argv[2]) + i % (atoi(argv[3]) + 1));
	return p == NULL;
}
