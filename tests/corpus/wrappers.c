/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocation by the program's own functions, inlined or not. */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
#define NEW(type) ((type *)xmalloc(sizeof(type)))
#define NEW_ARRAY(type, n) ((type *)xcalloc((n), sizeof(type)))
#define GROW(array, n) ((array) = xrealloc((array), (n) * sizeof(*(array))))
#define ALLOC_FOR(p) ((p) = zalloc(sizeof(*(p))))

struct point {
	int x, y;
};
/* clang-format off */
typedef
struct {
	double re, im;
} complex_t;
/* clang-format on */
struct config {
	char *name;
	char **values;
	unsigned nvalues;
	struct section {
		struct section *next;
		char title[24];
	} * sections;
	struct point *origin;
	complex_t *roots;
};
/* clang-format off */
typedef
struct token {
	int kind;
	union {
		long number;
		char *word;
	} u;
	struct token *next;
} token;
/* clang-format on */
struct matrix {
	size_t rows, columns;
	double **cell;
	float *scratch;
};
struct buffer {
	unsigned char *bytes;
	size_t used, room;
};
enum level { LOW, MIDDLE, HIGH };

static size_t allocated;

static NOINLINE void
die(const char *why)
{
	fprintf(stderr, "%s: %s\n", why, strerror(errno));
	exit(2);
}

NOINLINE void *
xmalloc(size_t n)
{
	void *p = malloc(n);

	if (!p)
		die("malloc");
	allocated += n;
	return p;
}

static void *
xcalloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (p == NULL && n && size)
		die("calloc");
	return p;
}

NOINLINE void *
xrealloc(void *old, size_t n)
{
	void *p = realloc(old, n);

	if (!p) {
		free(old);
		die("realloc");
	}
	return p;
}

/* Through another function. */
static NOINLINE void *
zalloc(size_t n)
{
	return memset(xmalloc(n), 0, n);
}

/* Its call becomes a jump, with optimization. */
static NOINLINE void *
tail_alloc(size_t n)
{
	return xmalloc((n + 15) & ~(size_t)15);
}

static inline void *
checked(size_t n, const char *file, int line)
{
	void *p;

	if (n > 1000000) {
		fprintf(stderr, "%s:%d: much\n", file, line);
		return NULL;
	}
	p = malloc(n);
	return p;
}
#define CHECKED(n) checked((n), __FILE__, __LINE__)

static NOINLINE char *
xstrdup(const char *s)
{
	size_t n = strlen(s) + 1;
	char *copy = xmalloc(n); /*= char */

	return memcpy(copy, s, n);
}

static char *
join(const char *a, const char *b)
{
	size_t n = strlen(a);
	char *s = xmalloc(n + strlen(b) + 1); /*= char */

	strcpy(s, a);
	strcpy(s + n, b);
	return s;
}

static struct section *
section_new(const char *title, struct section *next)
{
	struct section *s = zalloc(sizeof(*s)); /*= struct section */

	snprintf(s->title, sizeof(s->title), "%s", title);
	s->next = next;
	return s;
}

static struct config *
config_new(const char *name)
{
	struct config *c = NEW(struct config); /*= struct config */
	unsigned i;

	memset(c, 0, sizeof(*c));
	c->name = xstrdup(name);
	c->nvalues = 4;
	c->values = NEW_ARRAY(char *, c->nvalues); /*= char * */
	for (i = 0; i < c->nvalues; i++)
		c->values[i] = join(name, "value");
	c->sections = section_new("first", NULL);
	c->sections = section_new("second", c->sections);
	c->origin = NEW(struct point); /*= struct point */
	c->origin->x = c->origin->y = 1;
	c->roots = xcalloc(3, sizeof(complex_t)); /*= complex_t */
	return c;
}

static token *
token_new(int kind)
{
	token *t = xmalloc(sizeof(token)); /*= token|struct token */

	t->kind = kind;
	t->next = NULL;
	return t;
}

static token *
lex(const char *s)
{
	token *first = NULL, **end = &first;

	for (; *s; s++) {
		*end = token_new(*s);
		if (*s >= '0' && *s <= '9')
			(*end)->u.number = *s - '0';
		else
			(*end)->u.word = xstrdup(s);
		end = &(*end)->next;
	}
	return first;
}

static struct matrix *
matrix_new(size_t rows, size_t columns)
{
	struct matrix *m;
	size_t i;

	ALLOC_FOR(m); /*= struct matrix */
	m->rows = rows;
	m->columns = columns;
	m->cell = xmalloc(rows * sizeof(*m->cell)); /*= double * */
	for (i = 0; i < rows; i++)
		m->cell[i] = xcalloc(columns, sizeof(double)); /*= double */
	m->scratch = xmalloc(columns * sizeof(float)); /*= float */
	m->scratch[0] = 1;
	return m;
}

static void
buffer_add(struct buffer *b, unsigned char byte)
{
	if (b->used == b->room) {
		b->room = b->room ? 2 * b->room : 16;
		b->bytes = xrealloc(b->bytes, b->room); /*= unsigned char */
	}
	b->bytes[b->used++] = byte;
}

static NOINLINE char *
print(const char *format, ...)
{
	va_list ap;
	char *s;

	va_start(ap, format);
	if (vasprintf(&s, format, ap) < 0) /*= char */
		s = NULL;
	va_end(ap);
	return s;
}

static NOINLINE long
numbers(size_t n)
{
	long *v = NULL, sum = 0;
	uint16_t *shorts = CHECKED(n * 2); /*= uint16_t */
	enum level *levels = tail_alloc(n * sizeof(*levels)); /*= enum level */
	struct point *p = tail_alloc(sizeof(*p)); /*= struct point */
	size_t i;

	GROW(v, n); /*= long|long int */
	for (i = 0; i < n; i++) {
		v[i] = (long)i;
		shorts[i] = (uint16_t)i;
		levels[i] = i & 1 ? HIGH : LOW;
	}
	GROW(v, 2 * n); /*= long|long int */
	v[n] = p->x = 3;
	for (i = 0; i < n; i++)
		sum += v[i] + shorts[i] + (long)levels[i];
	sum += v[n] + p->x;
	free(v);
	free(p);
	free(shorts);
	free(levels);
	return sum;
}

int
main(int argc, char **argv)
{
	struct config *c = config_new(argv[0]);
	struct matrix *m = matrix_new(4, (size_t)argc + 3);
	struct buffer b = { NULL, 0, 0 };
	token *t = lex("a1b2");
	struct point *p = CHECKED(sizeof(*p)); /*= struct point */
	int i;

	p->x = argc;
	for (i = 0; i < 50; i++)
		buffer_add(&b, (unsigned char)i);
	printf("%s %g ", c->name, m->cell[1][1]); /*= ?|char */
	printf("%s %ld %d %zu\n", print("%d", t->kind), numbers(30), p->x,
	       b.used);
	return 0;
}
