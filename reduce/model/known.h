/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of the data that may be unknown, one row each.  The data of one
 * file, of several files and of a profile have these members.
 *
 * K(type, name, joined, loaded, scope, tables)
 *
 * type: uint64_t is a mask, with one bit for each figure of FIGURES
 *
 * joined: is it known of several files together?
 *
 * EVERY	if it is known of each file that has sites
 * SOME		if it is known of one file
 * OTHER	computed by the code that joins the data
 *
 * loaded: is it known of one file?
 *
 * TABLE	if the file has the table, which may be empty
 * CHECK	computed by load_check.c
 *
 * scope: SITE if it is recorded by site only, not by size, thread or snapshot;
 * otherwise PART
 *
 * tables: T(NAME) for each table that a sum has only if this is known
 */
#ifndef MEMMON_REDUCE_KNOWN_H
#define MEMMON_REDUCE_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * leaks_known: there was a leak check in one of the runs; leaks_all: in all of
 * them.  holds_known: it is known which lost blocks hold the indirectly lost
 * ones.  cells_known: every site has its cells.  vtables_known: live blocks
 * were checked for vtables.  times_known: snapshots are known; changes_known:
 * also the changes of every site.
 */
#define KNOWN(K) \
	K(bool, peaks_known, OTHER, TABLE, PART, T(PEAKS)) \
	K(bool, lives_known, EVERY, TABLE, SITE, T(LIVES)) \
	K(bool, threads_known, EVERY, TABLE, PART, T(THREADS)) \
	K(bool, uses_known, EVERY, CHECK, SITE, \
	  T(PATHS) T(USES) T(GROUPS) T(FIELDS) T(HANDED) T(USE_ERRORS)) \
	K(bool, leaks_known, SOME, CHECK, SITE, T(LEAKS)) \
	K(bool, leaks_all, EVERY, CHECK, SITE, ) \
	K(bool, holds_known, EVERY, CHECK, SITE, T(HOLDS)) \
	K(bool, cells_known, EVERY, CHECK, PART, T(CELLS)) \
	K(bool, vtables_known, SOME, TABLE, PART, T(VTABLES)) \
	K(bool, changes_known, OTHER, CHECK, PART, T(CHANGES)) \
	K(bool, times_known, OTHER, CHECK, PART, T(SNAPSHOTS)) \
	K(uint64_t, figures_known, EVERY, CHECK, SITE, T(FIGURES))

#define KNOWN_MEMBER(type, name, ...) type name;
struct known {
	KNOWN(KNOWN_MEMBER)
};

/* The members of a struct known, for use in another struct. */
#define WITH_KNOWN \
	union { \
		struct known known; \
		struct { \
			KNOWN(KNOWN_MEMBER) \
		}; \
	}

/* Forget what is recorded by site only. */
static inline void
known_forget(struct known *k)
{
#define PART(name)
#define SITE(name) k->name = 0;
#define K(type, name, joined, loaded, scope, ...) scope(name)
	KNOWN(K)
#undef K
#undef SITE
#undef PART
}

#endif
