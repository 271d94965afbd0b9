/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each data file had at each call path, for profile.ranks. */
#ifndef MEMMON_REDUCE_PROFILE_RANKS_H
#define MEMMON_REDUCE_PROFILE_RANKS_H

#include "reduce/file/merge.h"
#include "reduce/model/result.h"

struct ranks_file {
	const char *path, *job, *host, *end; /* "" not known */
	uint64_t rank, start, length, peak;
	bool known; /* the rank is */
	size_t items, snaps; /* end of its own, in the arrays */
};

/*
 * A site, by its number in the merged data.  leaked: of the bytes that weren't
 * freed.  Those that suppressions cover are in RANK_KEPT here.
 */
struct ranks_item {
	uint32_t site;
	uint64_t value[RANK_NFIGURE];
	uint64_t leaked;
};

/* A snapshot: ns since 1970, bytes; most: since the one before. */
struct ranks_snap {
	uint64_t at, live, most;
};

/* The caller owns it; all zero: of no file yet.  ranks_fini() frees it. */
struct ranks {
	struct ranks_file *files;
	struct ranks_item *items;
	struct ranks_snap *snaps;
	size_t nfiles, nitems, nsnaps;
	size_t file_room, item_room, snap_room;
};

/*
 * Note m, which was merged: r is its run, site[] has the merged numbers of its
 * sites.  0, or -1 when out of memory.
 */
int ranks_note(struct ranks *k, const struct run *r, const struct mon *m,
	       const uint32_t *site);

/* The same of what was noted for another merge, whose sites are site[] now. */
int ranks_join(struct ranks *k, const struct ranks *x, const uint32_t *site);

/*
 * Fill p->ranks, once sites and types are there.  0, or -1 when out of memory.
 */
int ranks_make(struct profile *p, const struct ranks *k);

void ranks_fini(struct ranks *k);

/*
 * Parts of ranks_make(), once p->ranks.v is there; file[] is in the order of
 * the ranks, of[] the rank of each.  ranks_rows.c: rows, and the sums of ranks;
 * ranks_hosts.c: hosts.  0, or -1 when out of memory.
 */
int ranks_rows(struct profile *p, const struct ranks *k,
	       const struct ranks_file *const *file, const uint32_t *of);
int ranks_hosts(struct profile *p, const struct ranks *k,
		const struct ranks_file *const *file, const uint32_t *of);

#endif
