/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of blocks: counts by size class, and lifetimes. */
#ifndef MEMMON_REDUCE_FIGURES_H
#define MEMMON_REDUCE_FIGURES_H

#include "monitor/monout.h"
#include "reduce/model/measures.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Size classes s, m, l, x: 0-32, 33-256, 257-2048, larger (bytes). */
enum { PROFILE_NCLASS = 4 };

/* Indices of variances, which are all 0 if all blocks were recorded. */
enum profile_error {
#define E(id, name) PROFILE_E_##id,
	MEASURES_ERRORS(E)
#undef E
		PROFILE_NERROR
};

/* Blocks and bytes.  As `hidden': live ones that a suppression covers. */
struct suppressed {
	uint64_t blocks, bytes;
};

/* Blocks and bytes allocated and freed.  Live: bytes - freed. */
struct amounts {
	MEASURES_AMOUNTS(MEASURES_MEMBER)
};

/* The members of a struct amounts, for use in another struct. */
#define WITH_AMOUNTS \
	union { \
		struct amounts amounts; \
		struct { \
			MEASURES_AMOUNTS(MEASURES_MEMBER) \
		}; \
	}

struct account {
	MEASURES_ACCOUNT(MEASURES_MEMBER)
};

/* The members of a struct account, for use in another struct. */
#define WITH_ACCOUNT \
	union { \
		struct account account; \
		struct { \
			MEASURES_ACCOUNT(MEASURES_MEMBER) \
		}; \
	}

/* The figures that are counted by call path, thread and size. */
struct figures {
	WITH_ACCOUNT;
	MEASURES_PEAK(MEASURES_MEMBER)
};

/* The members of a struct figures, for use in another struct. */
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
 * Lifetimes and ends of the blocks of a site, or of several: see LIVES in
 * mon.out(5).  The histogram, weight and sum are estimates unless all freed
 * blocks were timed.  The mean lifetime is sum / weight; it isn't known if sum
 * is UINT64_MAX.  min and max are 0 when no block was timed.
 */
struct life {
	MONREC_LIVES(MEASURES_LIFE)
	/* From FIGURES, by enum monout_figure; of those in LIVES, too, only the
	 * variances count. */
	uint64_t figure[MONOUT_NFIGURE];
	double var[MONOUT_NFIGURE]; /* variances; INFINITY: not known */
};

#endif
