/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program and its libraries: see modules.h. */
#include "reduce/modules.h"
#include "reduce/run.h"

#include <stdio.h>

/* Build-ids have 20 bytes or so, in a file nobody checks. */
enum { MODULES_ID = 64 };

static int
modules_one(struct arena *a, const struct mon_module *from,
	    struct profile_module *to)
{
	size_t n = from->idlen < MODULES_ID ? from->idlen : MODULES_ID, i;
	char *id = arena_alloc(a, 2 * n + 1);

	*to = (struct profile_module){ .path = run_clean(a, from->path),
				       .build_id = id,
				       .start = from->start,
				       .end = from->end,
				       .bias = from->bias,
				       .program = from->flags & MONOUT_M_EXE };
	if (!to->path || !id)
		return -1;
	for (i = 0; i < n; i++)
		snprintf(id + 2 * i, 3, "%02x", from->id[i]);
	return 0;
}

int
modules_make(struct profile *p, const struct mon *m)
{
	size_t i;

	p->modules = arena_array(&p->priv->arena, m->nmodules + 1,
				 sizeof(*p->modules));
	if (!p->modules)
		return -1;
	p->modules[0] = (struct profile_module){ .path = "", .build_id = "" };
	p->nmodules = m->nmodules;
	for (i = 1; i < m->nmodules; i++) {
		if (modules_one(&p->priv->arena, &m->modules[i],
				&p->modules[i]))
			return -1;
	}
	return 0;
}
