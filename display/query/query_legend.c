/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the columns of queries hold, in words. */
#include "display/query/query.h"

static const char *const explained[COLUMN_N] = {
	[COLUMN_ALLOCS] = "how many blocks were allocated",
	[COLUMN_BYTES] = "bytes of these blocks",
	[COLUMN_FREES] =
		"how many of the blocks were freed, by whatever thread",
	[COLUMN_FREED] = "bytes of these",
	[COLUMN_KEPT] = "bytes not freed",
	[COLUMN_KEPT_BLOCKS] = "how many blocks were not freed",
	[COLUMN_PEAK] = "bytes of these that were live at the program's peak",
	[COLUMN_PEAK_BLOCKS] = "how many blocks were live then",
	[COLUMN_SIZE] = "bytes of each block, if all have the same",
	[COLUMN_SIZE_MIN] = "bytes of the smallest block",
	[COLUMN_SIZE_MAX] = "bytes of the largest block",
	[COLUMN_AVERAGE] = "bytes of a block, on average, rounded",
	[COLUMN_SHARE] = "share of all bytes allocated, rounded",
	[COLUMN_KEPT_SHARE] = "share of all bytes not freed, rounded",
	[COLUMN_SITES] = "how many call paths allocated them",
	[COLUMN_LIFE] = "mean time from allocation to free; ~ is an estimate",
	[COLUMN_LIFE_MIN] = "the shortest such time that was measured",
	[COLUMN_LIFE_MAX] = "the longest",
	[COLUMN_TEMPS] = "blocks freed before the thread's next allocation",
	[COLUMN_NEAR] = "blocks freed before its 16th next one",
	[COLUMN_FOREIGN] = "blocks freed by another thread",
	[COLUMN_REALLOCS] = "blocks that were made by realloc",
	[COLUMN_MOVED] = "of these, those with another address than before",
	[COLUMN_COPIED] = "bytes that were copied from there",
	[COLUMN_LONGEST] = "the most reallocs that one block had been through",
	[COLUMN_READS] = "reads of the blocks; each 16 bytes count apart",
	[COLUMN_WRITES] = "writes, likewise",
	[COLUMN_LIFETIME] =
		"score: lives as long as their neighbours (--scores)",
	[COLUMN_USAGE] = "score: share of the bytes within the span touched",
	[COLUMN_USEFUL] = "score: share of their lives from first to last use",
	[COLUMN_COVER] = "share of the bytes really touched",
	[COLUMN_MEAN] = "geometric mean of lifetime, usage and useful",
	[COLUMN_SEVERITY] = "that in steps: 1 is fine, 12 the worst",
	[COLUMN_SAVE] = "bytes times (1 - mean)",
	[COLUMN_UNUSED] = "blocks never read nor written",
	[COLUMN_WRITE_ONLY] = "blocks written, never read",
	[COLUMN_READ_ONLY] = "blocks read, never written",
	[COLUMN_SHORT_LIVED] = "blocks that lived less than 0.1% of the run",
	[COLUMN_EARLY] = "blocks idle for more than half their lives, first",
	[COLUMN_LATE] = "blocks idle for more than half their lives, at last",
	[COLUMN_GROWING] =
		"blocks in runs of 4 or more, each for a smaller one",
	[COLUMN_SHARED] = "blocks accessed by more than one thread",
	[COLUMN_LOW_COVER] = "blocks of which less than half was touched",
	[COLUMN_LOST] = "bytes to which nothing points any more (leak check)",
	[COLUMN_LOST_BLOCKS] = "how many blocks these are",
	[COLUMN_INDIRECT] = "bytes to which only lost blocks point",
	[COLUMN_INDIRECT_BLOCKS] = "how many blocks these are",
	[COLUMN_INTERIOR] = "bytes reached somewhere only by their inside",
	[COLUMN_INTERIOR_BLOCKS] = "how many blocks these are",
	[COLUMN_REACHABLE] = "bytes reached by pointers to their start",
	[COLUMN_REACHABLE_BLOCKS] = "how many blocks these are",
	[COLUMN_LEAKED] = "bytes lost or indirect",
	[COLUMN_LEAKED_BLOCKS] = "how many blocks these are",
	[COLUMN_TYPE] = "of the blocks; = exact, ~ from the code, ? by size",
	[COLUMN_MARK] = "how sure the type is: = exact, ~ found out, ? by size",
	[COLUMN_LIVED] = "range of the mean lifetime of their call paths",
	[COLUMN_THREAD] = "that allocated them; (main) is the program's first",
	[COLUMN_MODULE] = "program or library of the function",
	[COLUMN_FILE] = "source file of the function",
	[COLUMN_LINE] = "of its definition; with --line, of the call",
	[COLUMN_FUNCTION] = "that called malloc or its like",
	[COLUMN_SITE] = "the caller left of what it called; || begins here",
};

const char *
query_explain(enum column c)
{
	return explained[c];
}
