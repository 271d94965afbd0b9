/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocations whose type is known, or known to the caller only. */
#include <stdlib.h>

struct node {
	struct node *next;
	long v;
};
/* It has only the typedef's name. */
/* clang-format off */
typedef
struct {
	int x, y;
} point;
/* clang-format on */

#define NEW(t) ((t *)malloc(sizeof(t)))
void *xmalloc(size_t n) __attribute__((malloc, noinline));
void *(*volatile allocate)(size_t) = malloc;
struct node *volatile kept;

void *
xmalloc(size_t n) /* kind 0: only its caller knows the type */
{
	void *p = malloc(n);

	if (p == NULL)
		abort();
	return p;
}

static inline point *
make_point(int x)
{
	point *p = calloc(1, sizeof(*p));

	p->x = x;
	return p;
}

__attribute__((noinline)) static void
scratch(void) /* no entry: the block isn't passed on */
{
	void *volatile p = malloc(100);

	free(p);
}

int
main(void)
{
	struct node *n = xmalloc(sizeof(*n));
	char **names = malloc(4 * sizeof(*names));
	point *a = NEW(point), *b = make_point(3);
	double *d = allocate(80);
	struct node *two[2] = { NEW(struct node), malloc(sizeof(*two[0])) };

	n->next = malloc(sizeof(*n->next));
	n->next = realloc(n->next, 2 * sizeof(struct node));
	kept = n->next;
	names[0] = malloc(10);
	scratch();
	__asm__ volatile(""
			 :
			 : "r"(a), "r"(b), "r"(two), "r"(names)
			 : "memory");
	free(two[0]), free(two[1]), free(d), free(names[0]), free(names);
	free(a), free(b), free(kept), free(n);
	return 0;
}
