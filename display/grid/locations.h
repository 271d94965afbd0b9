/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Locations, as pprof has them: a call in the program's code, with the calls
 * inlined into the function that makes it.  Frames of several chains are of
 * one location.
 */
#ifndef MEMMON_LOCATIONS_H
#define MEMMON_LOCATIONS_H

#include "reduce/profile/profile.h"

#include <stddef.h>
#include <stdint.h>

/* All zero is fit for locations_fini(). */
struct locations {
	const struct profile *p;
	uint32_t *of;		  /* of each frame of p->tree: its location */
	const struct frame *
		*leaf; /* of each location one of its innermost frames */
	size_t n;
};

/* 0, or -1 when out of memory.  *a needs locations_fini() in any case. */
int locations_init(struct locations *a, const struct profile *p);
void locations_fini(struct locations *a);

/* The number of the location of f, from 0. */
uint32_t locations_number(const struct locations *a, const struct frame *f);

/* The frame that calls the location of f; NULL if there is none. */
const struct frame *locations_caller(const struct frame *f);

/*
 * For formats that repeat each chain with all of its frames, whose size is the
 * number of chains times their depth.  0, or -1 with *e set: that is too much.
 */
int locations_bounded(const struct profile *p, struct err *e);

#endif
