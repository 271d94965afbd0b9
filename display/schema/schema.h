/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of a profile, and their fields: kind, meaning, and where the value
 * is.  SQL, the columns of queries, the database of --export=sqlite and
 * --sql=list use this description.
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

/* Data that must be read for a table or a field, bits. */
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

/* How to get a value from a row. */
enum schema_from {
	SCHEMA_CALL,  /* call the table's value() with `at' */
	SCHEMA_ROWID, /* the row's number */
	SCHEMA_U64,
	SCHEMA_U32,    /* unsigned; 0 is unknown */
	SCHEMA_SOME,   /* uint64_t; 0 is unknown */
	SCHEMA_MAX,    /* uint64_t; UINT64_MAX is unknown */
	SCHEMA_TRUE,   /* bool */
	SCHEMA_INDEX,  /* uint32_t; UINT32_MAX is unknown */
	SCHEMA_NEAR,   /* uint32_t; LINK_FAR and more is unknown */
	SCHEMA_STRING, /* const char *; NULL and "" are unknown */
	SCHEMA_MARK,   /* char */
	SCHEMA_ERROR,  /* double: the variance of the field before it; the
			* value is its root */
/* From a struct figures, or from an account, which has no peak. */
#define T(id, ...) SCHEMA_##id,
	MEASURES_TOLD(T)
#undef T
		SCHEMA_PEAK,
	SCHEMA_FUNCTION, /* struct func *: its name */
	SCHEMA_ROOT,	 /* const struct root *: its name */
	SCHEMA_PATH	 /* const struct site *: its call path */
};

/*
 * What --where compares if a row is of several blocks: a figure of all blocks
 * of the row, a field of each block, or a field of its call path.
 */
enum schema_level { SCHEMA_ROW, SCHEMA_BLOCK, SCHEMA_CALLS };

struct schema_field {
	const char *name;
	const char *meaning;
	enum value_kind kind;
	enum schema_from from;
	size_t at; /* offset in the row, bytes; or argument of value() */
	enum schema_level level;
	unsigned needs;
	/* Names of other fields, or NULL.  share: this field as a share of the
	 * whole.  whole: the field that this one is a part of.  other: a
	 * shorter form of the text. */
	const char *share, *whole, *other;
	bool classes; /* the sum over all classes of a struct counts */
	bool hidden;  /* SELECT * omits it */
	bool error;   /* the standard error of a figure: hidden, too */
	bool sorted;  /* rows are sorted by it */
	bool derived; /* computed from other fields: comes last in JSON's
		       * sites */
};

/* Does a database of p have the field?  Only samples have errors. */
static inline bool
schema_stored(const struct schema_field *f, const struct profile *p)
{
	return !f->hidden || (f->error && p->sample.rate);
}

struct schema;
struct sql;
typedef void *schema_maker(struct schema *s, size_t *n);

struct schema_table {
	const char *name;
	const char *meaning;
	const struct schema_field *field;
	size_t nfields;
	size_t size; /* of a row, bytes; 0: rows are numbers */
	unsigned needs;
	bool mixed; /* rows aren't sorted by the `sorted' fields */
	bool json;  /* JSON has all of its rows, beside the runs */
	bool plain; /* of the allocator: JSON and page have its rows
		     * unchanged */
	const struct finding_table
		*findings; /* table of a module's results; or NULL */
	/*
	 * Where the rows are.  array, many: offsets of an array and its length
	 * in struct profile, or in its struct allocator for a plain table.  Or
	 * make() allocates *n rows once; NULL: out of memory, or s->e is set.
	 * Or rows() sets them, as schema_rows() does.
	 */
	size_t array, many;
	schema_maker *make;
	int (*rows)(struct schema *s, const void **row, size_t *n);
	/* Set *v to a field that is SCHEMA_CALL.  number: of the row. */
	void (*value)(struct schema *s, const void *row, size_t number,
		      size_t at, struct value *v);
};

/*
 * The last entry has no name.  The entries before it are tables of modules'
 * results, "MODULE_TABLE", for the profile last passed to schema_findings().
 */
extern struct schema_table schema_tables[];
enum { SCHEMA_FINDINGS = 48 };
void schema_findings(const struct profile *p);

/* The views for SQL; the last entry has no name. */
struct schema_view {
	const char *name, *meaning, *select;
};
extern const struct schema_view schema_views[];

/* The most tables, without those of modules. */
enum { SCHEMA_MOST = 40 };

/*
 * The data that values come from.  Call schema_init() first, and schema_fini()
 * after any result.  The text of a value is valid until the next text is read.
 */
struct schema {
	const struct profile *p;
	struct tally_base base;
	struct err e;		  /* from make() and rows() */
	const struct sql *groups; /* rows of a query */
	uint64_t bytes, kept;	  /* the wholes of shares */
	void *own[SCHEMA_MOST];	  /* rows from make(), by table */
	size_t nown[SCHEMA_MOST]; /* their number */
	size_t *item;		  /* room for the numbers of a site's items */
	struct tally tally;	  /* of the last row that was used */
	struct tally_room room;
	const struct schema_table *tallied; /* the table of that row */
	size_t number;			    /* number of that row */
	char *path; /* of the last site that was used */
	const struct site *path_of;
	const char *path_text;	      /* start of the text in path */
	char text[16];		      /* of a mark */
	struct conditions conditions; /* if their table was used */
	bool failed;		      /* out of memory */
};

/* Prepare for columns of tally_site(): allocates nothing, needs no fini. */
void schema_start(struct schema *s, const struct profile *p);

/* 0, or -1 when out of memory. */
int schema_init(struct schema *s, const struct profile *p);
void schema_fini(struct schema *s);

/* The text "main > f > g"; "" when out of memory, with s->failed set. */
const char *schema_path(struct schema *s, const struct site *site);

/* The table of that name, or NULL; the table's field of that name, or NULL. */
const struct schema_table *schema_table(const char *name);
const struct schema_field *schema_field(const struct schema_table *t,
					const char *name, size_t n);

/*
 * The name that is most like this one.  next() returns one name after another,
 * then NULL.  NULL: no name is like it.
 */
const char *schema_nearest(const char *(*next)(void *arg), void *arg,
			   const char *name, size_t n);

/*
 * The number of letters to change to get from one name to the other.  other
 * NULL: the largest number for which another name may be meant.
 */
unsigned schema_distance(const char *name, size_t n, const char *other);

/*
 * The message about a name that isn't one of the table's fields; kind:
 * "column", say.  It suggests a similar name; without one, or if `all' is set,
 * it lists the names of the fields.
 */
enum { SCHEMA_MESSAGE = 1400 };
const char *schema_unknown(const struct schema_table *t, const char *kind,
			   const char *name, size_t n, bool all,
			   char message[SCHEMA_MESSAGE]);

/*
 * Set *row to the rows of a table and *n to their number.  The rows live as
 * long as *s; NULL: rows are numbers.  0, or -1 when out of memory, or with
 * s->e set.
 */
int schema_rows(struct schema *s, const struct schema_table *t,
		const void **row, size_t *n);

/* Get the value of a field of a row. */
void schema_get(struct schema *s, const struct schema_table *t,
		const struct schema_field *f, const void *row, size_t number,
		struct value *v);

/*
 * Write the fields of a row from one to another, or all fields if from and to
 * are NULL.  Unknown values are null.  The table must be one with a row size.
 * number: of the row.
 */
void schema_write(struct schema *s, struct writer *w,
		  const struct schema_table *t, const void *row, size_t number,
		  const char *from, const char *to);

/* Print --sql=list: tables and fields, a line each. */
void schema_list(FILE *out);

#endif
