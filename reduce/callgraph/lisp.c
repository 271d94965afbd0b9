/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classes of Lisp objects. */
#include "reduce/callgraph/lisp.h"

#include <string.h>

_Static_assert(MONOUT_NCLASS == LISP_OTHER + 1, "as many classes");

/* Types that are neither conses nor floats nor structures. */
static const char *const others[] = {
	"BIGNUM",
	"RATIO",
	"COMPLEX",
	"SYMBOL",
	"PACKAGE",
	"HASH-TABLE",
	"STREAM",
	"READTABLE",
	"RANDOM-STATE",
	"PATHNAME",
	"CLOSURE",
	"INTERPRETED-FUNCTION",
	"COMPILED-FUNCTION",
	"SYSTEM",
};

static enum lisp_class
lisp_class_of(const char *name)
{
	size_t i, n = strlen(name);

	if (!strcmp(name, "CONS"))
		return LISP_CONS;
	if (n > 6 && !strchr(name, ':') && !strcmp(name + n - 6, "-FLOAT"))
		return LISP_FLOAT;
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (!strcmp(name, others[i]))
			return LISP_OTHER;
	}
	return LISP_STRUCTURE;
}

void
lisp_classes(const struct mon *m, const struct mon_site *s, struct counts *n)
{
	const struct mon_type *type = mon_type_of(m, s->node);
	unsigned to =
		type && type->name ? lisp_class_of(type->name) : LISP_OTHER;
	struct account all;
	unsigned k;

	if (!m->run[MONOUT_R_LISP].number)
		return;
	all = counts_of_all(n);
	for (k = 0; k < MONOUT_NCLASS; k++)
		counts_set_class(n, k,
				 k == to ? &AMOUNTS(&all)
					 : &(struct amounts){ 0 });
}
