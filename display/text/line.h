/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of output: built field by field, and written without trailing blanks
 * and control characters, even if names contain them.
 *
 * Widths are in characters (UTF-8 continuation bytes don't count).  A text that
 * is wider than its field is never truncated.
 */
#ifndef MEMMON_LINE_H
#define MEMMON_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The look of text on a terminal with colours. */
enum line_look {
	LINE_PLAIN,
	LINE_TITLE,  /* of a table or section */
	LINE_FIGURE, /* the figure that a row is about */
	LINE_PLACE,  /* file and line */
	LINE_NLOOKS
};

/*
 * The most looks on a line.  The least columns of a shortened name, even if the
 * line is still too wide then.
 */
enum { LINE_LOOKS = 32, LINE_LEAST = 24 };

struct line {
	FILE *out;
	bool colour; /* print looks */
	size_t width; /* shorten names in longer lines, see line_name(); 0:
		       * never */
	bool wrap;    /* also break lines that are still too long */
	size_t lines; /* lines written */
	size_t name;  /* where the name begins; SIZE_MAX: no name */
	struct {
		size_t at;
		enum line_look look;
	} look[LINE_LOOKS]; /* looks from a byte on, nlooks of them */
	size_t nlooks;
	char *text; /* the line so far, len bytes */
	size_t len;
	size_t room; /* bytes allocated */
	bool failed; /* out of memory: text is missing */
};

/* Write errors stay in out (ferror()); out of memory sets l->failed. */
void line_init(struct line *l, FILE *out);
void line_fini(struct line *l);

/* Add text as printf does, or a field that is aligned right or left. */
void line_add(struct line *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void line_right(struct line *l, size_t width, const char *text);
void line_left(struct line *l, size_t width, const char *text);

/* Add n dashes; add "1 block", "2 blocks": n of a noun. */
void line_dashes(struct line *l, size_t n);
void line_several(struct line *l, uint64_t n, const char *noun);

/* Set the look of all text that follows on the line, until the next call. */
void line_look(struct line *l, enum line_look look);

/*
 * The rest of the line begins with a name, or is one.  If the line is wider
 * than l->width, the middle of that rest becomes "...".  Only the first call on
 * a line has an effect.
 */
void line_name(struct line *l);

/*
 * If the name would have to be shortened, move all that was added since
 * line_name() to a new line, indented by `indent' columns, if that leaves more
 * room.
 */
void line_below(struct line *l, size_t indent);

/* The number of columns on the line so far. */
size_t line_columns(const struct line *l);

/* The columns for a name here if `behind' columns follow; 0: unlimited. */
size_t line_left_over(const struct line *l, size_t behind);

/* Write the line and a newline. */
void line_end(struct line *l);

/* line_add() and line_end(). */
void line_say(struct line *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Write a text of whole lines unchanged. */
void line_block(struct line *l, const char *text);

/* The number of columns of the text. */
size_t line_width(const char *text);

/*
 * A copy of the text, from malloc().  If it is wider than `width' columns, its
 * middle becomes "..."; width 0: never.  NULL: out of memory.
 */
char *line_shorten(const char *text, size_t width);

#endif
