/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * damage cut|bits FILE PROGRAM [STEP]: damages a data file in every way of a
 * kind.  Each damaged file must be refused with one line, or read with a
 * warning, that names the file.  Then its tables must print.
 *
 *	cut	truncated to each shorter length
 *	bits	each of its bits flipped; STEP: every STEP-th
 *
 * The damaged file is `damaged' in the working directory.  Each failure is a
 * line on stdout; the last line is the number of files that were tried.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "display/export/export.h"
#include "display/cli/options.h"
#include "display/tables/tables.h"
#include "reduce/profile/profile.h"

#define NAME "damaged"

static FILE *null;

static void
die(const char *what)
{
	perror(what);
	exit(2);
}

static char *
slurp(const char *path, size_t *n)
{
	FILE *f = fopen(path, "re");
	char *data = malloc(1 << 20);

	if (!f || !data)
		die(path);
	*n = fread(data, 1, 1 << 20, f);
	fclose(f);
	return data;
}

static void
put(const char *data, size_t n)
{
	FILE *f = fopen(NAME, "we");

	if (!f || fwrite(data, 1, n, f) != n || fclose(f))
		die(NAME);
}

static bool
names_it(const char *text)
{
	return !strncmp(text, NAME ": ", sizeof(NAME ": ") - 1);
}

/* Reads the file, prints its tables; returns what is wrong, or NULL. */
static const char *
said(const char *program)
{
	static const char *const files[] = { NAME };
	const char *problem = "nothing said";
	struct options o;
	struct profile p;
	struct err e = { "" };
	size_t i;

	options_default(&o);
	o.read.exe = program;
	o.read.files = files;
	o.read.nfiles = 1;
	o.read.several = PROFILE_SUM;
	o.prolog = o.leaks = o.bins = o.direct = o.graph = true;
	o.chosen = true;
	if (profile_read(&p, &o.read, &e)) {
		if (!names_it(e.text))
			return "an error that doesn't name it";
		return strchr(e.text, '\n') ? "an error of two lines" : NULL;
	}
	for (i = 0; i < p.nwarnings; i++) {
		if (names_it(p.warnings[i]))
			problem = NULL;
	}
	if (json_print(&p, true, null) || tables_print(&p, &o, null, &e))
		problem = "no tables";
	profile_fini(&p);
	return problem;
}

int
main(int argc, char **argv)
{
	const char *problem;
	bool cut;
	size_t n, all, step, at, tried = 0;
	char *data;

	if (argc < 4)
		return 2;
	step = argc > 4 ? strtoul(argv[4], NULL, 10) : 1;
	cut = !strcmp(argv[1], "cut");
	data = slurp(argv[2], &n);
	null = fopen("/dev/null", "we");
	if (!null)
		die("/dev/null");
	all = cut ? n : n * 8;
	for (at = 0; at < all; at += step, tried++) {
		if (!cut)
			data[at / 8] ^= (char)(1 << at % 8);
		put(data, cut ? at : n);
		problem = said(argv[3]);
		if (problem)
			printf("%s %zu: %s\n", argv[1], at, problem);
		if (!cut)
			data[at / 8] ^= (char)(1 << at % 8);
	}
	printf("%zu tried\n", tried);
	free(data);
	return 0;
}
