/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pool that stores each string once. */
#include <stdbool.h>
#include <stdlib.h>

#include "reduce/symbols/symbols_pool.h"

/* Strings with the same hash are chained. */
struct symbols_string {
	struct symbols_string *next;
	size_t length;
	char text[];
};

void
symbols_pool_fini(struct symbols_pool *p)
{
	arena_fini(&p->arena);
	hash_fini(&p->hashes);
	free(p->first);
	*p = (struct symbols_pool){ 0 };
}

static char
printable(char c)
{
	unsigned char u = (unsigned char)c;

	return u < ' ' || u == 0x7f ? '?' : c;
}

/* Are the bytes, once made printable, those of the string? */
static bool
same_text(const struct symbols_string *s, const char *bytes, size_t n)
{
	size_t i;

	if (s->length != n)
		return false;
	for (i = 0; i < n; i++)
		if (s->text[i] != printable(bytes[i]))
			return false;
	return true;
}

static struct symbols_string *
string_new(struct symbols_pool *p, const char *s, size_t n)
{
	struct symbols_string *t;
	size_t i;

	t = arena_alloc(&p->arena, sizeof *t + n + 1);
	t->length = n;
	for (i = 0; i < n; i++)
		t->text[i] = printable(s[i]);
	return t;
}

const char *
symbols_pool_intern(struct symbols_pool *p, const char *s, size_t n)
{
	uint64_t h = HASH_BYTES;
	struct symbols_string *t;
	uint32_t place;
	size_t i;

	for (i = 0; i < n; i++) {
		char c = printable(s[i]);

		h = hash_bytes(h, &c, 1);
	}
	if (p->n >= HASH_NONE)
		heap_out();
	ARRAY_ROOM(p->first, p->room, p->n + 1);
	p->first[p->n] = NULL;
	place = hash_intern(&p->hashes, h, 0, 0, (uint32_t)p->n);
	if (place == p->n)
		p->n++;
	for (t = p->first[place]; t; t = t->next)
		if (same_text(t, s, n))
			return t->text;
	t = string_new(p, s, n);
	t->next = p->first[place];
	p->first[place] = t;
	return t->text;
}
