/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The texts that explain the tables to who has not seen them before. */
#include "display/tables/legend.h"
#include "display/tables/errors.h"

#include <string.h>

const char legend_percent[] =
	"Percentages are cut, not rounded: ** is 100, . is more than 0 and "
	"less than 1, and nothing is 0.";

const char legend_classes[] =
	"s m l x are sizes of blocks: small (0 to 32 bytes), medium (33 to "
	"256), large (257 to 2048) and extra large (more).";

const char legend_granules[] =
	"Accesses are counted by granules, 16 bytes from addresses that 16 "
	"divides: one that touches several counts in each.  They are those "
	"of code that was compiled with memmon-cc, and those of functions "
	"like memcpy, strlen and read that it calls; what other code does, "
	"in libraries, isn't seen.  Counts of blocks that several threads "
	"access at the same time may be low.";

#define PERCENT \
	"Percentages are cut, not rounded: ** is 100, . is more than 0 and " \
	"less than 1,\n" \
	"and nothing is 0.\n"

#define CLASSES \
	"s m l x are sizes of blocks: small (0 to 32 bytes), medium (33 to " \
	"256), large\n" \
	"(257 to 2048) and extra large (more).\n"

const char legend_graph[] =
	"Each entry is about one function, in the line that begins with its "
	"number.\n"
	"Above it are its callers (ancestors), below it the functions that it "
	"called\n"
	"(descendents), as far as memory was allocated on the way.\n"
	"\n"
	"The function's own line:\n"
	"self + desc  share of all bytes that were allocated by the function "
	"or by what\n"
	"             it called, rounded; each block counts once\n"
	"self (%)     bytes that it allocated itself, and their share of the "
	"bytes\n"
	"             allocated by it and what it called\n"
	"kept         bytes not freed of all that it and what it called "
	"allocated\n"
	"at peak      bytes of the same that were live at the program's peak; "
	"not there\n"
	"             when the data file doesn't say\n"
	"size-func    its own bytes by size of block\n"
	"called       allocations made while it was called from another "
	"function\n"
	"+recur       the same for calls from itself or, of a cycle, within "
	"the cycle\n"
	"\n"
	"A line above or below:\n"
	"self (%)     bytes allocated by calls from this caller, or by calls "
	"of this\n"
	"             function, and their share of the bytes of the entry\n"
	"kept         bytes of these that were not freed\n"
	"at peak      bytes of these that were live at the program's peak\n"
	"size-func    these bytes by size of block, as shares of themselves\n"
	"frac         the same as shares of the bytes of the entry\n"
	"called       allocations made by way of this call\n"
	"/total       of all that the caller called, or of all calls of this "
	"function\n"
	"all          the callers, or the functions called, together\n"
	"(inlined)    the compiler put this function into its callers or, "
	"below "
	"an entry,\n"
	"             into the entry's function, wherever that calls it\n"
	"\n"
	"Functions that call one another in a circle are a cycle.  Its entry "
	"has the\n"
	"members below its own line, each with the bytes that it allocated "
	"itself, and\n"
	"then what the cycle called.  The members have entries too; their "
	"bytes count\n"
	"each block once, but one block may have passed over several of their "
	"lines.\n"
	"\n" CLASSES PERCENT;

#define GRANULES \
	"Accesses are counted by granules, 16 bytes from addresses that 16 " \
	"divides: one\n" \
	"that touches several counts in each.  They are those of code that " \
	"was compiled\n" \
	"with memmon-cc, and those of functions like memcpy, strlen and read " \
	"that it\n" \
	"calls; what other code does, in libraries, isn't seen.  Counts of " \
	"blocks that\n" \
	"several threads access at the same time may be low.\n"

const char legend_fields[] =
	"What was read and written where in the blocks of a type, or, where "
	"the type\n"
	"isn't known, in those of one size from one call path.\n"
	"\n"
	"offset       bytes from the start of the block\n"
	"size         bytes of the member or, without members, of the range\n"
	"reads writes accesses in all the blocks, to the granules in which the "
	"member\n"
	"             lies.  Those of a granule stand with the first member "
	"that has a\n"
	"             byte in it: \" has no other than the row above, and + "
	"are "
	"those of\n"
	"             the granules that come after\n"
	"%            share of all accesses\n"
	"use          hot: among the granules most accessed, which have 90 "
	"percent of the\n"
	"             accesses together; cold: accessed; never: not accessed\n"
	"member type  of the type, with members of members indented\n"
	"\n" GRANULES "\n" PERCENT;

void
legend_print(struct tables *t, const char *legend)
{
	if (t->o->brief)
		return;
	line_block(&t->line, "\n");
	line_block(&t->line, legend);
	errors_legend(t);
}

/* ------------------------------------------------------- made of columns -- */

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

static void
put_term(struct tables *t, const struct legend *x, const struct legend_term *a)
{
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
		put_term(t, x, &a);
	for (size_t i = 0; i < LEGEND_TERMS && x->terms[i].name; i++)
		put_term(t, x, &x->terms[i]);
	for (size_t i = 0; i < LEGEND_NOTES && x->notes[i]; i++) {
		line_end(&t->line);
		put_text(&t->line, x->notes[i], 0);
	}
	errors_legend(t);
}
