/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the views of single blocks have in common: chunks.c and so on. */
#ifndef MEMMON_BLOCKS_H
#define MEMMON_BLOCKS_H

#include "display/grid/table.h"

/*
 * Print a title, and what there is to be said of the log: that there is none,
 * or how much is in it and what is not.  False if there is none.
 */
bool blocks_begin(struct tables *t, const char *title);

/*
 * blocks_peak.c: when the peak was, ns after start.  *exact: by the log as many
 * bytes were live then as at the peak; else it is when the peak had ended, or
 * shortly after.  0, or -1 with t->e set.
 */
int blocks_peak(struct tables *t, uint64_t *time, bool *exact);

/* When the run ended, or the last that is known of it; ns after start. */
uint64_t blocks_end(const struct profile *p);

/* Its number in p->sites; p->nsites: it isn't known. */
size_t blocks_site(const struct profile *p, const struct block *b);

/* As many as --top says, or `usual'. */
size_t blocks_top(const struct tables *t, size_t usual);

/*
 * Of many blocks those that took the most memory for the longest: size times
 * lifetime.  The caller has room for them at .block.
 */
struct blocks_costliest {
	struct block *block; /* the least cost first, until blocks_sort() */
	size_t n, room;
};

/* How long it lived; end: of the run, for those that were not freed. */
uint64_t blocks_life(const struct block *b, uint64_t end);
void blocks_add_costliest(struct blocks_costliest *k, const struct block *b,
			  uint64_t end);

/* By when they were allocated, and address. */
void blocks_sort(struct blocks_costliest *k);

/* Does the symspec name a function on the site's chain? */
bool blocks_means(const struct site *s, const char *symspec);

#endif
