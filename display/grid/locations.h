/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Locations, as in pprof: a call in the program's code, with the calls that are
 * inlined into the calling function.  Frames of several call paths can have the
 * same location.
 */
#ifndef MEMMON_LOCATIONS_H
#define MEMMON_LOCATIONS_H

#include "reduce/profile/profile.h"

#include <stddef.h>
#include <stdint.h>

/* All zero is valid for locations_fini(). */
struct locations {
	const struct profile *p;
	uint32_t *of;		  /* location of each frame of p->tree */
	const struct frame *
		*leaf; /* for each location, one of its innermost frames */
	size_t n;
};

/* 0, or -1 when out of memory.  Call locations_fini() in both cases. */
int locations_init(struct locations *a, const struct profile *p);
void locations_fini(struct locations *a);

/* The number of the location of f, from 0. */
uint32_t locations_number(const struct locations *a, const struct frame *f);

/* The frame that calls the location of f; NULL if there is none. */
const struct frame *locations_caller(const struct frame *f);

/*
 * For formats that write each call path with all of its frames: the number of
 * paths times their depth must be limited.  0, or -1 with *e set: it is too
 * large.
 */
int locations_bounded(const struct profile *p, struct err *e);

#endif
