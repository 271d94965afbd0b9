/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The types that the compiler knew at the calls of call paths, from its plugin.
 */
#ifndef MEMMON_REDUCE_EXACT_H
#define MEMMON_REDUCE_EXACT_H

#include "reduce/binaries/exe.h"
#include "reduce/types/calltypes.h"

#include <stdint.h>
#include <string.h>

/* The answers of exact_ask(). */
enum exact_answer {
	EXACT_UNKNOWN,	   /* nothing is known */
	EXACT_PASS,	   /* the result goes to the caller: ask there */
	EXACT_FOUND
};

struct exact_module;

/* The caller owns it. */
struct exact {
	const struct mon *mon;
	const struct exe *exe;
	struct symbols_pool pool; /* names of types */
	struct exact_module *modules;
	uint32_t *pass; /* by node; see exact_pass() */
};

/*
 * m is merged; x knows the modules' files, which are read when needed.
 */
void exact_init(struct exact *e, const struct mon *m, const struct exe *x);
void exact_fini(struct exact *e);

/* Ask about the call of a node; *c is set if the answer is EXACT_FOUND. */
enum exact_answer exact_ask(struct exact *e, uint32_t node,
			    const struct calltype **c);

/*
 * Set *node to the first node, from this one outwards, whose answer isn't
 * EXACT_PASS; 0: there is none.  Each node is asked only once.
 */
void exact_pass(struct exact *e, uint32_t *node);

#endif
