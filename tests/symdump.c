/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Print the result of symbols_find() for return addresses of a file:
 *
 *	symdump [-r] [-p] [-s] [-c] [-b BUILD-ID] [-S SYSROOT] [-D DEBUG-DIR]...
 *		[-U SECONDS] FILE [ADDRESS...]
 *	symdump -t [-c] [-w] [-b BUILD-ID] FILE... -- SIZE...
 *
 * Addresses (hexadecimal) come from standard input if there are none.  Each
 * frame is a line: name, file:line of the call, entry, definition; frames that
 * are inlined into the next one begin with "+".  -r prints names as in the
 * linker's tables, -s shortens them, -p prints the problem line, -c adds the
 * cost: "cost: LOOKUPS UNITS WALKS ENTRIES", or "cost: ENTRIES" for -t.  The
 * other options say where files are searched.
 *
 * With -t: a line for each size with the types that types_find() returns for
 * it; -w asks for all these sizes first.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reduce/elf/searchpath.h"
#include "reduce/symbols/symbols.h"
#include "reduce/base/names.h"
#include "reduce/types/types.h"

#define DIRS 8

/* What the options say. */
struct options {
	unsigned char id[64];
	size_t len;
	bool problem, types, raw, brief, costs, wants;
	const char *dirs[DIRS];
	struct profile_where where;
};

static void
print(const struct options *o, struct symbols *s, size_t m, uint64_t ra)
{
	const struct symbols_frame *f;
	size_t n = symbols_find(s, m, ra, &f), i;
	char *name;

	printf("0x%" PRIx64 "\n", ra);
	for (i = 0; i < n; i++) {
		name = malloc(strlen(f[i].name) + 1);
		if (!name)
			exit(2);
		strcpy(name, f[i].name);
		if (o->brief)
			names_shorten(f[i].name, NAMES_SHORT, name);
		printf("%c%c %s\t%s:%u\t0x%" PRIx64 "\t%s:%u\n",
		       f[i].inlined ? '+' : ' ', f[i].known ? ' ' : '?', name,
		       f[i].file, f[i].line, f[i].entry, f[i].def_file,
		       f[i].def_line);
		free(name);
	}
}

static size_t
parse_id(const char *text, unsigned char *id, size_t max)
{
	size_t n = 0;
	unsigned byte;

	while (n < max && sscanf(text + 2 * n, "%2x", &byte) == 1)
		id[n++] = (unsigned char)byte;
	return n;
}

/* Asks t for the sizes after "--". */
static int
want(struct types *t, char **files)
{
	uint64_t sizes[1000];
	size_t n = 0;

	while (*files && strcmp(*files, "--") != 0)
		files++;
	while (*files && *++files && n < 1000)
		sizes[n++] = strtoull(*files, NULL, 10);
	types_want(t, sizes, n);
	return 0;
}

/* The files up to "--", then sizes. */
static int
print_types(const struct options *o, const struct searchpath *searchpath,
	    char **files)
{
	struct symbols *s = symbols_new(true);
	struct types *t = types_new(NULL);
	const char *names[100];
	size_t n, i;

	if (o->wants)
		want(t, files);
	symbols_look(s, searchpath);
	for (; *files && strcmp(*files, "--") != 0; files++) {
		n = symbols_add(s, *files, o->id, o->len);
		printf("%s: %d\n", *files, types_add(t, s, n));
	}
	while (*files && *++files) {
		n = types_find(t, strtoull(*files, NULL, 10), names, 100);
		printf("%s:", *files);
		for (i = 0; i < n; i++)
			printf("%s %s", i ? "," : "", names[i]);
		printf("\n");
	}
	if (o->costs)
		printf("cost: %" PRIu64 "\n", types_entries(t));
	types_free(t);
	symbols_free(s);
	return 0;
}

/* The file, then addresses. */
static int
print_all(const struct options *o, const struct searchpath *searchpath,
	  char **args)
{
	struct symbols *s = symbols_new(!o->raw);
	struct symbols_cost cost;
	const char *text;
	char line[64];
	bool severe;
	size_t m;
	int c;

	if (!*args)
		return 2;
	symbols_look(s, searchpath);
	m = symbols_add(s, *args, o->id, o->len);
	for (c = 1; args[c]; c++)
		print(o, s, m, strtoull(args[c], NULL, 16));
	while (c == 1 && fgets(line, sizeof line, stdin))
		print(o, s, m, strtoull(line, NULL, 16));
	text = symbols_problem(s, m, &severe);
	if (o->problem)
		printf("%s: %s\n", severe ? "severe" : "problem",
		       text ? text : "none");
	symbols_cost(s, &cost);
	if (o->costs)
		printf("cost: %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		       "\n",
		       cost.lookups, cost.units, cost.walks, cost.entries);
	symbols_free(s);
	text = searchpath_problem(searchpath);
	if (o->problem && text)
		printf("server: %s\n", text);
	return 0;
}

static void
take_option(struct options *o, int c)
{
	o->raw |= c == 'r';
	o->problem |= c == 'p';
	o->types |= c == 't';
	o->brief |= c == 's';
	o->costs |= c == 'c';
	o->wants |= c == 'w';
	if (c == 'b')
		o->len = parse_id(optarg, o->id, sizeof o->id);
	if (c == 'S')
		o->where.sysroot = optarg;
	if (c == 'D' && o->where.debug.n < DIRS)
		o->dirs[o->where.debug.n++] = optarg;
	if (c == 'U')
		o->where.debuginfod = (unsigned)atoi(optarg);
}

int
main(int argc, char **argv)
{
	struct options o = { 0 };
	struct searchpath *searchpath;
	int c, status;

	while ((c = getopt(argc, argv, "+rptscwb:S:D:U:")) != -1)
		take_option(&o, c);
	o.where.debug.item = o.dirs;
	searchpath = searchpath_new(&o.where);

	status = o.types ? print_types(&o, searchpath, argv + optind)
			 : print_all(&o, searchpath, argv + optind);
	searchpath_free(searchpath);
	return status;
}
