/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of blocks: counts by size class, and what became of them. */
#ifndef MEMMON_REDUCE_FIGURES_H
#define MEMMON_REDUCE_FIGURES_H

#include "reduce/model/measures.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Size classes s, m, l, x: 0-32, 33-256, 257-2048, larger (bytes). */
enum { PROFILE_NCLASS = 4 };

/* Places of variances, all 0 where all blocks were recorded. */
enum profile_error {
#define E(id, name) PROFILE_E_##id,
	MEASURES_ERRORS(E)
#undef E
		PROFILE_NERROR
};

/* Blocks and bytes; of live ones those that suppressions cover: not kept. */
struct suppressed {
	uint64_t blocks, bytes;
};

/* What was allocated and freed.  Live: bytes - freed. */
struct amounts {
	MEASURES_AMOUNTS(MEASURES_MEMBER)
};

struct account {
	MEASURES_ACCOUNT(MEASURES_MEMBER)
};

/* The members of a struct account, in a struct that has one. */
#define WITH_ACCOUNT \
	union { \
		struct account account; \
		struct { \
			MEASURES_ACCOUNT(MEASURES_MEMBER) \
		}; \
	}

/* What of the blocks is known by call path, thread and size. */
struct figures {
	WITH_ACCOUNT;
	MEASURES_PEAK(MEASURES_MEMBER)
};

/* The members of a struct figures, in a struct that has them. */
#define WITH_FIGURES \
	union { \
		struct figures figures; \
		struct { \
			WITH_ACCOUNT; \
			MEASURES_PEAK(MEASURES_MEMBER) \
		}; \
	}

/* Counts by size class. */
struct counts {
#define M(how, type, name, dimension) type name[PROFILE_NCLASS];
	MEASURES_ACCOUNT(M)
#undef M
	uint64_t peak; /* bytes live at the program's peak */
	double var[PROFILE_NERROR];
};

/* Bins of a histogram of lifetimes. */
enum { PROFILE_NLIFE = 48 };

/*
 * What became of the blocks of a site, or of several: see LIVES in mon.out(5).
 * The histogram, weight and sum are estimates where not all of the freed blocks
 * were timed.  mean lifetime = sum / weight, not known if sum is UINT64_MAX;
 * min and max are 0 when no block was timed.
 */
struct life {
	MONREC_LIVES(MEASURES_LIFE)
};

#endif
