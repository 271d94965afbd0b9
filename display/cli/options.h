/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the command line to struct options. */
#ifndef MEMMON_OPTIONS_H
#define MEMMON_OPTIONS_H

#include "display/settings/settings.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#ifndef MEMMON_VERSION
#define MEMMON_VERSION "unknown"
#endif

/* What main() does after options_parse(). */
enum options_next {
	OPTIONS_GO,
	OPTIONS_DONE,  /* help or version was printed */
	OPTIONS_USAGE, /* a message is on stderr */
	OPTIONS_FAILED /* out of memory; a message is on stderr */
};

/* Set *o to the defaults: no options, no operands. */
void options_default(struct options *o);

/*
 * Fill *o from the command line.  Strings of argv must live as long as *o.
 * Call options_fini() after any result.
 */
enum options_next options_parse(struct options *o, int argc, char **argv);
void options_fini(struct options *o);

/*
 * operands.c: take the n arguments that aren't options: a program and data
 * files, or data files only.  0, 1 with a message, or -1 when out of memory.
 * Call operands_plain() before getopt_long(): it replaces the long options of
 * mprof 3.0 by those of mpreduce.
 */
int operands_take(struct options *o, char **arg, int n);
void operands_plain(int argc, char **argv);

/*
 * options_agree.c: can the options be used together?  given: for each row, was
 * it used?  0, or -1 with a message.
 */
int options_agree(const struct options *o, const bool *given);

/* The same for options and results of modules, after operands_take(). */
int options_agree_module(const struct options *o, const bool *given);

/*
 * help.c: options_usage is also printed after errors.  help_print() prints
 * --help or --version.  help_list() prints --help=list, a line for each option:
 * name, other name, letter, argument, values (all as in the rows) and effect,
 * separated by tabs.
 */
extern const char options_usage[];
void help_print(bool version);
void help_list(void);

/* --diff and --diff=common: two profiles side by side. */

/*
 * --diff and --diff=common: read the data files of o->files and print.  Clears
 * *whole if a file is incomplete, so that figures are lower bounds.  0, or -1
 * with *e set.
 */
int diff_run(const struct options *o, FILE *out, bool *whole, struct err *e);

/* Settings for a terminal. */

/*
 * After the options are read: choose what to print if the user named nothing,
 * and the form of the output if the user chose none.  given: which rows of the
 * table were used.
 */
void screen_choose(struct options *o, const bool *given);

/* Does TERM name a terminal that can only print lines? */
bool screen_is_plain(void);

/* The pager that reads standard output. */
struct screen_pager {
	pid_t pid;    /* 0: no pager */
	int terminal; /* the original standard output */
};

/*
 * Start a pager if standard output is a terminal and the options allow a pager.
 * Standard output then goes to the pager until screen_pager_end(), which waits
 * until the user has read all.  If the pager can't be started, the terminal
 * gets the output.  Call this before anything is written.
 */
void screen_pager_begin(struct screen_pager *s, const struct options *o);
void screen_pager_end(struct screen_pager *s);

#endif
