/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which calls are asked for a site's type, in which order, and how often.  A
 * script replaces files and their debug information.
 */
#include "reduce/types/exact.h"
#include "reduce/callgraph/funcs.h"
#include "reduce/base/guard.h"
#include "reduce/types/shares.h"
#include "reduce/symbols/symbols.h"
#include "reduce/symbols/wrappers.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

/* What the script answers for a call's address. */
enum told {
	NOTHING,
	PASS,
	FOUND,
	OPEN,  /* found, but a caller knows more */
	OUTER, /* the caller that knows more */
	FAULT,
	PLUGIN,
	PLUGIN_PASS,
	WRAPPER /* nothing but the name */
};

struct call {
	uint64_t addr;
	enum told told;
	const char *name; /* of the type */
	unsigned asked;
	struct guess_call last;
};

static struct call calls[100];
static struct call *now; /* the call that is asked about */
static unsigned given_up;
static struct calltype plugin;

static struct call *
call_at(uint64_t addr)
{
	return addr < 100 ? &calls[addr] : &calls[0];
}

static bool
fake_debug(struct symbols *s, size_t m, uint64_t ra, struct symbols_debug *p)
{
	(void)s;
	(void)m;
	now = call_at(ra);
	p->n = now->told == WRAPPER ? 0 : 1;
	return p->n > 0;
}

static size_t
fake_find(struct symbols *s, size_t m, uint64_t ra,
	  const struct symbols_frame **f)
{
	static struct symbols_frame frame;

	(void)s;
	(void)m;
	frame = (struct symbols_frame){ .name = call_at(ra)->told == WRAPPER
							? "xmalloc"
							: "f",
					.known = true };
	*f = &frame;
	return 1;
}

static const char *
fake_path(const struct symbols *s, size_t m)
{
	(void)s;
	(void)m;
	return "/x";
}

static void
fake_give_up(struct symbols *s, size_t m)
{
	(void)s;
	(void)m;
	given_up++;
}

static int
fake_guard(const char *path, int (*f)(void *arg), void *arg)
{
	int status = f(arg);

	(void)path;
	return now && now->told == FAULT ? GUARD_FAULT : status;
}

static enum guess_answer
fake_cxx(const struct guess_call *c, struct guess_type *t)
{
	now->asked++;
	now->last = *c;
	if (now->told != OPEN)
		return GUESS_UNKNOWN;
	t->name = now->name;
	t->size = 8;
	t->confidence = PROFILE_ALLOCATOR;
	t->open = true;
	return GUESS_FOUND;
}

static void
fake_outer(const struct guess_call *c, struct guess_type *t)
{
	now->asked++;
	now->last = *c;
	if (now->told != OUTER)
		return;
	t->name = now->name;
	t->open = false;
}

static enum guess_answer
fake_c(const struct guess_call *c, struct guess_type *t)
{
	(void)c;
	if (now->told != FOUND)
		return now->told == PASS ? GUESS_PASS : GUESS_UNKNOWN;
	t->name = now->name;
	t->size = 24;
	t->confidence = PROFILE_VARIABLE;
	return GUESS_FOUND;
}

static enum exact_answer
fake_ask(struct exact *e, uint32_t node, const struct calltype **c)
{
	struct call *k = call_at(e->mon->nodes[node].addr);

	if (k->told == PLUGIN_PASS)
		return EXACT_PASS;
	if (k->told != PLUGIN)
		return EXACT_UNKNOWN;
	plugin = (struct calltype){ .name = k->name, .size = 40 };
	*c = &plugin;
	return EXACT_FOUND;
}

static int
fake_init(struct exact *e, const struct mon *m, const struct exe *x)
{
	*e = (struct exact){ .mon = m, .exe = x };
	return 0;
}

static void
fake_fini(struct exact *e)
{
	(void)e;
}

static int
fake_pass(struct exact *e, uint32_t *node)
{
	const struct calltype *c;

	while (*node && fake_ask(e, *node, &c) == EXACT_PASS)
		*node = e->mon->nodes[*node].parent;
	return 0;
}

static const struct mon_type said = { .name = "struct said", .size = 16 };

static const struct mon_type *
fake_type(const struct mon *m, uint32_t node)
{
	return m->nodes[node].addr == 99 ? &said : NULL;
}

#define symbols_debug(s, m, ra, p) fake_debug(s, m, ra, p)
#define symbols_find fake_find
#define symbols_path fake_path
#define symbols_give_up fake_give_up
#define guard_run fake_guard
#define guess_cxx fake_cxx
#define guess_cxx_outer fake_outer
#define guess_c fake_c
#define exact_ask fake_ask
#define exact_init fake_init
#define exact_fini fake_fini
#define exact_pass fake_pass
#define mon_type_of fake_type
#define sitetypes_find test_find
#define sitetypes_fini test_fini
#define sitetypes_intern test_intern
#define sitetypes_move test_move
#include "reduce/types/sitetypes.c"

/* -------------------------------------------------------------- the data -- */

enum { NODES = 300, SITES = 20 };

static struct mon_module modules[3] = { { 0 },
					{ .path = "/x" },
					{ .path = "/lib/libmemmon.so.0" } };
static struct mon_node nodes[NODES];
static struct mon_site sites[SITES];
static struct share share[SITES];
static size_t first[SITES + 1];
static struct shares shares = { .v = share, .first = first };
static struct mon mon = { .modules = modules,
			  .nmodules = 3,
			  .nodes = nodes,
			  .nnodes = 1,
			  .sites = sites };
static struct arena arena;
static struct sitetypes types;

static void
start(void)
{
	test_fini(&types);
	memset(calls, 0, sizeof(calls));
	mon.nnodes = 1;
	mon.nsites = 0;
	shares.n = 0;
	given_up = 0;
}

/* Sets the answer for the call that returns to addr. */
static void
tell(uint64_t addr, enum told told, const char *name)
{
	calls[addr] = (struct call){ .addr = addr, .told = told, .name = name };
}

static uint32_t
node(uint32_t parent, uint32_t module, uint64_t addr)
{
	nodes[mon.nnodes] = (struct mon_node){ parent, module, addr };
	return (uint32_t)mon.nnodes++;
}

/* A site with a call path, outermost first, ended by 0; blocks of that size. */
static void
chain(uint64_t size, const uint64_t *addr)
{
	uint32_t at = 0;

	for (; *addr; addr++)
		at = node(at, *addr == 98 ? 2 : *addr == 99 ? 0 : 1, *addr);
	share[mon.nsites] =
		(struct share){ .site = (uint32_t)mon.nsites, .size = size };
	sites[mon.nsites++].node = at;
	shares.n = first[mon.nsites] = mon.nsites;
}

#define CHAIN(size, ...) chain(size, (const uint64_t[]){ __VA_ARGS__, 0 })

static void
find(void)
{
	static const struct wrappers none;
	const struct sitetypes_from from = { .mon = &mon,
					     .wrappers = &none,
					     .shares = &shares };

	test_find(&types, &arena, &from);
}

static void
is_type(uint32_t site, const char *name, uint64_t size,
	enum profile_confidence confidence, const char *what)
{
	uint32_t type = types.of_site[site];

	if (!name) {
		ok(type == SHARES_NONE, "%s", what);
		return;
	}
	ok(type < types.n && !strcmp(types.types[type].name, name) &&
		   types.types[type].size == size &&
		   types.confidence[site] == confidence,
	   "%s", what);
}

/* ------------------------------------------------------------- the tests -- */

static void
test_order(void)
{
	start();
	tell(1, FOUND, "struct outer");
	tell(2, PASS, NULL);
	tell(3, FOUND, "struct inner");
	tell(4, NOTHING, NULL);
	tell(5, WRAPPER, NULL);
	tell(6, PLUGIN, "struct plug");
	tell(7, PLUGIN_PASS, NULL);
	CHAIN(24, 1, 3);
	CHAIN(24, 1, 2);
	CHAIN(24, 1, 4);
	CHAIN(24, 1, 5, 5);
	CHAIN(24, 1, 98);
	CHAIN(24, 6, 7, 7);
	CHAIN(24, 1, 7);
	CHAIN(24, 6, 2);
	CHAIN(24, 1, 6, 99);
	CHAIN(24, 2, 5, 7);
	find();
	is_type(0, "struct inner", 24, PROFILE_VARIABLE,
		"the innermost decides");
	is_type(1, "struct outer", 24, PROFILE_VARIABLE, "what is passed on");
	is_type(2, NULL, 0, 0, "where nobody can know more");
	is_type(3, "struct outer", 24, PROFILE_VARIABLE, "wrappers pass");
	is_type(4, "struct outer", 24, PROFILE_VARIABLE, "the monitor passes");
	is_type(5, "struct plug", 40, PROFILE_COMPILER, "void * by the plugin");
	is_type(6, "struct outer", 24, PROFILE_VARIABLE,
		"passed on by the plugin, guessed further out");
	is_type(7, "struct plug", 40, PROFILE_COMPILER, "the other way round");
	is_type(8, "struct said", 16, PROFILE_PROGRAM, "the program beats all");
	is_type(9, NULL, 0, 0, "passed on by all");
	is_int(types.n, 4, "each type once");
}

static void
test_asked(void)
{
	start();
	tell(1, FOUND, "struct node");
	tell(2, PASS, NULL);
	CHAIN(24, 1, 2);
	CHAIN(24, 1, 2);
	CHAIN(24, 3, 1, 2);
	CHAIN(24, 1);
	find();
	is_int(calls[2].asked, 1, "a call is asked once");
	is_int(calls[1].asked, 2, "twice, if once as the innermost");
	start();
	tell(1, FOUND, "struct node");
	tell(2, PASS, NULL);
	CHAIN(24, 1, 2);
	CHAIN(48, 1, 2);
	find();
	is_int(calls[2].asked, 2, "and for other sizes");
	ok(calls[2].last.least == 48 && calls[2].last.largest == 48,
	   "which it is told");
	ok(calls[2].last.innermost && !calls[1].last.innermost,
	   "and which is the innermost");
	is_str(calls[2].last.function, "f", "and the function's name");
}

static void
test_open(void)
{
	start();
	tell(1, OUTER, "std::map<int, int>");
	tell(2, PASS, NULL);
	tell(3, OPEN, "std::_Rb_tree_node<int>");
	tell(4, OUTER, "std::set<int>");
	CHAIN(8, 1, 2, 3);
	CHAIN(8, 4, 3);
	CHAIN(8, 2, 3);
	find();
	is_type(0, "std::map<int, int>", 8, PROFILE_ALLOCATOR,
		"a container, by its callers");
	is_type(1, "std::set<int>", 8, PROFILE_ALLOCATOR, "another one");
	is_type(2, "std::_Rb_tree_node<int>", 8, PROFILE_ALLOCATOR,
		"none of them knows more");
	is_int(calls[3].asked, 1, "the innermost is asked once");
}

static void
test_trouble(void)
{
	int i;

	start();
	tell(1, FOUND, "struct far");
	tell(2, FAULT, NULL);
	tell(3, PASS, NULL);
	CHAIN(24, 1, 2);
	CHAIN(24, 1, 3);
	tell(4, FOUND, "");
	CHAIN(24, 1, 4);
	/* A call path longer than the search. */
	share[mon.nsites] = (struct share){ .size = 24 };
	sites[mon.nsites].node = node(0, 1, 1);
	for (i = 0; i < 200; i++)
		sites[mon.nsites].node = node(sites[mon.nsites].node, 1, 3);
	first[++mon.nsites] = ++shares.n;
	find();
	is_type(0, NULL, 0, 0, "a file that can't be read");
	is_int(given_up, 1, "is given up");
	is_type(1, "struct far", 24, PROFILE_VARIABLE, "and the others go on");
	is_type(2, NULL, 0, 0, "a type without a name is none");
	is_type(3, NULL, 0, 0, "so far out no one is asked");
}

int
main(void)
{
	test_order();
	test_asked();
	test_open();
	test_trouble();
	test_fini(&types);
	arena_fini(&arena);
	return done_testing();
}
