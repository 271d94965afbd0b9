/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The types that the compiler knew at the calls of call paths. */
#include "reduce/types/exact.h"
#include "reduce/base/guard.h"
#include "reduce/binaries/modules.h"

#include <stdlib.h>

/* In exact.pass: not asked yet. */
#define EXACT_UNSEEN UINT32_MAX

struct exact_module {
	bool read;
	struct calltypes calls;
};

/* Where to put the calls of a file. */
struct exact_file {
	struct exact *e;
	struct calltypes *to;
};

static int
exact_read(struct debugfile *f, void *arg)
{
	const struct exact_file *w = arg;

	calltypes_read(w->to, &w->e->pool, f);
	return 0;
}

/* The calls of a module. */
static const struct calltypes *
exact_calls(struct exact *e, uint32_t module)
{
	struct exact_module *m = &e->modules[module];
	struct exact_file file = { e, &m->calls };

	if (m->read)
		return &m->calls;
	m->read = true;
	if (!exe_has_file(e->exe, e->mon, module) ||
	    modules_is_system(e->exe->paths[module]))
		return &m->calls;
	if (exe_read(e->exe, e->mon, module, exact_read, &file) == GUARD_FAULT)
		m->calls = (struct calltypes){ 0 };
	return &m->calls;
}

void
exact_init(struct exact *e, const struct mon *m, const struct exe *x)
{
	size_t i;

	*e = (struct exact){ .mon = m, .exe = x };
	e->modules = heap_array(m->nmodules + 1, sizeof(*e->modules));
	e->pass = heap_new((m->nnodes + 1) * sizeof(*e->pass));
	for (i = 0; i < m->nnodes; i++)
		e->pass[i] = EXACT_UNSEEN;
}

void
exact_fini(struct exact *e)
{
	size_t i;

	for (i = 0; e->modules && i < e->mon->nmodules; i++)
		calltypes_fini(&e->modules[i].calls);
	symbols_pool_fini(&e->pool);
	free(e->modules);
	free(e->pass);
	*e = (struct exact){ 0 };
}

enum exact_answer
exact_ask(struct exact *e, uint32_t node, const struct calltype **c)
{
	const struct mon_node *n = &e->mon->nodes[node];
	const struct calltypes *calls;

	if (!n->module)
		return EXACT_UNKNOWN;
	calls = exact_calls(e, n->module);
	*c = calltypes_find(calls, n->addr);
	if (!*c)
		return EXACT_UNKNOWN;
	return (*c)->name ? EXACT_FOUND : EXACT_PASS;
}

void
exact_pass(struct exact *e, uint32_t *node)
{
	const struct mon_node *nodes = e->mon->nodes;
	enum exact_answer answer = EXACT_PASS;
	const struct calltype *c;
	uint32_t i, to = 0;

	for (i = *node; i && e->pass[i] == EXACT_UNSEEN; i = nodes[i].parent) {
		answer = exact_ask(e, i, &c);
		if (answer != EXACT_PASS)
			break;
	}
	if (i)
		to = answer == EXACT_PASS ? e->pass[i] : i;
	for (; *node != i; *node = nodes[*node].parent)
		e->pass[*node] = to;
	if (i)
		e->pass[i] = to;
	*node = to;
}
