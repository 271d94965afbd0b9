/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of several items of the profile together, as a row of a query. */
#ifndef MEMMON_TALLY_H
#define MEMMON_TALLY_H

#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The items of sites.  tally_init(), and tally_fini() in any case. */
struct tally_base {
	const struct profile *p;
	size_t *first; /* of each site, by number, and the end of the last */
	/* Of each site's use, if it is the first to have it, and behind them of
	 * the present items: when it was met last. */
	size_t *seen, *turn;
	bool leaks, holds, lives, uses; /* are known of sites */
	struct groups_gather *gather;	/* of sites that are put together */
};

/*
 * What is known of each item is added up.  What is known of sites only (lives,
 * uses, leaks, reallocs) is there if `whole' is set: the items are all that
 * their sites have.  tally_item() has the site's.
 */
struct tally {
	size_t sites;
	WITH_FIGURES;
	bool size_known;	 /* of all items */
	uint64_t least, largest; /* sizes, bytes */
	bool whole;
	uint64_t reallocs;
	const struct life *life; /* these are the site's, or in the room;
				  * NULL: all 0 */
	const struct use *use;
	const struct leak *leak;
	const struct item *item; /* the first; NULL if there is none */
	/* Is it the same in all? */
	bool one_type, one_site, one_func, one_file, one_line, one_module,
		one_thread, one_lived;
	char mark; /* of types: '=' of all, or else '~' or '?' */
};

struct tally_room {
	struct life life;
	struct use use;
	struct leak leak;
};

/* 0, or -1 when out of memory. */
int tally_init(struct tally_base *b, const struct profile *p);
void tally_fini(struct tally_base *b);

/* Enough for tally_site(): allocates nothing, needs no tally_fini(). */
void tally_start(struct tally_base *b, const struct profile *p);

/* A site without its items: sizes, types and texts aren't known. */
struct tally tally_site(const struct tally_base *b, const struct site *s);

/* An item, by number. */
struct tally tally_item(const struct tally_base *b, size_t item);

/* Put numbers of items into the order that tally_items() wants. */
void tally_sort(size_t *item, size_t n);

/* n items, by number, ascending; *room lives as long as the result is used. */
struct tally tally_items(const struct tally_base *b, const size_t *item,
			 size_t n, struct tally_room *room);

/* Of an item's site: the function, its source file and line. */
const struct func *tally_func(const struct item *x);
const char *tally_file(const struct item *x); /* "" not known */
unsigned tally_line(const struct item *x);    /* 0 not known */
const char *tally_module(const struct item *x);

/*
 * The range that the site's mean lifetime is in, by number: 0 is below 1 us,
 * and each range ends ten times as far; -1 not known, -2: no block was freed.
 */
#define TALLY_LIVED 11
int tally_lived(const struct tally_base *b, const struct site *s);

/* Is there a mean? */
bool tally_mean_known(const struct life *a);

#endif
