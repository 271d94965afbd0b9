/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of output: built field by field, written without trailing blanks and
 * without control characters, whatever the names in them hold.
 *
 * Widths are in characters (UTF-8 continuation bytes don't count); a text that
 * is wider than its field is never cut.
 */
#ifndef MEMMON_LINE_H
#define MEMMON_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* How text looks on a terminal with colours. */
enum line_look {
	LINE_PLAIN,
	LINE_TITLE,  /* of a table or section */
	LINE_FIGURE, /* what a row is about */
	LINE_PLACE,  /* file and line */
	LINE_NLOOKS
};

/* So much stays of a name that is cut, even if the line is too wide then. */
enum { LINE_LOOKS = 32, LINE_LEAST = 24 };

struct line {
	FILE *out;
	bool colour; /* looks are shown */
	size_t width; /* longer lines are cut, see line_name(); 0: none is */
	bool wrap;    /* ... and broken where they are too long still */
	size_t lines; /* written */
	size_t name;  /* where the part that is cut begins; SIZE_MAX: nowhere */
	struct {
		size_t at;
		enum line_look look;
	} look[LINE_LOOKS]; /* of the text from there on, nlooks of them */
	size_t nlooks;
	char *text; /* the line so far, len bytes */
	size_t len;
	size_t room; /* bytes allocated */
	bool failed; /* out of memory: something is missing */
};

/* Errors of writing stay in out (ferror()); want of memory sets l->failed. */
void line_init(struct line *l, FILE *out);
void line_fini(struct line *l);

/* Add text as printf does, in a field that is set right or left. */
void line_add(struct line *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void line_right(struct line *l, size_t width, const char *text);
void line_left(struct line *l, size_t width, const char *text);

/* Add so many dashes; "1 block", "2 blocks": n of a noun. */
void line_dashes(struct line *l, size_t n);
void line_several(struct line *l, uint64_t n, const char *noun);

/* What comes looks so, until the next call or the end of the line. */
void line_look(struct line *l, enum line_look look);

/*
 * What comes till the end of the line is a name, or begins with one: if the
 * line is wider than l->width, "..." takes the place of the middle of this
 * part.  The first call for a line counts.
 */
void line_name(struct line *l);

/*
 * If that part would have to be cut, what was added since line_name() goes to
 * a line of its own, `indent' columns from the left, if that has more room.
 */
void line_below(struct line *l, size_t indent);

/* How many columns the line has so far. */
size_t line_columns(const struct line *l);

/*
 * How many columns a name may take here, with as many behind it as are given;
 * 0: any number.
 */
size_t line_left_over(const struct line *l, size_t behind);

/* Write what was added, and a newline. */
void line_end(struct line *l);

/* The same after line_add() of fmt. */
void line_say(struct line *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Write a text of whole lines, each with its newline, as it is. */
void line_block(struct line *l, const char *text);

/* How many columns the text takes. */
size_t line_width(const char *text);

/*
 * A copy of text, with "..." for the middle if it takes more columns than width
 * and that isn't 0.  The caller frees it; NULL: out of memory.
 */
char *line_shorten(const char *text, size_t width);

#endif
