/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The texts that explain the tables to who has not seen them before. */
#include "display/grid/legend.h"
#include "display/grid/errors.h"

#include <string.h>

const char legend_percent[] =
	"Percentages are cut, not rounded: ** is 100, . is more than 0 and "
	"less than 1, and nothing is 0.";

const char legend_classes[] =
	"s m l x are sizes of blocks: small (0 to 32 bytes), medium (33 to "
	"256), large (257 to 2048) and extra large (more).";

static const char legend_lisp[] =
	"c f s o are classes of Lisp objects: conses, floating point numbers, "
	"structures and vectors with what is in them, and others, with blocks "
	"of C among them.";

const char *
legend_letters(const struct tables *t)
{
	return t->p->lisp ? "c--f--s--o" : "s--m--l--x";
}

const char legend_granules[] =
	"Accesses are counted by granules of 16 bytes, at addresses that 16 "
	"divides: one that touches several counts in each.  What is seen are "
	"accesses of code that was compiled with memmon-cc, and of functions "
	"like memcpy, strlen and read that it calls; those of other code, in "
	"libraries, are not.  Counts of blocks that several threads access at "
	"the same time may be low.";

enum { COLUMNS = 80 };

/*
 * Add a text, in lines that begin `indent' columns from the left but for the
 * first, of which so much is taken.
 */
static void
put_text(struct line *l, const char *text, size_t indent)
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
	"one another, first the one by which that began, last the one in which "
	"it ends.  It has the number of its cycle in the call graph; one "
	"without a number is a function that called itself.  --paths=frames "
	"has "
	"each call.";

void
legend_note(struct tables *t, const char *text)
{
	if (text == legend_classes && t->p->lisp)
		text = legend_lisp;
	if (t->o->brief)
		return;
	line_end(&t->line);
	put_text(&t->line, text, 0);
}

/* A term; without a text it is a heading. */
static void
put_term(struct tables *t, const struct legend *x, const struct legend_term *a,
	 bool first)
{
	if (!a->text) {
		if (!first)
			line_end(&t->line);
		tables_say(t, a->name);
		return;
	}
	line_left(&t->line, x->indent, a->name);
	put_text(&t->line, a->text, x->indent);
}

void
legend_explain(struct tables *t, const struct legend *x,
	       bool (*columns)(void *arg, struct legend_term *term), void *arg)
{
	struct legend_term a;

	if (t->o->brief)
		return;
	line_end(&t->line);
	put_text(&t->line, x->about, 0);
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
