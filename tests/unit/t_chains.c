/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From return addresses to frames.  Named functions belong to this program,
 * whose file is one of the modules.  The addresses of other modules have no
 * names, so each of them is its own function.
 */
#define _GNU_SOURCE
#include "reduce/callgraph/callgraph.h"
#include "reduce/symbols/symbols.h"
#include "tests/tap.h"

#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <sys/auxv.h>

int main(void);

/* Never called: only their addresses and names matter. */
static __attribute__((noinline, used)) int
worker(int n)
{
	__asm__ volatile("nop; nop; nop; nop; nop; nop" : "+r"(n));
	return n + 1;
}

static __attribute__((noinline, used)) int
xmalloc(int n)
{
	__asm__ volatile("nop; nop; nop; nop; nop; nop" : "+r"(n));
	return n + 2;
}

enum { SELF = 1, LIBC, APP, OTHER, NMODULES };

static struct mon_module modules[NMODULES];
static struct mon_node nodes[64];
static struct mon_site sites[64];
static struct mon mon = {
	.modules = modules, .nmodules = NMODULES, .nodes = nodes, .sites = sites
};

static struct profile p;
static struct profile_priv priv;
static struct symbols *symbols;

static uint64_t bias;

static int
first_object(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	*(uint64_t *)data = info->dlpi_addr;
	return 1;
}

/* A return address in a function of this program. */
static uint64_t
in(const void *function)
{
	return (uint64_t)(uintptr_t)function - bias + 2;
}

#define MAIN \
	{ \
		SELF, in((const void *)(uintptr_t)main) \
	}
#define WORKER \
	{ \
		SELF, in((const void *)(uintptr_t)worker) \
	}
#define XMALLOC \
	{ \
		SELF, in((const void *)(uintptr_t)xmalloc) \
	}

struct call {
	uint32_t module;
	uint64_t addr;
};

/* Add a site with a call path, outermost first, and one block of 8 bytes. */
static void
add(const struct call *calls, size_t n)
{
	uint32_t at = 0, i;

	while (n--) {
		for (i = 1; i < mon.nnodes; i++) {
			if (nodes[i].parent == at &&
			    nodes[i].module == calls->module &&
			    nodes[i].addr == calls->addr)
				break;
		}
		if (i == mon.nnodes) {
			nodes[i] = (struct mon_node){ at, calls->module,
						      calls->addr };
			mon.nnodes++;
		}
		at = i;
		calls++;
	}
	sites[mon.nsites] = (struct mon_site){ .node = at };
	sites[mon.nsites].count.allocs[0] = 1;
	sites[mon.nsites++].count.bytes[0] = 8;
}

#define ADD(...) \
	add((struct call[]){ __VA_ARGS__ }, \
	    sizeof((struct call[]){ __VA_ARGS__ }) / sizeof(struct call))

static void
start(void)
{
	mon.nnodes = 1;
	mon.nsites = 0;
}

/* Makes the profile of the sites that were added. */
static void
build(bool no_wrappers, bool offsets)
{
	struct funcs f = { .mon = &mon, .offsets = offsets, .apart = offsets };
	const bool *used;
	size_t i;

	memset(&p, 0, sizeof(p));
	memset(&priv, 0, sizeof(priv));
	p.priv = &priv;
	f.arena = &priv.arena;
	f.wrappers.none = no_wrappers;
	symbols = f.symbols = symbols_new(true);
	for (i = 1; i < NMODULES; i++)
		symbols_add(symbols, modules[i].path, NULL, 0);
	chains_build(&p, &f, &used);
	funcs_fini(&f);
}

static void
done(void)
{
	arena_fini(&priv.arena);
	symbols_free(symbols);
}

/* The names of the call path, outermost first; "?" without one. */
static const char *
chain(const struct frame *f)
{
	static char text[1024];
	const struct frame *path[64];
	unsigned n = 0;

	strcpy(text, f ? "" : "?");
	for (; f; f = f->parent)
		path[n++] = f;
	while (n--) {
		strcat(text, path[n]->func->name);
		if (n)
			strcat(text, " > ");
	}
	return text;
}

/* Compares the call path that was added last with its frames. */
static void
is_chain(bool no_wrappers, const char *want, unsigned from)
{
	const struct frame *leaf;

	build(no_wrappers, false);
	is_int(p.nsites, 1, "one site");
	leaf = p.sites[0].leaf;
	is_str(chain(leaf), want, "chain %s", want);
	if (leaf)
		is_int(leaf->start, from, "start of %s", want);
	is_int(p.sites[0].count.bytes[0], 8, "its bytes");
	done();
	start();
}

static void
outer_ends(void)
{
	ADD({ APP, 0x10 }, { LIBC, 0x20 }, MAIN, WORKER);
	is_chain(false, "main > worker", PROFILE_START_MAIN);
	ADD(MAIN, { APP, 5 }, MAIN, WORKER);
	is_chain(false, "main > [app+0x5] > main > worker", PROFILE_START_MAIN);
	ADD({ 0, MONOUT_PC_CUT }, MAIN, WORKER);
	is_chain(false, "main > worker", PROFILE_START_MAIN);
	ADD({ APP, 0x10 }, { LIBC, 0x20 }, WORKER);
	is_chain(false, "[app+0x10] > [libc.so.6+0x20] > worker",
		 PROFILE_START_OTHER);
	ADD({ LIBC, 0x30 }, { LIBC, 0x31 }, WORKER, { LIBC, 0x32 });
	is_chain(false, "worker > [libc.so.6+0x32]", PROFILE_START_MAIN);
	ADD({ LIBC, 0x30 }, { LIBC, 0x31 });
	is_chain(false, "[libc.so.6+0x30] > [libc.so.6+0x31]",
		 PROFILE_START_OTHER);
	ADD({ 0, MONOUT_PC_CUT }, { LIBC, 0x30 }, WORKER);
	is_chain(false, "[libc.so.6+0x30] > worker", PROFILE_START_CUT);
	ADD({ 0, MONOUT_PC_STOPPED }, WORKER);
	is_chain(false, "worker", PROFILE_START_STOPPED);
	ADD({ 0, 0x7fff0000 }, WORKER);
	is_chain(false, "[0x7fff0000] > worker", PROFILE_START_OTHER);
	ADD({ 0, MONOUT_PC_NONE });
	is_chain(false, "?", 0);
	ADD({ 0, MONOUT_PC_CUT });
	is_chain(false, "?", 0);
	add(NULL, 0);
	is_chain(false, "?", 0);
	/* The monitor doesn't write these, but a file may contain them. */
	ADD(WORKER, { 0, MONOUT_PC_CUT }, { APP, 1 });
	is_chain(false, "worker > [app+0x1]", PROFILE_START_OTHER);
}

static void
inner_ends(void)
{
	ADD(MAIN, WORKER, XMALLOC, XMALLOC);
	is_chain(false, "main > worker", PROFILE_START_MAIN);
	ADD(MAIN, WORKER, XMALLOC);
	is_chain(true, "main > worker > xmalloc", PROFILE_START_MAIN);
	ADD(MAIN, XMALLOC, WORKER);
	is_chain(false, "main > xmalloc > worker", PROFILE_START_MAIN);
	ADD({ 0, MONOUT_PC_STOPPED }, XMALLOC, XMALLOC);
	is_chain(false, "xmalloc", PROFILE_START_STOPPED);
}

/* All sites of one leaf become one; frames that aren't used are gone. */
static void
merging(void)
{
	struct call other = WORKER;

	other.addr += 2;
	ADD({ APP, 1 }, MAIN, WORKER);
	ADD({ APP, 1 }, MAIN, other);
	ADD({ APP, 1 }, MAIN, WORKER, XMALLOC);
	build(false, false);
	is_int(p.nsites, 1, "one site");
	is_int(p.sites[0].count.allocs[0], 3, "of three");
	is_int(p.nfuncs, 2, "two functions");
	is_int(priv.nframes, 2, "two frames");
	is_int(p.sites[0].leaf->depth, 2, "depth");
	is_int(p.sites[0].leaf->parent->depth, 1, "depth of main");
	done();
	build(false, true);
	is_int(p.nsites, 2, "two sites");
	is_int(p.nfuncs, 2, "two functions");
	ok(p.sites[0].leaf->site && p.sites[1].leaf->site &&
		   strcmp(p.sites[0].leaf->site, p.sites[1].leaf->site),
	   "they differ");
	ok(!strncmp(p.sites[0].leaf->site, "worker+0x2", 10), "offset: %s",
	   p.sites[0].leaf->site);
	done();
	start();
}

/* Adds to the last site: its peak, and perhaps a life. */
static void
after(uint64_t peak, const struct life *x)
{
	struct mon_site *s = &sites[mon.nsites - 1];

	s->peak_blocks = peak;
	s->count.peak = 8 * peak;
	s->reallocs = 1;
	s->life = x ? life_put(&mon.lives, 0, x) : 0;
}

/* Sites that become one have one life together, and one share of the peak. */
static void
lives(void)
{
	static const struct life one = { .temps = 1,
					 .timed = 1,
					 .weight = 2,
					 .sum = 14,
					 .min = 7,
					 .max = 7,
					 .bin = { [2] = 2 },
					 .longest = 3 };
	static const struct life two = { .temps = 4, .near = 5, .longest = 2 };
	const struct life *x;

	mon.lives_known = true;
	ADD({ APP, 1 }, MAIN, WORKER);
	after(1, &one);
	ADD({ APP, 1 }, MAIN, WORKER, XMALLOC);
	after(1, &two);
	ADD({ APP, 1 }, MAIN, WORKER, XMALLOC, XMALLOC);
	after(0, NULL);
	ADD({ APP, 1 }, MAIN);
	after(1, NULL);
	build(false, false);
	is_int(p.nsites, 2, "two sites");
	is_int(p.sites[0].peak_blocks, 2, "blocks at the peak of three");
	is_int(p.sites[0].count.peak, 16, "their bytes");
	is_int(p.sites[0].reallocs, 3, "reallocs of three");
	is_int(p.sites[1].peak_blocks, 1, "at the peak of the other");
	ok(!p.sites[1].life, "which has no life");
	x = p.sites[0].life;
	if (ok(x != NULL, "the first has")) {
		is_int(x->temps, 5, "temps of two");
		is_int(x->near, 5, "near of one");
		is_int(x->longest, 3, "the longest of two");
		is_int(x->min, 7, "the shortest time");
		is_int(x->bin[2], 2, "the histogram");
	}
	arcs_build(&p);
	is_int(p.total.peak, 24, "peak of all");
	is_int(p.peak_blocks, 3, "its blocks");
	is_int(p.life.temps, 5, "life of all");
	done();
	mon.lives_known = false;
	build(false, false);
	ok(!p.sites[0].life, "no life");
	is_int(p.sites[0].count.peak, 16, "but the peak");
	done();
	life_fini(&mon.lives);
	start();
}

/* The same name in two modules, and addresses without names. */
static void
identity(void)
{
	struct call again = MAIN;

	again.module = OTHER;
	ADD({ APP, 1 }, MAIN);
	ADD({ APP, 1 }, { APP, 2 }, again);
	ADD({ APP, 1 }, { APP, 2 }, { APP, 1 });
	build(false, false);
	is_int(p.nsites, 3, "three sites");
	is_int(p.nfuncs, 4, "main twice, two without names");
	is_str(p.sites[0].leaf->func->name, "main", "the one main");
	is_str(p.sites[1].leaf->func->name, "main", "the other main");
	ok(p.sites[0].leaf->func != p.sites[1].leaf->func, "are two");
	ok(!p.sites[0].leaf->parent, "the first is the program's");
	ok(p.sites[1].leaf->parent, "the second isn't");
	ok(p.sites[2].leaf->func == p.sites[2].leaf->parent->parent->func,
	   "the same address is the same function");
	is_str(p.sites[2].leaf->func->module, "app", "module");
	done();
	start();
}

/* A call path of the greatest depth: no function recurses. */
static void
deep(void)
{
	enum { DEPTH = 100000 };
	struct mon_node *n = calloc(DEPTH + 1, sizeof(*n));
	uint32_t i;

	for (i = 1; i <= DEPTH; i++)
		n[i] = (struct mon_node){ i - 1, APP, 0x100 + i % 2 };
	ADD({ APP, 1 });
	mon.nodes = n;
	mon.nnodes = DEPTH + 1;
	sites[0].node = DEPTH;
	build(false, false);
	is_int(p.nfuncs, 2, "of two functions");
	is_int(p.sites[0].leaf->depth, DEPTH, "its depth");
	done();
	mon.nodes = nodes;
	start();
	free(n);
}

int
main(void)
{
	static char path[PATH_MAX];

	dl_iterate_phdr(first_object, &bias);
	if (!realpath((const char *)getauxval(AT_EXECFN), path))
		return 1;
	modules[SELF] =
		(struct mon_module){ .path = path, .flags = MONOUT_M_EXE };
	modules[LIBC].path = "/nonexistent/libc.so.6";
	modules[APP].path = "/nonexistent/app";
	modules[OTHER].path = path;
	start();
	outer_ends();
	inner_ends();
	merging();
	lives();
	identity();
	deep();
	return done_testing();
}
