/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The texts that explain the tables to new users. */
#include "display/grid/legend.h"

#include <string.h>

const char legend_percent[] =
	"Percentages are truncated: ** is 100, . is more than 0 and less "
	"than 1, and an empty field is 0.";

const char legend_classes[] =
	"s m l x are sizes of blocks: small (0 to 32 bytes), medium (33 to "
	"256), large (257 to 2048) and extra large (more).";

static const char legend_lisp[] =
	"c f s o are classes of Lisp objects: conses, floating-point "
	"numbers, structures and vectors with their contents, and others, "
	"including blocks of C.";

const char *
legend_letters(const struct tables *t)
{
	return t->p->lisp ? "c--f--s--o" : "s--m--l--x";
}

const char legend_granules[] =
	"An access counts once in each granule that it touches: 16 bytes at "
	"a multiple of 16.  Recorded accesses are those of code compiled "
	"with memmon-cc, and of functions such as memcpy, strlen and read "
	"that this code calls; accesses by other libraries are missing.  If "
	"several threads access a block at the same time, its counts may be "
	"low.";

enum { COLUMNS = 80, INDENT = 13 };

/*
 * Add a text.  The first line begins after `indent' columns, which are already
 * printed; all other lines get that indent.
 */
static void
legend_put_text(struct line *l, const char *text, size_t indent)
{
	size_t at = indent, n;

	for (; *text; text += n) {
		size_t blanks = strspn(text, " ");

		n = blanks + strcspn(text + blanks, " ");
		if (at + n > COLUMNS) {
			line_end(l);
			line_right(l, indent, "");
			at = indent;
			text += blanks;
			n -= blanks;
		}
		line_add(l, "%.*s", (int)n, text);
		at += n;
	}
	line_end(l);
}

static const char cycles[] =
	"<cycle 1: f, g, h> is one element of a path: functions that called "
	"one another, first the function that began the recursion, last the "
	"function in which it ends.  The number is the cycle's number in the "
	"call graph; a function that called itself has no number.  "
	"--paths=frames shows each call.";

void
legend_note(struct tables *t, const char *text)
{
	if (text == legend_classes && t->p->lisp)
		text = legend_lisp;
	if (t->o->brief)
		return;
	line_end(&t->line);
	legend_put_text(&t->line, text, 0);
}

/* Print a term.  A term without a text is a heading. */
static void
put_term(struct tables *t, const struct legend *x, const struct legend_term *a,
	 bool first)
{
	size_t indent = x->indent ? x->indent : INDENT;

	if (!a->text) {
		if (!first)
			line_end(&t->line);
		tables_say(t, a->name);
		return;
	}
	line_left(&t->line, indent, a->name);
	if (line_columns(&t->line) > indent)
		line_add(&t->line, "  ");
	if (t->o->own_paths &&
	    !strncmp(a->text, LEGEND_PATH_ONLY, sizeof LEGEND_PATH_ONLY - 1))
		legend_put_text(&t->line, LEGEND_PATH_OWN, indent);
	else
		legend_put_text(&t->line, a->text, indent);
}

void
legend_explain(struct tables *t, const struct legend *x,
	       bool (*columns)(void *arg, struct legend_term *term), void *arg)
{
	struct legend_term a;

	if (t->o->brief)
		return;
	line_end(&t->line);
	legend_put_text(&t->line, x->about, 0);
	line_end(&t->line);
	while (columns && columns(arg, &a))
		put_term(t, x, &a, false);
	for (size_t i = 0; i < LEGEND_TERMS && x->terms[i].name; i++)
		put_term(t, x, &x->terms[i], !i);
	for (size_t i = 0; i < LEGEND_NOTES && x->notes[i]; i++)
		legend_note(t, x->notes[i]);
	if (t->cycles)
		legend_note(t, cycles);
	t->cycles = false;
	errors_legend(t);
}
