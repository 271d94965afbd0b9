/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The address space: which pages hold the blocks that were live at a time, and
 * how much of these pages is in use.
 *
 * The live blocks are sorted by address.  Neighbours are counted together in
 * pieces of 64 KiB.  The pieces are larger if otherwise they would fill more
 * than a screen or two.
 */
#include "display/blocks/block.h"
#include "display/grid/legend.h"
#include "display/grid/view.h"

#include "display/grid/paths.h"
#include "display/text/conditions.h"
#include "display/text/amount.h"
#include "display/text/number.h"
#include "reduce/base/arena.h"
#include "reduce/base/sort.h"

#include <inttypes.h>
#include <stdlib.h>

enum { PAGE = 4096, PIECE = 65536, ROWS = 48, CELLS = 16 };

/* Blocks further apart are not in one heap: glibc maps large blocks singly. */
#define APART (32u << 20)

/* Look at no more blocks than this. */
enum { MOST = 1 << 26 };

static const struct legend legend = {
	.about = "Where the live blocks are in memory.",
	.indent = 11,
	.terms = {
		{ "address", "where the row begins; ...: nothing in between" },
		{ "in use", "a character for each sixteenth: how much of it "
			    "is in live blocks.  Blank: nothing, . less than "
			    "10 percent, 1 to 9 tens of percent, # all; then "
			    "the share of the whole row.  With "
			    "--log=addresses:BYTES, all is = in every second "
			    "block, so that neighbours differ" },
		{ "live bytes", "bytes that the program asked for; blocks: "
				"those that begin there" },
		{ "path", "the call path with most of the bytes: each "
			  "function to the left of the function that it "
			  "called" },
	},
	.notes = { "A page counts if a live block has a byte in it.  A gap "
		   "is the space between two neighbours; 32 MiB or more are "
		   "no gap, but a border between two heaps." },
};

struct live {
	uint64_t address, size;
	size_t site;
};

/* A piece of the address space, with the bytes in use in each sixteenth. */
struct piece {
	uint64_t at, bytes, blocks;
	uint64_t cells[CELLS];
	uint64_t odd[CELLS]; /* the part of cells[] in every second block */
	size_t site;	     /* the site with most bytes in the piece */
};

struct space {
	struct tables *t;
	uint64_t time; /* UINT64_MAX: the end of the run */
	struct live *live;
	size_t n, room;
	uint64_t more;	 /* blocks that exceed MOST */
	uint64_t unit;	 /* bytes of a piece */
	bool chosen;	 /* by the user */
	uint64_t *holds; /* by site: bytes in the current piece */
	size_t *sites;	 /* the sites whose holds[] isn't 0 */
	struct piece *pieces;
	size_t npieces, piece_room;
};

/* Figures of the whole address space. */
struct address_figures {
	uint64_t bytes, pages, gap, gap_at;
};

static int
addresses_take(void *arg, const struct block *b)
{
	struct space *s = arg;
	struct live *a;

	if (s->time == UINT64_MAX ? b->died != UINT64_MAX
				  : b->born > s->time || b->died <= s->time)
		return 0;
	if (s->n == MOST) {
		s->more++;
		return 0;
	}
	a = array_grow(s->live, &s->room, s->n + 1, sizeof *a);
	if (!a)
		return -1;
	s->live = a;
	s->live[s->n++] =
		(struct live){ b->address, b->size, block_site(s->t->p, b) };
	return 0;
}

SORT_BY(compare, struct live, SORT_UP(address) SORT_UP(size))

/* The end of the block.  An empty block takes a byte for its own address. */
static uint64_t
addresses_end_of(const struct live *b)
{
	uint64_t size = b->size ? b->size : 1;

	return amount_add(b->address, size);
}

/* Sum up bytes, pages in use, and the largest gap inside a heap. */
static void
addresses_measure(const struct space *s, struct address_figures *f)
{
	uint64_t next = 0, last = 0, from, to;

	*f = (struct address_figures){ 0 };
	for (size_t i = 0; i < s->n; i++) {
		const struct live *b = &s->live[i];

		f->bytes = amount_add(f->bytes, b->size);
		from = b->address / PAGE;
		to = (addresses_end_of(b) - 1) / PAGE;
		if (i && from < next)
			from = next;
		if (from <= to) {
			f->pages += to - from + 1;
			next = to + 1;
		}
		if (i && b->address > last && b->address - last > f->gap &&
		    b->address - last < APART) {
			f->gap = b->address - last;
			f->gap_at = last;
		}
		last = addresses_end_of(b) > last ? addresses_end_of(b) : last;
	}
}

/* The number of pieces of `unit' bytes that hold any block. */
static size_t
addresses_count(const struct space *s, uint64_t unit)
{
	uint64_t next = 0, from, to;
	size_t n = 0;

	for (size_t i = 0; i < s->n && n <= UINT32_MAX; i++) {
		from = s->live[i].address / unit;
		to = (addresses_end_of(&s->live[i]) - 1) / unit;
		from = from < next ? next : from;
		if (from <= to) {
			n += to - from + 1 < UINT32_MAX ? to - from + 1
							: UINT32_MAX;
			next = to + 1;
		}
	}
	return n;
}

/* ---------------------------------------------------------------- pieces -- */

/* Find the site with most bytes in the last piece, and clear the sums. */
static void
addresses_finish(struct space *s, size_t n)
{
	struct piece *k = s->npieces ? &s->pieces[s->npieces - 1] : NULL;
	uint64_t most = 0;

	for (size_t i = 0; i < n; i++) {
		size_t site = s->sites[i];

		if (s->holds[site] > most) {
			most = s->holds[site];
			k->site = site;
		}
		s->holds[site] = 0;
	}
}

static struct piece *
piece_at(struct space *s, uint64_t at, size_t *n)
{
	struct piece *k = s->npieces ? &s->pieces[s->npieces - 1] : NULL;

	if (k && k->at == at)
		return k;
	if (s->npieces == s->piece_room)
		return NULL;
	addresses_finish(s, *n);
	*n = 0;
	k = &s->pieces[s->npieces++];
	*k = (struct piece){ .at = at };
	return k;
}

/* Add the bytes from `from' to `to' of a piece, which are of live block i. */
static void
addresses_fill(struct space *s, struct piece *k, uint64_t from, uint64_t to,
	       size_t i, size_t *n)
{
	uint64_t cell = s->unit / CELLS, end;
	size_t site = s->live[i].site;

	if (!s->holds[site])
		s->sites[(*n)++] = site;
	s->holds[site] += to - from;
	k->bytes += to - from;
	for (; from < to; from = end) {
		end = (from / cell + 1) * cell;
		end = end < to ? end : to;
		k->cells[(from - k->at) / cell] += end - from;
		k->odd[(from - k->at) / cell] += i % 2 * (end - from);
	}
}

/* Divide the live blocks among pieces. */
static void
addresses_divide(struct space *s)
{
	uint64_t at, from, to;
	size_t n = 0;

	s->piece_room = addresses_count(s, s->unit);
	s->pieces = tables_room(s->t, s->piece_room, sizeof *s->pieces);
	s->holds = tables_room(s->t, s->t->p->nsites, sizeof *s->holds);
	s->sites = tables_room(s->t, s->t->p->nsites, sizeof *s->sites);
	for (size_t i = 0; i < s->n; i++) {
		const struct live *b = &s->live[i];

		to = addresses_end_of(b);
		for (from = b->address; from < to; from = at + s->unit) {
			struct piece *k;

			at = from / s->unit * s->unit;
			k = piece_at(s, at, &n);
			if (!k)
				break;
			k->blocks += from == b->address;
			addresses_fill(s, k, from,
				       to - at < s->unit ? to : at + s->unit, i,
				       &n);
			if (at > UINT64_MAX - s->unit)
				break;
		}
	}
	addresses_finish(s, n);
}

/* ----------------------------------------------------------------- print -- */

/* If the user chose the unit, every second block has another sign. */
static char
full(const struct space *s, const struct piece *k, size_t i)
{
	return s->chosen && k->odd[i] > k->cells[i] / 2 ? '=' : '#';
}

/* A character for each sixteenth: empty, below 10%, by tens up to full. */
static void
map(char text[CELLS + 1], const struct space *s, const struct piece *k)
{
	uint64_t cell = s->unit / CELLS;

	for (size_t i = 0; i < CELLS; i++) {
		uint64_t tenths =
			k->cells[i] >= cell
				? 10
				: (uint64_t)((unsigned __int128)k->cells[i] *
					     10 / cell);

		text[i] = !k->cells[i]	 ? ' '
			  : tenths == 10 ? full(s, k, i)
			  : tenths	 ? (char)('0' + tenths)
					 : '.';
	}
	text[CELLS] = '\0';
}

static void
addresses_row(const struct space *s, const struct piece *k)
{
	const struct profile *p = s->t->p;
	struct line *l = &s->t->line;
	char n[NUMBER_SIZE], text[CELLS + 1];

	map(text, s, k);
	line_add(l, "  %#16" PRIx64 " |%s| %6s%%", k->at, text,
		 number_tenths(n, k->bytes, s->unit));
	line_add(l, " %12s", tables_bytes(s->t, n, k->bytes));
	line_add(l, " %10s   ", number_count(n, k->blocks));
	if (k->site < p->nsites)
		paths_print_chain(s->t, p->sites[k->site].leaf);
	else
		line_add(l, "(not known)");
	line_end(l);
}

static void
addresses_rows(const struct space *s)
{
	struct line *l = &s->t->line;
	char n[NUMBER_SIZE];
	uint64_t next = 0;

	line_end(l);
	line_say(l,
		 "Each row is %s bytes of the address space, each "
		 "character a sixteenth of it.",
		 number_bytes(n, s->unit, s->t->o->human));
	line_end(l);
	line_say(l, "  %16s  %-16s  %7s %12s %10s   %s", "address", "in use",
		 "", "live bytes", "blocks", "most of it: path");
	line_end(l);
	for (size_t i = 0; i < s->npieces; i++) {
		const struct piece *k = &s->pieces[i];

		if (s->chosen && i == block_rows(s->t, ROWS)) {
			line_say(l, "(%zu more rows; --top=N prints N)",
				 s->npieces - i);
			break;
		}
		if (i && k->at != next)
			tables_say(s->t, "               ...");
		addresses_row(s, k);
		next = k->at + s->unit;
	}
}

static void
addresses_summary(const struct space *s, const char *when)
{
	struct line *l = &s->t->line;
	struct address_figures f;
	char n[NUMBER_SIZE], pages[NUMBER_SIZE], share[NUMBER_SIZE];

	addresses_measure(s, &f);
	line_add(l, "Live %s: %s bytes in %zu block%s", when,
		 tables_bytes(s->t, n, f.bytes), s->n, s->n == 1 ? "" : "s");
	if (s->more)
		line_add(l, " (and %" PRIu64 " more, which are left out)",
			 s->more);
	line_end(l);
	if (!s->n)
		return;
	line_say(l,
		 "They are in %" PRIu64 " page%s of %d, %s bytes: %s%% of "
		 "these are in use.",
		 f.pages, f.pages == 1 ? "" : "s", PAGE,
		 tables_bytes(s->t, pages, amount_mul(f.pages, PAGE)),
		 number_tenths(share, f.bytes, amount_mul(f.pages, PAGE)));
	if (!f.gap)
		return;
	line_say(l,
		 "The largest gap between two of them: %s bytes at %#" PRIx64
		 ".",
		 tables_bytes(s->t, n, f.gap), f.gap_at);
}

/* Print the blocks live at a time: with rows, or only figures.  0 or -1. */
static int
print_at(struct tables *t, uint64_t time, const char *when, bool all)
{
	size_t sign = t->o->addresses_sign;
	struct space s = { .t = t,
			   .time = time,
			   .unit = sign ? sign * CELLS : PIECE,
			   .chosen = sign };
	int status =
		(t->p->snapshot.span
			 ? profile_log_each
			 : profile_log_all)(t->p, addresses_take, &s, t->e);

	if (!status) {
		if (s.n)
			qsort(s.live, s.n, sizeof(*s.live), compare);
		addresses_summary(&s, when);
		while (all && !sign && s.unit < UINT64_MAX / 4 &&
		       addresses_count(&s, s.unit) > block_rows(t, ROWS))
			s.unit *= 2;
		if (all && s.n) {
			addresses_divide(&s);
			addresses_rows(&s);
		}
	}
	free(s.live);
	return status;
}

/* Print the blocks that were live at the peak, or just after its end. */
static int
addresses_print_peak(struct tables *t, bool all)
{
	uint64_t time;
	bool exact;

	if (block_peak(t, &time, &exact))
		return -1;
	return print_at(t, time,
			exact ? "at the peak" : "when the peak had ended", all);
}

/* Print the blocks that were live at the time of --at. */
static int
print_named(struct tables *t)
{
	char n[NUMBER_SIZE], when[NUMBER_SIZE + 16];

	snprintf(when, sizeof when, "%s s after %s",
		 number_seconds(n, t->p->snapshot.at), conditions_since(t->p));
	return print_at(t, t->p->snapshot.at, when, true);
}

int
addresses_print(struct tables *t)
{
	const struct profile *p = t->p;
	bool peak = p->snapshot.peak, at = profile_is_earlier(p);
	int status;

	if (!block_title(t, "------------------ Address Space "
			    "-------------------"))
		return 0;
	if (at && !peak) {
		status = print_named(t);
	} else {
		if (!p->log.live && !peak)
			tables_say(t, "A killed program only has the blocks "
				      "that it had freed: see --at.");
		/* In a part of the run, the peak of its blocks is unknown. */
		status = p->snapshot.span ? 0 : addresses_print_peak(t, peak);
		if (!status && !peak && p->log.live) {
			line_end(&t->line);
			status = print_at(t, UINT64_MAX, "at the end", true);
		}
	}
	if (!status)
		legend_explain(t, &legend, NULL, NULL);
	return status;
}
