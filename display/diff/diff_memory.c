/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two runs: the parts of the process's memory, and memory that it mapped. */
#include "display/diff/diff.h"
#include "display/grid/origins.h"
#include "reduce/base/str.h"

#include <stdio.h>
#include <string.h>

bool
diff_memory_lines(struct diff_pairs *x, const struct profile *p)
{
	for (size_t i = 0; x && i < p->nmemory; i++)
		if (p->memory[i].part)
			diff_pairs_add(x, p->memory[i].means,
				       p->memory[i].bytes);
	return p->nmemory;
}

/*
 * The program's function that makes the call, which is the same in both runs.
 */
static const char *
diff_memory_caller(struct arena *a, const struct mapping *x)
{
	bool std;
	const struct frame *f = origins_first(x->site->leaf, true, &std);

	if (!f)
		return "(no chain)";
	if (*f->func->file)
		return arena_print(a, "%s (%s)", f->func->name,
				   str_basename(f->func->file));
	return f->func->name;
}

bool
diff_memory_mapped(struct diff_pairs *x, const struct profile *p)
{
	for (size_t i = 0; x && i < p->nmappings; i++)
		diff_pairs_add(x, diff_memory_caller(&x->room, &p->mappings[i]),
			       p->mappings[i].resident);
	return p->nmemory && p->mappings_known;
}
