/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows of most tables: figures of the blocks of a call path, a function or
 * a type.  Tables get each figure of the profile from a column of schema/,
 * known or not.
 */
#ifndef MEMMON_ENTRIES_H
#define MEMMON_ENTRIES_H

#include "display/grid/grid.h"
#include "display/grid/paths.h"
#include "display/schema/columns.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Figures that only tables have.  All other figures are columns of schema/. */
enum entry_figure {
	ENTRY_SIZES, /* shares of all bytes by size class */
	ENTRY_KEPT_SIZES,
	ENTRY_PEAK_SUM,	  /* share of this row and the rows above */
	ENTRY_TIMED,	  /* blocks whose lifetime was measured */
	ENTRY_SPREAD,	  /* histogram of the lifetimes */
	ENTRY_USE_BLOCKS, /* blocks that the scores are computed from */
	ENTRY_USE_BYTES
};

/* The most figures that a table has of its own. */
enum { ENTRY_OWN = 7 };

/* A row is for a call path or for what `name' says; `mark' is for types. */
struct entry {
	const struct path *path;
	const char *name; /* path and name NULL: several together */
	char mark;
	bool inlined; /* a function that is inlined everywhere */
	bool rest;    /* blocks of unknown type or function: last row */
	size_t place; /* order of rows with equal figures */
	WITH_FIGURES;
	uint64_t kept; /* account_kept(), to sort by */
	uint64_t reallocs;
	uint64_t before; /* peak of all rows above */
	uint64_t sites;
	double var[PROFILE_NERROR];
	const struct counts *count;  /* or NULL */
	const struct life *life;     /* or NULL */
	const struct use *use;	     /* or NULL */
	const struct type_row *type; /* or NULL */
	const struct thread *thread; /* or NULL */
	const struct bin *bin;	     /* or NULL */
	struct score score;
	bool scored;			/* the severity is known */
	uint64_t save;			/* bytes, rounded down */
	uint64_t use_bytes, use_blocks; /* use->bytes, use->blocks */
	uint64_t copied;		/* life->copied */
	uint64_t part, part_blocks;	/* the blocks that the table is about */
	uint64_t own[ENTRY_OWN]; /* other figures of the table's; they add up */
	unsigned bits;		 /* of the table: those of all entries, ORed */
	double rank; /* the least come first; 0 unless the table sets it */
};

struct entries {
	struct tables *t;
	struct paths own;
	const struct paths *paths; /* NULL: rows aren't call paths */
	struct entry *v;
	size_t n, hidden;
	struct entry all, other;
	struct life other_life;	       /* where other.life points */
	struct use other_use, all_use; /* where other.use and all.use point */
	/* The whole of each share, bytes; 0 if no share is printed. */
	uint64_t of_bytes, of_kept, of_peak;
	size_t top;	     /* number of rows; 0: all that are large enough */
	origins_figure *typed; /* names the types of paths; NULL: the view's */
	const char *omitted; /* print a line with the number of rows left out
			      * and their bytes, and call these "lost", say;
			      * NULL: add them up in the row `other' */
};

/*
 * A table of entries: its columns; which entries it has; the figures to sort
 * by, largest first; the figures whose share of e->all decides whether an entry
 * has a row; the bits of grid.with that a row needs.  Figures are ENTRY_AT(); 0
 * ends a list of figures.
 */
struct entries_view {
	const struct grid_column *column;
	size_t n;
	bool total; /* the caller sets e->all, and it is printed; else e->all
		     * becomes the sum */
	bool rest_counts; /* e->top includes the entry that is `rest' */
	void (*fill)(struct entries *e); /* sets other figures; or NULL */
	size_t any[2]; /* a row needs one of these figures; none: no matter */
	bool (*wanted)(const struct entry *r);	 /* or NULL */
	unsigned (*with)(const struct entry *r); /* or NULL */
	size_t by[4], share[2];
	origins_figure *typed; /* a figure of sites: paths name the types that
				* have most of it; NULL: bytes allocated */
};
#define ENTRY_AT(figure) offsetof(struct entry, figure)
#define ENTRIES_COLUMNS(columns) \
	.column = columns, .n = sizeof(columns) / sizeof *(columns)

/* Set the figures of an entry, from struct figures or from struct counts. */
void entry_set(struct entry *r, const struct figures *f,
	       const double var[PROFILE_NERROR]);
void entry_set_counts(struct entry *r, const struct profile *p,
		      const struct counts *c, uint64_t peak_blocks);

/*
 * Make room for n entries; or an entry for each call path, with the figures of
 * `with' in addition to its counts.
 */
void entries_init(struct entries *e, struct tables *t, size_t n);
void entries_of_paths(struct entries *e, struct tables *t,
		      enum paths_with with);

/* Set the accesses to an entry's blocks, and the scores; u may be NULL. */
void entry_set_use(struct entry *r, const struct use *u);

/* The totals of the program. */
struct entry entries_total(const struct profile *p);

/*
 * Add an entry for each function that allocates itself, and one for blocks
 * without a call path; or an entry for each type.
 */
void entries_add_functions(struct entries *e, const struct paths *paths);
void entries_add_types(struct entries *e);

/*
 * Sort the view's entries, add up those that get no row, and make *g the grid.
 * entries_print() comes next.
 */
void entries_arrange(struct entries *e, const struct entries_view *v,
		     struct grid *g);

/* Add the counts of an entry to another, without life and use. */
void entries_sum(struct entry *to, const struct entry *from);

/*
 * Getters for columns: entry_get() for an enum column, entry_get_own() for an
 * enum entry_figure, entry_put() for the name.  g->arg: the entries.
 */
grid_getter entry_get, entry_get_own;
void entry_put(const struct grid *g, const void *row);

/* As entry_put(), and the type of a path's blocks. */
void entry_put_typed(const struct grid *g, const void *row);

/*
 * Like COLUMN(), for a figure: FIGURE() takes one of COLUMNS() in
 * schema/columns_list.h, FIGURE_OWN() an enum entry_figure.
 */
#define FIGURE(title, how, columns, figure, text, ...) \
	COLUMN(title, how, columns, entry_get, COLUMN_##figure, text, \
	       ##__VA_ARGS__)
#define FIGURE_OWN(title, how, columns, figure, text, ...) \
	COLUMN(title, how, columns, entry_get_own, ENTRY_##figure, text, \
	       ##__VA_ARGS__)

/* Are the lifetimes known for some of the freed blocks only? */
bool entry_estimated(const struct entry *r);

/* The head of the name column: path, type or function.  g->arg: the entries. */
const char *entries_noun(const struct grid *g, size_t column);

/*
 * Print a table of call paths.  none: what to say if it has no rows; below():
 * prints what comes before the legend; both may be NULL.  0, or -1 when out of
 * memory.
 */
int entries_table(struct tables *t, const struct entries_view *v,
		  enum paths_with with, const struct legend *legend,
		  const char *none, void (*below)(const struct entries *e));

/* Print all entries; total: with e->all. */
void entries_print(struct entries *e, struct grid *g, bool total);

#endif
