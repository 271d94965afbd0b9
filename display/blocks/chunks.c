/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks, site by site: the chunk view of Memoro, as text.
 *
 * The log is read twice: first for the sums of all sites, then for the blocks
 * of the sites that are shown.  For each shown site, a heap keeps the blocks
 * that took the most memory for the longest, by bytes times lifetime.
 */
#include "display/blocks/block.h"
#include "display/grid/legend.h"
#include "display/grid/view.h"

#include "display/grid/paths.h"
#include "display/text/amount.h"
#include "display/text/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SITES = 10, BLOCKS = 10, TIMES = 60, BAR = 24 };

static const struct legend legend = {
	.about = "The call paths that allocated most bytes, and of each path "
		 "the blocks with the largest product of bytes and lifetime, "
		 "in the order of allocation.",
	.indent = 11,
	.terms = {
		{ "live", "bytes of the path that were live at 60 times of "
			  "the run; the characters are . : - = + * % # @, "
			  "from a little to the most" },
		{ "born, died", "s after the start; -: not freed.  A realloc "
				"ends one block and begins another" },
		{ "life", "from born to died, or to the end" },
		{ "reads", "accesses, counted in each 16 bytes, if they were "
			   "recorded" },
		{ "first,last", "the first and the last access, s after the "
				"start, to a step of their clock" },
		{ "bytes", "from the first byte accessed to the last, by "
			   "granules of 16 bytes; *: several threads accessed "
			   "the block" },
		{ "in the run", "the life, from the start of the run to the "
				"end: = from the first to the last access "
				"(or all of it, if accesses are unknown), - "
				"before and after, > not freed" },
		{ "thread", "the thread that allocated the block, and the "
			    "thread that freed it, if another did" },
	},
};

/* Sums over the blocks of a site. */
struct site_sums {
	uint64_t blocks, bytes, live, live_bytes;
	size_t place; /* place among the shown sites, plus 1 */
};

/* A site that is shown. */
struct shown {
	size_t site;		      /* p->nsites: unknown */
	struct block_costliest costliest;
	uint64_t levels[TIMES + 1]; /* bytes: allocated less freed before the
				     * time */
};

struct chunks {
	struct tables *t;
	struct site_sums *sums; /* by site; the last: unknown site */
	struct shown *shown;
	size_t nshown;
	uint64_t end;
	bool accesses;
};

/* ----------------------------------------------------------------- sums -- */

static int
chunks_add(void *arg, const struct block *b)
{
	struct chunks *c = arg;
	struct site_sums *s = &c->sums[block_site(c->t->p, b)];

	s->blocks++;
	s->bytes = amount_add(s->bytes, b->size);
	if (b->died == UINT64_MAX) {
		s->live++;
		s->live_bytes = amount_add(s->live_bytes, b->size);
	} else if (b->died > c->end) {
		c->end = b->died;
	}
	return 0;
}

static int
compare_sites(const void *va, const void *vb, void *arg)
{
	const struct site_sums *sums = arg;
	const struct site_sums *a = &sums[*(const size_t *)va];
	const struct site_sums *b = &sums[*(const size_t *)vb];

	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	if (a->blocks != b->blocks)
		return a->blocks < b->blocks ? 1 : -1;
	return (a > b) - (a < b);
}

/* List the sites that have blocks and were asked for.  Returns how many. */
static size_t
chunks_collect(const struct chunks *c, size_t *list)
{
	const struct profile *p = c->t->p;
	const char *of = c->t->o->chunks_of;
	size_t i, n = 0;

	for (i = 0; i <= p->nsites; i++) {
		if (!c->sums[i].blocks)
			continue;
		if (of &&
		    (i == p->nsites || !block_path_means(&p->sites[i], of)))
			continue;
		list[n++] = i;
	}
	qsort_r(list, n, sizeof(*list), compare_sites, c->sums);
	return n;
}

/* --------------------------------------------------------------- blocks -- */

/* The first of the TIMES times that isn't before this one, or TIMES. */
static size_t
chunks_place_of(const struct chunks *c, uint64_t time)
{
	unsigned __int128 n = (unsigned __int128)time * (TIMES - 1);

	if (time > c->end)
		return TIMES;
	n = (n + c->end - 1) / (c->end ? c->end : 1);
	return n < TIMES ? (size_t)n : TIMES;
}

static int
chunks_look(void *arg, const struct block *b)
{
	struct chunks *c = arg;
	size_t place = c->sums[block_site(c->t->p, b)].place;
	struct shown *s;

	if (!place)
		return 0;
	s = &c->shown[place - 1];
	block_add_costliest(&s->costliest, b, c->end);
	s->levels[chunks_place_of(c, b->born)] += b->size;
	s->levels[b->died == UINT64_MAX ? TIMES
					: chunks_place_of(c, b->died)] -=
		b->size;
	return 0;
}

/* ---------------------------------------------------------------- print -- */

/* Print the live bytes at TIMES times as digits: 0 to 9 of the maximum. */
static void
levels(struct chunks *c, struct shown *s)
{
	static const char scale[] = " .:-=+*%#@";
	struct line *l = &c->t->line;
	uint64_t most = 0, live = 0, at[TIMES];
	char text[TIMES + 1], n[NUMBER_SIZE];

	for (size_t i = 0; i < TIMES; i++) {
		at[i] = live += s->levels[i];
		most = live > most ? live : most;
	}
	if (!most) {
		line_say(l, "  live at none of %d times of the run", TIMES);
		return;
	}
	for (size_t i = 0; i < TIMES; i++)
		text[i] =
			!at[i] ? ' '
			       : scale[1 + (unsigned)((unsigned __int128)at[i] *
						      8 / most)];
	text[TIMES] = '\0';
	line_say(l, "  live |%s| @ is %s bytes", text,
		 tables_bytes(c->t, n, most));
}

static size_t
chunks_column(const struct chunks *c, uint64_t time)
{
	unsigned __int128 n = (unsigned __int128)time * BAR;

	n /= c->end ? c->end : 1;
	return n < BAR ? (size_t)n : BAR - 1;
}

/* The life of a block within the run: "=" while it is accessed (if unknown, all
 * the time), "-" before and after, ">" if it is never freed. */
static char *
bar(const struct chunks *c, const struct block *b, char text[BAR + 1])
{
	bool lives = b->died == UINT64_MAX;
	size_t from = chunks_column(c, b->born);
	size_t to = chunks_column(c, lives ? c->end : b->died);

	memset(text, ' ', BAR);
	text[BAR] = '\0';
	memset(text + from, b->used ? '-' : '=', to - from + 1);
	if (b->used && b->first != UINT64_MAX) {
		size_t first = chunks_column(c, b->first), last;

		last = chunks_column(c, b->last < c->end ? b->last : c->end);
		if (last >= first)
			memset(text + first, '=', last - first + 1);
	}
	if (lives)
		text[to] = '>';
	return text;
}

static void
chunks_header(struct chunks *c)
{
	struct line *l = &c->t->line;

	line_add(l, "  %16s %12s %12s %12s %8s", "address", "size", "born",
		 "died", "life");
	if (c->accesses)
		line_add(l, " %9s %9s %12s %12s %13s", "reads", "writes",
			 "first", "last", "bytes");
	line_say(l, "  %-*s  thread", BAR + 2, "in the run");
}

static void
chunks_accesses(struct chunks *c, const struct block *b)
{
	struct line *l = &c->t->line;
	bool none = b->first == UINT64_MAX;
	char n[NUMBER_SIZE], range[2 * NUMBER_SIZE] = "-";

	if (!b->used) {
		line_add(l, " %9s %9s %12s %12s %13s", "-", "-", "-", "-", "-");
		return;
	}
	line_add(l, " %9s", number_count(n, b->reads));
	line_add(l, " %9s", number_count(n, b->writes));
	line_add(l, " %12s", none ? "-" : number_seconds(n, b->first));
	line_add(l, " %12s", none ? "-" : number_seconds(n, b->last));
	if (b->low != UINT64_MAX)
		snprintf(range, sizeof range, "%" PRIu64 "-%" PRIu64 "%s",
			 b->low, b->high - 1, b->shared ? "*" : "");
	line_add(l, " %13s", range);
}

static const char *
chunks_name_of(const struct thread *x)
{
	return !x ? "-" : x->main ? "(main)" : *x->name ? x->name : "(no name)";
}

static void
chunks_row(struct chunks *c, const struct block *b)
{
	struct line *l = &c->t->line;
	bool lives = b->died == UINT64_MAX;
	char n[NUMBER_SIZE], text[BAR + 1];

	line_add(l, "  %#16" PRIx64 " %12s", b->address,
		 tables_bytes(c->t, n, b->size));
	line_add(l, " %12s", b->early ? "-" : number_seconds(n, b->born));
	line_add(l, " %12s", lives ? "-" : number_seconds(n, b->died));
	line_add(l, " %8s",
		 b->early ? "-" : number_time(n, block_life(b, c->end)));
	if (c->accesses)
		chunks_accesses(c, b);
	line_add(l, "  |%s|  %s", bar(c, b, text), chunks_name_of(b->thread));
	if (b->by_others)
		line_add(l, ", freed by %s", chunks_name_of(b->freer));
	if (b->resized)
		line_add(l, ", resized");
	line_end(l);
}

static void
print_site(struct chunks *c, struct shown *s)
{
	const struct profile *p = c->t->p;
	const struct site_sums *sum = &c->sums[s->site];
	struct block_costliest *k = &s->costliest;
	struct line *l = &c->t->line;
	char n[NUMBER_SIZE];

	line_end(l);
	line_add(l, "%" PRIu64 " block%s, %s bytes", sum->blocks,
		 sum->blocks == 1 ? "" : "s",
		 tables_bytes(c->t, n, sum->bytes));
	if (sum->live)
		line_add(l, ", of them live %s %" PRIu64 ", %s bytes",
			 profile_is_earlier(p) ? "then" : "at the end",
			 sum->live, tables_bytes(c->t, n, sum->live_bytes));
	line_add(l, ": ");
	if (s->site < p->nsites)
		paths_print_chain(c->t, p->sites[s->site].leaf);
	else
		line_add(l, "(of unknown call paths)");
	if (s->site < p->nsites && p->sites[s->site].type)
		line_add(l, "  %c%s", p->sites[s->site].type_mark,
			 p->sites[s->site].type);
	line_end(l);
	levels(c, s);
	chunks_header(c);
	block_sort_costliest(k);
	for (size_t i = 0; i < k->n; i++)
		chunks_row(c, &k->block[i]);
	if (k->n < sum->blocks)
		line_say(l, "  (%" PRIu64 " other%s)", sum->blocks - k->n,
			 sum->blocks - k->n == 1 ? "" : "s");
}

/* ------------------------------------------------------------------ all -- */

/* Make room for the first sites of the list. */
static void
chunks_choose(struct chunks *c, const size_t *list, size_t n)
{
	size_t most = block_rows(c->t, SITES), i;
	struct shown *s;

	c->nshown = n < most ? n : most;
	most = block_rows(c->t, BLOCKS);
	c->shown = tables_room(c->t, c->nshown, sizeof(*c->shown));
	for (i = 0; i < c->nshown; i++) {
		s = &c->shown[i];
		s->site = list[i];
		s->costliest.room = most;
		if (c->sums[s->site].blocks < most)
			s->costliest.room = c->sums[s->site].blocks;
		c->sums[s->site].place = i + 1;
		s->costliest.block = tables_room(c->t, s->costliest.room,
						 sizeof *s->costliest.block);
	}
}

static int
chunks_table(struct chunks *c)
{
	struct tables *t = c->t;
	size_t *list = tables_room(t, t->p->nsites + 1, sizeof *list), n = 0;
	int status = -1;

	if (!profile_log_each(t->p, chunks_add, c, t->e)) {
		n = chunks_collect(c, list);
		chunks_choose(c, list, n);
		status = profile_log_each(t->p, chunks_look, c, t->e);
	}
	if (status)
		return -1;
	if (!n)
		tables_say(t, "No block is of the call paths that the filter "
			      "keeps.");
	for (size_t i = 0; i < c->nshown; i++)
		print_site(c, &c->shown[i]);
	if (n > c->nshown) {
		line_end(&t->line);
		line_say(&t->line, "(%zu other call path%s, see --top)",
			 n - c->nshown, n - c->nshown == 1 ? "" : "s");
	}
	legend_explain(t, &legend, NULL, NULL);
	return 0;
}

int
chunks_print(struct tables *t)
{
	struct chunks c = { .t = t, .accesses = t->p->log.accesses };

	if (!block_title(t, "-------------- Blocks, by Call Path "
			    "--------------"))
		return 0;
	c.end = block_log_end(t->p);
	c.sums = tables_room(t, t->p->nsites, sizeof *c.sums);
	return chunks_table(&c);
}
