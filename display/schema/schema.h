/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a profile holds: tables, and their fields with kind, meaning, and where
 * the value is.  The tables of SQL, the columns of queries, the database of
 * --export=sqlite and what --sql=list prints are made from this.
 */
#ifndef MEMMON_SCHEMA_H
#define MEMMON_SCHEMA_H

#include "display/schema/tally.h"
#include "display/text/conditions.h"
#include "display/schema/value.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What has to be read for a table or a field, bits. */
enum {
	SCHEMA_TYPES = 1 << 0,
	SCHEMA_ITEMS = 1 << 1,
	SCHEMA_TIMES = 1 << 2,
	SCHEMA_LOG = 1 << 3,
	SCHEMA_SOURCES = 1 << 4,
	SCHEMA_WASTE = 1 << 5,
	SCHEMA_RANKS = 1 << 6,
	SCHEMA_EVERYTHING = (1 << 7) - 1
};

/* How to get at a value in a row. */
enum schema_from {
	SCHEMA_CALL,  /* the table's function, with `at' */
	SCHEMA_ROWID, /* its number */
	SCHEMA_U64,
	SCHEMA_U32,    /* unsigned; 0 is not known */
	SCHEMA_SOME,   /* uint64_t; 0 is not known */
	SCHEMA_MAX,    /* uint64_t; UINT64_MAX is not known */
	SCHEMA_TRUE,   /* bool */
	SCHEMA_STRING, /* const char *; NULL and "" are not known */
	SCHEMA_MARK,   /* char */
/* Of a struct figures, or of an account, which has no peak. */
#define T(id, ...) SCHEMA_##id,
	MEASURES_TOLD(T)
#undef T
		SCHEMA_PEAK,
	SCHEMA_FUNCTION, /* struct func *: its name */
	SCHEMA_PATH	 /* const struct site *: its call path */
};

/*
 * What --where compares when a row is of several blocks: a figure of all of
 * the row's; or something of each block, or of its call path.
 */
enum schema_level { SCHEMA_ROW, SCHEMA_BLOCK, SCHEMA_CALLS };

struct schema_field {
	const char *name;
	const char *meaning;
	enum value_kind kind;
	enum schema_from from;
	size_t at; /* offset in the row, bytes; or a number */
	enum schema_level level;
	unsigned needs;
	/* Names of other fields, or NULL: its share of all, if that is one;
	 * what it is a part of; a shorter form of the same text. */
	const char *share, *whole, *other;
	bool classes; /* the sum over all classes of a struct counts */
	bool hidden;  /* from SELECT * */
	bool sorted;  /* rows come in its order */
	bool derived; /* from other fields: JSON's sites have it last */
};

struct schema;
struct sql;
typedef void *schema_maker(struct schema *s, size_t *n);

struct schema_table {
	const char *name;
	const char *meaning;
	const struct schema_field *field;
	size_t nfields;
	size_t size; /* of a row, bytes; 0: rows have a number only */
	unsigned needs;
	bool mixed; /* its rows don't come in the order of `sorted' fields */
	bool plain; /* of the allocator: JSON and page have it as it is */
	const struct finding_table
		*findings; /* of a module: the same; or NULL */
	/*
	 * The rows are an array of struct profile, or of its struct allocator
	 * for a plain table: at that offset, and how many at that one.  Or
	 * make() allocates them once, *n of them; NULL: out of memory, or s->e
	 * is set.  Or rows() gives them as schema_rows() does.
	 */
	size_t array, many;
	schema_maker *make;
	int (*rows)(struct schema *s, const void **row, size_t *n);
	/* The value of a field that is SCHEMA_CALL, of a row by number. */
	void (*value)(struct schema *s, const void *row, size_t number,
		      size_t at, struct value *v);
};

/*
 * Ends with one without a name.  The last ones are the results of modules of
 * the profile of which schema_findings() was told last: MODULE_TABLE.
 */
extern struct schema_table schema_tables[];
enum { SCHEMA_FINDINGS = 48 };
void schema_findings(const struct profile *p);

/* SQL's views; the last one has no name. */
struct schema_view {
	const char *name, *meaning, *select;
};
extern const struct schema_view schema_views[];

/* Room for tables, but for those of modules. */
enum { SCHEMA_MOST = 40 };

/*
 * What values are made from.  schema_init(), and schema_fini() in any case.
 * Texts of values live until the next text is asked for.
 */
struct schema {
	const struct profile *p;
	struct tally_base base;
	struct err e;		  /* of make() and rows() */
	const struct sql *groups; /* rows of a query */
	uint64_t bytes, kept;	  /* of which shares are */
	void *own[SCHEMA_MOST];	  /* rows that were made, by table */
	size_t nown[SCHEMA_MOST]; /* how many */
	size_t *item;		  /* room for numbers of a call path's items */
	struct tally tally;	  /* of the row that was asked for last */
	struct tally_room room;
	const struct schema_table *tallied; /* the table of that row */
	size_t number;			    /* its number there */
	char *path; /* of the site that was asked for last */
	const struct site *path_of;
	const char *path_text;	      /* within it */
	char text[16];		      /* of a mark */
	struct conditions conditions; /* once their table was asked for */
	bool failed;		      /* out of memory */
};

/* Enough for columns of tally_site(): allocates nothing, needs no fini. */
void schema_start(struct schema *s, const struct profile *p);

/* 0, or -1 when out of memory. */
int schema_init(struct schema *s, const struct profile *p);
void schema_fini(struct schema *s);

/* "main > f > g"; "" when out of memory, which s->failed says. */
const char *schema_path(struct schema *s, const struct site *site);

/* The table of that name, or NULL; the field of a table, or NULL. */
const struct schema_table *schema_table(const char *name);
const struct schema_field *schema_field(const struct schema_table *t,
					const char *name, size_t n);

/*
 * The name most like this one of those that next() gives, one after the other
 * until it gives NULL; NULL: none is like it.
 */
const char *schema_nearest(const char *(*next)(void *arg), void *arg,
			   const char *name, size_t n);

/*
 * How many letters have to be changed to make the one of the other; other NULL:
 * how many may be, so that it can be meant.
 */
unsigned schema_distance(const char *name, size_t n, const char *other);

/*
 * What to say of a name of `kind' that isn't one of the table's fields: "there
 * is no column "x"; is "y" meant?", or which there are, as if `all' is set.
 */
enum { SCHEMA_MESSAGE = 800 };
const char *schema_unknown(const struct schema_table *t, const char *kind,
			   const char *name, size_t n, bool all,
			   char message[SCHEMA_MESSAGE]);

/*
 * Set *row to the rows of a table, which live as long as *s (NULL: they have a
 * number only), and *n to how many there are.  0, or -1 when out of memory, or
 * with s->e set.
 */
int schema_rows(struct schema *s, const struct schema_table *t,
		const void **row, size_t *n);

/* The value of a field of a row. */
void schema_get(struct schema *s, const struct schema_table *t,
		const struct schema_field *f, const void *row, size_t number,
		struct value *v);

/*
 * Write the fields from one to another of a row as members, or all if these are
 * NULL; what isn't known is null.  The table is one whose rows have a size.
 * number: of the row.
 */
void schema_write(struct schema *s, struct writer *w,
		  const struct schema_table *t, const void *row, size_t number,
		  const char *from, const char *to);

/* For --sql=list: tables and fields, a line each. */
void schema_list(FILE *out);

#endif
