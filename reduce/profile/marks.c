/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The times that the program named. */
#include "reduce/profile/parts.h"
#include "reduce/base/clean.h"

/*
 * Were counts reset between a (NULL: the start) and b?  The file has the time
 * of the last reset only; earlier resets show in counts that became smaller.
 */
static bool
marks_restart(const struct mon *m, const struct mon_mark *a,
	      const struct mon_mark *b)
{
	const struct mon_value *reset = &m->run[MONOUT_R_RESET];

	if (!a)
		return false;
	return (reset->set && a->time < reset->number &&
		b->time >= reset->number) ||
	       !TOTALS_WITHIN(a, b);
}

void
marks_make(struct profile *p, const struct mon *m)
{
	struct mark *a = arena_array(&p->priv->arena, m->nmarks, sizeof(*a));
	const struct mon_mark *x;
	size_t i;

	p->marks_dropped = m->marks_dropped;
	for (i = 0; i < m->nmarks; i++) {
		x = &m->marks[i];
		a[i] = (struct mark){
			.name = clean_name(&p->priv->arena, x->name),
			.time = x->time,
			TOTALS_INIT(x),
			.restart = marks_restart(m, i ? x - 1 : NULL, x),
		};
	}
	p->marks = a;
	p->nmarks = m->nmarks;
}
