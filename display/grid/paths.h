/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Call paths: sites are grouped if their paths are the same as far as they are
 * shown.  Tables with a row for each path use these groups.
 */
#ifndef MEMMON_PATHS_H
#define MEMMON_PATHS_H

#include "display/grid/origins.h"
#include "display/grid/table.h"
#include "display/text/line.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The types that the row of a table names: those with a tenth of the row's
 * figures, the largest first.
 */

/* The most types that a row names. */
enum { SITE_TYPES = 8 };

/*
 * The types of the sites of a row, and the part of the row's two figures that
 * each has.  Blocks that are missing here have other types, or unknown ones.
 * All zero: no site yet.
 */
struct site_types {
	struct site_type {
		const char *name;
		char mark;
		uint64_t n, beside;
	} v[SITE_TYPES];
	size_t count;
};

/* Add the figures of a site to its type. */
void site_types_add(struct site_types *to, const struct site *s, uint64_t n,
		    uint64_t beside);

/*
 * "=struct a, ~B": the types with a tenth of one of the row's figures, as far
 * as `room' columns have place for them; names are shortened to `cut' columns,
 * unless it is 0.  ", ..." follows if other types have a tenth, too.  The
 * caller frees the text.  NULL: no type, no room, or out of memory, which sets
 * to->failed.
 */
char *site_types_text(struct line *to, struct site_types *x, uint64_t n,
		      uint64_t beside, size_t room, size_t cut);

/* A path, and the sums over its sites; freed, peak and bytes are in bytes. */
struct path {
	const struct frame *leaf; /* of one of the sites; NULL: unknown */
	size_t hash;
	size_t n;   /* number of elements shown, see element.h */
	bool whole; /* no callers come before these */
	bool std; /* --paths=own: the leaf calls run-time code to allocate */
	bool several;	 /* of several leaves, whose call paths differ further
			  * out */
	uint64_t called; /* bit i: element i, from the leaf on, is called, not
			  * inlined, on at least one of the call paths */
	WITH_FIGURES;
	uint64_t reallocs;
	double var[PROFILE_NERROR];
	size_t first;	   /* one of its sites, see struct paths; or SIZE_MAX */
	struct life *life; /* NULL unless asked for */
	struct use *use;   /* NULL unless asked for */
	struct leak *leak; /* NULL unless asked for */
};

/* The figures that a path has in addition to its counts. */
enum paths_with { PATHS_PLAIN, PATHS_LIVES, PATHS_USES, PATHS_LEAKS };

struct paths {
	struct path *path;
	size_t n;
	const struct frame **element; /* room to print the longest */
	struct life *life;
	struct use *use;
	struct leak *leak;
	size_t *slot;  /* hash table: index in path[] plus one */
	size_t nslots; /* a power of two */
	size_t *of;    /* for each site of the profile: the index of its path */
	size_t *next;  /* for each site: the path's next site; or SIZE_MAX */
	bool offsets, own;
};

/*
 * Make the paths of all sites of t->p, in the order of the sites.  `with' asks
 * for their struct life, use or leak.  *all refers to t->p, and lives as long
 * as the current table.
 */
void paths_init(struct paths *all, struct tables *t, enum paths_with with);

/* The order of paths with equal figures: compares them from the inner end. */
int paths_compare(const struct path *a, const struct path *b);

/*
 * Add the elements of a path to the line, outermost first.  Inlined functions
 * are marked if everything or call sites are printed.  With --paths=own, the
 * innermost line of the program comes first, then its callers, on three lines
 * at most.
 */
void paths_print(struct tables *t, const struct paths *all,
		 const struct path *a);

/*
 * The same, and the types with a tenth of the figure, which is one of the
 * path's sites.
 */
void paths_print_typed(struct tables *t, const struct paths *all,
		       const struct path *a, origins_figure *figure);

/* The types of a path's blocks, by that figure, and its sum. */
struct site_types paths_types(const struct tables *t, const struct paths *all,
			      const struct path *a, origins_figure *figure,
			      uint64_t *sum);

/*
 * Print the call path that ends at leaf as with --paths=own: the program's
 * innermost line, and its callers.  It need not be the path of a site.
 */
void paths_print_lines(struct tables *t, const struct frame *leaf);

/* Print the elements of the call path that ends at leaf, which may be NULL. */
void paths_print_chain(struct tables *t, const struct frame *leaf);

#endif
