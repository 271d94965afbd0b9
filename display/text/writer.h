/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of JSON on a stream, with the commas between them.  `name' is that of
 * the member of an object, NULL in an array.  Errors of writing are left to be
 * seen in the stream.
 */
#ifndef MEMMON_WRITER_H
#define MEMMON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct writer;

/*
 * Who takes values in place of a stream.  cell() gives the writer of a value,
 * or NULL: it isn't wanted; *name is NULL then if it isn't to be written.
 * cell_end(): it is written; text: it is a string.
 */
struct writer_sink {
	void (*enter)(void *arg, const char *name, char bracket);
	void (*leave)(void *arg, char bracket);
	struct writer *(*cell)(void *arg, const char **name);
	void (*cell_end)(void *arg, bool text);
};

/* Start with { .out = stream, .first = true }. */
struct writer {
	FILE *out;
	bool first;	 /* no comma before the next value */
	const struct writer_sink *sink; /* all of it goes there; or NULL */
	void *arg;			/* of the sink */
	bool page; /* it stands in HTML: no text ends what it stands in */
};

/* Open an object with '{' or an array with '[', close it with '}' or ']'. */
void writer_enter(struct writer *w, const char *name, char bracket);
void writer_leave(struct writer *w, char bracket);

/* As writer_enter(), on a new line of the output. */
void writer_line(struct writer *w, const char *name, char bracket);

void writer_number(struct writer *w, const char *name, uint64_t n);

/* At most 15 digits; null for what is not a number. */
void writer_real(struct writer *w, const char *name, double value);

/* A number that is there as digits. */
void writer_digits(struct writer *w, const char *name, const char *digits);
void writer_truth(struct writer *w, const char *name, bool value);
void writer_null(struct writer *w, const char *name);

/* n, or null when it isn't known. */
void writer_maybe(struct writer *w, const char *name, uint64_t n, bool known);

/*
 * The number of something that stands in an array of its own; where there are
 * no such arrays, its name.
 */
void writer_place(struct writer *w, const char *name, uint64_t n,
		  const char *value);

/* A string; what isn't UTF-8 becomes U+FFFD, byte by byte.  NULL: null. */
void writer_text(struct writer *w, const char *name, const char *value);

/* How a struct has a value, and what of it is null. */
enum writer_how {
	WRITER_NUMBER,	 /* uint64_t */
	WRITER_UNSIGNED, /* unsigned */
	WRITER_MAX,	 /* uint64_t; UINT64_MAX is null */
	WRITER_IF,	 /* uint64_t; null if the bool `known' isn't set */
	WRITER_TRUTH,	 /* bool */
	WRITER_REAL,	 /* double */
	WRITER_TEXT,	 /* const char *; NULL is null */
	WRITER_FULL,	 /* the same; "" is null, too */
	WRITER_MARK	 /* char, as a string */
};

/* A member of an object, and where in a struct it is. */
struct writer_member {
	const char *name;
	enum writer_how how;
	size_t at, known; /* offsets, bytes */
};

/* Of struct OF: by another name than the struct's, by the same. */
#define WRITER_AS(key, how, m) \
	{ \
		key, WRITER_##how, offsetof(struct OF, m), 0 \
	}
#define WRITER_OF(how, m) WRITER_AS(#m, how, m)
#define WRITER_KNOWN(key, m, known) \
	{ \
		key, WRITER_IF, offsetof(struct OF, m), \
			offsetof(struct OF, known) \
	}

/* Write n members of what is at `of'. */
void writer_members(struct writer *w, const struct writer_member *m, size_t n,
		    const void *of);
#define WRITER_ALL(w, members, of) \
	writer_members(w, members, sizeof(members) / sizeof *(members), of)

/* An array of n items, of which the statement `write' writes number i. */
#define WRITER_EACH(w, name, n, write) \
	do { \
		writer_enter(w, name, '['); \
		for (size_t i = 0; i < (n); i++) \
			write; \
		writer_leave(w, ']'); \
	} while (0)

/* An array of numbers. */
void writer_numbers(struct writer *w, const char *name, const uint64_t *v,
		    size_t n);

#endif
