/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing a merged struct mon: types, cells and vtables. */
#include "reduce/file/sum.h"

#include <math.h>
#include <string.h>

static void
sum_zigzag(struct emit *e, uint64_t v)
{
	emit_number(e, v << 1 ^ -(v >> 63));
}

static void
sum_cell(struct emit *e, const struct mon_cell *c)
{
	emit_number(e, c->site);
	emit_number(e, c->thread);
	emit_number(e, c->size << 1 | c->any);
	sum_zigzag(e, c->allocs);
	sum_zigzag(e, c->frees);
	sum_zigzag(e, (uint64_t)c->peak_blocks);
	if (c->any) {
		sum_zigzag(e, c->bytes);
		sum_zigzag(e, c->freed);
		sum_zigzag(e, (uint64_t)c->peak_bytes);
	}
	emit_number(e, c->looked);
	if (c->looked)
		emit_number(e, c->slack);
	emit_item(e);
}

static void
sum_types(struct emit *e, const struct mon *m)
{
	const struct mon_type *x;
	size_t i;

	emit_open(e, MONOUT_TYPES, 1);
	for (i = 1; i < m->ntypes; i++) {
		x = &m->types[i];
		emit_number(e, x->size);
		emit_string(e, x->name, strlen(x->name));
		emit_item(e);
	}
	emit_close(e);
}

static void
sum_vtables(struct emit *e, const struct mon *m)
{
	const struct mon_vtable *v;
	size_t i;

	emit_open(e, MONOUT_VTABLES, 0);
	for (i = 0; i < m->nvtables; i++) {
		v = &m->vtables[i];
		emit_number(e, v->site);
		emit_number(e, v->module);
		emit_number(e, v->addr);
		emit_number(e, v->blocks);
		emit_number(e, v->bytes);
		emit_item(e);
	}
	emit_close(e);
}

static uint64_t
sum_error(double variance)
{
	double v = variance > 0 ? sqrt(variance) : 0;

	return (uint64_t)(v * (1u << MONOUT_ERROR_BITS) + .5);
}

/* Returns how many there are. */
static uint64_t
sum_errors(struct emit *e, const struct mon *m)
{
	const struct mon_cell *c;
	uint64_t n = 0;
	size_t i;

	emit_open(e, MONOUT_ERRORS, 0);
	for (i = 0; i < m->ncells; i++) {
		c = &m->cells[i];
		if (!c->made)
			continue;
		emit_number(e, i);
		emit_number(e, sum_error(c->made));
		emit_number(e, sum_error(c->live));
		emit_number(e, sum_error(c->held));
		emit_item(e);
		n++;
	}
	emit_close(e);
	return n;
}

void
sum_sampled(struct emit *e, const struct mon *m, uint64_t errors)
{
	const struct profile_sample *s = &m->sample;

	if (!s->rate)
		return;
	if (s->all_known) {
		emit_key_number(e, MONOUT_T_ALL_ALLOCS, s->all_allocs);
		emit_key_number(e, MONOUT_T_ALL_BYTES, s->all_bytes);
	}
	emit_key_number(e, MONOUT_T_SAMPLES, s->blocks);
	emit_key_number(e, MONOUT_T_SOME, s->some);
	emit_key_number(e, MONOUT_T_ERRORS, errors);
}

uint64_t
sum_cells(struct emit *e, const struct mon *m)
{
	size_t i;

	sum_types(e, m);
	emit_open(e, MONOUT_CELLS, 0);
	for (i = 0; i < m->ncells && m->cells_known; i++)
		sum_cell(e, &m->cells[i]);
	emit_close(e);
	if (m->vtables_known)
		sum_vtables(e, m);
	return m->sample.rate && m->cells_known ? sum_errors(e, m) : 0;
}
