/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the views of single blocks have in common: chunks.c and so on. */
#ifndef MEMMON_BLOCK_H
#define MEMMON_BLOCK_H

#include "display/grid/table.h"

/*
 * Print a title, and below it how much is in the log, and what isn't; or why
 * there is no log: then it returns false.
 */
bool block_title(struct tables *t, const char *title);

/*
 * block_peak.c: when the peak was, ns after start.  *exact: by the log as many
 * bytes were live then as at the peak; else it is when the peak had ended, or
 * shortly after.  0, or -1 with t->e set.
 */
int block_peak(struct tables *t, uint64_t *time, bool *exact);

/* When the run ended, or the last that is known of it, or the time that all
 * figures are of; ns after start. */
uint64_t block_log_end(const struct profile *p);

/* Its number in p->sites; p->nsites: it isn't known. */
size_t block_site(const struct profile *p, const struct block *b);

/* As many as --top says, or `usual'. */
size_t block_rows(const struct tables *t, size_t usual);

/*
 * Of many blocks those that took the most memory for the longest: size times
 * lifetime.  The caller has room for them at .block.
 */
struct block_costliest {
	struct block
		*block; /* the least cost first, until block_sort_costliest() */
	size_t n, room;
};

/* How long it lived; end: of the run, for those that were not freed. */
uint64_t block_life(const struct block *b, uint64_t end);
void block_add_costliest(struct block_costliest *k, const struct block *b,
			 uint64_t end);

/* By when they were allocated, and address. */
void block_sort_costliest(struct block_costliest *k);

/* Does the symspec name a function on the site's chain? */
bool block_path_means(const struct site *s, const char *symspec);

#endif
