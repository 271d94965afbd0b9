/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Print the types guessed for the sites of a data file, and how:
 *
 *	sitetypes [-f] PROGRAM FILE
 *	sitetypes -a PROGRAM [ADDRESS SIZE]...
 *
 * A line each: CONFIDENCE, blocks, bytes of each ("-": they differ), type ("?":
 * unknown), then the source lines of all frames, innermost first; between tabs.
 * -f: with the functions' linker names.  -a: for single return addresses
 * (hexadecimal) that allocate blocks of that size, for programs that can't run
 * here.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reduce/model/counts.h"
#include "reduce/monout/mon.h"
#include "reduce/image/open.h"
#include "reduce/base/err.h"
#include "reduce/binaries/exe.h"
#include "reduce/base/guard.h"
#include "reduce/infer/guess.h"
#include "reduce/monout/merge.h"
#include "reduce/symbols/symbols.h"
#include "reduce/symbols/symbols_unit.h"

static struct merge merge;
static struct mon file;
static struct arena arena;
static struct exe exe;
static struct err err;
static struct symbols *symbols;
static struct symbols_pool pool;
static bool functions;

/* A call to look up. */
struct asked {
	const struct mon_node *node;
	struct symbols_debug debug;
	struct guess_call call;
	struct guess_type *type, perhaps;
	enum guess_answer answer;
};

static int
ask(void *arg)
{
	struct asked *w = arg;

	symbols_debug(symbols, w->node->module, w->node->addr, &w->debug);
	if (w->type->open) {
		guess_cxx_outer(&w->call, w->type);
		return 0;
	}
	*w->type = (struct guess_type){ .confidence = PROFILE_NCONFIDENCE };
	w->answer = guess_cxx(&w->call, w->type);
	if (w->answer == GUESS_UNKNOWN)
		w->answer = guess_c(&w->call, w->type);
	if (w->answer == GUESS_PASS && w->type->name &&
	    (!w->perhaps.name || w->type->size > w->perhaps.size))
		w->perhaps = *w->type;
	return 0;
}

/* The sizes of the site's blocks. */
static void
sizes_of(size_t site, struct guess_call *c)
{
	const struct mon *m = &merge.all;
	const struct mon_site *s = &m->sites[site];
	uint64_t n = counts_sum(s->count.allocs);
	uint64_t bytes = counts_sum(s->count.bytes);
	size_t i;

	/* Without cells, takes an average for the size: in this test only. */
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

	*t = (struct guess_type){ .confidence = PROFILE_NCONFIDENCE };
	w.call = (struct guess_call){ .debug = &w.debug, .pool = &pool };
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

static const char *const confidences[PROFILE_NCONFIDENCE + 1] = {
	"compiler", "program", "allocator", "new", "variable",
	"return",   "vtable",  "size",	    "-",
};

static void
print_site(size_t site)
{
	const struct mon *m = &merge.all;
	const struct symbols_frame *f;
	struct guess_type t;
	uint64_t size;
	uint32_t i;
	size_t n, k;

	guess(site, &t, &size);
	printf("%s\t%" PRIu64 "\t",
	       confidences[t.name ? t.confidence : PROFILE_NCONFIDENCE],
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

/* The program, perhaps for another machine, which symbols.h wouldn't open. */
static struct symbols_units units;

static bool
debug_of(Dwarf *dwarf, uint64_t ra, struct symbols_debug *p)
{
	struct symbols_unit *unit = symbols_units_at(&units, ra - 1);

	if (!unit)
		return false;
	*p = (struct symbols_debug){ .dwarf = dwarf,
				     .elf = dwarf_getelf(dwarf),
				     .units = &units,
				     .ra = ra,
				     .unit = unit->code,
				     .line = unit->die };
	p->n = symbols_unit_scopes(unit, ra - 1, p->die, SYMBOLS_FUNCTIONS);
	return p->n > 0;
}

static void
ask_call(const struct symbols_debug *p, const char *size)
{
	struct guess_type t = { .confidence = PROFILE_NCONFIDENCE };
	struct guess_call c = { .debug = p, .pool = &pool, .innermost = true };
	Dwarf_Die unit = p->line;
	Dwarf_Line *line = dwarf_getsrc_die(&unit, p->ra - 1);
	const char *source = line ? dwarf_linesrc(line, NULL, NULL) : "-";
	enum guess_answer answer;
	int number = 0;

	c.least = c.largest = strtoull(size, NULL, 0);
	answer = guess_cxx(&c, &t);
	if (answer == GUESS_UNKNOWN)
		answer = guess_c(&c, &t);
	if (answer != GUESS_FOUND)
		t = (struct guess_type){ .confidence = PROFILE_NCONFIDENCE };
	if (line)
		dwarf_lineno(line, &number);
	printf("%s\t1\t%s\t%s\t %s:%d\n", confidences[t.confidence], size,
	       t.name ? t.name : "?", source, number);
}

/* Types of single calls of a program. */
static int
ask_calls(char **arg)
{
	struct symbols_debug debug;
	int fd = open(*arg, O_RDONLY), i;
	Dwarf *dwarf = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);

	if (!dwarf) {
		fprintf(stderr, "sitetypes: %s: can't be read\n", *arg);
		return 2;
	}
	symbols_units_load(&units, dwarf);
	for (i = 1; arg[i] && arg[i + 1]; i += 2)
		if (debug_of(dwarf, strtoull(arg[i], NULL, 16), &debug))
			ask_call(&debug, arg[i + 1]);
	symbols_units_fini(&units);
	symbols_pool_fini(&pool);
	dwarf_end(dwarf);
	close(fd);
	return 0;
}

int
main(int argc, char **argv)
{
	const struct mon *m = &merge.all;
	size_t i;

	functions = argc > 1 && strcmp(argv[1], "-f") == 0;
	argc -= functions;
	argv += functions;
	if (argc > 2 && strcmp(argv[1], "-a") == 0)
		return ask_calls(argv + 2);
	symbols = symbols_new(true);
	if (argc != 3 || open_file(&file, argv[2], &err) ||
	    merge_add(&merge, &file, &err) ||
	    exe_find(&exe, &arena, m, NULL, argv[1], &err)) {
		fprintf(stderr, "sitetypes: %s\n", err.text);
		return 2;
	}
	merge_settle(&merge);
	/* Number 0 means no module. */
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
	mon_fini(&file);
	arena_fini(&arena);
	return 0;
}
