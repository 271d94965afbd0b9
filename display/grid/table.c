/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all tables share. */
#include "display/grid/table.h"
#include "display/text/number.h"

#include <stdio.h>
#include <stdlib.h>

void
tables_line(struct tables *t, FILE *out)
{
	line_init(&t->line, out);
	t->line.colour = t->o->colour;
	t->line.width = t->o->screen ? t->o->screen_width : 0;
}

void *
tables_room(struct tables *t, size_t n, size_t size)
{
	return arena_array(&t->room, n + 1, size);
}

const char *
tables_whose(const struct profile *p)
{
	return p->nruns > 1 || (p->nruns && p->runs[0].sum)
		       ? " of the run with the largest"
		       : "";
}

char *
tables_bytes(const struct tables *t, char *buf, uint64_t n)
{
	return number_bytes(buf, n, t->o->human);
}

char *
tables_lone(const struct tables *t, char *buf, uint64_t n)
{
	if (n || !t->p->incomplete)
		return tables_bytes(t, buf, n);
	snprintf(buf, NUMBER_SIZE, "-");
	return buf;
}

bool
tables_worth(const struct tables *t, uint64_t part, uint64_t whole)
{
	unsigned parts = t->o->verbosity == OPTIONS_TERSE ? 100 : 200;

	return t->o->verbosity == OPTIONS_VERBOSE ||
	       (unsigned __int128)part * parts >= whole;
}

void
tables_left_out(struct tables *t, size_t n, const char *noun, const char *under,
		const char *of)
{
	line_add(&t->line, "left out: ");
	line_several(&t->line, n, noun);
	line_say(&t->line, " %s %s %%%s (--verbose shows all)", under,
		 t->o->verbosity == OPTIONS_TERSE ? "1" : "0.5", of);
}

/* Add a name, shortened to that many columns; 0: any number. */
static void
add_cut(struct tables *t, const char *name, size_t columns)
{
	char *cut = line_shorten(name, columns);

	if (cut)
		line_left(&t->line, 0, cut);
	else
		t->line.failed = true;
	free(cut);
}

void
tables_name(struct tables *t, const char *name)
{
	add_cut(t, name, t->o->name_width);
}

void
tables_fit(struct tables *t, const char *name, size_t behind)
{
	add_cut(t, name, line_left_over(&t->line, behind));
}

void
tables_say(struct tables *t, const char *text)
{
	line_say(&t->line, "%s", text);
}
