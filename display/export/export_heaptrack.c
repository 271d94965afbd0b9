/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --export=heaptrack: heaptrack's interpreted data, file version 3.  That is a
 * log with a line for each allocation and each free.  A profile has totals, but
 * not the order of the events, so the log is made up from the totals.
 *
 * The log starts with the blocks that were live neither at the peak nor at the
 * end, one after the other.  At the time of the peak it allocates the blocks
 * live then; at the end, all other blocks.  From this heaptrack computes the
 * peak and the leaks.  It counts a block as temporary if its free follows right
 * after an allocation with the same number.  So each kind has two numbers, and
 * blocks that aren't temporary are freed by the second.
 */
#include "display/export/export.h"

#include "display/grid/locations.h"
#include "display/text/amount.h"
#include "display/text/intern.h"
#include "reduce/base/arena.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The most lines of allocations and frees. */
#define LOG_MOST UINT64_C(400000000)

enum { MILLI = 1000000 };

/* n blocks of one size: the number of their kind. */
struct lot {
	uint32_t kind;
	uint64_t n;
};

/*
 * Blocks of a site, or of one size at a site.  Each part is two lots: blocks of
 * the mean size, rounded down, and blocks of one byte more.
 */
struct unit {
	struct lot lot[4][2]; /* by enum live_when */
	uint64_t temps;	      /* temporary blocks among LIVE_NEITHER */
	bool late;	      /* one block live at the peak is temporary */
};

struct heaptrack {
	struct export *x;
	const struct profile *p;
	FILE *out;
	struct intern kinds; /* (size, trace) */
	struct locations locations;
	uint32_t *trace; /* by frame of p->tree, from 1; 0: not yet written */
	uint32_t *ip;	 /* by location, from 1; 0: not yet written */
	uint32_t ntraces, nips;
	uint32_t unknown; /* trace for unknown call paths */
	struct unit *unit;
	size_t nunits, room;
};

/* ------------------------------------------ strings, locations, traces -- */

/* The number of a string, from 1, written if it is new; 0: out of memory. */
static uint32_t
export_heaptrack_text(struct heaptrack *h, const char *s)
{
	size_t had = h->x->strings.n;
	uint32_t n = intern_text(&h->x->strings, s);

	if (n == INTERN_FAILED)
		return 0;
	if (h->x->strings.n > had) {
		fprintf(h->out, "s %zx ", strlen(s));
		export_clean(h->out, s);
		putc('\n', h->out);
	}
	return n + 1;
}

/* Write function and file as strings; an unknown file has number 0. */
static int
frame_texts(struct heaptrack *h, const struct func *f, uint32_t to[2])
{
	const char *file = export_file(f);

	to[0] = export_heaptrack_text(h, f->name);
	to[1] = *file ? export_heaptrack_text(h, file) : 0;
	return to[0] && (to[1] || !*file) ? 0 : -1;
}

/* The number of f's location, written if it is new; 0: out of memory. */
static uint32_t
ip_number(struct heaptrack *h, const struct frame *f)
{
	uint32_t *n = &h->ip[locations_number(&h->locations, f)], at[2], module;
	const struct profile_module *m = &h->p->modules[f->func->in];

	if (*n)
		return *n;
	module = *m->path ? export_heaptrack_text(h, m->path) : 0;
	/* First write the strings that the line refers to. */
	for (const struct frame *x = f;; x = x->parent) {
		if (frame_texts(h, x->func, at))
			return 0;
		if (!x->inlined || !x->parent)
			break;
	}
	fprintf(h->out, "i %" PRIx64 " %x", f->addr ? f->addr + m->bias - 1 : 0,
		module);
	for (const struct frame *x = f;; x = x->parent) {
		if (frame_texts(h, x->func, at))
			return 0;
		fprintf(h->out, " %x %x %x", at[0], at[1],
			export_line(x->func));
		if (!x->inlined || !x->parent)
			break;
	}
	putc('\n', h->out);
	return *n = ++h->nips;
}

/* Write a trace for each call path; callers come before callees.  0, or -1. */
static int
traces(struct heaptrack *h)
{
	const struct profile *p = h->p;
	const struct frame *up;

	/* First mark each frame that needs a number with a 1. */
	for (size_t i = 0; i < p->nsites; i++)
		if (p->sites[i].leaf)
			h->trace[p->sites[i].leaf - p->tree] = 1;
	for (size_t i = p->ntree; i-- > 0;)
		if (h->trace[i] && (up = locations_caller(&p->tree[i])))
			h->trace[up - p->tree] = 1;
	for (size_t i = 0; i < p->ntree; i++) {
		uint32_t ip;

		if (!h->trace[i])
			continue;
		ip = ip_number(h, &p->tree[i]);
		if (!ip)
			return -1;
		up = locations_caller(&p->tree[i]);
		fprintf(h->out, "t %x %x\n", ip,
			up ? h->trace[up - p->tree] : 0);
		h->trace[i] = ++h->ntraces;
	}
	return 0;
}

static uint32_t
trace_of(struct heaptrack *h, const struct site *s)
{
	uint32_t name;

	if (s->leaf)
		return h->trace[s->leaf - h->p->tree];
	if (h->unknown)
		return h->unknown;
	name = export_heaptrack_text(h, "[unknown]");
	fprintf(h->out, "i 0 0 %x\nt %x 0\n", name, ++h->nips);
	return h->unknown = ++h->ntraces;
}

/* --------------------------------------------------------- what to write -- */

/* The first of the two numbers of a kind; 0: out of memory. */
static uint32_t
kind(struct heaptrack *h, uint64_t size, uint32_t trace)
{
	size_t had = h->kinds.n;
	uint32_t n = intern_pair(&h->kinds, size, trace);

	if (n == INTERN_FAILED || n > UINT32_MAX / 4)
		return 0;
	/* To heaptrack number 0 means "none", so it is never used. */
	for (int i = n ? 1 : 0; i < 3 && h->kinds.n > had; i++)
		fprintf(h->out, "a %" PRIx64 " %x\n", size, trace);
	return 2 * n + 1;
}

static int
add_unit(struct heaptrack *h, const struct live_known *known, uint32_t trace)
{
	struct live_sum part[4];
	struct unit *u =
		array_grow(h->unit, &h->room, h->nunits + 1, sizeof *u);

	if (!u)
		return -1;
	h->unit = u;
	u += h->nunits++;
	*u = (struct unit){ .temps = 0 };
	live_divide(known, part);
	for (int g = 0; g < 4; g++) {
		uint64_t n = part[g].blocks, size = n ? part[g].bytes / n : 0;
		uint64_t larger = n ? part[g].bytes % n : 0;

		u->lot[g][0].n = n - larger;
		u->lot[g][1].n = larger;
		for (int i = 0; i < 2; i++) {
			struct lot *lot = &u->lot[g][i];

			if (lot->n)
				lot->kind = kind(h, size + (uint64_t)i, trace);
			if (lot->n && !lot->kind)
				return -1;
		}
	}
	return 0;
}

/* Choose a site's temporary blocks among its units, which begin at `first'. */
static void
set_temps(struct heaptrack *h, size_t first, uint64_t temps)
{
	for (size_t i = first; i < h->nunits; i++) {
		struct unit *u = &h->unit[i];
		uint64_t n =
			u->lot[LIVE_NEITHER][0].n + u->lot[LIVE_NEITHER][1].n;

		u->temps = n < temps ? n : temps;
		temps -= u->temps;
	}
	for (size_t i = first; i < h->nunits && temps; i++) {
		struct unit *u = &h->unit[i];

		u->late = u->lot[LIVE_PEAK][0].n;
		temps -= u->late;
	}
}

/* Make the units of all sites.  0, or -1 when out of memory. */
static int
units(struct heaptrack *h)
{
	const struct profile *p = h->p;
	const struct item *next = p->items;
	size_t n;

	for (size_t i = 0; i < p->nsites; i++) {
		const struct site *s = &p->sites[i];
		struct live_known known = live_of_site(s);
		uint32_t trace = trace_of(h, s);
		size_t first = h->nunits;
		const struct item *a = export_items(p, s, &next, &n);
		bool items = live_is_site(s, a, n);

		if (!items && add_unit(h, &known, trace))
			return -1;
		for (size_t j = 0; items && j < n; j++) {
			known = live_of_item(&a[j]);
			if (add_unit(h, &known, trace))
				return -1;
		}
		if (s->life)
			set_temps(h, first, s->life->temps);
	}
	return 0;
}

/* ------------------------------------------------------------ the events -- */

/* Print the line (or two lines in one text) n times. */
static void
repeat(struct heaptrack *h, const char *line, uint64_t n)
{
	size_t len = strlen(line);

	while (n--)
		fwrite(line, 1, len, h->out);
}

static void
allocate(struct heaptrack *h, const struct lot *lot, uint64_t n)
{
	char line[32];

	snprintf(line, sizeof line, "+ %x\n", lot->kind);
	repeat(h, line, n);
}

static void
release(struct heaptrack *h, const struct lot *lot, uint64_t n)
{
	char line[32];

	snprintf(line, sizeof line, "- %x\n", lot->kind + 1);
	repeat(h, line, n);
}

/* Write blocks that are allocated and freed; u->temps of them are temporary. */
static void
export_heaptrack_pass(struct heaptrack *h, const struct unit *u)
{
	uint64_t temps = u->temps;
	char line[64];

	for (int i = 0; i < 2; i++) {
		const struct lot *lot = &u->lot[LIVE_NEITHER][i];
		uint64_t n = lot->n < temps ? lot->n : temps;

		snprintf(line, sizeof line, "+ %x\n- %x\n", lot->kind,
			 lot->kind);
		repeat(h, line, n);
		snprintf(line, sizeof line, "+ %x\n- %x\n", lot->kind,
			 lot->kind + 1);
		repeat(h, line, lot->n - n);
		temps -= n;
	}
}

/* The lot with the temporary block that comes last at the peak, or NULL. */
static struct lot *
last_of(struct heaptrack *h)
{
	for (size_t i = 0; i < h->nunits; i++)
		if (h->unit[i].late)
			return &h->unit[i].lot[LIVE_PEAK][0];
	return NULL;
}

static void
events(struct heaptrack *h)
{
	static const int up[] = { LIVE_BOTH, LIVE_PEAK };
	const struct profile *p = h->p;
	struct lot *last = last_of(h);

	fputs("c 0\n", h->out);
	for (size_t i = 0; i < h->nunits; i++)
		export_heaptrack_pass(h, &h->unit[i]);
	fprintf(h->out, "c %" PRIx64 "\n", p->peak_at / MILLI);
	if (last)
		last->n--;
	for (size_t i = 0; i < h->nunits; i++)
		for (int k = 0; k < 4; k++) {
			const struct lot *lot =
				&h->unit[i].lot[up[k / 2]][k % 2];

			allocate(h, lot, lot->n);
		}
	if (last)
		fprintf(h->out, "+ %x\n- %x\n", last->kind, last->kind);
	fprintf(h->out, "c %" PRIx64 "\n", p->runs[0].length / MILLI);
	for (size_t i = 0; i < h->nunits; i++)
		for (int k = 0; k < 2; k++) {
			const struct lot *lot = &h->unit[i].lot[LIVE_PEAK][k];

			release(h, lot, lot->n);
		}
	for (size_t i = 0; i < h->nunits; i++)
		for (int k = 0; k < 2; k++) {
			const struct lot *lot = &h->unit[i].lot[LIVE_END][k];

			allocate(h, lot, lot->n);
		}
}

/* ------------------------------------------------------------ the whole -- */

static void
export_heaptrack_head(struct heaptrack *h)
{
	const struct profile *p = h->p;
	uint64_t rss = 0;

	fputs("v 10400 3\n# mpreduce " MEMMON_VERSION
	      "; the order of events isn't that of the program\n",
	      h->out);
	if (h->x->note)
		fprintf(h->out, "# %s\n", h->x->note);
	fputs("X ", h->out);
	export_clean(h->out, p->runs[0].command);
	putc('\n', h->out);
	for (size_t i = 0; p->time.known && p->time.rss && i < p->time.n; i++)
		if (p->time.rss[i] != UINT64_MAX && p->time.rss[i] > rss)
			rss = p->time.rss[i];
	/* RSS, with a page size of 1. */
	if (rss)
		fprintf(h->out, "I 1 0\nR %" PRIx64 "\n", rss);
}

static int
export_heaptrack_check(const struct profile *p, struct err *e)
{
	uint64_t n = amount_add(counts_sum(p->total.allocs),
				counts_sum(p->total.frees));

	if (!p->peaks_known)
		return err_set(e, "--export=heaptrack: the call paths at the "
				  "peak are unknown");
	if (n <= LOG_MOST)
		return 0;
	return err_set(e,
		       "--export=heaptrack: the file would have %" PRIu64
		       " lines, one for each allocation and free; keep only a "
		       "part, with --focus or --only",
		       n);
}

int
export_heaptrack(struct export *x)
{
	const struct profile *p = x->p;
	struct heaptrack h = { .x = x, .p = p, .out = x->out };
	int status = -1;

	if (export_heaptrack_check(p, x->e))
		return -1;
	h.trace = export_room(x, p->ntree + 1, sizeof *h.trace);
	if (h.trace && !locations_init(&h.locations, p) &&
	    (h.ip = export_room(x, h.locations.n + 1, sizeof *h.ip))) {
		export_heaptrack_head(&h);
		status = traces(&h) || units(&h) ? -1 : 0;
	}
	if (!status)
		events(&h);
	free(h.unit);
	locations_fini(&h.locations);
	intern_fini(&h.kinds);
	return status;
}
