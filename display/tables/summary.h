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

struct summary_row;

struct summary {
	struct tables *t;
	struct origins all;
	struct use *use;	 /* of each origin; NULL: not known */
	struct summary_row *row; /* room for one of each origin */
	size_t lines;		 /* printed */
};

/* What stands beside a row's figure. */
enum summary_beside {
	SUMMARY_BLOCKS, /* "12 blocks", "12 + 3 held" */
	SUMMARY_BYTES,	/* "1.2 MB" */
	SUMMARY_OF,	/* "of 12" */
	SUMMARY_ADVICE	/* "write-only 98%"; the row's figure is what there is
			 * to save by better use */
};

struct summary_section {
	bool (*wanted)(const struct profile *p);
	void (*title)(struct summary *s);
	/* Of sites; those that are NULL aren't there. */
	origins_figure *figure, *beside, *indirect;
	bool bytes; /* the figure is */
	enum summary_beside how;
};

/* In their order; summary_nsections of them. */
extern const struct summary_section summary_sections[];
extern const size_t summary_nsections;

/* Room for n rows.  NULL: out of memory. */
struct summary_row *summary_rows_new(size_t n);

/*
 * Print a section: a blank line, its title, and at most so many lines.  0, or
 * -1 when out of memory.
 */
int summary_section(struct summary *s, const struct summary_section *x,
		    size_t lines);

/* Parts of lines, and their end. */
void summary_title(struct summary *s, const char *text);
void summary_bytes(struct summary *s, uint64_t n);
void summary_blocks(struct summary *s, uint64_t n, uint64_t blocks);
char *summary_time(struct summary *s, char *buf, uint64_t ns);
void summary_end(struct summary *s);

#endif
