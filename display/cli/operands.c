/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operands of the command line: see options.h. */
#include "display/cli/option.h"
#include "display/cli/options.h"
#include "reduce/base/clean.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Is this a profiling module that comes with memmon?  Then its table is printed
 * even if it has no results.
 */
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

/* Add the modules with results whose names match the glob. */
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

/* Their names as one text, "" if there are none; NULL: out of memory. */
static const char *
names_of(struct arena *a, const char *const *all)
{
	const char *s = "";

	for (; *all; all++)
		s = arena_print(a, "%s%s%s", s, *s ? ", " : "", *all);
	return s;
}

/*
 * --module=NAME,...: tables of the results of profiling modules.  A glob stands
 * for all modules that it matches.  0, 1 with a message, or -1 when out of
 * memory.
 */
static int
results_asked(struct options *o)
{
	const char **all, *names;
	int status = 0;

	if (!o->modules.n || !o->files.n)
		return 0;
	all = profile_findings(&o->names, o->files.item[0]);
	names = all ? names_of(&o->names, all) : NULL;
	if (!names)
		status = -1;
	for (size_t i = 0; i < o->modules.n && !status; i++) {
		const char *name = o->modules.item[i];
		bool is;

		status = add_meant(o, all, name, &is);
		if (status || is)
			continue;
		if (*names)
			clean_say("mpreduce",
				  "--module=%s: %s has no results of this "
				  "module; it has those of %s",
				  name, o->files.item[0], names);
		else
			clean_say("mpreduce",
				  "--module=%s: %s has no results of modules; "
				  "for a library, give --only=library:%s",
				  name, o->files.item[0], name);
		status = 1;
	}
	free(all);
	if (o->read.findings.n && !o->chosen)
		o->prolog = o->leaks = o->bins = o->direct = o->graph = false;
	o->chosen |= o->read.findings.n != 0;
	return status;
}

/* Is this a script?  Its data file names the program that ran the script. */
static bool
is_script(const char *path)
{
	FILE *file = fopen(path, "re");
	bool is = file && getc(file) == '#' && getc(file) == '!';

	if (file)
		fclose(file);
	return is;
}

/* Take n operands: see options.h. */
static int
operands_take_all(struct options *o, char **arg, int n)
{
	/* --diff and --watch interpret their operands themselves. */
	if (o->diff || o->common || o->watch > 0) {
		for (; n > 0; n--, arg++)
			if (options_add(&o->files, *arg))
				return -1;
		return 0;
	}
	if (n == 0) {
		/* Without a.out, the data file names the program. */
		o->read.exe = access("a.out", F_OK) == 0 ? "a.out" : NULL;
	} else if (!profile_is_data(arg[0])) {
		o->read.exe = is_script(arg[0]) ? NULL : arg[0];
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
	return operands_take_all(o, arg, n) ? -1 : results_asked(o);
}

/*
 * getopt_long() begins its messages with argv[0], so that becomes the name
 * without directories.  The long options of mprof 3.0 may have one dash.
 */
void
operands_plain(int argc, char **argv)
{
	static char name[] = "mpreduce";
	static char *const words[][2] = { { "-verbose", "--verbose" },
					  { "-normal", "--verbose=usual" },
					  { "-terse", "--verbose=no" } };

	if (argc > 0)
		argv[0] = name;
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		for (size_t k = 0; k < sizeof words / sizeof *words; k++)
			if (!strcmp(argv[i], words[k][0]))
				argv[i] = words[k][1];
}
