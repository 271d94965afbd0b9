/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operands of the command line: see options.h. */
#include "display/cli/option.h"
#include "display/cli/options.h"

#include <fnmatch.h>
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

/* Those of the modules with results that a glob means. */
static int
add_meant(struct options *o, const char *const *all, const char *glob,
	  bool *some)
{
	size_t n = o->read.findings.n;

	*some = true;
	for (; *all; all++)
		if (fnmatch(glob, *all, 0) == 0 &&
		    options_add(&o->read.findings, *all))
			return -1;
	if (o->read.findings.n > n)
		return 0;
	if (is_known(glob))
		return options_add(&o->read.findings, glob);
	*some = false;
	return 0;
}

/* Their names in one text, "" if there are none; NULL: no memory. */
static const char *
names_of(struct arena *a, const char *const *all)
{
	const char *s = "";

	for (; s && *all; all++)
		s = arena_print(a, "%s%s%s", s, *s ? ", " : "", *all);
	return s;
}

/*
 * --module=GLOB: where the data file has results of memory profiling modules
 * of such names these are meant, else programs and libraries.
 */
static int
results_asked(struct options *o)
{
	struct profile_list *from = &o->read.filter.module, left = { NULL, 0 };
	const char **all, *names;
	int status = 0;

	if (!from->n || !o->files.n)
		return 0;
	all = profile_findings(&o->names, o->files.item[0]);
	names = all ? names_of(&o->names, all) : NULL;
	if (!names)
		status = -1;
	else if (*names)
		o->read.filter.results = names;
	for (size_t i = 0; i < from->n && !status; i++) {
		bool is;

		status = add_meant(o, all, from->item[i], &is);
		if (!status && !is)
			status = options_add(&left, from->item[i]);
	}
	free(all);
	free((void *)from->item);
	*from = left;
	if (o->read.findings.n && !o->chosen)
		o->prolog = o->leaks = o->bins = o->direct = o->graph = false;
	o->chosen |= o->read.findings.n != 0;
	return status;
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
