/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Call paths: the sites whose chains are the same as far as they are shown,
 * put together.  The tables that have a row for each path are made from these.
 */
#ifndef MEMMON_PATHS_H
#define MEMMON_PATHS_H

#include "display/grid/table.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A path, and the sums of its sites; freed, peak and bytes are bytes. */
struct path {
	const struct frame *leaf; /* of one of the chains; NULL: not known */
	size_t hash;
	size_t n;   /* elements that are shown, see element.h */
	bool whole; /* nothing comes before these */
	bool std; /* --paths=own: run-time code that the leaf calls allocates */
	bool several;	 /* of several leaves: chains that differ further out */
	uint64_t called; /* bit i: element i, from the leaf on, is called, and
			    * not inlined, in at least one of the chains */
	WITH_FIGURES;
	uint64_t reallocs;
	double var[PROFILE_NERROR];
	const char *type; /* of all blocks; NULL unknown, or several */
	char type_mark;
	bool typed;	   /* a site was added */
	struct life *life; /* NULL unless asked for */
	struct use *use;   /* as well */
	struct leak *leak; /* as well */
};

/* What a path has beside its counts. */
enum paths_with { PATHS_PLAIN, PATHS_LIVES, PATHS_USES, PATHS_LEAKS };

/* All zeros is fit for paths_fini(), too. */
struct paths {
	struct path *path;
	size_t n;
	const struct frame **element; /* room for the longest, to print it */
	struct life *life;
	struct use *use;
	struct leak *leak;
	size_t *slot;  /* hash table: place in path[] plus one */
	size_t nslots; /* a power of two */
	size_t *of;    /* of each site of the profile: its path's place */
	bool offsets, own;
};

/*
 * Make the paths of all sites of t->p, in the order of the sites, with their
 * struct life, use or leak if `with' says so.  0, or -1 when out of memory;
 * *all needs paths_fini() in any case, and refers to t->p.
 */
int paths_init(struct paths *all, const struct tables *t, enum paths_with with);
void paths_fini(struct paths *all);

/* The order of paths that have the same figures: inner ends first. */
int paths_compare(const struct path *a, const struct path *b);

/*
 * Add the elements of a path to the line, the outermost one first; functions
 * that are inlined have a mark when all is printed, or call sites are.  With
 * --paths=own the innermost line of the program's own comes first, then its
 * callers on three lines at most.
 */
void paths_print(struct tables *t, const struct paths *all,
		 const struct path *a);

/* The same, and behind it the type of the path's blocks, if it is known. */
void paths_print_typed(struct tables *t, const struct paths *all,
		       const struct path *a);

/*
 * The chain that ends at leaf, as with --paths=own: the program's innermost
 * line, and its callers.  It need not be of a site.
 */
void paths_print_lines(struct tables *t, const struct frame *leaf);

/* The elements of the chain that ends at leaf; it may be NULL. */
void paths_print_chain(struct tables *t, const struct frame *leaf);

#endif
