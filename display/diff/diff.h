/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two runs side by side.  What is the same in both is told by names: modules
 * without directories and versions, functions without addresses and without
 * what tells a compiler's copies of them apart.
 */
#ifndef MEMMON_DIFF_H
#define MEMMON_DIFF_H

#include "display/grid/table.h"
#include "display/text/settings.h"
#include "reduce/base/arena.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum diff_figure {
	DIFF_BYTES,
	DIFF_ALLOCS,
	DIFF_KEPT, /* bytes not freed */
	DIFF_PEAK, /* bytes live at the program's peak */
	DIFF_NFIGURE
};

/* The runs, for the arrays below. */
enum { DIFF_OLD, DIFF_NEW, DIFF_NRUN };

/* Of a site: no such site in that run. */
#define DIFF_NONE SIZE_MAX

/*
 * A site, function, type or size in both runs.  Of a function v is what it
 * allocated itself, and `total' what was allocated while it was active.
 */
struct diff_row {
	uint64_t v[DIFF_NRUN][DIFF_NFIGURE];
	uint64_t total[DIFF_NRUN]; /* bytes */
	bool in[DIFF_NRUN];	   /* is it in that run? */
	size_t path;		   /* of a site: where its path begins in
				    * diff.path */
	const char *name;	   /* of others: name or size */
	bool no_peak;		   /* its peak isn't known */
};

struct diff_table {
	struct diff_row *row; /* by name or size; sites by their paths */
	size_t n;
};

/*
 * An element of a path, in a list that paths share: from the inner end to the
 * outer one if paths are whole, else the other way.
 */
struct diff_path {
	uint32_t next; /* place in diff.path; 0: it is the last */
	uint32_t name; /* place in diff.name */
};

/*
 * A function's name in both runs; or that of a cycle, of which there are only
 * the text and the places of its functions' names, each once.
 */
struct diff_name {
	const char *module, *name; /* module "": the program */
	const char *file;	   /* "": no other function has that name */
	char *text;		   /* as printed */
	bool known;		   /* it has a name, and not an address */
	bool own;		   /* it is the program's own code */
	bool in[DIFF_NRUN];
	uint32_t *func;
	size_t nfuncs;
};

/*
 * diff_init() fills it, diff_fini() frees it.  It refers to the two profiles.
 * The sum over the rows of each table is total's.
 */
struct diff {
	const struct profile *run[DIFF_NRUN];
	size_t depth;		   /* elements that count; 0: all */
	bool by_own;		   /* ... of the program's own functions */
	bool peak_known;	   /* in both runs */
	bool scaled;		   /* the old run's, as below */
	uint64_t whole[DIFF_NRUN]; /* bytes: scaled by new / old */
	struct diff_row total;
	struct diff_table own, sites, funcs, types, bins;
	size_t *row_of[DIFF_NRUN]; /* of each site: its row in sites */
	struct diff_name *name;
	size_t nnames; /* of functions; behind them: */
	size_t ncycles;
	/* Places in name[]: of each of the run's functions, in the order of
	 * profile.funcs; and of the cycle that ends with a frame, if one does,
	 * in the order of profile.tree. */
	uint32_t *func[DIFF_NRUN], *cycle[DIFF_NRUN];
	struct diff_path *path; /* from 1 */
	struct owned kept;	/* strings */
};

/*
 * Match *old and *new, which must live longer, by as many of the innermost
 * elements of paths as depth says, 0: by all; by_own: by as many of the
 * program's own, and what is between them.  scale: multiply the old run's
 * figures, so that both allocate the same number of bytes; the rows of each
 * table are rounded so that they add up.  0, or -1 when out of memory; *d needs
 * diff_fini() in any case.
 */
int diff_init(struct diff *d, const struct profile *old,
	      const struct profile *new, size_t depth, bool by_own, bool scale);
void diff_fini(struct diff *d);

/* Has the figure fallen, stayed or risen (-1, 0, 1), and by how much? */
int diff_sign(const struct diff_row *r, enum diff_figure f, uint64_t *by);

/*
 * diff_match.c: the rows of sites and functions, when the names are there.  0,
 * or -1 when out of memory.
 */
int diff_sites(struct diff *d);
void diff_figures(uint64_t v[DIFF_NFIGURE], const struct figures *f);
void diff_counts(uint64_t v[DIFF_NFIGURE], const struct counts *c);
void diff_add(struct diff_row *to, int run, const uint64_t v[DIFF_NFIGURE]);

/*
 * diff_own.c: the rows of the program's own functions, the innermost of each
 * path; needs the names.  diff_unite() puts rows of the same name
 * together.  0, or -1 when out of memory.
 */
int diff_own(struct diff *d);
void diff_unite(struct diff_table *t);

/*
 * diff_name.c: the names of all functions.  diff_module_plain() makes the name
 * of a module what is compared, in place.  0, or -1 when out of memory.
 */
int diff_names(struct diff *d);
uint32_t diff_name_of(const struct diff *d, int run, const struct func *f);
void diff_module_plain(char *module);

/*
 * diff_cycle.c: the names of cycles, when those of functions are there; and the
 * place of the name of the element that ends with a frame.  0, or -1 when out
 * of memory.
 */
int diff_cycles(struct diff *d);
uint32_t diff_element_of(const struct diff *d, int run, const struct frame *f);

/* Set *v to the functions of a cycle's name, or to the name; how many. */
size_t diff_functions(const struct diff *d, const uint32_t *name,
		      const uint32_t **v);

/*
 * How many functions are in both runs, and how many there are in the run that
 * has fewer: only those with names, of the program and its own libraries.
 */
void diff_likeness(const struct diff *d, size_t *both, size_t *of);

/* diff_summary.c: what is said before the tables. */
void diff_summary(struct tables *t, const struct diff *d);

/* What it says, as tables or as JSON.  0, or -1 when out of memory. */
int diff_print(const struct diff *d, const struct options *o, FILE *out);
int diff_json(const struct diff *d, FILE *out);

/* The figure that --sort names; false if none is called so. */
bool diff_figure_of(const char *text, enum diff_figure *f);

#endif
