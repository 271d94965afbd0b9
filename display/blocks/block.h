/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tables of single blocks share: chunks.c and others. */
#ifndef MEMMON_BLOCK_H
#define MEMMON_BLOCK_H

#include "display/grid/table.h"

/*
 * Print a title, and how many blocks the log has and lacks.  Without a log,
 * print why there is none and return false.
 */
bool block_title(struct tables *t, const char *title);

/*
 * block_peak.c: *time is the time of the peak, ns after start.  *exact: by the
 * log, as many bytes were live at *time as at the peak.  Otherwise *time is the
 * end of the peak, or shortly after.  0, or -1 with t->e set.
 */
int block_peak(struct tables *t, uint64_t *time, bool *exact);

/* When the run ended, ns after start.  If that is unknown, the last time that
 * is known.  With figures of an earlier time, that time. */
uint64_t block_log_end(const struct profile *p);

/* The index of the block's site in p->sites; p->nsites: unknown. */
size_t block_site(const struct profile *p, const struct block *b);

/* The number of rows: --top, or `usual' without it. */
size_t block_rows(const struct tables *t, size_t usual);

/*
 * The blocks that took the most memory for the longest, by size times lifetime.
 * The caller provides .block with .room.
 */
struct block_costliest {
	struct block
		*block; /* until block_sort_costliest(), the first has the least
			 * cost */
	size_t n, room;
};

/*
 * The lifetime of a block, ns.  A block that was not freed lives until end, the
 * end of the run.
 */
uint64_t block_life(const struct block *b, uint64_t end);
void block_add_costliest(struct block_costliest *k, const struct block *b,
			 uint64_t end);

/* Sort by the time of the allocation, then by address. */
void block_sort_costliest(struct block_costliest *k);

/* Does the symspec name a function on the call path of the site? */
bool block_path_means(const struct site *s, const char *symspec);

#endif
