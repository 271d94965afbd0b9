/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocators on top of malloc: their data before a block isn't its type. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

/* A number before each block. */
static NOINLINE void *
counted_alloc(size_t n)
{
	int64_t *p = malloc(n + 8);

	if (p) {
		p[0] = (int64_t)n;
		p++;
	}
	return p;
}

static NOINLINE void
counted_free(void *p)
{
	free((int64_t *)p - 1);
}

/* A struct before each block. */
struct head {
	size_t size;
	const char *who;
};

static NOINLINE void *
headed_alloc(size_t n, const char *who)
{
	struct head *h = malloc(sizeof(*h) + n);

	if (!h)
		return NULL;
	h->size = n;
	h->who = who;
	return h + 1;
}

static NOINLINE void
headed_free(void *p)
{
	free((struct head *)p - 1);
}

/* The compiler must take it for another block. */
static NOINLINE void *
launder(void *p, size_t n)
{
	(void)n;
	return p;
}

static NOINLINE void *
laundered_alloc(size_t n)
{
	void *p = malloc(n);

	if (!p)
		abort();
	memset(p, 0, n);
	return launder(p, n);
}

struct page {
	unsigned char *data;
	struct page *next;
	int bulk;
};
struct cache {
	struct page *free;
	void *bulk;
};
struct customer {
	struct customer *next;
	long number;
	double credit;
	char name[20];
};
struct order {
	long id;
	struct customer *by;
	int items[6];
};

/* Pages and their descriptions, one after the other, in one block. */
static NOINLINE struct page *
cache_get(struct cache *c)
{
	enum { PAGES = 4, SIZE = 512 };
	size_t all = PAGES * (SIZE + sizeof(struct page));
	char *bulk;
	struct page *page;
	int i;

	if (!c->free) {
		bulk = laundered_alloc(all); /*= char|struct page */
		c->bulk = bulk;
		for (i = 0; i < PAGES; i++) {
			page = (struct page *)&bulk[SIZE];
			page->data = (unsigned char *)bulk;
			page->next = c->free;
			page->bulk = 1;
			c->free = page;
			bulk += SIZE + sizeof(*page);
		}
	}
	page = c->free;
	c->free = page->next;
	return page;
}

static NOINLINE struct customer *
customer_new(struct customer *next, long number)
{
	struct customer *c = counted_alloc(sizeof(*c)); /*= struct customer */

	memset(c, 0, sizeof(*c));
	c->next = next;
	c->number = number;
	return c;
}

static NOINLINE struct order *
order_new(struct customer *by)
{
	struct order *o = headed_alloc(sizeof(*o), "o"); /*= struct order */

	memset(o, 0, sizeof(*o));
	o->by = by;
	o->id = by->number * 10;
	return o;
}

int
main(int argc, char **argv)
{
	struct cache cache = { NULL, NULL };
	struct customer *c = NULL, *next;
	struct order *o;
	double *rates;
	long sum = argc;
	int i;

	(void)argv;
	for (i = 0; i < 10; i++)
		c = customer_new(c, i);
	o = order_new(c);
	rates = laundered_alloc(12 * sizeof(*rates)); /*= double */
	for (i = 0; i < 12; i++)
		rates[i] += i + sum;
	for (i = 0; i < 4; i++) {
		cache_get(&cache)->data[i] = 7;
		sum += (long)rates[i];
	}
	sum += o->id;
	headed_free(o);
	for (; c; c = next) {
		next = c->next;
		sum += c->number;
		counted_free(c);
	}
	free(rates);
	free(cache.bulk);
	printf("%ld\n", sum); /*= ?|char */
	return 0;
}
