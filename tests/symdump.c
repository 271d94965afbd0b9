/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Print what symbols_find() has for return addresses of a file:
 *
 *	symdump [-r] [-p] [-c] [-b BUILD-ID] FILE [ADDRESS...]
 *	symdump -t [-c] [-w] [-b BUILD-ID] FILE... -- SIZE...
 *
 * Addresses (hexadecimal) also come from standard input when there are none.
 * Each frame is a line: name, file:line of the call, entry, definition; "+"
 * stands before frames that are inlined into the next one.  -r leaves names
 * as the linker has them, -p prints the problem line, -c adds what it has cost:
 * "cost: LOOKUPS UNITS WALKS ENTRIES", or "cost: ENTRIES" with -t.
 *
 * With -t: a line for each size with the types that types_find() has for it; -w
 * tells it beforehand which sizes these are.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reduce/symbols.h"
#include "reduce/types.h"

static void
print(struct symbols *s, size_t m, uint64_t ra)
{
	const struct symbols_frame *f;
	size_t n = symbols_find(s, m, ra, &f), i;

	printf("0x%" PRIx64 "\n", ra);
	for (i = 0; i < n; i++)
		printf("%c%c %s\t%s:%u\t0x%" PRIx64 "\t%s:%u\n",
		       f[i].inlined ? '+' : ' ', f[i].known ? ' ' : '?',
		       f[i].name, f[i].file, f[i].line, f[i].entry,
		       f[i].def_file, f[i].def_line);
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

/* Tell t the sizes behind "--". */
static int
want(struct types *t, char **files)
{
	uint64_t sizes[1000];
	size_t n = 0;

	while (*files && strcmp(*files, "--") != 0)
		files++;
	while (*files && *++files && n < 1000)
		sizes[n++] = strtoull(*files, NULL, 10);
	return types_want(t, sizes, n);
}

/* The files up to "--", then sizes. */
static int
print_types(char **files, const unsigned char *id, size_t len, bool cost,
	    bool wants)
{
	struct symbols *s = symbols_new(true);
	struct types *t = types_new(NULL);
	const char *names[100];
	size_t n, i;

	if (!t || !s || (wants && want(t, files) < 0))
		return 2;
	for (; *files && strcmp(*files, "--") != 0; files++)
		printf("%s: %d\n", *files,
		       types_add(t, s, symbols_add(s, *files, id, len)));
	while (*files && *++files) {
		n = types_find(t, strtoull(*files, NULL, 10), names, 100);
		printf("%s:", *files);
		for (i = 0; i < n; i++)
			printf("%s %s", i ? "," : "", names[i]);
		printf("\n");
	}
	if (cost)
		printf("cost: %" PRIu64 "\n", types_entries(t));
	types_free(t);
	symbols_free(s);
	return 0;
}

int
main(int argc, char **argv)
{
	unsigned char id[64];
	bool raw = false, problem = false, types = false, severe;
	bool costs = false, wants = false;
	struct symbols_cost cost;
	size_t len = 0, m;
	struct symbols *s;
	char line[64];
	const char *text;
	int c;

	while ((c = getopt(argc, argv, "+rptcwb:")) != -1) {
		raw |= c == 'r';
		problem |= c == 'p';
		types |= c == 't';
		costs |= c == 'c';
		wants |= c == 'w';
		if (c == 'b')
			len = parse_id(optarg, id, sizeof id);
	}
	if (types)
		return print_types(argv + optind, id, len, costs, wants);
	s = symbols_new(!raw);
	if (!s || optind >= argc)
		return 2;
	m = symbols_add(s, argv[optind++], id, len);
	for (c = optind; c < argc; c++)
		print(s, m, strtoull(argv[c], NULL, 16));
	while (optind == argc && fgets(line, sizeof line, stdin))
		print(s, m, strtoull(line, NULL, 16));
	text = symbols_problem(s, m, &severe);
	if (problem)
		printf("%s: %s\n", severe ? "severe" : "problem",
		       text ? text : "none");
	symbols_cost(s, &cost);
	if (costs)
		printf("cost: %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		       "\n",
		       cost.lookups, cost.units, cost.walks, cost.entries);
	symbols_free(s);
	return 0;
}
