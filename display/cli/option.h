/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of mpreduce, one row each: how it is written, what --help says,
 * where its value goes, what it wants to be read, what it doesn't go with.
 */
#ifndef MEMMON_OPTION_H
#define MEMMON_OPTION_H

#include "display/text/settings.h"

#include <stdbool.h>
#include <stddef.h>

/* What becomes of an option. */
enum option_taken {
	OPTION_FINE,
	OPTION_WRONG,	  /* a message is on stderr */
	OPTION_PLACED,	  /* the same, and says where in a text: no usage */
	OPTION_NO_MEMORY, /* nothing is */
	OPTION_HELP,
	OPTION_HELP_LIST,
	OPTION_VERSION
};

/* Where the value goes, if one is given: the type of the field `at'. */
enum option_kind {
	OPTION_TEXT,   /* const char *, of argv */
	OPTION_LIST,   /* struct profile_list: one more */
	OPTION_NUMBER, /* size_t, from `least' (1, if 0) to 10^9 */
	OPTION_GIVEN,  /* bool: there is a value */
	OPTION_WORD,   /* an enum: which of `words' it is */
	OPTION_CONST   /* an enum: `number', without a value */
};

/* What is printed in place of the tables, or in part; bits. */
enum option_mode {
	OPTION_WATCH = 1 << 0,
	OPTION_DIFF = 1 << 1,
	OPTION_BLOCKS = 1 << 2,
	OPTION_TYPES = 1 << 3,
	OPTION_QUERY = 1 << 4,
	OPTION_EXPORT = 1 << 5,
	OPTION_INFO = 1 << 6,
	OPTION_LISTING = 1 << 7,
	OPTION_MODES = 8
};

struct option_row;
typedef enum option_taken option_taker(struct options *o,
				       const struct option_row *row,
				       const char *value);

/*
 * All zero is what an option hasn't.  Offsets are of struct options; 0: none.
 * Without a name the row is a heading of --help, and `help' its text.  A row
 * "NAME=WORD", below row NAME, is what --NAME=WORD does, and what
 * --NAME=WORD:VALUE does if arg is "[:VALUE]" or ":VALUE".  A row "NAME=" takes
 * every other value.
 */
struct option_row {
	const char *name; /* without dashes */
	char letter;
	bool bare;	   /* the letter takes no value */
	const char *arg;   /* "=FILE": it needs a value, "[=FILE]": may have */
	const char *help;
	size_t on;	   /* a bool that it sets */
	bool table;	   /* that is a table, printed instead of the usual */
	bool usual;	   /* it is about the usual tables: asks for them */
	unsigned wants;	   /* enum options_want, if it is on */
	size_t at;	   /* where its value goes */
	enum option_kind kind;
	size_t least;	   /* of a number */
	const char *words; /* of which it must be one, "a b c"; `all' is 0 if
			    * it is a number */
	unsigned number;
	/* Instead of all that, value NULL: none. */
	option_taker *take;
	const char *as;	  /* its name where it is said what goes together;
			   * NULL: --name */
	unsigned mode;	  /* enum option_mode that it sets */
	unsigned no_part; /* in these it has no part */
	bool no_module;	  /* it has no part in results of modules */
	bool both;	  /* a value that is a row adds to what this row does */
};

/* option_rows.c: in the order of --help; option_nrows of them. */
extern const struct option_row option_rows[];
extern const size_t option_nrows;
extern const char *const option_mode_name[OPTION_MODES];

/* Append to a list.  0, or -1 when out of memory. */
int options_add(struct profile_list *list, const char *text);

/*
 * option_value.c: do what the row says, and note in o->given that the row was
 * used.  value NULL if there is none.
 */
option_taker option_take;

/* The same for a row without a value. */
enum option_taken option_plain(struct options *o, const struct option_row *row);

/*
 * option_parts.c: a value that is the word of a row, or several with commas
 * between them.
 */
option_taker option_part, option_parts;

/*
 * Was an option used that mpreduce no longer has?  If so, a message says what
 * to type.  Letters are for getopt_long().
 */
bool option_is_old(int argc, char *const *argv);

/* Say which option the unknown argument is most like, if any. */
void option_suggest(const char *argument);
bool option_is_old_letter(int letter);
extern const char option_old_letters[];

/* "a b c" as "a, b and c". */
void option_words(char *to, size_t room, const char *words);

/* The same for single options: see the rows. */
option_taker option_kinds, option_modules, option_size, option_growth,
	option_between, option_sort, option_tau, option_limit, option_watch,
	option_debuginfod, option_timeline, option_help, option_version;

#endif
