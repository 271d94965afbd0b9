/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of mpreduce, one row each: how to write it, its text in --help,
 * where its value goes, which data it needs, and which options it excludes.
 */
#ifndef MEMMON_OPTION_H
#define MEMMON_OPTION_H

#include "display/settings/settings.h"

#include <stdbool.h>
#include <stddef.h>

/* The result of taking an option. */
enum option_taken {
	OPTION_FINE,
	OPTION_WRONG,	  /* a message is on stderr */
	OPTION_PLACED,	  /* as WRONG, but the message shows the place in a
			   * text: print no usage */
	OPTION_NO_MEMORY, /* no message is printed */
	OPTION_HELP,
	OPTION_HELP_LIST,
	OPTION_VERSION
};

/* How the value is stored: the type of the field `at'. */
enum option_kind {
	OPTION_TEXT,   /* const char *, from argv */
	OPTION_LIST,   /* struct profile_list: append */
	OPTION_NUMBER, /* size_t, from `least' (1, if 0) to 10^9 */
	OPTION_GIVEN,  /* bool: there is a value */
	OPTION_WORD,   /* an enum: the index in `words' */
	OPTION_CONST   /* an enum: `number', without a value */
};

/* What is printed in place of the tables, or of some of them; bits. */
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
 * Fields that an option doesn't use are 0.  Offsets are in struct options; 0:
 * no field.  A row without a name is a heading of --help, and `help' is its
 * text.  A row "NAME=WORD", below row NAME, says what --NAME=WORD does.  With
 * arg "[:VALUE]" or ":VALUE" it also says what --NAME=WORD:VALUE does.  A row
 * "NAME=" takes every other value.
 */
struct option_row {
	const char *name; /* without dashes */
	char letter;
	bool bare;	   /* the letter takes no value */
	const char *arg;   /* "=FILE": value required, "[=FILE]": optional */
	const char *help;
	size_t on;	   /* a bool that the option sets */
	bool table;	   /* `on' prints a table instead of the usual ones */
	bool usual;	   /* the option is about the usual tables and asks for
			    * them */
	unsigned wants;	   /* enum options_want, if the option is used */
	size_t at;	   /* where its value goes */
	enum option_kind kind;
	size_t least;	   /* smallest number */
	const char *words; /* its words, "a b c"; `all' is 0 for a number */
	unsigned number;
	/* Takes the value (NULL: none) in place of all the fields above. */
	option_taker *take;
	const char *as;	  /* name in messages about options that exclude each
			   * other; NULL: --name */
	unsigned mode;	  /* enum option_mode that the option sets */
	unsigned no_part; /* modes that exclude the option */
	bool no_module;	  /* excluded by results of profiling modules */
	bool both;	  /* --NAME=WORD does what rows NAME and NAME=WORD both
			   * do */
};

/* option_rows.c: the options in the order of --help; option_nrows of them. */
extern const struct option_row option_rows[];
extern const size_t option_nrows;
extern const char *const option_mode_name[OPTION_MODES];

/* Append to a list.  0, or -1 when out of memory. */
int options_add(struct profile_list *list, const char *text);

/*
 * option_value.c: do what the row says, and record in o->given that the option
 * was used.  value: NULL if there is none.
 */
option_taker option_take;

/* Take an option that has no value. */
enum option_taken option_plain(struct options *o, const struct option_row *row);

/*
 * option_parts.c: take a value that is the word of a row, or several words
 * separated by commas.
 */
option_taker option_part, option_parts;

/*
 * Was an option used that mpreduce no longer has?  If so, print what to type
 * instead.  option_old_letters are such letters, for getopt_long().
 */
bool option_is_old(int argc, char *const *argv);

/* Suggest the option that looks most like the unknown argument, if any does. */
void option_suggest(const char *argument);
bool option_is_old_letter(int letter);
extern const char option_old_letters[];

/* "a b c" as "a, b and c". */
void option_words(char *to, size_t room, const char *words);

/* The words of a row, and those of its views (grid/view.h): "a b c". */
const char *option_all_words(const struct option_row *row, char *to,
			     size_t room);

/* Print what is wrong with a value, or which words the row takes. */
enum option_taken option_wrong(const struct option_row *row, const char *value,
			       const char *what);
enum option_taken option_no_word(const struct option_row *row,
				 const char *value);

/* Single options that need code of their own: see the rows. */
option_taker option_kinds, option_modules, option_size, option_growth,
	option_between, option_sort, option_tau, option_limit, option_watch,
	option_debuginfod, option_timeline, option_help, option_version;

#endif
