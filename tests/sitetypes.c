/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Print which types are guessed for the sites of a data file, and how:
 *
 *	sitetypes [-f] PROGRAM FILE
 *
 * A line each: RUNG, blocks, bytes of each ("-": they differ), type ("?":
 * unknown), then the source lines of all frames, innermost first; between
 * tabs.  -f: with the functions, as the linker calls them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/counts.h"
#include "reduce/err.h"
#include "reduce/exe.h"
#include "reduce/guard.h"
#include "reduce/guess.h"
#include "reduce/merge.h"
#include "reduce/symbols.h"

static struct merge merge;
static struct mon file;
static struct arena arena;
static struct exe exe;
static struct err err;
static struct symbols *symbols;
static struct symbols_pool pool;
static bool functions;

/* A call that is looked at. */
struct asked {
	const struct mon_node *node;
	struct symbols_place place;
	struct guess_call call;
	struct guess_type *type, perhaps;
	enum guess_answer answer;
};

static int
ask(void *arg)
{
	struct asked *w = arg;

	symbols_place(symbols, w->node->module, w->node->addr, &w->place);
	if (w->type->open) {
		guess_cxx_outer(&w->call, w->type);
		return 0;
	}
	*w->type = (struct guess_type){ .rung = GUESS_NRUNG };
	w->answer = guess_cxx(&w->call, w->type);
	if (w->answer == GUESS_UNKNOWN)
		w->answer = guess_c(&w->call, w->type);
	if (w->answer == GUESS_PASS && w->type->name &&
	    (!w->perhaps.name || w->type->size > w->perhaps.size))
		w->perhaps = *w->type;
	return 0;
}

/* Sizes of the site's blocks. */
static void
sizes_of(size_t site, struct guess_call *c)
{
	const struct mon *m = &merge.all;
	const struct mon_site *s = &m->sites[site];
	uint64_t n = counts_sum(s->count.allocs);
	uint64_t bytes = counts_sum(s->count.bytes);
	size_t i;

	/* Without cells: it may be an average, in this test only. */
	if (!m->cells_known && n && !s->reallocs && bytes % n == 0)
		c->least = c->largest = bytes / n;
	for (i = 0; i < m->ncells; i++) {
		if (m->cells[i].site != site || m->cells[i].any)
			continue;
		n = m->cells[i].size;
		c->least = c->least && c->least < n ? c->least : n;
		c->largest = c->largest > n ? c->largest : n;
	}
}

static void
guess(size_t site, struct guess_type *t, uint64_t *size)
{
	static struct asked w;
	const struct mon *m = &merge.all;
	const struct symbols_frame *f;
	uint32_t i;
	size_t n;

	*t = (struct guess_type){ .rung = GUESS_NRUNG };
	w.call = (struct guess_call){ .place = &w.place, .pool = &pool };
	sizes_of(site, &w.call);
	*size = w.call.least == w.call.largest ? w.call.least : 0;
	w.type = t;
	w.perhaps = *t;
	w.call.innermost = true;
	for (i = m->sites[site].node; i; i = m->nodes[i].parent) {
		w.node = &m->nodes[i];
		if (!w.node->module)
			break;
		n = symbols_find(symbols, w.node->module, w.node->addr, &f);
		w.call.function =
			f[n - 1].linkage ? f[n - 1].linkage : f[n - 1].name;
		if (guard_run(symbols_path(symbols, w.node->module), ask, &w))
			break;
		if (w.answer == GUESS_UNKNOWN ||
		    (w.answer == GUESS_FOUND && !t->open))
			break;
		w.call.innermost = false;
	}
	if (w.answer != GUESS_FOUND)
		*t = w.perhaps;
}

static void
print_site(size_t site)
{
	static const char *const rungs[GUESS_NRUNG + 1] = {
		"compiler", "program", "allocator", "new",  "variable",
		"return",   "source",  "vtable",    "size", "-",
	};
	const struct mon *m = &merge.all;
	const struct symbols_frame *f;
	struct guess_type t;
	uint64_t size;
	uint32_t i;
	size_t n, k;

	guess(site, &t, &size);
	printf("%s\t%" PRIu64 "\t", rungs[t.name ? t.rung : GUESS_NRUNG],
	       counts_sum(m->sites[site].count.allocs));
	printf(size ? "%" PRIu64 : "-", size);
	printf("\t%s\t", t.name ? t.name : "?");
	for (i = m->sites[site].node; i; i = m->nodes[i].parent) {
		if (!m->nodes[i].module)
			continue;
		n = symbols_find(symbols, m->nodes[i].module, m->nodes[i].addr,
				 &f);
		for (k = 0; k < n; k++)
			printf(" %s:%u%s%s", *f[k].file ? f[k].file : "-",
			       f[k].line, functions ? "=" : "",
			       !functions     ? ""
			       : f[k].linkage ? f[k].linkage
					      : f[k].name);
	}
	putchar('\n');
}

int
main(int argc, char **argv)
{
	const struct mon *m = &merge.all;
	size_t i;

	functions = argc > 1 && strcmp(argv[1], "-f") == 0;
	argc -= functions;
	argv += functions;
	symbols = symbols_new(true);
	if (argc != 3 || !symbols || load_file(&file, argv[2], &err) ||
	    merge_add(&merge, &file, &err) ||
	    exe_settle(&exe, &arena, m, argv[1], &err)) {
		fprintf(stderr, "sitetypes: %s\n", err.text);
		return 2;
	}
	/* Number 0 is none. */
	for (i = 0; i < m->nmodules || !i; i++)
		symbols_add(symbols,
			    i && exe.paths[i] ? exe.paths[i] : "[none]",
			    i ? m->modules[i].id : NULL,
			    i ? m->modules[i].idlen : 0);
	for (i = 0; i < m->nsites; i++)
		print_site(i);
	symbols_pool_fini(&pool);
	symbols_free(symbols);
	merge_fini(&merge);
	load_fini(&file);
	arena_fini(&arena);
	return 0;
}
