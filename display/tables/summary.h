/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of the summary; for its own files only.  A section of it has a title
 * and a row for each line of the program that matters to it, with who called
 * that.
 */
#ifndef MEMMON_SUMMARY_H
#define MEMMON_SUMMARY_H

#include "display/grid/origins.h"
#include "display/grid/table.h"

/* A row names at most so many types. */
enum { SUMMARY_TYPES = 8 };

struct summary_row {
	size_t origin;
	uint64_t n, beside, indirect;
	/* The blocks in these figures: */
	bool std;   /* run-time code that the line calls allocated some */
	bool plain; /* the line itself allocated some */
	/* Their types, and what the figure has of each; the rest has others,
	 * or its type isn't known. */
	struct summary_type {
		const char *name;
		char mark;
		uint64_t n, beside;
	} type[SUMMARY_TYPES];
	size_t ntypes;
	struct origins_callers callers;
	struct origins_passed passed;
	size_t shown; /* callers that get a line */
};

struct summary {
	struct tables *t;
	struct origins all;
	struct use *use;	 /* of each origin; NULL: not known */
	struct summary_row *row; /* room for one of each origin */
	size_t reserved;	 /* columns of the line for what comes last */
	bool hint;   /* so has been that there could be a leak check */
};

/* What stands beside a row's figure. */
enum summary_beside {
	SUMMARY_BLOCKS, /* "12 blocks", "12 + 3 held" */
	SUMMARY_BYTES,	/* "1.2 MB" */
	SUMMARY_OF,	/* "of 12" */
	SUMMARY_ADVICE	/* "write-only 98%"; the row's figure is what there is
			 * to save by better use */
};

struct summary_part;

struct summary_section {
	bool (*wanted)(const struct profile *p);
	void (*title)(struct summary *s, const struct summary_part *part);
	/* Of sites; those that are NULL aren't there. */
	origins_figure *figure, *beside, *indirect;
	bool bytes; /* the figure is */
	enum summary_beside how;
	bool again; /* it may have the rows of the one before */
};

/* In their order. */
enum { SUMMARY_SECTIONS = 6 };
extern const struct summary_section summary_sections[SUMMARY_SECTIONS];

/* A section as it is printed.  All zero is fit for summary_part_fini(). */
enum { SUMMARY_ROWS = 5 };
struct summary_part {
	const struct summary_section *x;
	struct summary_row row[SUMMARY_ROWS]; /* n of them, the most first */
	size_t n;
	size_t shown; /* rows */
	uint64_t all; /* the sum of all there are */
	bool same;    /* those of the section before belong to it as well */
};

/*
 * Find the rows that are worth it.  0, or -1 when out of memory; *to needs
 * summary_part_fini() in any case.
 */
int summary_part_init(struct summary *s, const struct summary_section *x,
		      struct summary_part *to);
void summary_part_fini(struct summary_part *part);

/* Choose what is shown in so many lines below the title: returns how many. */
size_t summary_part_fit(struct summary_part *part, size_t room);

/* Print a blank line, the title, and what was chosen. */
void summary_part_print(struct summary *s, struct summary_part *part);

/* Is there something kept of which a leak check would tell what is lost? */
bool summary_unchecked(const struct profile *p);

/* Columns that are left in the line. */
size_t summary_room(const struct summary *s);

/* Parts of lines, and their end; fits: add the text if there is room for it. */
bool summary_fits(struct summary *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void summary_title(struct summary *s, const char *text);
void summary_bytes(struct summary *s, uint64_t n);
void summary_blocks(struct summary *s, uint64_t n, uint64_t blocks);
void summary_peak(struct summary *s, uint64_t n);
char *summary_time(struct summary *s, char *buf, uint64_t ns);
void summary_end(struct summary *s);

/* summary_mapped.c: what the program maps by itself, if that is much. */
void summary_mapped(struct summary *s);

/* summary_held.c: who holds most, where a graph was made. */
void summary_held(struct summary *s);

#endif
