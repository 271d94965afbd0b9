/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --export=folded: a line for each call path, "main;f;g 12", which
 * flamegraph.pl and similar programs read.
 */
#include "display/export/export.h"
#include "reduce/base/clean.h"

#include <inttypes.h>
#include <string.h>

/*
 * Replace what has a meaning in this format: semicolons separate frames, and a
 * number after the last blank is the count.
 */
static void
export_folded_plain(char *name)
{
	char *last = strrchr(name, ' ');

	if (last && last[1] &&
	    last[1 + strspn(last + 1, "0123456789.")] == '\0')
		*last = '_';
	clean_text(name);
	for (; *name; name++)
		if (*name == ';')
			*name = ':';
}

/* Print the functions of a call path, outermost first.  frames[]: room. */
static void
export_folded_chain(const struct profile *p, const struct frame *leaf,
		    char **names, const struct frame **frames, FILE *out)
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

int
export_folded(struct export *x)
{
	const struct export_metric *m = export_chosen(x->part);
	const struct profile *p = x->p;
	char **names = export_names(x);
	const struct frame **frames =
		export_room(x, export_deepest(p), sizeof *frames);

	if (!names || !frames)
		return -1;
	for (size_t i = 0; i < p->nfuncs; i++)
		export_folded_plain(names[i]);
	for (size_t i = 0; i < p->nsites; i++) {
		uint64_t n = export_value(x, m, &p->sites[i]);

		if (!n)
			continue;
		export_folded_chain(p, p->sites[i].leaf, names, frames, x->out);
		fprintf(x->out, " %" PRIu64 "\n", n);
	}
	return 0;
}
