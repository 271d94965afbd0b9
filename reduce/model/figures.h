/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of blocks: counts by size class, and what became of them. */
#ifndef MEMMON_REDUCE_FIGURES_H
#define MEMMON_REDUCE_FIGURES_H

#include <stdint.h>

/* Size classes s, m, l, x: 0-32, 33-256, 257-2048, larger (bytes). */
enum { PROFILE_NCLASS = 4 };

/*
 * Variances of figures that are estimates; 0 where all blocks were recorded.
 * The standard error is the root.  They add up as the figures do: blocks are
 * sampled independently.
 */
enum profile_error {
	PROFILE_E_ALLOCS,
	PROFILE_E_BYTES,
	PROFILE_E_KEPT, /* bytes */
	PROFILE_E_KEPT_BLOCKS,
	PROFILE_E_PEAK, /* bytes */
	PROFILE_NERROR
};

/* Live blocks that suppressions cover, and their bytes: they aren't kept. */
struct suppressed {
	uint64_t blocks, bytes;
};

/* What was allocated and freed: blocks and bytes.  Live: bytes - freed. */
struct amounts {
	uint64_t allocs, bytes, frees, freed;
};

/* The same, with what is hidden of what is live: the rest of that is kept. */
struct account {
	uint64_t allocs, bytes, frees, freed;
	struct suppressed hidden;
};

/* Counts by size class.  Invariant: frees <= allocs, freed <= bytes. */
struct counts {
	uint64_t allocs[PROFILE_NCLASS];
	uint64_t bytes[PROFILE_NCLASS];
	uint64_t frees[PROFILE_NCLASS];
	uint64_t freed[PROFILE_NCLASS]; /* bytes */
	uint64_t peak;			/* bytes live at the program's peak */
	struct suppressed hidden[PROFILE_NCLASS];
	double var[PROFILE_NERROR];
};

/*
 * Bins of a histogram of lifetimes: bin b is for 2^b .. 2^(b+1) - 1 ns, bin 0
 * for 0 too, the last one for all that is longer.
 */
enum { PROFILE_NLIFE = 48 };

/*
 * What became of the blocks of a site, or of several.  The histogram, weight
 * and sum are estimates where not all of the freed blocks were timed.
 */
struct life {
	uint64_t temps;	   /* freed before the thread's next allocation */
	uint64_t near;	   /* before its 16th next one; temps included */
	uint64_t by_others;  /* freed by another thread than the allocator's */
	uint64_t moved;	   /* reallocs that moved the block ... */
	uint64_t copied;   /* ... and the bytes in them */
	uint64_t longest;  /* most reallocs that one block had been through */
	uint64_t timed;	   /* freed blocks that were timed */
	uint64_t weight;   /* freed blocks that those stand for */
	uint64_t sum;	   /* ns; mean lifetime = sum / weight; UINT64_MAX:
				* too large, the mean isn't known */
	uint64_t min, max; /* ns, of the timed; 0 when there is none */
	uint64_t bin[PROFILE_NLIFE]; /* sum = weight */
};

#endif
