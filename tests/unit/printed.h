/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints a hand-made struct profile as mpreduce does, and tests the output. */
#ifndef MEMMON_TESTS_PRINTED_H
#define MEMMON_TESTS_PRINTED_H

#include "display/tables/tables.h"
#include "display/export/export.h"
#include "display/cli/options.h"
#include "tests/tap.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What mpreduce prints of p with the options in args, split at blanks. */
static inline char *
printed(const struct profile *p, const char *args)
{
	char text[256], *argv[16] = { (char *)"mpreduce" };
	struct err e = { "" };
	struct options o;
	char *out = NULL;
	size_t size;
	FILE *f = open_memstream(&out, &size);
	int argc = 1;

	snprintf(text, sizeof text, "%s", args);
	for (char *s = strtok(text, " "); s && argc < 15; s = strtok(NULL, " "))
		argv[argc++] = s;
	optind = 0;
	if (!f || options_parse(&o, argc, argv) != OPTIONS_GO)
		abort();
	if (o.json ? json_print(p, o.timeline, f) : tables_print(p, &o, f, &e))
		fprintf(f, "error: %s", e.text);
	fclose(f);
	options_fini(&o);
	return out;
}

/*
 * A file from the golden directory, with the version in place of @VERSION@.
 * MEMMON_SRC names the source directory.
 */
static inline char *
wanted(const char *name)
{
	static const char mark[] = "@VERSION@";
	const char *src = getenv("MEMMON_SRC");
	char path[4096], *text = NULL, *at, *whole = NULL;
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof path, "%s/tests/golden/display/%s",
		 src ? src : ".", name);
	f = fopen(path, "r");
	if (!f || getdelim(&text, &size, '\0', f) < 0)
		diag("%s cannot be read", path);
	if (f)
		fclose(f);
	if (!text || !(at = strstr(text, mark)))
		return text;
	if (asprintf(&whole, "%.*s%s%s", (int)(at - text), text, MEMMON_VERSION,
		     at + sizeof mark - 1) < 0)
		abort();
	free(text);
	return whole;
}

/* Compares line by line, so that a failure is short. */
static inline void
is_text(const char *got, const char *want, const char *name)
{
	size_t line = 1, g, w;

	while (want && *got && *want) {
		g = strcspn(got, "\n");
		w = strcspn(want, "\n");
		if (g != w || memcmp(got, want, g) != 0)
			break;
		got += g + (got[g] == '\n');
		want += w + (want[w] == '\n');
		line++;
	}
	if (ok(want && !*got && !*want, "%s", name) || !want)
		return;
	diag("line %zu\n got %.*s\nwant %.*s", line, (int)strcspn(got, "\n"),
	     got, (int)strcspn(want, "\n"), want);
}

static inline void
check(const struct profile *p, const char *args, const char *file)
{
	char *got = printed(p, args), *want = wanted(file);

	is_text(got, want, file);
	free(got);
	free(want);
}

static inline void
has(const struct profile *p, const char *args, const char *part,
    const char *name)
{
	char *got = printed(p, args);

	if (!ok(strstr(got, part), "%s", name))
		diag("no '%s' in\n%.2000s", part, got);
	free(got);
}

static inline void
has_not(const struct profile *p, const char *args, const char *part,
	const char *name)
{
	char *got = printed(p, args);

	ok(!strstr(got, part), "%s", name);
	free(got);
}

#endif
