/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libFuzzer on mon.out: reading, merging, adding up, all the stages up to the
 * profile, and every table.  Changed records get right CRCs (records.h), except
 * in one file of eight.  `make fuzz' builds and runs it; see tests/README.
 */
#include "tests/fuzz/records.h"

#include "display/export/export.h"
#include "display/cli/options.h"
#include "display/tables/tables.h"
#include "reduce/monout/run.h"
#include "reduce/monout/cells.h"
#include "reduce/monout/mon.h"
#include "reduce/image/open.h"
#include "reduce/base/crc32.h"

/* For their static functions: nothing may be read from or written to disk. */
#include "reduce/profile/profile.c"
#include "reduce/monout/sum.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most,
			       unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* Is the file's sum of lives the sum of the sites' lives? */
static void
check_lives(const struct mon *m)
{
	struct life all = { 0 }, x;
	uint64_t blocks = 0, bytes = 0, weight = 0;
	size_t i;

	for (i = 0; i < m->nsites; i++) {
		blocks += m->sites[i].peak_blocks;
		bytes += m->sites[i].count.peak;
		life_get(&m->lives, m->sites[i].life, &x);
		if (x.near > counts_sum(m->sites[i].count.frees) ||
		    x.timed > x.weight || x.min > x.max || !life_fits(&all, &x))
			abort();
		life_add(&all, &x);
	}
	for (i = 0; i < PROFILE_NLIFE; i++)
		weight += all.bin[i];
	if (weight != all.weight || memcmp(&all, &m->life, sizeof(all)) != 0 ||
	    blocks != m->peak_blocks || bytes != m->peak_bytes ||
	    blocks > m->sums.allocs || bytes > m->sums.bytes)
		abort();
}

/* Are the cells in order, possible, and complete for their sites? */
static void
check_cells(const struct mon *m)
{
	struct counts *sum = calloc(m->nsites + 1, sizeof(*sum));
	const struct mon_cell *c;
	unsigned k;
	size_t i;

	for (i = 0; i < m->ncells; i++) {
		c = &m->cells[i];
		k = cells_class(c);
		if (c->site >= m->nsites || c->thread > m->nthreads ||
		    c->frees > c->allocs || c->freed > c->bytes ||
		    k >= MONOUT_NCLASS || (i && cells_compare(c - 1, c) >= 0) ||
		    (!c->any && (c->bytes != c->allocs * c->size ||
				 c->freed != c->frees * c->size)) ||
		    (!c->thread && m->cells_threads))
			abort();
		sum[c->site].allocs[k] += c->allocs;
		sum[c->site].bytes[k] += c->bytes;
		sum[c->site].frees[k] += c->frees;
		sum[c->site].freed[k] += c->freed;
		sum[c->site].peak += (uint64_t)c->peak_bytes;
	}
	for (i = 0; i < m->nsites && m->cells_known; i++) {
		if (m->peaks_known && sum[i].peak != m->sites[i].count.peak)
			abort();
		sum[i].peak = m->sites[i].count.peak;
		if (memcmp(&sum[i], &m->sites[i].count, sizeof(*sum)) != 0)
			abort();
	}
	if (m->ncells && !m->cells_known)
		abort();
	for (i = 0; i < m->nvtables; i++)
		if (m->vtables[i].site >= m->nsites || !m->vtables[i].module ||
		    m->vtables[i].module >= m->nmodules)
			abort();
	free(sum);
}

/* Must hold for anything that is read. */
static void
check(const struct mon *m)
{
	uint64_t bytes = 0;
	size_t i;

	check_lives(m);
	check_cells(m);
	for (i = 0; i < m->nthreads; i++)
		bytes += m->threads[i].bytes;
	if (bytes != m->thread_sums.bytes)
		abort();

	if (m->sums.frees > m->sums.allocs || m->sums.freed > m->sums.bytes)
		abort();
	for (i = 1; i < m->nnodes; i++) {
		if (m->nodes[i].parent >= i ||
		    m->nodes[i].module >= (m->nmodules ? m->nmodules : 1))
			abort();
	}
	for (i = 0; i < m->nsites; i++) {
		if (m->sites[i].node && m->sites[i].node >= m->nnodes)
			abort();
	}
}

static ssize_t
swallow(void *cookie, const char *text, size_t n)
{
	(void)cookie;
	(void)text;
	return (ssize_t)n;
}

static FILE *
null_stream(void)
{
	static const cookie_io_functions_t io = { .write = swallow };
	static char buffer[65536];
	static FILE *null;

	if (!null) {
		null = fopencookie(NULL, "w", io);
		setvbuf(null, buffer, _IOFBF, sizeof(buffer));
	}
	return null;
}

/* Each input chooses its own options, always the same. */
static void
choose(struct options *o, uint32_t bits)
{
	static const char *any[] = { "*" };
	static const enum options_verbosity verbosity[] = {
		OPTIONS_NORMAL, OPTIONS_VERBOSE, OPTIONS_TERSE, OPTIONS_VERBOSE
	};

	options_default(o);
	/* Only some tables each time: they take most of the time. */
	o->prolog = bits >> 16 & 1;
	o->threads = o->peak = bits >> 17 & 1;
	o->leaks = o->lifetimes = bits >> 18 & 1;
	o->bins = o->types = bits >> 19 & 1;
	o->waste = o->read.waste = bits >> 26 & 1;
	o->direct = o->graph = bits >> 20 & 1;
	o->scores = o->fields = bits >> 21 & 1;
	o->chosen = true;
	o->verbosity = verbosity[bits & 3];
	o->brief = bits & 4;
	o->human = bits & 8;
	o->zero = bits & 16;
	o->bins_all = bits & 32;
	o->depth = bits & 64 ? 2 : 0;
	o->name_width = bits & 128 ? 10 : 0;
	o->sort = (bits >> 8 & 7) % (OPTIONS_BY_USEFUL + 1);
	o->json = (bits >> 22 & 3) == 0;
	o->read.offsets = bits >> 12 & 1;
	o->read.no_wrappers = bits >> 13 & 1;
	o->read.no_types = bits >> 14 & 1;
	o->read.fields = true;
	o->read.lines = bits >> 24 & 1;
	o->read.sources = o->annotate = bits >> 25 & 1;
	if (bits >> 15 & 1)
		o->fields_only = (struct profile_list){ any, 1 };
}

/* Chooses a filter for every other input; returns whether there is one. */
static bool
choose_filter(struct options *o, uint32_t bits)
{
	static const char *const symspec[] = { "[a-m]*", "*.c:*", "*1*" };
	static const char *const glob[] = { "*[a-m]*" };
	static const struct profile_list all = { glob, 1 };
	struct profile_filter *f = &o->read.filter;

	if (bits & 1)
		return false;
	if (bits & 2)
		f->focus = (struct profile_list){ symspec, 2 };
	if (bits & 4)
		f->ignore = (struct profile_list){ symspec + 1, 2 };
	if (bits & 8)
		f->hide = (struct profile_list){ symspec + 2, 1 };
	if (bits & 16)
		f->module = f->type = all;
	f->collapse = bits & 32;
	f->sizes = (bits & 192) == 64;
	f->least = 8;
	f->largest = 300;
	if ((bits & 192) == 128)
		f->thread = all;
	return true;
}

static void
print(const struct profile *p, const struct options *o)
{
	struct err e;

	/* "*" may match no type, which is an error. */
	if (o->json)
		json_print(p, true, null_stream());
	else
		(void)tables_print(p, o, null_stream(), &e);
	fflush(null_stream());
}

/*
 * From the merged data, which a filter changes, to the tables.  m: the file of
 * the data.
 */
static void
show(struct mon *all, const struct mon *m, const struct options *o)
{
	struct profile p = { .priv = calloc(1, sizeof(*p.priv)) };
	static const struct suppress none;
	struct err e;

	p.runs = arena_array(&p.priv->arena, 1, sizeof(*p.runs));
	run_fill(p.runs, &p.priv->arena, m);
	p.nruns = 1;
	if (profile_reduce(&p, all, &o->read, &none, NULL, &e) == 0)
		print(&p, o);
	profile_fini(&p);
}

/* Can the sum be read again, with the same sums? */
static void
check_sum(const struct merge *g)
{
	struct emit out = { 0 };
	struct mon m;
	struct err e;

	sum_content(&out, &g->all);
	if (out.failed || open_memory(&m, "sum", out.data, out.length, &e))
		abort();
	if (memcmp(&m.sums, &g->all.sums, sizeof(m.sums)) != 0 ||
	    m.nsites != g->all.nsites || m.peak_bytes != g->all.peak_bytes)
		abort();
	mon_fini(&m);
	emit_fini(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct merge g = { 0 };
	struct options o;
	struct mon m;
	struct err e;
	bool filter;
	int turn;

	choose(&o, crc32_add(0, data, size));
	filter = choose_filter(&o, crc32_add(1, data, size));
	if (open_memory(&m, "fuzz", data, size, &e) == 0) {
		info_print(&m, null_stream());
		/* Twice: a file has everything in common with itself. */
		for (turn = 0; turn < 2 && !merge_add(&g, &m, &e); turn++) {
			merge_settle(&g);
			check(&g.all);
			if (turn == 0 && !filter)
				show(&g.all, &m, &o);
			if (turn == 1)
				check_sum(&g);
		}
		if (filter)
			show(&g.all, &m, &o);
		merge_fini(&g);
		mon_fini(&m);
	}
	return 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	return records_mutate(data, size, most, seed, LLVMFuzzerMutate);
}
