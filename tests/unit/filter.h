/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random programs for the tests of filters and items: call paths, and cells by
 * thread and size.  Computes what a filter must leave of them, straight from
 * the definition, one site after the other.  For those two tests only.
 */
#ifndef MEMMON_TESTS_FILTER_H
#define MEMMON_TESTS_FILTER_H

#include "reduce/monout/load.h"
#include "reduce/types/shares.h"

#include <stdlib.h>
#include <string.h>

enum {
	FUNCS = 6, /* the first half in one module */
	DEEPEST = 9,
	SITES = 24,
	CELLS = 6, /* of a site */
	THREADS = 3,
	SIZES = 6,
	PROGRAMS = 1500
};

static const uint64_t sizes[SIZES] = { 0, 8, 32, 100, 300, 5000 };
static const char *const names[FUNCS] = { "[app+0x1]",	 "[app+0x2]",
					  "[app+0x3]",	 "[other+0x4]",
					  "[other+0x5]", "[other+0x6]" };
static const char *const thread_names[THREADS] = { "a", "b", "" };

/* The filters, in bits; 0: no filter. */
struct wish {
	unsigned focus, ignore, hide, module, thread;
	bool sizes, collapse;
	uint64_t least, largest;
};

/* A site as it was made. */
struct record {
	unsigned chain[DEEPEST], n;
	struct mon_cell cell[CELLS];
	size_t ncells;
};

/* The expected result. */
struct want {
	uint64_t allocs, bytes, frees, peak, unsized;
	uint64_t self[FUNCS], total[FUNCS];
	uint64_t arc[FUNCS][FUNCS], calls[FUNCS][FUNCS];
	uint64_t bin[SIZES], any[PROFILE_NCLASS], thread[THREADS];
	size_t sites;
	bool cut, split; /* within a size */
};

static struct record records[SITES];
static size_t nrecords;
static struct mon_module modules[3];
static struct mon_node nodes[SITES * DEEPEST + 1];
static uint32_t node_of[SITES];
static size_t nnodes;

static struct mon mon;
static uint64_t state = 88172645463325252u;

static unsigned
at_random(unsigned below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % below;
}

/* ---------------------------------------------------------- the program -- */

static uint32_t
node(uint32_t parent, unsigned func)
{
	uint32_t module = func < FUNCS / 2 ? 1 : 2, i;

	for (i = 1; i < nnodes; i++) {
		if (nodes[i].parent == parent && nodes[i].addr == func + 1)
			return i;
	}
	nodes[nnodes] = (struct mon_node){ parent, module, func + 1 };
	return (uint32_t)nnodes++;
}

/* Cells of a site: by size, then thread; now and then a whole class. */
static void
random_cells(struct record *r, uint32_t site)
{
	struct mon_cell *x;
	uint64_t most;
	unsigned s, t;

	r->ncells = 0;
	for (s = 0; s < SIZES; s++) {
		for (t = 1; t <= THREADS && r->ncells < CELLS; t++) {
			if (at_random(4) && (r->ncells || s + 1 < SIZES))
				continue;
			x = &r->cell[r->ncells++];
			*x = (struct mon_cell){ .site = site,
						.thread = t,
						.size = sizes[s] };
			x->allocs = 1 + at_random(5);
			x->frees = at_random((unsigned)x->allocs + 1);
			x->bytes = x->allocs * sizes[s];
			x->freed = x->frees * sizes[s];
			most = x->allocs;
			x->peak_blocks = (int64_t)at_random((unsigned)most + 1);
			x->peak_bytes = x->peak_blocks * (int64_t)sizes[s];
			x->any = at_random(8) == 0;
			if (x->any)
				x->size = counts_class(sizes[s]);
		}
	}
}

static inline void
random_program(void)
{
	size_t i, k, n = 1 + at_random(SITES);
	struct record *r;
	uint32_t at;

	nnodes = 1;
	for (nrecords = i = 0; i < n; i++) {
		r = &records[nrecords];
		r->n = 1 + at_random(DEEPEST);
		for (at = k = 0; k < r->n; k++) {
			r->chain[k] = at_random(FUNCS);
			at = node((uint32_t)at, r->chain[k]);
		}
		for (k = 0; k < nrecords && node_of[k] != at; k++)
			;
		if (k < nrecords)
			continue;
		node_of[nrecords] = at;
		random_cells(r, (uint32_t)nrecords++);
	}
}

static void *
room(size_t n, size_t size)
{
	return calloc(n + 1, size);
}

static void
fill_site(struct mon_site *s, const struct record *r)
{
	const struct mon_cell *x;
	unsigned c;

	for (x = r->cell; x < r->cell + r->ncells; x++) {
		c = x->any ? (unsigned)x->size : counts_class(x->size);
		s->count.allocs[c] += x->allocs;
		s->count.bytes[c] += x->bytes;
		s->count.frees[c] += x->frees;
		s->count.freed[c] += x->freed;
		s->count.peak += (uint64_t)x->peak_bytes;
		s->peak_blocks += (uint64_t)x->peak_blocks;
		mon.cells[mon.ncells++] = *x;
	}
	s->reallocs = 1;
}

/*
 * The merged data of the program.  Each vtable, group and field has its site's
 * node.
 */
static inline void
fill(void)
{
	struct mon_site *s;
	size_t i;

	mon = (struct mon){ .modules = modules, .nmodules = 3, .nodes = nodes };
	mon.nnodes = nnodes;
	mon.sites = room(nrecords, sizeof(*mon.sites));
	mon.cells = room(nrecords * CELLS, sizeof(*mon.cells));
	mon.vtables = room(nrecords, sizeof(*mon.vtables));
	mon.groups = room(nrecords, sizeof(*mon.groups));
	mon.fields = room(nrecords, sizeof(*mon.fields));
	mon.threads = room(THREADS, sizeof(*mon.threads));
	for (i = 0; i < THREADS; i++)
		mon.threads[i] = (struct mon_thread){ .name = thread_names[i] };
	for (i = 0; i < nrecords; i++) {
		s = &mon.sites[i];
		s->node = node_of[i];
		fill_site(s, &records[i]);
		(void)sums_add(&mon.sums, &s->count, s->reallocs);
		mon.vtables[i].site = mon.groups[i].site = (uint32_t)i;
		mon.fields[i].site = (uint32_t)i;
		mon.vtables[i].addr = mon.groups[i].first = s->node;
		mon.fields[i].size = s->node;
	}
	mon.nsites = mon.nvtables = mon.ngroups = mon.nfields = nrecords;
	mon.nthreads = THREADS;
	mon.peaks_known = mon.lives_known = mon.threads_known = true;
	mon.cells_known = mon.cells_threads = true;
}

static inline void
empty(void)
{
	free(mon.sites);
	free(mon.cells);
	free(mon.vtables);
	free(mon.groups);
	free(mon.fields);
	free(mon.threads);
	free(mon.bins);
}

/* -------------------------------------------------------- by definition -- */

/* Filters a call path in place; returns the length that is left. */
static unsigned
naive_chain(const struct wish *w, unsigned *chain, unsigned n)
{
	unsigned i, k, left = 0, last;

	for (i = 0; i < n; i++) {
		if (!(w->hide >> chain[i] & 1))
			chain[left++] = chain[i];
	}
	for (n = left, left = i = 0; i < n; i = last + 1) {
		for (last = k = i; w->collapse && k < n; k++) {
			if (chain[k] == chain[i])
				last = k;
		}
		chain[left++] = chain[i];
	}
	return left;
}

static bool
naive_passes(const struct wish *w, const struct record *r)
{
	unsigned on = 0, chain[DEEPEST], n, i;

	for (i = 0; i < r->n; i++)
		on |= 1u << r->chain[i];
	memcpy(chain, r->chain, sizeof(chain));
	n = naive_chain(w, chain, r->n);
	if (w->module && (!n || !(w->module >> (chain[n - 1] < 3 ? 1 : 2) & 1)))
		return false;
	return (!w->focus || (on & w->focus)) && !(on & w->ignore);
}

/* 1: the filter keeps the cell, 0: it doesn't; -1: the cell can't tell. */
static int
naive_cell(const struct wish *w, const struct mon_cell *x)
{
	static const uint64_t ends[] = { 32, 256, 2048, UINT64_MAX };
	uint64_t a = x->size, b = x->size;

	if (w->thread && !(w->thread >> (x->thread - 1) & 1))
		return 0;
	if (!w->sizes)
		return 1;
	if (x->any) {
		a = x->size ? ends[x->size - 1] + 1 : 0;
		b = ends[x->size];
	}
	if (x->any && x->allocs == 1)
		a = b = x->bytes;
	if (a >= w->least && b <= w->largest)
		return 1;
	return b < w->least || a > w->largest ? 0 : -1;
}

static void
naive_add(struct want *x, const struct mon_cell *c, const unsigned *chain,
	  unsigned n)
{
	bool seen[FUNCS] = { false }, over[FUNCS][FUNCS] = { { false } };
	unsigned i, s;

	x->allocs += c->allocs;
	x->bytes += c->bytes;
	x->frees += c->frees;
	x->peak += (uint64_t)c->peak_bytes;
	x->thread[c->thread - 1] += c->bytes;
	for (s = 0; s < SIZES && !c->any; s++)
		x->bin[s] += sizes[s] == c->size ? c->allocs : 0;
	if (c->any)
		x->any[c->size] += c->allocs;
	for (i = 0; i < n; i++) {
		if (!seen[chain[i]])
			x->total[chain[i]] += c->bytes;
		seen[chain[i]] = true;
		if (!i)
			continue;
		if (!over[chain[i - 1]][chain[i]])
			x->arc[chain[i - 1]][chain[i]] += c->bytes;
		over[chain[i - 1]][chain[i]] = true;
		x->calls[chain[i - 1]][chain[i]] += c->allocs;
	}
	if (n)
		x->self[chain[n - 1]] += c->bytes;
}

/*
 * Does the filter split blocks of one size of a site: are some left, and not
 * all?  Compares cell k with the cells before it that have its size.
 */
static bool
naive_splits(const struct wish *w, const struct record *r, size_t k)
{
	const struct mon_cell *c = &r->cell[k];
	size_t i;

	for (i = k;
	     i-- > 0 && r->cell[i].any == c->any && r->cell[i].size == c->size;)
		if ((naive_cell(w, &r->cell[i]) > 0) != (naive_cell(w, c) > 0))
			return true;
	return false;
}

static inline void
naive(const struct wish *w, struct want *x)
{
	unsigned chain[DEEPEST], n, left;
	const struct record *r;
	size_t i, k;
	int is;

	memset(x, 0, sizeof(*x));
	for (i = 0; i < nrecords; i++) {
		r = &records[i];
		if (!naive_passes(w, r))
			continue;
		memcpy(chain, r->chain, sizeof(chain));
		n = naive_chain(w, chain, r->n);
		for (k = left = 0; k < r->ncells; k++) {
			is = naive_cell(w, &r->cell[k]);
			if (is < 0)
				x->unsized += r->cell[k].bytes;
			left += is > 0;
			if (is > 0)
				naive_add(x, &r->cell[k], chain, n);
			x->split |= naive_splits(w, r, k);
		}
		x->cut |= left && left < r->ncells;
		x->sites += left > 0;
	}
}

#endif
