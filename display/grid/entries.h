/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows of most tables: what is known of the blocks of a call path, of a
 * function, of a type.  Each figure of them that the profile has is a column of
 * schema/, from which tables get it, known or not.
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

/* What only tables have of the rows; the rest are columns of schema/. */
enum entry_figure {
	ENTRY_SIZES, /* shares of all bytes by size class */
	ENTRY_KEPT_SIZES,
	ENTRY_PEAK_SUM,	  /* as a share, with the rows above */
	ENTRY_TIMED,	  /* blocks whose lifetime was measured */
	ENTRY_SPREAD,	  /* histogram of the lifetimes */
	ENTRY_USE_BLOCKS, /* those that scores are of */
	ENTRY_USE_BYTES
};

/* Bytes that are of no use; a sum is known if one of its parts is. */
struct waste {
	uint64_t holes, rounded; /* that no member uses; that malloc adds */
	bool holes_known, holes_estimated, rounded_known, rounded_estimated;
};

/* What the row is of: a path; or what name says, with a mark if it's a type. */
struct entry {
	const struct path *path;
	const char *name; /* both NULL: several together */
	char mark;
	bool inlined; /* a function, wherever it is */
	bool rest;    /* blocks of which that isn't known: comes last */
	size_t place; /* for ties */
	WITH_FIGURES;
	uint64_t kept, reallocs;
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
	uint64_t save;			/* bytes, cut */
	uint64_t use_bytes, use_blocks; /* use->bytes, use->blocks */
	uint64_t copied;		/* life->copied */
	uint64_t part, part_blocks;	/* of these what the view is about */
	struct waste waste;
	double rank; /* the least come first; 0 unless the view sets it */
};

/* All zero is fit for entries_fini(). */
struct entries {
	struct tables *t;
	struct paths own;
	const struct paths *paths; /* NULL: not of call paths */
	struct entry *v;
	size_t n, hidden;
	struct entry all, other;
	struct life other_life;	       /* what other.life points to */
	struct use other_use, all_use; /* what other.use and all.use point to */
	/* What shares are of, bytes; 0 if none is printed. */
	uint64_t of_bytes, of_kept, of_peak;
	size_t top;	     /* so many rows; 0: those that are worth one */
	const char *omitted; /* rows left out are counted in a line of text,
			   * with bytes that are "lost", say; NULL: they are
			   * added up in a row, other */
};

/*
 * A table of entries: its columns; which entries are in it; the figures by
 * which they are sorted, the most first; the figures for whose share of e->all
 * an entry is worth a row; the bits of grid.with that a row asks for.  Figures
 * are ENTRY_AT(), and 0 ends a list of them.
 */
struct entries_view {
	const struct grid_column *column;
	size_t n;
	bool total; /* e->all is set, and has a row; else it becomes the sum */
	bool rest_counts; /* e->top counts the entry that is `rest', too */
	bool (*wanted)(const struct entry *r);	 /* or NULL */
	unsigned (*with)(const struct entry *r); /* or NULL */
	size_t by[4], share[2];
};
#define ENTRY_AT(figure) offsetof(struct entry, figure)
#define ENTRIES_COLUMNS(columns) \
	.column = columns, .n = sizeof(columns) / sizeof *(columns)

/* Set the figures of an entry; or what one of struct counts has. */
void entry_set(struct entry *r, const struct figures *f,
	       const double var[PROFILE_NERROR]);
void entry_set_counts(struct entry *r, const struct profile *p,
		      const struct counts *c, uint64_t peak_blocks);

/*
 * Room for n entries; or those of all call paths, which have that beside their
 * counts.  0, or -1 when out of memory.
 */
int entries_init(struct entries *e, struct tables *t, size_t n);
int entries_of_paths(struct entries *e, struct tables *t, enum paths_with with);
void entries_fini(struct entries *e);

/* Set how the blocks of an entry were used, with the scores; u may be NULL. */
void entry_set_use(struct entry *r, const struct use *u);

/* The program's totals. */
struct entry entries_total(const struct profile *p);

/*
 * Add an entry for each function that allocates itself, and for blocks without
 * a call path; or for each type.
 */
void entries_add_functions(struct entries *e, const struct paths *paths);
void entries_add_types(struct entries *e);

/*
 * Sort the entries that are in the view, add up those without a row, and make
 * *g the grid for it; entries_print() comes next.
 */
void entries_arrange(struct entries *e, const struct entries_view *v,
		     struct grid *g);

/* Add the counts of an entry to those of another, but for life and use. */
void entries_sum(struct entry *to, const struct entry *from);

/*
 * For columns: the figure that is enum column, that of enum entry_figure, and
 * the name.  g->arg: the entries.
 */
grid_getter entry_get, entry_get_own;
void entry_put(const struct grid *g, const void *row);

/* The same with the type of a path's blocks. */
void entry_put_typed(const struct grid *g, const void *row);

/*
 * The column of a figure, as COLUMN() is of any other: of one of COLUMNS() in
 * schema/columns_list.h, whatever it is, and of enum entry_figure.
 */
#define FIGURE(title, how, columns, figure, text, ...) \
	COLUMN(title, how, columns, entry_get, COLUMN_##figure, text, \
	       ##__VA_ARGS__)
#define FIGURE_OWN(title, how, columns, figure, text, ...) \
	COLUMN(title, how, columns, entry_get_own, ENTRY_##figure, text, \
	       ##__VA_ARGS__)

/* Are the lifetimes those of some of the freed blocks only? */
bool entry_estimated(const struct entry *r);

/* The head of their names: path, type or function; g->arg: the entries. */
const char *entries_noun(const struct grid *g, size_t column);

/* Print all of them; total: with e->all. */
void entries_print(struct entries *e, struct grid *g, bool total);

#endif
