/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows of most tables: what is known of the blocks of a call path, of a
 * function, of a type.  Each figure of them has one name here, and is got,
 * known or not, in one place.
 */
#ifndef MEMMON_ENTRIES_H
#define MEMMON_ENTRIES_H

#include "display/grid/grid.h"
#include "display/grid/paths.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum entry_figure {
	ENTRY_ALLOCS,
	ENTRY_BYTES,
	ENTRY_SHARE, /* of all bytes */
	ENTRY_SIZES, /* the same by size class */
	ENTRY_FREES,
	ENTRY_FREED,
	ENTRY_KEPT,
	ENTRY_KEPT_SIZES,
	ENTRY_REALLOCS,
	ENTRY_PEAK,
	ENTRY_PEAK_SHARE,
	ENTRY_PEAK_SUM, /* with the rows above */
	ENTRY_PEAK_BLOCKS,
	ENTRY_SITES,
	/* What became of the blocks; struct life. */
	ENTRY_TEMPS,
	ENTRY_NEAR,
	ENTRY_BY_OTHERS,
	ENTRY_TIMED,
	ENTRY_LIFE_MIN,
	ENTRY_LIFE_MEAN,
	ENTRY_LIFE_MAX,
	ENTRY_SPREAD,
	ENTRY_MOVED,
	ENTRY_COPIED,
	ENTRY_LONGEST,
	/* How they were used; struct use. */
	ENTRY_SAVE,
	ENTRY_SEVERITY,
	ENTRY_LIFETIME,
	ENTRY_USAGE,
	ENTRY_USEFUL,
	ENTRY_COVER,
	ENTRY_USE_BLOCKS,
	ENTRY_USE_BYTES
};

/* What the row is of: a path; or what name says, with a mark if it's a type. */
struct entry {
	const struct path *path;
	const char *name; /* both NULL: several together */
	char mark;
	bool inlined; /* a function, wherever it is */
	bool rest;    /* what isn't known: the last one */
	size_t place; /* for ties */
	uint64_t allocs, bytes, frees, freed, kept, reallocs;
	uint64_t peak, peak_blocks, before; /* before: peak of rows above */
	bool peak_known;
	uint64_t sites;
	double var[PROFILE_NERROR];
	const struct counts *count; /* or NULL */
	const struct life *life; /* or NULL */
	const struct use *use;	 /* or NULL */
	const struct type_row *type; /* or NULL */
	const struct thread *thread; /* or NULL */
	const struct bin *bin;	     /* or NULL */
	struct score score;
	bool scored;   /* the severity is known */
	uint64_t save; /* bytes, cut */
	uint64_t use_bytes, use_blocks; /* of use */
	uint64_t copied;		/* of life */
	uint64_t part, part_blocks; /* what the view is about, if less */
	double rank; /* the least come first; 0 unless the view says so */
};

/* All zero is fit for entries_fini(). */
struct entries {
	struct tables *t;
	struct paths own;
	const struct paths *paths; /* NULL: not of call paths */
	struct entry *v;
	size_t n, hidden;
	struct entry all, other;
	struct life other_life;
	struct use other_use, all_use; /* room for them */
	/* What shares are of; 0 if none is printed. */
	uint64_t of_bytes, of_kept, of_peak;
	size_t top;	  /* rows, whatever they are worth; 0: by that */
	const char *told; /* those left out are in a line of text, which ends
			   * so; NULL: in a row */
};

/*
 * A table of entries: which of them are in it; by what they are sorted, the
 * most first, then by paths; for which shares of e->all they are worth a row;
 * what bits of struct grid a row asks for.  Figures: ENTRY_AT(), 0 is the end.
 */
struct entries_view {
	const struct grid_column *column;
	size_t n;
	bool total; /* has a row; if not, e->all becomes the sum */
	bool rest_counts; /* what isn't known is one of the first e->top */
	bool (*wanted)(const struct entry *r); /* or NULL */
	unsigned (*with)(const struct entry *r); /* or NULL */
	size_t by[4], share[2];
};
#define ENTRY_AT(figure) offsetof(struct entry, figure)
#define ENTRIES_COLUMNS(columns) \
	.column = columns, .n = sizeof(columns) / sizeof *(columns)

/* Set what an entry of struct counts has. */
void entry_set_counts(struct entry *r, const struct profile *p,
		      const struct counts *c);

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

/* Entries of each of these; functions: and of what has no call path. */
void entries_add_functions(struct entries *e, const struct paths *paths);
void entries_add_types(struct entries *e);

/*
 * Leave what is to be in a view, in its order, and all that g is to know of it,
 * what the caller sets later aside; entries_print() comes next.
 */
void entries_arrange(struct entries *e, const struct entries_view *v,
		     struct grid *g);

/* Add the counts of an entry to those of another, but for life and use. */
void entries_sum(struct entry *to, const struct entry *from);

/* For columns: a figure, and the name.  g->arg: the entries. */
void entry_get(const struct grid *g, const void *row, unsigned at,
	       struct grid_cell *c);
void entry_put(const struct grid *g, const void *row);

/* The same with the type of a path's blocks. */
void entry_put_typed(const struct grid *g, const void *row);

/* The column of a figure, as COLUMN() is of any other. */
#define FIGURE(title, how, columns, figure, text, ...) \
	COLUMN(title, how, columns, entry_get, ENTRY_##figure, text, \
	       ##__VA_ARGS__)

/* Are the lifetimes those of some of the freed blocks only? */
bool entry_estimated(const struct entry *r);

/* Print all of them; total: with e->all. */
void entries_print(struct entries *e, struct grid *g, bool total);

#endif
