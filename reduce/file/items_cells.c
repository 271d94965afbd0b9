/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Items of the tables of types, cells and vtables. */
#include "reduce/file/items.h"

/* Make room up to item n; what wasn't there gets name NULL. */
static int
items_type_room(struct mon *m, size_t n)
{
	struct mon_type *a = m->types;

	if (n < m->ntypes)
		return 0;
	a = array_grow(a, &m->type_room, n + 1, sizeof(*a));
	if (!a)
		return -1;
	m->types = a;
	while (m->ntypes <= n)
		a[m->ntypes++] = (struct mon_type){ NULL, 0 };
	return 0;
}

int
items_type(struct items *it, struct cursor *c, uint64_t number)
{
	struct mon *m = it->mon;
	uint64_t size = cursor_number(c), n = cursor_number(c);
	const unsigned char *name = cursor_bytes(c, n);

	if (c->bad)
		return 0;
	if (!number || number > MONOUT_TYPE_MAX || n > MONOUT_TYPE_NAME_MAX ||
	    (number < m->ntypes && m->types[number].name)) {
		it->bad_cells++;
		return 0;
	}
	if (items_type_room(m, number))
		return -1;
	m->types[number].size = size;
	m->types[number].name = arena_copy(&m->arena, name, n);
	return m->types[number].name ? 0 : -1;
}

uint64_t
items_zigzag(struct cursor *c)
{
	uint64_t v = cursor_number(c);

	return v >> 1 ^ -(v & 1);
}

/* Its sums are looked at by cells_settle(), when all are there. */
int
items_cell(struct items *it, struct cursor *c)
{
	struct mon *m = it->mon;
	const struct mon_site *s = items_find_site(m, cursor_number(c));
	uint64_t thread = cursor_number(c), size = cursor_number(c);
	struct mon_cell o = { .size = size >> 1, .any = size & 1 }, *a;

	/* That of the file, for now. */
	o.thread = thread > MON_NUMBER_MAX ? MON_MISSING : (uint32_t)thread;
	o.allocs = items_zigzag(c);
	o.frees = items_zigzag(c);
	o.peak_blocks = (int64_t)items_zigzag(c);
	if (o.any) {
		o.bytes = items_zigzag(c);
		o.freed = items_zigzag(c);
		o.peak_bytes = (int64_t)items_zigzag(c);
	}
	o.looked = cursor_number(c);
	if (o.looked)
		o.slack = cursor_number(c);
	if (c->bad)
		return 0;
	if (!s) {
		it->lost_rows++;
		return 0;
	}
	if (o.any && o.size >= MONOUT_NCLASS) {
		it->bad_cells++;
		return 0;
	}
	o.site = (uint32_t)(s - m->sites);
	a = array_grow(m->cells, &m->cell_room, m->ncells + 1, sizeof(*a));
	if (!a)
		return -1;
	m->cells = a;
	a[m->ncells++] = o;
	return 0;
}

/* Of blocks: as MONOUT_ERRORS has it. */
static double
items_variance(struct cursor *c)
{
	double v = (double)cursor_number(c) / (1u << MONOUT_ERROR_BITS);

	return v < 0x1p60 ? v * v : 0x1p120;
}

/* In a file of which cells are missing their numbers are no more than that. */
int
items_error(struct items *it, struct cursor *c)
{
	struct mon *m = it->mon;
	uint64_t cell = cursor_number(c);
	double made = items_variance(c), live = items_variance(c);
	double held = items_variance(c);

	if (c->bad)
		return 0;
	if (cell >= m->ncells || m->ncells != m->tally[MON_CELLS].items) {
		it->lost_rows++;
		return 0;
	}
	m->cells[cell].made = made;
	m->cells[cell].live = live;
	m->cells[cell].held = held;
	return 0;
}

int
items_vtable(struct items *it, struct cursor *c)
{
	struct mon *m = it->mon;
	const struct mon_site *s = items_find_site(m, cursor_number(c));
	uint64_t module = cursor_number(c);
	struct mon_vtable o = { .addr = cursor_number(c) }, *a;

	o.blocks = cursor_number(c);
	o.bytes = cursor_number(c);
	if (c->bad)
		return 0;
	if (!s) {
		it->lost_rows++;
		return 0;
	}
	if (!module || module >= m->nmodules || !m->modules[module].path ||
	    !o.blocks || o.blocks > o.bytes ||
	    o.blocks > counts_sum(s->count.allocs) ||
	    o.bytes > counts_sum(s->count.bytes)) {
		it->bad_cells++;
		return 0;
	}
	o.site = (uint32_t)(s - m->sites);
	o.module = (uint32_t)module;
	a = array_grow(m->vtables, &m->vtable_room, m->nvtables + 1,
		       sizeof(*a));
	if (!a)
		return -1;
	m->vtables = a;
	a[m->nvtables++] = o;
	return 0;
}
