/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the command line to struct options. */
#ifndef MEMMON_OPTIONS_H
#define MEMMON_OPTIONS_H

#include "display/text/settings.h"

#include <stdbool.h>
#include <stddef.h>

#ifndef MEMMON_VERSION
#define MEMMON_VERSION "unknown"
#endif

/* What main() is to do after options_parse(). */
enum options_next {
	OPTIONS_GO,
	OPTIONS_DONE,  /* help or version was printed */
	OPTIONS_USAGE, /* a message is on stderr */
	OPTIONS_FAILED /* out of memory, said on stderr */
};

/* Set *o to what holds without options and operands. */
void options_default(struct options *o);

/*
 * Fill *o from the command line; what is in argv must live as long as *o.  The
 * caller calls options_fini(), whatever comes back.
 */
enum options_next options_parse(struct options *o, int argc, char **argv);
void options_fini(struct options *o);

/*
 * operands.c: the arguments that aren't options, n of them: executable and data
 * files, or these alone.  0, 1 with a message, or -1 when out of memory.
 * Before getopt_long(), operands_plain() makes the long words of mprof 3.0
 * options like others.
 */
int operands_take(struct options *o, char **arg, int n);
void operands_plain(int argc, char **argv);

/*
 * options_agree.c: do the options go together?  given: which rows of the table
 * there were.  0, or -1 with a message.
 */
int options_agree(const struct options *o, const bool *given);

/* And once operands are taken: with results of modules? */
int options_agree_module(const struct options *o, const bool *given);

/*
 * help.c: how to call it, said after errors too; --help, or --version; and
 * --help=list, a line for each option: name, other name, letter, argument, the
 * values it has (all as in the rows), what it does, with tabs between them.
 */
extern const char options_usage[];
void help_print(bool version);
void help_list(void);

#endif
