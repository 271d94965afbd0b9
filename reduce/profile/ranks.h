/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of each data file at each call path, for profile.ranks. */
#ifndef MEMMON_REDUCE_PROFILE_RANKS_H
#define MEMMON_REDUCE_PROFILE_RANKS_H

#include "reduce/monout/merge.h"
#include "reduce/model/result.h"

struct ranks_file {
	const char *path, *job, *host, *end; /* "" not known */
	uint64_t rank, start, length, peak;
	bool known; /* the rank is known */
	size_t items, snaps; /* end of this file's items and snapshots in the
			      * arrays */
};

/*
 * A site, by its number in the merged data.  leaked: the leaked ones among the
 * bytes that weren't freed.  RANK_KEPT includes suppressed bytes here.
 */
struct ranks_item {
	uint32_t site;
	uint64_t value[RANK_NFIGURE];
	uint64_t leaked;
};

/* A snapshot: ns since 1970, bytes; most: since the previous snapshot. */
struct ranks_snap {
	uint64_t at, live, most;
};

/* The caller owns it; all zero: no files yet.  ranks_fini() frees it. */
struct ranks {
	struct ranks_file *files;
	struct ranks_item *items;
	struct ranks_snap *snaps;
	size_t nfiles, nitems, nsnaps;
	size_t file_room, item_room, snap_room;
};

/*
 * Note the figures of m, which was merged.  r: its run; site[]: the merged
 * numbers of its sites.
 */
void ranks_note(struct ranks *k, const struct run *r, const struct mon *m,
		const uint32_t *site);

/* Add the figures noted for another merge; site[]: its sites' numbers here. */
void ranks_join(struct ranks *k, const struct ranks *x, const uint32_t *site);

/* Fill p->ranks.  p has its sites and types. */
void ranks_make(struct profile *p, const struct ranks *k);

void ranks_fini(struct ranks *k);

/*
 * Parts of ranks_make(), for a p with p->ranks.v.  file[]: in the order of
 * ranks; of[]: the rank of each file.  ranks_rows.c: rows, and the sums of
 * ranks; ranks_hosts.c: hosts.
 */
void ranks_rows(struct profile *p, const struct ranks *k,
		const struct ranks_file *const *file, const uint32_t *of);
void ranks_hosts(struct profile *p, const struct ranks *k,
		 const struct ranks_file *const *file, const uint32_t *of);

#endif
