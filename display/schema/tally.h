/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of several items of the profile, for a row of a query. */
#ifndef MEMMON_TALLY_H
#define MEMMON_TALLY_H

#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The items of sites.  Call tally_init(), and tally_fini() in any case. */
struct tally_base {
	const struct profile *p;
	size_t *first; /* first item of each site; end of the last */
	/* *turn counts tallies.  seen[]: for each use, by its first site, the
	 * last tally that had it. */
	size_t *seen, *turn;
	bool leaks, holds, lives, uses; /* are they known for sites? */
	struct groups_gather *gather;	/* joins the groups of several sites */
};

/*
 * Figures of items are added up.  Lives, uses, leaks and reallocs are recorded
 * for sites only: they are valid if `whole' is set, which means that the items
 * are all items of their sites.  tally_item() returns those of the whole site.
 */
struct tally {
	size_t sites;
	WITH_FIGURES;
	double var[PROFILE_NERROR]; /* variances; INFINITY: unknown */
	bool size_known;	 /* for all items */
	uint64_t least, largest; /* sizes, bytes */
	bool whole;
	uint64_t reallocs;
	const struct life *life; /* the site's, or in the room; NULL: all 0 */
	const struct use *use;
	const struct leak *leak;
	const struct site *site; /* NULL: see items */
	const struct item *item; /* the first; NULL: no items */
	/* Is the property the same for all items? */
	bool one_type, one_site, one_func, one_file, one_line, one_module,
		one_thread, one_lived;
	char mark; /* how types are known: '=' for all, or else '~' or '?' */
};

struct tally_room {
	struct life life;
	struct use use;
	struct leak leak;
};

/* 0, or -1 when out of memory. */
int tally_init(struct tally_base *b, const struct profile *p);
void tally_fini(struct tally_base *b);

/* Prepare for tally_site() only: allocates nothing, needs no tally_fini(). */
void tally_start(struct tally_base *b, const struct profile *p);

/* The figures of a site without items: sizes, types, texts are unknown. */
struct tally tally_site(const struct tally_base *b, const struct site *s);

/* The figures of an item, by number. */
struct tally tally_item(const struct tally_base *b, size_t item);

/* Sort numbers of items for tally_items(). */
void tally_sort(size_t *item, size_t n);

/*
 * The figures of n items, by number, ascending.  *room must live as long as the
 * result.
 */
struct tally tally_items(const struct tally_base *b, const size_t *item,
			 size_t n, struct tally_room *room);

/* The function, source file, line and library of an item's site. */
const struct func *tally_func(const struct item *x);
const char *tally_file(const struct item *x); /* "" unknown */
unsigned tally_line(const struct item *x);    /* 0 unknown */
const char *tally_module(const struct item *x);

/*
 * The number of the range that contains the site's mean lifetime: 0 is below 1
 * us, and each range ends at ten times the end of the one before.  -1: unknown,
 * -2: no block was freed.
 */
#define TALLY_LIVED 11
int tally_lived(const struct tally_base *b, const struct site *s);

/* Is the mean lifetime known? */
bool tally_mean_known(const struct life *a);

#endif
