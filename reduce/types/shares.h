/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shares: the blocks of a site divided by size, and by type if types are known.
 * The shares of a site add up to its counts.
 */
#ifndef MEMMON_REDUCE_SHARES_H
#define MEMMON_REDUCE_SHARES_H

#include "reduce/monout/mon.h"
#include "reduce/infer/guess.h"
#include "reduce/model/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The type isn't known. */
#define SHARES_NONE UINT32_MAX

struct share {
	uint32_t site; /* index in mon.sites */
	uint32_t type; /* index in sitetypes.types, or SHARES_NONE */
	enum profile_confidence confidence; /* of the type */
	char mark;     /* of the type: '=', '~' or '?'; '?' if there is no
			* type */
	bool any;      /* of several sizes, or of unknown size */
	uint64_t size; /* bytes of each block, unless any */
	WITH_FIGURES;
	uint64_t looked, slack; /* as in struct mon_cell */
	double var[PROFILE_NERROR];
};

/* The caller owns it. */
struct shares {
	struct share *v; /* ascending by site, then the shares of
			  * shares_take() */
	size_t n, room;
	size_t *first; /* by site of mon: index in v; and the end of the last
			* site's */
	bool classes;  /* there are no cells; the first share of a site has the
			* whole peak */
};

/*
 * Divide the blocks of m's sites by size: by m's cells, or, without cells, by
 * class.  Types are unknown.  p has its bins.
 */
void shares_make(struct shares *s, const struct mon *m,
		 const struct profile *p);
void shares_fini(struct shares *s);

/*
 * The least and largest size of a site's blocks, bytes; 0: unknown, or no
 * blocks.
 */
void shares_range(const struct shares *s, uint32_t site, uint64_t *least,
		  uint64_t *largest);

/* Set the type of all shares of a site; see sitetypes.h. */
void shares_set(struct shares *s, uint32_t site, uint32_t type,
		enum profile_confidence confidence);

/*
 * `blocks' live blocks of a site, `bytes' bytes together, are surely of a type:
 * move them to new shares, which are like *as except for the figures.  size: of
 * the type, 0 unknown.  If the sizes of these blocks can't be found, the sizes
 * of the whole site become unknown.  Nothing is done if the site has fewer live
 * blocks or bytes.
 */
void shares_take(struct shares *s, uint64_t blocks, uint64_t bytes,
		 uint64_t size, const struct share *as);

#endif
