/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Write JSON values to a stream, with commas between them.  `name' is the name
 * of a member in an object, NULL in an array.  Write errors stay in the
 * stream's error flag.
 */
#ifndef MEMMON_WRITER_H
#define MEMMON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct writer;

/*
 * Takes values instead of a stream.  cell() returns the writer for a value, or
 * NULL: the value isn't wanted.  It sets *name to NULL if the name must not be
 * written.  cell_end(): the value is written; text: it is a string.
 */
struct writer_sink {
	void (*enter)(void *arg, const char *name, char bracket);
	void (*leave)(void *arg, char bracket);
	struct writer *(*cell)(void *arg, const char **name);
	void (*cell_end)(void *arg, bool text);
};

/* Initialise with { .out = stream, .first = true }. */
struct writer {
	FILE *out;
	bool first;	 /* no comma before the next value */
	const struct writer_sink *sink; /* takes all values; or NULL */
	void *arg;			/* argument of the sink */
	bool page; /* the output is within HTML: no text may end its script */
};

/* Open an object ('{') or an array ('['); close it ('}' or ']'). */
void writer_enter(struct writer *w, const char *name, char bracket);
void writer_leave(struct writer *w, char bracket);

/* writer_enter() on a new line of the output. */
void writer_line(struct writer *w, const char *name, char bracket);

void writer_number(struct writer *w, const char *name, uint64_t n);

/* Write at most 15 digits; NaN and infinity become null. */
void writer_real(struct writer *w, const char *name, double value);

/* Write a number that is given as digits. */
void writer_digits(struct writer *w, const char *name, const char *digits);
void writer_truth(struct writer *w, const char *name, bool value);
void writer_null(struct writer *w, const char *name);

/* Write n, or null if it is unknown. */
void writer_maybe(struct writer *w, const char *name, uint64_t n, bool known);

/*
 * Write the number of an item of another array; for a sink, which has no such
 * arrays, write the item's name.
 */
void writer_place(struct writer *w, const char *name, uint64_t n,
		  const char *value);

/* Write a string; each byte that isn't UTF-8 becomes U+FFFD.  NULL: null. */
void writer_text(struct writer *w, const char *name, const char *value);

/* How a struct stores a value, and which values are null. */
enum writer_how {
	WRITER_NUMBER,	 /* uint64_t */
	WRITER_UNSIGNED, /* unsigned */
	WRITER_MAX,	 /* uint64_t; UINT64_MAX is null */
	WRITER_IF,	 /* uint64_t; null unless the bool `known' is set */
	WRITER_TRUTH,	 /* bool */
	WRITER_REAL,	 /* double */
	WRITER_TEXT,	 /* const char *; NULL is null */
	WRITER_FULL,	 /* const char *; NULL and "" are null */
	WRITER_MARK	 /* char, as a string */
};

/* A member of an object, and its place in a struct. */
struct writer_member {
	const char *name;
	enum writer_how how;
	size_t at, known; /* offsets, bytes */
};

/* Members of struct OF: under another name, under the same name. */
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

/* Write n members of the struct at `of'. */
void writer_members(struct writer *w, const struct writer_member *m, size_t n,
		    const void *of);
#define WRITER_ALL(w, members, of) \
	writer_members(w, members, sizeof(members) / sizeof *(members), of)

/* Write an object with these members. */
#define WRITER_OBJECT(w, name, members, of) \
	do { \
		writer_enter(w, name, '{'); \
		WRITER_ALL(w, members, of); \
		writer_leave(w, '}'); \
	} while (0)

/*
 * Write an array of n items; the statement `write' writes item i.
 * WRITER_LINES(): on a new line of the output.
 */
#define WRITER_EACH(w, name, n, write) \
	do { \
		writer_enter(w, name, '['); \
		for (size_t i = 0; i < (n); i++) \
			write; \
		writer_leave(w, ']'); \
	} while (0)
#define WRITER_LINES(w, name, n, write) \
	do { \
		writer_line(w, name, '['); \
		for (size_t i = 0; i < (n); i++) \
			write; \
		writer_leave(w, ']'); \
	} while (0)

/* Write numbers as items of the open array. */
#define WRITER_ITEMS(w, ...) \
	do { \
		const uint64_t v_[] = { __VA_ARGS__ }; \
\
		for (size_t k_ = 0; k_ < sizeof v_ / sizeof *v_; k_++) \
			writer_number(w, NULL, v_[k_]); \
	} while (0)

/* Write an array of numbers. */
void writer_numbers(struct writer *w, const char *name, const uint64_t *v,
		    size_t n);

#endif
