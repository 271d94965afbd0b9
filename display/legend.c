/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The texts that explain the tables to who has not seen them before. */
#include "display/tables.h"

#define PERCENT \
	"Percentages are cut, not rounded: ** is 100, . is more than 0 and " \
	"less than 1,\n" \
	"and nothing is 0.\n"

#define CLASSES \
	"s m l x are sizes of blocks: small (0 to 32 bytes), medium (33 to " \
	"256), large\n" \
	"(257 to 2048) and extra large (more).\n"

const char legend_leaks[] =
	"Memory that was allocated and not freed before the data file was "
	"written, by\n"
	"the functions that were active when it was allocated.\n"
	"\n"
	"kept bytes  bytes not freed, and their share of all bytes that the "
	"program\n"
	"            allocated\n"
	"allocs      how many blocks were allocated on this path, freed or "
	"not\n"
	"bytes       how large they were together, and their share of all "
	"bytes\n"
	"frees       how many of them were freed, their bytes, and their share "
	"of all\n"
	"            bytes; only there when some path has frees\n"
	"path        the functions, the caller left of what it called; the "
	"last one\n"
	"            called malloc or its like.  || : the path begins here; "
	"... : there\n"
	"            are callers before these that are not shown (see "
	"--depth)\n"
	"\n" PERCENT;

const char legend_bins[] =
	"The program's allocations by the size that it asked for.\n"
	"\n"
	"size        bytes asked for; sizes to 1024 have a row each, larger "
	"ones are in\n"
	"            the row `> 1024' (see --bins=all)\n"
	"allocs      how many blocks of this size were allocated\n"
	"bytes       size times allocs, and the share of all bytes allocated\n"
	"frees       how many of the blocks were freed\n"
	"kept        bytes not freed, and the share of all bytes not freed\n"
	"types       data types of this size, the likeliest first; ?T says "
	"that "
	"the size\n"
	"            is all that is known; T[3] is an array\n"
	"other bins  sizes that are too rare for a row (see --verbose)\n"
	"\n" PERCENT;

const char legend_direct[] =
	"What each function allocated itself, by calling malloc or its like.\n"
	"\n"
	"% mem        share of all bytes allocated, rounded\n"
	"bytes        bytes that the function allocated\n"
	"% mem(size)  the same as a share of all bytes, by size of block\n"
	"bytes kept   bytes of these that were not freed\n"
	"% all kept   the same as a share of all bytes not freed, by size of "
	"block\n"
	"calls        how many blocks the function allocated\n"
	"\n" CLASSES PERCENT;

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
	"size-func    these bytes by size of block, as shares of themselves\n"
	"frac         the same as shares of the bytes of the entry\n"
	"called       allocations made by way of this call\n"
	"/total       of all that the caller called, or of all calls of this "
	"function\n"
	"all          the callers, or the functions called, together\n"
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

void
legend_print(struct tables *t, const char *legend)
{
	if (t->o->brief)
		return;
	line_block(&t->line, "\n");
	line_block(&t->line, legend);
}
