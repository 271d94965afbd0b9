/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shares: the blocks of a site divided by size, and by type as far as these are
 * known.  Those of a site add up to it.
 */
#ifndef MEMMON_REDUCE_SHARES_H
#define MEMMON_REDUCE_SHARES_H

#include "reduce/file/mon.h"
#include "reduce/guess/guess.h"
#include "reduce/model/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No type is known. */
#define SHARES_NONE UINT32_MAX

struct share {
	uint32_t site; /* place in mon.sites */
	uint32_t type; /* place in sitetypes.types, or SHARES_NONE */
	enum profile_confidence confidence; /* of the type */
	char mark;     /* of the type: '=', '~' or '?'; of none '?' */
	bool any;      /* of several sizes, or it isn't known */
	uint64_t size; /* bytes of each block, unless any */
	WITH_FIGURES;
	uint64_t looked, slack; /* as those of struct mon_cell */
	double var[PROFILE_NERROR];
};

/* The caller owns it. */
struct shares {
	struct share *v; /* ascending by site, then what was taken out */
	size_t n, room;
	size_t *first; /* of each site of mon, and the end of the last */
	bool classes;  /* there are no cells; what of a site was live at the
			* peak is in its first share */
};

/*
 * Divide the blocks of m's sites by size: as m's cells say, or, without these,
 * by class.  No type is known.  p has its bins.  0, or -1 when out of memory;
 * shares_fini() in any case.
 */
int shares_make(struct shares *s, const struct mon *m, const struct profile *p);
void shares_fini(struct shares *s);

/*
 * Least and largest size of a site's blocks, bytes; 0: not known, or there are
 * no blocks.
 */
void shares_range(const struct shares *s, uint32_t site, uint64_t *least,
		  uint64_t *largest);

/* Set the type of all shares of a site, as sitetypes.h has it. */
void shares_set(struct shares *s, uint32_t site, uint32_t type,
		enum profile_confidence confidence);

/*
 * So many live blocks of a site, with so many bytes in all, are of a type for
 * sure: they become shares of their own, like *as but for the figures.  Where
 * the sizes of these blocks can't be told, those of the whole site can't any
 * more.  size: of the type, 0 unknown.  More blocks than there are stay what
 * they are.  0, or -1 when out of memory.
 */
int shares_take(struct shares *s, uint64_t blocks, uint64_t bytes,
		uint64_t size, const struct share *as);

#endif
