/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the compiler knew of the calls in chains, by way of its plugin. */
#ifndef MEMMON_REDUCE_EXACT_H
#define MEMMON_REDUCE_EXACT_H

#include "reduce/objects/exe.h"
#include "reduce/types/calltypes.h"

#include <stdint.h>
#include <string.h>

/* What is known of a call. */
enum exact_answer {
	EXACT_FAILED = -1, /* out of memory */
	EXACT_UNKNOWN,	   /* nothing */
	EXACT_PASS,	   /* the result is for the caller: ask there */
	EXACT_FOUND
};

struct exact_module;

/* The caller owns it. */
struct exact {
	const struct mon *mon;
	const struct exe *exe;
	struct symbols_pool pool; /* names of types */
	struct exact_module *modules;
	uint32_t *pass; /* of each node; see exact_pass() */
};

/*
 * m is merged; x has found the modules' files, which are read when they are
 * asked for.  0, or -1 when out of memory; exact_fini() in any case.
 */
int exact_init(struct exact *e, const struct mon *m, const struct exe *x);
void exact_fini(struct exact *e);

/* Ask about the call of a node; *c is valid when EXACT_FOUND comes back. */
enum exact_answer exact_ask(struct exact *e, uint32_t node,
			    const struct calltype **c);

/*
 * The first node from this one outwards that doesn't answer EXACT_PASS, 0 if
 * all do, into *node.  Each node is asked once, however often this is called.
 * 0, or -1 when out of memory.
 */
int exact_pass(struct exact *e, uint32_t *node);

#endif
