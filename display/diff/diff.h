/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two runs side by side.  Libraries and functions of two runs are the same if
 * their names are: libraries without directories and versions, functions
 * without addresses and without the suffixes of a compiler's copies.
 */
#ifndef MEMMON_DIFF_H
#define MEMMON_DIFF_H

#include "display/grid/table.h"
#include "display/settings/settings.h"
#include "display/text/writer.h"
#include "reduce/base/arena.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The figures that are compared: F(ID, name, kind of the column, value). */
#define DIFF_FIGURES(F) \
	F(BYTES, bytes, BYTES, f->bytes) \
	F(ALLOCS, allocs, COUNT, f->allocs) \
	F(KEPT, kept, BYTES, account_kept(&f->account)) \
	F(PEAK, peak, BYTES, f->peak)
enum diff_figure {
#define F(id, ...) DIFF_##id,
	DIFF_FIGURES(F)
#undef F
		DIFF_NFIGURE
};

/* The two runs, as indices of the arrays below. */
enum { DIFF_OLD, DIFF_NEW, DIFF_NRUN };

/* A site has no row: row_of has this. */
#define DIFF_NONE SIZE_MAX

/*
 * A site, function, type or size in both runs.  For a function, v is what the
 * function allocated itself, `total' what was allocated while it was active.
 */
struct diff_row {
	uint64_t v[DIFF_NRUN][DIFF_NFIGURE];
	uint64_t total[DIFF_NRUN]; /* bytes */
	bool in[DIFF_NRUN];	   /* is it in that run? */
	size_t path;		   /* for a site: where its path begins in
				    * diff.path */
	const char *name;	   /* for all other rows: name or size */
	bool no_peak;		   /* its peak is unknown */
};

struct diff_table {
	struct diff_row *row; /* sorted by name or size; sites by their paths */
	size_t n;
};

/*
 * An element of a path, in lists that paths share.  The lists of whole paths
 * run from the innermost element outwards; those of shortened paths run
 * inwards.
 */
struct diff_path {
	uint32_t next; /* index in diff.path; 0: last element */
	uint32_t name; /* index in diff.name */
};

/*
 * The name of a function in both runs, or of a cycle.  A cycle has only .text,
 * .own and .func: the indices of its functions' names, each once.
 */
struct diff_name {
	const char *module, *name; /* module "": the program */
	const char *file;	   /* "" if no other function has that name */
	const char *text;	   /* as printed */
	bool known;		   /* it is a name, not an address */
	bool own;		   /* code of the program itself */
	bool in[DIFF_NRUN];
	uint32_t *func;
	size_t nfuncs;
};

/*
 * diff_init() fills it, diff_fini() frees it.  It refers to the two profiles.
 * The rows of each table add up to .total.
 */
struct diff {
	const struct profile *run[DIFF_NRUN];
	size_t depth;		   /* elements to compare; 0: all */
	bool by_own;		   /* compare only the program's functions */
	bool peak_known;	   /* in both runs */
	bool scaled;		   /* the old run's figures are scaled, see
				    * diff_init() */
	uint64_t whole[DIFF_NRUN]; /* bytes; the scale is new / old */
	struct diff_row total;
	struct diff_table own, sites, funcs, types, bins;
	size_t *row_of[DIFF_NRUN]; /* for each site: its row in sites */
	struct diff_name *name;
	size_t nnames; /* of functions; the cycles' names follow */
	size_t ncycles;
	/* Indices in name[].  func: for each function of the run, in the order
	 * of profile.funcs.  cycle: for each frame of profile.tree that ends a
	 * cycle. */
	uint32_t *func[DIFF_NRUN], *cycle[DIFF_NRUN];
	struct diff_path *path; /* index 0 is unused */
	struct arena room;	/* the memory of all this, and of texts */
};

/* An array of n zeroed items, and one more, that lives as long as *d. */
static inline void *
diff_room(struct diff *d, size_t n, size_t size)
{
	return arena_array(&d->room, n + 1, size);
}

/*
 * Match *old and *new, which must outlive *d.  depth: the number of elements to
 * compare, at the inner end of paths; 0: all.  by_own: only the
 * program's own elements count, and whether they call other code to allocate.
 * scale: multiply the old run's figures so that both runs allocate the same
 * number of bytes; rows are rounded so that each table still adds up.  0, or -1
 * when out of memory.  Call diff_fini() in both cases.
 */
int diff_init(struct diff *d, const struct profile *old,
	      const struct profile *new, size_t depth, bool by_own, bool scale);
void diff_fini(struct diff *d);

/* The sign of the change: -1, 0, 1.  *by gets the difference. */
int diff_sign(const struct diff_row *r, enum diff_figure f, uint64_t *by);

/*
 * diff_match.c: make the rows of sites and functions.  Needs the names.  0, or
 * -1 when out of memory.
 */
int diff_sites(struct diff *d);
void diff_figures(uint64_t v[DIFF_NFIGURE], const struct figures *f);
void diff_counts(uint64_t v[DIFF_NFIGURE], const struct counts *c);
void diff_add(struct diff_row *to, int run, const uint64_t v[DIFF_NFIGURE]);

/*
 * diff_own.c: make the rows of the program's own functions, the innermost of
 * each path.  Needs the names.  diff_unite() merges rows of the same name.
 */
void diff_own(struct diff *d);
void diff_unite(struct diff_table *t);

/*
 * diff_name.c: diff_names() makes the names of all functions.  diff_name_of()
 * is the index of a function's name.  diff_module_plain() reduces a library's
 * name, in place, to the part that is compared.
 */
void diff_names(struct diff *d);
uint32_t diff_name_of(const struct diff *d, int run, const struct func *f);
void diff_module_plain(char *module);

/*
 * diff_cycle.c: diff_cycles() makes the names of cycles.  Needs the names of
 * functions.  0, or -1 when out of memory.  diff_element_of() is the index of
 * the name of the element that ends with frame f.
 */
int diff_cycles(struct diff *d);
uint32_t diff_element_of(const struct diff *d, int run, const struct frame *f);

/* Set *v to the functions of a cycle, or to the function.  Returns how many. */
size_t diff_functions(const struct diff *d, const uint32_t *name,
		      const uint32_t **v);

/*
 * Count the functions that are in both runs, and those of the run that has
 * fewer.  Counts only named functions of the program and its own libraries.
 */
void diff_likeness(const struct diff *d, size_t *both, size_t *of);

/* diff_summary.c: print what precedes the tables. */
void diff_summary(struct tables *t, const struct diff *d);

/* Write the figures of a run as members; peak_known: of this row. */
void diff_json_figures(struct writer *w, const uint64_t v[DIFF_NFIGURE],
		       bool peak_known);

/* Print the tables, or JSON.  0, or -1 when out of memory. */
int diff_print(const struct diff *d, const struct options *o, FILE *out);
int diff_json(const struct diff *d, FILE *out);

/* Set *f to the figure that --sort names; false if no figure has that name. */
bool diff_figure_of(const char *text, enum diff_figure *f);

/*
 * Two runs: rows with a name and the bytes in each run: what retains memory,
 * the parts of the process's memory, and the memory that it mapped.
 */

struct diff_pair {
	const char *name;
	uint64_t v[DIFF_NRUN];
};

struct diff_pairs {
	struct diff_pair *v;
	size_t n, allocated;
	struct arena room; /* of the names */
	int run;     /* the run whose rows are added */
	bool failed; /* out of memory */
};

/*
 * Add a row of the run.  The name lives as long as *x or the run.  NULL: out of
 * memory.
 */
void diff_pairs_add(struct diff_pairs *x, const char *name, uint64_t bytes);

/*
 * Add the rows of a run: bytes retained by roots or by blocks of types, lines
 * of --memory, lines of the program that map memory.  Names omit numbers that
 * differ in each run; rows of the same name are one.  Returns whether the rows
 * are known.  With x NULL nothing is added.
 */
typedef bool diff_pairs_of(struct diff_pairs *x, const struct profile *p);
diff_pairs_of diff_held_roots, diff_held_types, diff_memory_lines,
	diff_memory_mapped;

/*
 * Print the rows that differ most, or write all rows as JSON.  Skips lists that
 * are unknown for one of the runs.  0, or -1 when out of memory.
 */
int diff_pairs_print(struct tables *t, const struct diff *d);
int diff_pairs_json(struct writer *w, const struct diff *d);

#endif
