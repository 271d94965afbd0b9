/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generated code by address. */
#include "reduce/symbols/symbols_codes.h"

#include <stdlib.h>

#include "reduce/base/arena.h"
#include "reduce/base/sort.h"

void
symbols_codes_add(struct symbols_codes *c, uint64_t start, uint64_t size,
		  const char *name)
{
	ARRAY_ROOM(c->all, c->room, c->n + 1);
	c->all[c->n] = (struct symbols_code){ start, size, name, c->n };
	c->n++;
	c->sorted = false;
}

SORT_BY(symbols_codes_compare, struct symbols_code,
	SORT_UP(start) SORT_UP(number))

/* The number of codes that begin at or before an address. */
static size_t
codes_until(struct symbols_codes *c, uint64_t at)
{
	if (!c->sorted)
		SORT(c->all, c->n, symbols_codes_compare);
	c->sorted = true;
	return SORT_PLACE(k, c->n, c->all[k].start <= at);
}

void
symbols_codes_name(struct symbols_codes *c, struct symbols_frame *f)
{
	size_t i = codes_until(c, f->entry);

	if (!i || c->all[i - 1].start != f->entry)
		return;
	f->name = f->linkage = c->all[i - 1].name;
	f->known = true;
}

/* How many codes to try, from the last one that begins at or before `at'. */
enum { TRIED = 8 };

bool
symbols_codes_at(struct symbols_codes *c, uint64_t at, struct symbols_frame *f)
{
	size_t i, last = codes_until(c, at);

	for (i = last; i > 0 && last - i < TRIED; i--) {
		if (at - c->all[i - 1].start >= c->all[i - 1].size)
			continue;
		f->name = c->all[i - 1].name;
		f->entry = c->all[i - 1].start;
		f->known = true;
		return true;
	}
	return false;
}

void
symbols_codes_fini(struct symbols_codes *c)
{
	free(c->all);
	*c = (struct symbols_codes){ 0 };
}
