/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls as places in the program: a frame that is there, with those inlined
 * into it, is one place.  Frames of several chains have the same place.
 */
#ifndef MEMMON_PLACES_H
#define MEMMON_PLACES_H

#include "reduce/profile/profile.h"

#include <stddef.h>
#include <stdint.h>

/* All zero is fit for places_fini(). */
struct places {
	const struct profile *p;
	uint32_t *of;		  /* by place in p->tree */
	const struct frame **leaf; /* of each place one innermost frame */
	size_t n;
};

/* 0, or -1 when out of memory.  *a needs places_fini() in any case. */
int places_init(struct places *a, const struct profile *p);
void places_fini(struct places *a);

/* The number of the place of f and of what it is inlined into, from 0. */
uint32_t places_number(const struct places *a, const struct frame *f);

/* The frame that calls this place: NULL if there is none. */
const struct frame *places_caller(const struct frame *f);

/*
 * Formats that have each chain with all of its frames grow beyond measure when
 * chains are very deep and very many.  0, or -1 with *e set: these do.
 */
int places_bounded(const struct profile *p, struct err *e);

#endif
