/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds: unions, tables of functions, switches, generic containers. */
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shape {
	const struct shape_ops *ops;
	int colour;
};
struct shape_ops {
	const char *name;
	struct shape *(*create)(double size);
	double (*area)(const struct shape *s);
};
struct circle {
	struct shape shape;
	double radius;
};
struct square {
	struct shape shape;
	double side;
	char label[16];
};
enum kind { KIND_NUMBER, KIND_TEXT, KIND_PAIR, KIND_ARRAY };
struct value {
	enum kind kind;
	union {
		double number;
		char *text;
		struct pair *pair;
		struct array *array;
	} of;
};
struct pair {
	struct value *left, *right;
};
struct array {
	size_t n;
	struct value *items[];
};
/* Written by hand for any type. */
struct any {
	void *data;
	size_t n, room, size;
};
struct stack {
	struct stack *below;
	void *item;
};
struct event {
	int when;
	void (*run)(void *arg);
	void *arg;
};
struct counter {
	long hits;
	const char *name;
};
struct span {
	float *at;
	size_t n;
};
struct message {
	unsigned short type, length;
	unsigned char body[];
};
typedef int (*compare_fn)(const void *, const void *);
struct sorter {
	compare_fn *by;
	unsigned n;
};

static struct event *events;
static size_t nevents;
static jmp_buf back;
static struct stack *top;
static struct value *trash[32];
static unsigned ntrash;
static double total;

static double
circle_area(const struct shape *s)
{
	const struct circle *c =
		(const struct circle *)((const char *)s -
					offsetof(struct circle, shape));

	return 3 * c->radius * c->radius;
}

static double
square_area(const struct shape *s)
{
	const struct square *q = (const struct square *)s;

	return q->side * q->side;
}

static struct shape *circle_new(double size);
static struct shape *square_new(double size);

static const struct shape_ops circles = { "circle", circle_new, circle_area };
static const struct shape_ops squares = { "square", square_new, square_area };
static const struct shape_ops *const shapes[] = { &circles, &squares };

static struct shape *
circle_new(double size)
{
	struct circle *c = malloc(sizeof(*c)); /*= struct circle */

	c->shape.ops = &circles;
	c->shape.colour = 1;
	c->radius = size;
	return &c->shape;
}

static struct shape *
square_new(double size)
{
	struct square *s = calloc(1, sizeof(*s)); /*= struct square */

	s->shape.ops = &squares;
	s->side = size;
	snprintf(s->label, sizeof(s->label), "%g", size);
	return &s->shape;
}

static struct value *
value_new(enum kind kind)
{
	struct value *v = malloc(sizeof(*v)); /*= struct value */

	if (v == NULL)
		longjmp(back, 1);
	v->kind = kind;
	switch (kind) {
	case KIND_NUMBER:
		v->of.number = 1;
		break;
	case KIND_TEXT:
		v->of.text = malloc(12); /*= char */
		strcpy(v->of.text, "eleven char");
		break;
	case KIND_PAIR:
		v->of.pair = calloc(1, sizeof(struct pair)); /*= struct pair */
		v->of.pair->left = value_new(KIND_NUMBER);
		v->of.pair->right = value_new(KIND_TEXT);
		break;
	case KIND_ARRAY:
		v->of.array =
			malloc(sizeof(struct array) + 24); /*= struct array */
		v->of.array->n = 0;
		break;
	}
	trash[ntrash++] = v;
	return v;
}

static struct array *
array_new(size_t n)
{
	struct array *a;

	a = malloc(offsetof(struct array, items[n])); /*= struct array */
	for (a->n = 0; a->n < n; a->n++)
		a->items[a->n] = value_new((enum kind)(a->n % 3));
	return a;
}

static void
any_add(struct any *a, const void *item)
{
	if (a->n == a->room) {
		a->room = a->room ? 2 * a->room : 4;
		a->data = realloc(a->data, a->room * a->size); /*= ?|void */
	}
	memcpy((char *)a->data + a->n++ * a->size, item, a->size);
}

static void
stack_push(void *item)
{
	struct stack *s = malloc(sizeof(struct stack)); /*= struct stack */

	s->below = top;
	s->item = item;
	top = s;
}

static void
at(int when, void (*run)(void *), void *arg)
{
	size_t n = (nevents + 1) * sizeof(*events);

	events = realloc(events, n); /*= struct event */
	events[nevents].when = when;
	events[nevents].run = run;
	events[nevents++].arg = arg;
}

static void
hit(void *arg)
{
	struct counter *c = arg;

	c->hits++;
	total += (double)c->hits;
}

static struct counter *
counter_open(const char *name)
{
	struct counter *c = malloc(sizeof(*c)); /*= struct counter */

	c->hits = 0;
	c->name = name;
	at(3, hit, c);
	return c;
}

/* A struct by value, in two registers. */
static struct span
span_new(size_t n)
{
	struct span s = { malloc(n * sizeof(float)), n }; /*= float */

	memset(s.at, 0, n * sizeof(float));
	return s;
}

static struct message *
message_new(unsigned short type, const void *body, unsigned short length)
{
	struct message *m;

	m = malloc(sizeof(*m) + length); /*= struct message */
	m->type = type;
	m->length = length;
	memcpy(m->body, body, length);
	return m;
}

static int
by_int(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static bool
sorter_init(struct sorter **out, unsigned n)
{
	struct sorter *s = NULL;
	unsigned i;

	if (!n)
		goto failed;
	s = malloc(sizeof(*s)); /*= struct sorter */
	if (!s)
		goto failed;
	s->by = calloc(n, sizeof(compare_fn)); /*= compare_fn|? */
	if (!s->by)
		goto failed;
	for (i = 0; i < n; i++)
		s->by[i] = by_int;
	s->n = n;
	*out = s;
	return true;
failed:
	free(s);
	return false;
}

/* A callback of the library. */
static int *
sorted(const struct sorter *s, size_t n)
{
	int *v = malloc(n * sizeof(*v)); /*= int */
	size_t i;

	for (i = 0; i < n; i++)
		v[i] = (int)(n - i);
	qsort(v, n, sizeof(*v), s->by[0]);
	return v;
}

int
main(int argc, char **argv)
{
	struct any doubles = { .size = sizeof(double) };
	struct counter *c = counter_open(argv[0]);
	struct sorter *sorter;
	struct message *m;
	struct span span;
	double d;
	int i;

	if (setjmp(back))
		return 1;
	for (i = 0; i < 4; i++) {
		struct shape *s = shapes[i % 2]->create(i + argc);

		total += s->ops->area(s);
		stack_push(s);
		d = total;
		any_add(&doubles, &d);
		any_add(&doubles, &d);
	}
	array_new(3);
	value_new(KIND_ARRAY);
	for (i = 0; i < (int)nevents; i++)
		events[i].run(events[i].arg);
	if (!sorter_init(&sorter, 2))
		return 1;
	span = span_new(10);
	m = message_new(3, "hello", 6);
	printf("%g %ld ", total + span.at[0], c->hits); /*= ?|char */
	printf("%d %s\n", sorted(sorter, 9)[0], (char *)m->body);
	return 0;
}
