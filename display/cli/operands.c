/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operands of the command line: see options.h. */
#include "display/cli/option.h"
#include "display/cli/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Modules that come with memmon: a table of these is meant, there or not. */
static bool
is_known(const char *name)
{
	static const char *const known[] = { "dependence", "dependence_context",
					     "fields",	   "lifetime",
					     "locality",   "points_to",
					     "value" };

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(name, known[i]))
			return true;
	return false;
}

/*
 * --module=NAME: where the data file has results of a memory profiling module
 * of that name these are meant, else a program or library.
 */
static int
results_asked(struct options *o)
{
	struct profile_list *from = &o->read.filter.module, left = { NULL, 0 };

	for (size_t i = 0; i < from->n; i++) {
		const char *name = from->item[i];
		bool is = is_known(name) ||
			  profile_has_findings(o->files.item[0], name);

		if (options_add(is ? &o->read.findings : &left, name))
			return -1;
	}
	free((void *)from->item);
	*from = left;
	if (o->read.findings.n && !o->chosen)
		o->prolog = o->leaks = o->bins = o->direct = o->graph = false;
	o->chosen |= o->read.findings.n != 0;
	return 0;
}

/* All of them: see options.h. */
static int
take(struct options *o, char **arg, int n)
{
	/* These sort them out for themselves. */
	if (o->diff || o->common || o->watch > 0) {
		for (; n > 0; n--, arg++)
			if (options_add(&o->files, *arg))
				return -1;
		return 0;
	}
	if (n == 0) {
		/* Without a.out it is the program that the file names. */
		o->read.exe = access("a.out", F_OK) == 0 ? "a.out" : NULL;
	} else if (!profile_is_data(arg[0])) {
		o->read.exe = arg[0];
		arg++;
		n--;
	}
	if (n == 0)
		return options_add(&o->files, "mon.out");
	for (; n > 0; n--, arg++)
		if (options_add(&o->files, *arg))
			return -1;
	return 0;
}

int
operands_take(struct options *o, char **arg, int n)
{
	return take(o, arg, n) || results_asked(o) ? -1 : 0;
}

/*
 * What getopt_long() says begins with the program's name without directories,
 * and the long words of mprof 3.0 may have one dash.
 */
void
operands_plain(int argc, char **argv)
{
	static char name[] = "mpreduce";
	static char *const words[] = { "--verbose", "--normal", "--terse" };

	if (argc > 0)
		argv[0] = name;
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		for (size_t k = 0; k < sizeof words / sizeof *words; k++)
			if (!strcmp(argv[i], words[k] + 1))
				argv[i] = words[k];
}
