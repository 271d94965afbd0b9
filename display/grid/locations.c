/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locations of calls: see locations.h. */
#include "display/grid/locations.h"

#include "display/text/intern.h"

#include <inttypes.h>
#include <stdlib.h>

/* The most frames to write, over all call paths. */
#define MOST UINT64_C(100000000)

/* The key of a location: the location around it, function and address. */
static uint32_t
locations_intern(struct intern *t, const struct locations *a,
		 const struct frame *f)
{
	uint64_t outer = 0;
	uint64_t func = (uint64_t)(f->func - a->p->funcs[0]);

	if (f->inlined && f->parent)
		outer = (uint64_t)a->of[f->parent - a->p->tree] + 1;
	return intern_pair(t, outer << 32 | func, f->addr);
}

int
locations_init(struct locations *a, const struct profile *p)
{
	struct intern t = { 0 };
	int status = 0;

	*a = (struct locations){ .p = p };
	a->of = calloc(p->ntree + 1, sizeof *a->of);
	a->leaf = calloc(p->ntree + 1, sizeof *a->leaf);
	if (!a->of || !a->leaf)
		return -1;
	for (size_t i = 0; i < p->ntree && !status; i++) {
		uint32_t n = locations_intern(&t, a, &p->tree[i]);

		if (n == INTERN_FAILED) {
			status = -1;
			break;
		}
		a->of[i] = n;
		if (!a->leaf[n])
			a->leaf[n] = &p->tree[i];
	}
	a->n = t.n;
	intern_fini(&t);
	return status;
}

void
locations_fini(struct locations *a)
{
	free(a->of);
	free(a->leaf);
	*a = (struct locations){ 0 };
}

uint32_t
locations_number(const struct locations *a, const struct frame *f)
{
	return a->of[f - a->p->tree];
}

const struct frame *
locations_caller(const struct frame *f)
{
	while (f->inlined && f->parent)
		f = f->parent;
	return f->parent;
}

int
locations_bounded(const struct profile *p, struct err *e)
{
	uint64_t frames = 0;

	for (size_t i = 0; i < p->nsites && frames <= MOST; i++)
		if (p->sites[i].leaf)
			frames += p->sites[i].leaf->depth;
	if (frames <= MOST)
		return 0;
	return err_set(e,
		       "the call paths have more than %" PRIu64
		       " frames, too many for this format; give "
		       "--paths=collapsed or --focus",
		       MOST);
}
