/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The work of parsers: reads text by recursive descent into a tree of nodes,
 * strings and growing arrays; walks the tree and frees it.
 *
 *	parser [documents [bytes]]		(150, 100000)
 *
 * Each document is a random value of about `bytes' bytes:
 *
 *	value: [ value, ... ] | { name: value, ... } | "string" | sum
 *	sum: product + ...	product: atom * ...	atom: number | ( sum )
 *
 * The text itself and its buffer, which doubles, are on the heap too.
 */
#include <stdbool.h>
#include <string.h>

#include "bench.h"

enum kind { ARRAY, OBJECT, STRING, NUMBER, ADD, MUL };

struct node {
	enum kind kind;
	unsigned n, room;	/* of items */
	union {
		struct node **items;
		char *text;
		uint64_t number;
	};
	char *name;		/* in an object */
};

struct text {
	char *p;
	size_t n, room;
	uint64_t seed;
};

/* ---- writing ---- */

static void
put(struct text *t, const char *s, size_t n)
{
	while (t->n + n >= t->room) {
		t->room = t->room ? 2 * t->room : 256;
		t->p = must(realloc(t->p, t->room));
	}
	memcpy(t->p + t->n, s, n);
	t->n += n;
	t->p[t->n] = '\0';
}

static void
put_string(struct text *t)
{
	uint64_t r = rnd(&t->seed);
	size_t n = 1 + (r >> 8) % ((r & 7) == 0 ? 200 : 20);

	put(t, "\"", 1);
	for (size_t i = 0; i < n; i++)
		put(t, &"abcdefghijklmnop"[(r >> i % 48) & 15], 1);
	put(t, "\"", 1);
}

static void
put_sum(struct text *t, unsigned depth)
{
	unsigned terms = 1 + (rnd(&t->seed) >> 20) % 4;

	for (unsigned i = 0; i < terms; i++) {
		uint64_t r = rnd(&t->seed) >> 16;
		char number[24];

		if (i > 0)
			put(t, r & 1 ? "+" : "*", 1);
		if (depth < 6 && (r >> 1 & 7) == 0) {
			put(t, "(", 1);
			put_sum(t, depth + 1);
			put(t, ")", 1);
		} else {
			put(t, number,
			    (size_t)sprintf(number, "%u",
					    (unsigned)(r >> 4) % 100000));
		}
	}
}

/* One value of about that many bytes. */
static void
put_value(struct text *t, size_t bytes)
{
	uint64_t r = rnd(&t->seed) >> 16;
	size_t end = t->n + bytes, parts = 2 + (r >> 4) % 14;
	bool object = r & 1;

	if (bytes < 40) {
		if (object)
			put_string(t);
		else
			put_sum(t, 0);
		return;
	}
	put(t, object ? "{" : "[", 1);
	for (bool first = true; t->n < end; first = false) {
		if (!first)
			put(t, ",", 1);
		if (object) {
			put_string(t);
			put(t, ":", 1);
		}
		put_value(t, bytes / parts);
	}
	put(t, object ? "}" : "]", 1);
}

/* ---- reading ---- */

FRAME struct node *parse_value(const char **s);
FRAME struct node *parse_sum(const char **s);

FRAME struct node *
new_node(enum kind kind)
{
	struct node *n = must(calloc(1, sizeof(*n)));

	n->kind = kind;
	return n;
}

FRAME void
append(struct node *n, struct node *item)
{
	if (n->n == n->room) {
		n->room = n->room ? 2 * n->room : 2;
		n->items = must(realloc(n->items, n->room * sizeof(item)));
	}
	n->items[n->n++] = item;
}

FRAME char *
parse_string(const char **s)
{
	size_t n = strcspn(++*s, "\"");
	char *p = must(malloc(n + 1));

	memcpy(p, *s, n);
	p[n] = '\0';
	*s += n + 1;
	return p;
}

FRAME struct node *
parse_atom(const char **s)
{
	struct node *n;

	if (**s == '(') {
		++*s;
		n = parse_sum(s);
		++*s;
		return n;
	}
	n = new_node(NUMBER);
	n->number = strtoul(*s, (char **)s, 10);
	return n;
}

/* One operand stays a value; more make a node. */
FRAME struct node *
parse_list(const char **s, char sign, enum kind kind,
	   struct node *(*operand)(const char **))
{
	struct node *n = operand(s), *all;

	if (**s != sign)
		return n;
	all = new_node(kind);
	append(all, n);
	while (**s == sign) {
		++*s;
		append(all, operand(s));
	}
	return all;
}

FRAME struct node *
parse_product(const char **s)
{
	return parse_list(s, '*', MUL, parse_atom);
}

FRAME struct node *
parse_sum(const char **s)
{
	return parse_list(s, '+', ADD, parse_product);
}

FRAME struct node *
parse_array(const char **s)
{
	struct node *n = new_node(ARRAY);

	while (*(*s)++ != ']')
		append(n, parse_value(s));
	return n;
}

FRAME struct node *
parse_object(const char **s)
{
	struct node *n = new_node(OBJECT), *item;
	char *name;

	while (*(*s)++ != '}') {
		name = parse_string(s);
		++*s;
		item = parse_value(s);
		item->name = name;
		append(n, item);
	}
	return n;
}

/* Lists end at the bracket, each element at a comma. */
FRAME struct node *
parse_value(const char **s)
{
	struct node *n;

	switch (**s) {
	case '[':
		return parse_array(s);
	case '{':
		return parse_object(s);
	case '"':
		n = new_node(STRING);
		n->text = parse_string(s);
		return n;
	default:
		return parse_sum(s);
	}
}

/* ---- the tree ---- */

FRAME uint64_t
walk(const struct node *n, uint64_t sum)
{
	sum = mix(sum, n->kind * 256 + n->n);
	if (n->name)
		sum = mix(sum, strlen(n->name));
	if (n->kind == NUMBER)
		return mix(sum, n->number);
	if (n->kind == STRING)
		return mix(sum, strlen(n->text));
	for (unsigned i = 0; i < n->n; i++)
		sum = walk(n->items[i], sum);
	return sum;
}

FRAME void
drop(struct node *n)
{
	free(n->name);
	if (n->kind == STRING)
		free(n->text);
	else if (n->kind != NUMBER) {
		for (unsigned i = 0; i < n->n; i++)
			drop(n->items[i]);
		free(n->items);
	}
	free(n);
}

int
main(int argc, char **argv)
{
	unsigned long documents = arg(argc, argv, 1, 150), i;
	unsigned long bytes = arg(argc, argv, 2, 100000), read = 0;
	uint64_t sum = 0;

	for (i = 0; i < documents; i++) {
		struct text t = { .seed = i + 1 };
		struct node *n;
		const char *s;

		put_value(&t, bytes);
		s = t.p;
		n = parse_value(&s);
		if (*s) {
			fprintf(stderr, "parser: lost at %.20s\n", s);
			return 1;
		}
		sum = walk(n, sum);
		read += t.n;
		drop(n);
		free(t.p);
	}
	printf("parser %lu %lu %016" PRIx64 "\n", documents, read, sum);
	return 0;
}
