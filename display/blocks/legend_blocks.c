/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The texts that explain the views of single blocks. */
#include "display/blocks/blocks.h"
#include "display/grid/legend.h"

const char legend_chunks[] =
	"Blocks of the call paths that allocated the most bytes; of each path "
	"those whose\n"
	"bytes times lifetime are the most, in the order in which they were "
	"allocated.\n"
	"\n"
	"live       bytes of the path that were live at 60 moments of the run; "
	"the signs\n"
	"           are . : - = + * % # @, from a little to the most\n"
	"born, died s after the start; -: it wasn't freed.  A block that is "
	"reallocated\n"
	"           dies, and the next one is born\n"
	"life       from then till then, or the end\n"
	"reads      accesses, where they were recorded; those of each 16 bytes "
	"apart\n"
	"first,last s after the start: when it was accessed, to a step of that "
	"clock\n"
	"in the run its life, from the start of the run to the end: = while it "
	"was\n"
	"           accessed (or all of it, if that isn't known), - before and "
	"after,\n"
	"           > when it wasn't freed\n"
	"thread     that allocated it, and another one that freed it\n";

const char legend_addresses[] =
	"Where the live blocks stand.\n"
	"\n"
	"address    where the row begins; ... : there is nothing in between\n"
	"in use     a sign for each sixteenth: how much of it is in live "
	"blocks.  Blank:\n"
	"           nothing, . less than 10 percent, 1 to 9 tens of percent, # "
	"all of it;\n"
	"           then the share of the whole row\n"
	"live bytes as the program asked for them; blocks: those that begin "
	"there\n"
	"path       who has the most of it: functions, the caller left of what "
	"it called\n"
	"\n"
	"Pages count when a live block has a byte in them.  A gap is the space "
	"between two\n"
	"neighbours, unless it is 32 MiB or more: then they are of two "
	"heaps.\n";

const char legend_quantiles[] =
	"Of all blocks, of those of each type, and of each call path: a "
	"quantile of 90% is\n"
	"the least value that 90 percent of them don't exceed.  These are "
	"exact.\n"
	"\n"
	"size       bytes that the program asked for\n"
	"life       how long blocks lived that were freed, or reallocated; "
	"those that\n"
	"           weren't are in no line of it\n";
