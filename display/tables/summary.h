/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of the summary; only for summary*.c.  A section has a title and a row
 * for each line of the program that matters, with the callers of that line.
 */
#ifndef MEMMON_SUMMARY_H
#define MEMMON_SUMMARY_H

#include "display/grid/origins.h"
#include "display/grid/paths.h"
#include "display/grid/table.h"

struct summary_row {
	size_t origin;
	uint64_t n, beside, indirect;
	uint64_t
		hidden; /* of sites with none but suppressed bytes at the end */
	/* The blocks in these figures: */
	bool std;   /* run-time code called by the line allocated some */
	bool plain; /* the line itself allocated some */
	struct site_types types;
	struct origins_callers callers;
	struct origins_passed passed;
	size_t shown; /* number of callers that get a line */
};

struct summary {
	struct tables *t;
	struct origins all;
	struct use *use;	 /* for each origin; NULL: unknown */
	struct summary_row *row; /* room for a row of each origin */
	size_t reserved;	 /* columns to keep free at the end of the
				  * line */
	bool hint;   /* the line about leak checks was printed */
};

/* What follows the figure of a row. */
enum summary_beside {
	SUMMARY_BLOCKS, /* "12 blocks", "12 + 3 held" */
	SUMMARY_BYTES,	/* "1.2 MB" */
	SUMMARY_OF,	/* "of 12" */
	SUMMARY_ADVICE	/* "write-only 98%"; the row's figure is the bytes to
			 * save by better use */
};

struct summary_part;

struct summary_section {
	bool (*wanted)(const struct profile *p);
	void (*title)(struct summary *s, const struct summary_part *part);
	/* Figures of sites; NULL: none. */
	origins_figure *figure, *beside, *indirect;
	bool bytes; /* the figure is in bytes */
	enum summary_beside how;
	bool again; /* may have the same rows as the section before */
};

/* The sections, in the order of printing. */
enum { SUMMARY_SECTIONS = 6 };
extern const struct summary_section summary_sections[SUMMARY_SECTIONS];

/* A section for printing. */
enum { SUMMARY_ROWS = 5 };
struct summary_part {
	const struct summary_section *x;
	struct summary_row row[SUMMARY_ROWS]; /* n rows, largest first */
	size_t n;
	size_t shown; /* number of rows to print */
	size_t nall;  /* number of rows, also of those left out */
	uint64_t all; /* sum of all rows, also of those left out */
	bool same;    /* rows of the section before also belong here */
};

/* Find the rows that matter.  0, or -1 when out of memory. */
int summary_part_init(struct summary *s, const struct summary_section *x,
		      struct summary_part *to);

/* Choose what fits into `room' lines below the title; returns how many. */
size_t summary_part_fit(struct summary_part *part, size_t room);

/* Print a blank line, the title, and the chosen rows. */
void summary_part_print(struct summary *s, struct summary_part *part);

/* Would a leak check tell more about memory that was not freed? */
bool summary_unchecked(const struct profile *p);

/* The columns that are free on the line. */
size_t summary_room(const struct summary *s);

/*
 * Add parts of lines, and end a line.  summary_fits(): add, if there is room.
 */
bool summary_fits(struct summary *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void summary_title(struct summary *s, const char *text);
void summary_bytes(struct summary *s, uint64_t n);
void summary_blocks(struct summary *s, uint64_t n, uint64_t blocks);
void summary_peak(struct summary *s, uint64_t n);
char *summary_time(struct summary *s, char *buf, uint64_t ns);
void summary_end(struct summary *s);

/* summary_mapped.c: print the memory that the program maps, if it is much. */
void summary_mapped(struct summary *s);

/* summary_held.c: print what holds most memory, if there is a graph. */
void summary_held(struct summary *s);

#endif
