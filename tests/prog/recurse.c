/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutual recursion.
 *
 *	recurse fg		the paper's: main > F > G > F > G > malloc(10)
 *	recurse self N		main > count > count ... N deep > malloc(24)
 *	recurse parse EXPR	a recursive-descent parser: parse_sum >
 *				parse_product > parse_factor > parse_sum ...,
 *				a node of 40 bytes for each number and operator
 *
 * For fg: one allocation of 10 bytes; F and G are each on the chain twice.
 * For parse "(1+2)*(3+(4*5))": 5 numbers and 4 operators, 9 nodes, 360 bytes,
 * all kept; at main, and at parse_sum, all 360.
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
	return p == NULL;
}
