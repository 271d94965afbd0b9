/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing a merged struct mon: marks and leaks. */
#include "reduce/file/sum.h"

#include <string.h>

static void
sum_leak(struct emit *e, uint64_t site, const struct mon_leak *x)
{
	uint64_t mask = 0;
	int i;

	for (i = 0; i < MONOUT_NLEAK; i++)
		mask |= (uint64_t)(x->blocks[i] != 0) << i;
	emit_number(e, site);
	emit_number(e, mask);
	for (i = 0; i < MONOUT_NLEAK; i++) {
		if (!x->blocks[i])
			continue;
		emit_number(e, x->blocks[i]);
		emit_number(e, x->bytes[i]);
	}
	emit_item(e);
}

uint64_t
sum_more(struct emit *e, const struct mon *m)
{
	const struct mon_mark *x;
	uint64_t n = 0;
	size_t i;

	emit_open(e, MONOUT_MARKS, 0);
	for (i = 0; i < m->nmarks; i++) {
		x = &m->marks[i];
		emit_number(e, x->time);
		emit_number(e, x->allocs);
		emit_number(e, x->bytes);
		emit_number(e, x->frees);
		emit_number(e, x->freed);
		emit_string(e, x->name, strlen(x->name));
		emit_item(e);
	}
	emit_close(e);
	emit_open(e, MONOUT_LEAKS, 0);
	for (i = 0; i < m->nsites; i++) {
		if (!m->sites[i].leak)
			continue;
		sum_leak(e, i, &m->leaks[m->sites[i].leak]);
		n++;
	}
	emit_close(e);
	return n;
}
