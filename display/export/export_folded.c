/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --export=folded: a line for each chain, "main;f;g 12", as flamegraph.pl and
 * those after it read them.
 */
#include "display/export/export.h"

#include "display/grid/places.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * A name without what is something else there: semicolons part frames, and what
 * stands behind a blank at the end of a line is a number.
 */
static void
plain(char *name)
{
	char *last = strrchr(name, ' ');

	if (last && last[1] &&
	    last[1 + strspn(last + 1, "0123456789.")] == '\0')
		*last = '_';
	for (; *name; name++) {
		if (*name == ';')
			*name = ':';
		else if (iscntrl((unsigned char)*name))
			*name = '?';
	}
}

/* The functions of a chain, outermost first; frames has room for them. */
static void
chain(const struct profile *p, const struct frame *leaf, char **names,
      const struct frame **frames, FILE *out)
{
	size_t n = 0;

	for (; leaf; leaf = leaf->parent)
		frames[n++] = leaf;
	if (!n)
		fputs("[unknown]", out);
	while (n--) {
		fputs(names[frames[n]->func - p->funcs[0]], out);
		if (n)
			putc(';', out);
	}
}

static int
lines(const struct profile *p, const struct export_metric *m, char **names,
      FILE *out)
{
	const struct frame **frames;
	size_t deepest = 1;

	for (size_t i = 0; i < p->nsites; i++)
		if (p->sites[i].leaf && deepest < p->sites[i].leaf->depth)
			deepest = p->sites[i].leaf->depth;
	frames = calloc(deepest, sizeof *frames);
	if (!frames)
		return -1;
	for (size_t i = 0; i < p->nsites; i++) {
		uint64_t n = m->of(&p->sites[i]);

		if (!n)
			continue;
		chain(p, p->sites[i].leaf, names, frames, out);
		fprintf(out, " %" PRIu64 "\n", n);
	}
	free(frames);
	return 0;
}

int
export_folded(const struct profile *p, const struct options *o, FILE *out,
	      struct err *e)
{
	const struct export_metric *m = export_chosen(o);
	char **names;
	int status = -1;

	if (m->why(p)) {
		snprintf(e->text, sizeof e->text, "--export=folded:%s: %s",
			 m->name, m->why(p));
		return -1;
	}
	if (places_bounded(p, e))
		return -1;
	names = export_names(p);
	if (names) {
		for (size_t i = 0; i < p->nfuncs; i++)
			plain(names[i]);
		status = lines(p, m, names, out);
	}
	export_names_free(p, names);
	if (status)
		snprintf(e->text, sizeof e->text, "out of memory");
	return status;
}
