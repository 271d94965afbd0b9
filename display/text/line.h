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

struct line {
	FILE *out;
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

/* Write what was added, and a newline. */
void line_end(struct line *l);

/* The same after line_add() of fmt. */
void line_say(struct line *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Write a text of whole lines, each with its newline, as it is. */
void line_block(struct line *l, const char *text);

/* How many columns the text takes. */
size_t line_width(const char *text);

#endif
