/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers for strings and pairs: see intern.h. */
#include "display/text/intern.h"

#include "reduce/base/arena.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a, then mix the bits, as the low bits choose the slot. */
static uint64_t
stir(uint64_t h)
{
	h ^= h >> 32;
	h *= UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

static uint64_t
intern_hash_text(const char *s)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	while (*s)
		h = (h ^ (unsigned char)*s++) * UINT64_C(0x100000001b3);
	return stir(h);
}

static uint64_t
hash_pair(uint64_t a, uint64_t b)
{
	return stir(stir(a) + b * UINT64_C(0xff51afd7ed558ccd));
}

static uint64_t
intern_hash_of(const struct intern *t, size_t n)
{
	return t->text ? intern_hash_text(t->text[n])
		       : hash_pair(t->pair[n][0], t->pair[n][1]);
}

/* Grow the slots: at most half of them are in use.  0, or -1. */
static int
grow_slots(struct intern *t)
{
	size_t n = t->nslots ? t->nslots * 2 : 128;
	uint32_t *slot;

	if (t->n >= INTERN_FAILED - 1)
		return -1;
	if (t->n * 2 < t->nslots)
		return 0;
	slot = calloc(n, sizeof *slot);
	if (!slot)
		return -1;
	for (size_t i = 0; i < t->n; i++) {
		size_t at = intern_hash_of(t, i) & (n - 1);

		while (slot[at])
			at = (at + 1) & (n - 1);
		slot[at] = (uint32_t)i + 1;
	}
	free(t->slot);
	t->slot = slot;
	t->nslots = n;
	return 0;
}

uint32_t
intern_text(struct intern *t, const char *text)
{
	const char **v = array_grow(t->text, &t->room, t->n + 1, sizeof *v);
	size_t at;

	if (!v)
		return INTERN_FAILED;
	t->text = v;
	if (grow_slots(t))
		return INTERN_FAILED;
	at = intern_hash_text(text) & (t->nslots - 1);
	while (t->slot[at]) {
		if (!strcmp(t->text[t->slot[at] - 1], text))
			return t->slot[at] - 1;
		at = (at + 1) & (t->nslots - 1);
	}
	t->text[t->n] = text;
	t->slot[at] = (uint32_t)++t->n;
	return (uint32_t)t->n - 1;
}

uint32_t
intern_pair(struct intern *t, uint64_t a, uint64_t b)
{
	uint64_t(*v)[2] = array_grow(t->pair, &t->room, t->n + 1, sizeof *v);
	size_t at;

	if (!v)
		return INTERN_FAILED;
	t->pair = v;
	if (grow_slots(t))
		return INTERN_FAILED;
	at = hash_pair(a, b) & (t->nslots - 1);
	while (t->slot[at]) {
		const uint64_t *pair = t->pair[t->slot[at] - 1];

		if (pair[0] == a && pair[1] == b)
			return t->slot[at] - 1;
		at = (at + 1) & (t->nslots - 1);
	}
	t->pair[t->n][0] = a;
	t->pair[t->n][1] = b;
	t->slot[at] = (uint32_t)++t->n;
	return (uint32_t)t->n - 1;
}

void
intern_fini(struct intern *t)
{
	free(t->text);
	free(t->pair);
	free(t->slot);
	*t = (struct intern){ 0 };
}
