/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flags and advice: see advice.h. */
#include "display/tables/advice.h"

#include "display/text/number.h"

#include <inttypes.h>

enum { INDENT = 10, NAME = 13, SHARE = 4 };

static const struct {
	const char *name; /* in the tables */
	const char *text; /* after "N blocks, N bytes: " */
} flags[PROFILE_NFLAG] = {
	[PROFILE_UNUSED] = { "unused",
			     "not accessed by recorded code; don't allocate, "
			     "or only when needed" },
	[PROFILE_WRITE_ONLY] = { "write-only",
				 "written, never read; is the content "
				 "needed?" },
	[PROFILE_READ_ONLY] = { "read-only",
				"read, never written; if all are alike, one "
				"is enough" },
	[PROFILE_SHORT_LIVED] = { "short-lived",
				  "lived less than 0.1% of the run until then, "
				  "or less than a clock step; keep one and "
				  "reuse it, or use the stack" },
	[PROFILE_EARLY] = { "early",
			    "idle for more than half of their lives before "
			    "the first access; allocate later" },
	[PROFILE_LATE] = { "late",
			   "idle for more than half of their lives after the "
			   "last access; free earlier" },
	[PROFILE_GROWING] = { "growing",
			      "in a row of 4 or more, each in place of a "
			      "smaller one; grow by a factor, or allocate "
			      "the full size at once" },
	[PROFILE_SHARED] = { "shared",
			     "accessed by several threads; their cache lines "
			     "may move between CPUs" },
	[PROFILE_LOW_COVER] = { "low cover", "less than half accessed" },
	[PROFILE_TOP_BYTES] = { "top bytes",
				"the site is in the top tenth by bytes" },
	[PROFILE_TOP_BLOCKS] = { "top blocks",
				 "the site is in the top tenth by blocks" }
};

const char *
advice_name(enum profile_flag flag)
{
	static const char *const name[] = {
#define F(id, name, words) #name,
		MEASURES_FLAGS(F) MEASURES_SITE_FLAGS(F)
#undef F
	};

	return name[flag];
}

const char *
advice_title(enum profile_flag flag)
{
	return flags[flag].name;
}

const char *
advice_text(enum profile_flag flag)
{
	return flags[flag].text;
}

/* Is the flag worth printing? */
static bool
advice_worth(const struct options *o, const struct use *u, size_t flag)
{
	unsigned parts = o->verbosity == OPTIONS_TERSE ? 2 : 10;

	if (!u->flag_blocks[flag] ||
	    !profile_flag_told(u, (enum profile_flag)flag))
		return false;
	return o->verbosity == OPTIONS_VERBOSE ||
	       (unsigned __int128)u->flag_bytes[flag] * parts >=
		       profile_flag_bytes(u, (enum profile_flag)flag);
}

size_t
advice_flags(const struct options *o, const struct use *u,
	     size_t order[PROFILE_NFLAG])
{
	size_t n = 0, k;

	for (size_t i = 0; i < PROFILE_NFLAG; i++) {
		if (!advice_worth(o, u, i))
			continue;
		/* The last two flags describe a site; they are not faults. */
		for (k = n++; k > 0 && i < PROFILE_TOP_BYTES &&
			      u->flag_bytes[order[k - 1]] < u->flag_bytes[i];
		     k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	return n;
}

char *
advice_share(char *buf, const struct use *u, size_t flag)
{
	return number_share(buf, u->flag_bytes[flag],
			    profile_flag_bytes(u, (enum profile_flag)flag));
}

char *
advice_first(const struct tables *t, char *buf, const struct use *u)
{
	size_t order[PROFILE_NFLAG];
	char percent[NUMBER_SIZE];

	buf[0] = '\0';
	if (advice_flags(t->o, u, order) && order[0] < PROFILE_TOP_BYTES)
		snprintf(buf, NUMBER_SIZE, "%s %s", flags[order[0]].name,
			 advice_share(percent, u, order[0]));
	return buf;
}

/* Add details, from the figures of all blocks. */
static void
detail(struct tables *t, const struct use *u, size_t flag)
{
	bool all = u->flag_blocks[flag] == u->blocks;
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	if (flag == PROFILE_WRITE_ONLY && all)
		line_add(l, " (%.1f writes a block)",
			 (double)u->writes / (double)u->blocks);
	if (flag == PROFILE_READ_ONLY && all)
		line_add(l, " (%.1f reads a block)",
			 (double)u->reads / (double)u->blocks);
	if (flag == PROFILE_LOW_COVER)
		line_add(l,
			 " (%s of the bytes of all blocks); make them smaller, "
			 "or allocate in parts",
			 number_share(buf, u->cover,
				      profile_flag_bytes(u,
							 PROFILE_LOW_COVER)));
	if (flag == PROFILE_TOP_BYTES && t->p->peaks_known)
		line_add(l, " live at once, as far as is known");
}

static void
print_flag(struct tables *t, const struct use *u, size_t flag)
{
	uint64_t blocks = u->flag_blocks[flag], bytes = u->flag_bytes[flag];
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	line_right(l, INDENT, "");
	line_left(l, NAME, flags[flag].name);
	line_right(l, SHARE, advice_share(buf, u, flag));
	line_add(l, "   ");
	line_several(l, blocks, "block");
	line_add(l, ", %s bytes: %s", tables_bytes(t, buf, bytes),
		 flags[flag].text);
	detail(t, u, flag);
	line_end(l);
}

/* Print how many blocks get no verdict: not all accesses were recorded. */
static void
handed(struct tables *t, const struct use *u)
{
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	if (!u->handed_blocks)
		return;
	line_right(l, INDENT, "");
	line_left(l, NAME, "passed");
	line_right(l, SHARE, number_share(buf, u->handed_bytes, u->bytes));
	line_add(l, "   ");
	line_several(l, u->handed_blocks, "block");
	line_say(l,
		 ", %s bytes: %spassed to unrecorded code, so how they are "
		 "used is unknown",
		 tables_bytes(t, buf, u->handed_bytes),
		 u->sampled ? "reallocated samples, or " : "");
}

/*
 * In one group of allocations, the sum of lifetimes divided by the time from
 * first to last is the number of blocks live at a time: score x blocks.
 */
static void
turnover(struct tables *t, const struct use *u, const struct score *s)
{
	double live = s->lifetime * (double)u->blocks;
	struct line *l = &t->line;

	if (!s->lived || u->groups != 1 || u->blocks < 10 ||
	    s->lifetime >= 0.1 || advice_worth(t->o, u, PROFILE_SHORT_LIVED))
		return;
	line_right(l, INDENT, "");
	line_left(l, NAME + SHARE, "turnover");
	line_add(l, "   %" PRIu64 " blocks, but only ", u->blocks);
	if (live < 0.1)
		line_add(l, "less than 0.1");
	else
		line_add(l, "%.1f", live);
	line_say(l, " live at a time on average: keep some and reuse them");
}

void
advice_print(struct tables *t, const struct use *u, const struct score *s)
{
	size_t order[PROFILE_NFLAG];
	size_t n = advice_flags(t->o, u, order);

	for (size_t i = 0; i < n; i++)
		print_flag(t, u, order[i]);
	handed(t, u);
	turnover(t, u, s);
}
