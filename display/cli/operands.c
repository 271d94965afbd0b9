/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operands of the command line: see options.h. */
#include "display/cli/option.h"
#include "display/cli/options.h"

#include <string.h>
#include <unistd.h>

int
operands_take(struct options *o, char **arg, int n)
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
