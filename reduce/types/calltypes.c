/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The types that the compiler knew at allocation calls. */
#include "reduce/types/calltypes.h"
#include "reduce/base/sort.h"
#include "reduce/monout/cursor.h"

#include <stdlib.h>
#include <string.h>

/* The kind of an entry: the call's result has no type, or a known one. */
enum { CALLTYPES_VOID, CALLTYPES_TYPE };

/* The section's content, decompressed; NULL: no such section. */
static Elf_Data *
calltypes_section(struct debugfile *f, Elf *elf)
{
	Elf_Scn *scn = elf ? elffile_named(elf, ".debug_memmon") : NULL;

	return scn ? section_data(&f->memory, elf, scn) : NULL;
}

/* Append the entry at c, if it says anything. */
static void
calltypes_entry(struct calltypes *to, struct symbols_pool *pool,
		struct cursor *c)
{
	struct calltype t = { 0 };
	const unsigned char *addr = cursor_bytes(c, sizeof(t.addr));
	const unsigned char *kind, *name, *end;

	t.size = cursor_number(c);
	kind = cursor_bytes(c, 1);
	name = c->p;
	end = c->bad || name == c->end
		      ? NULL
		      : memchr(name, '\0', (size_t)(c->end - name));
	if (!end) {
		c->bad = true;
		return;
	}
	c->p = end + 1;
	memcpy(&t.addr, addr, sizeof(t.addr));
	if (!t.addr || *kind > CALLTYPES_TYPE ||
	    (*kind == CALLTYPES_TYPE && name == end))
		return;
	if (*kind == CALLTYPES_TYPE)
		t.name = symbols_pool_intern(pool, (const char *)name,
					     (size_t)(end - name));
	ARRAY_ROOM(to->v, to->room, to->n + 1);
	to->v[to->n++] = t;
}

SORT_BY(calltypes_compare, struct calltype, SORT_UP(addr))

/* Sort; of several entries for one address, keep one if they agree, or none. */
static void
calltypes_sort(struct calltypes *c)
{
	size_t i, k, n = 0;
	bool same;

	SORT(c->v, c->n, calltypes_compare);
	for (i = 0; i < c->n; i = k) {
		same = true;
		for (k = i + 1; k < c->n && c->v[k].addr == c->v[i].addr; k++)
			same = same && c->v[k].name == c->v[i].name &&
			       c->v[k].size == c->v[i].size;
		if (same)
			c->v[n++] = c->v[i];
	}
	c->n = n;
}

void
calltypes_read(struct calltypes *c, struct symbols_pool *pool,
	       struct debugfile *f)
{
	Elf_Data *data = calltypes_section(f, f->elf);
	struct cursor at = { 0 };

	*c = (struct calltypes){ 0 };
	if (!data)
		data = calltypes_section(f, f->debug);
	if (!data || !data->d_buf)
		return;
	at.p = data->d_buf;
	at.end = at.p + data->d_size;
	while (at.p < at.end && !at.bad) {
		calltypes_entry(c, pool, &at);
	}
	if (at.bad)
		calltypes_fini(c);
	calltypes_sort(c);
}

const struct calltype *
calltypes_find(const struct calltypes *c, uint64_t addr)
{
	const struct calltype key = { .addr = addr };

	return c->n ? bsearch(&key, c->v, c->n, sizeof(*c->v),
			      calltypes_compare)
		    : NULL;
}

void
calltypes_fini(struct calltypes *c)
{
	free(c->v);
	*c = (struct calltypes){ 0 };
}
