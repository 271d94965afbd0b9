/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two runs: where the memory of the process was, and what it mapped. */
#include "display/diff/diff_memory.h"
#include "display/grid/origins.h"
#include "reduce/base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
is_known(const struct diff *d)
{
	return d->run[DIFF_OLD]->nmemory && d->run[DIFF_NEW]->nmemory;
}

static bool
is_mapped(const struct diff *d)
{
	return is_known(d) && d->run[DIFF_OLD]->mappings_known &&
	       d->run[DIFF_NEW]->mappings_known &&
	       d->run[DIFF_OLD]->nmappings + d->run[DIFF_NEW]->nmappings;
}

/* One more row, which takes the name; false: out of memory. */
static bool
add(struct diff_pair *v, size_t *n, char *name, int run, uint64_t bytes)
{
	v[*n] = (struct diff_pair){ .name = name };
	v[*n].v[run] = bytes;
	return v[(*n)++].name;
}

static struct diff_pair *
lines(const struct diff *d, size_t *n)
{
	struct diff_pair *v = calloc(d->run[DIFF_OLD]->nmemory +
					     d->run[DIFF_NEW]->nmemory + 1,
				     sizeof *v);
	bool done = v;

	*n = 0;
	for (int run = 0; done && run < DIFF_NRUN; run++) {
		const struct profile *p = d->run[run];

		for (size_t i = 0; i < p->nmemory && done; i++)
			if (p->memory[i].part)
				done = add(v, n, strdup(p->memory[i].means),
					   run, p->memory[i].bytes);
	}
	if (done)
		return diff_pairs_unite(v, n);
	diff_pairs_free(v, *n);
	return NULL;
}

/* The program's function that makes the call, which is the same in both. */
static char *
caller(const struct mapping *x)
{
	bool std;
	const struct frame *f = origins_first(x->site->leaf, true, &std);
	char *text = NULL;

	if (!f)
		return strdup("(no chain)");
	if (*f->func->file)
		return asprintf(&text, "%s (%s)", f->func->name,
				str_basename(f->func->file)) < 0
			       ? NULL
			       : text;
	return strdup(f->func->name);
}

static struct diff_pair *
mapped(const struct diff *d, size_t *n)
{
	struct diff_pair *v = calloc(d->run[DIFF_OLD]->nmappings +
					     d->run[DIFF_NEW]->nmappings + 1,
				     sizeof *v);
	bool done = v;

	*n = 0;
	for (int run = 0; done && run < DIFF_NRUN; run++) {
		const struct profile *p = d->run[run];

		for (size_t i = 0; i < p->nmappings && done; i++)
			done = add(v, n, caller(&p->mappings[i]), run,
				   p->mappings[i].resident);
	}
	if (done)
		return diff_pairs_unite(v, n);
	diff_pairs_free(v, *n);
	return NULL;
}

int
diff_memory_print(struct tables *t, const struct diff *d)
{
	struct diff_pair *v;
	size_t n;

	if (!is_known(d))
		return 0;
	v = lines(d, &n);
	if (diff_pairs_print(t, "Memory of the process (RSS)", " what", v, n))
		return -1;
	if (!is_mapped(d))
		return 0;
	v = mapped(d, &n);
	return diff_pairs_print(t, "Memory that the program maps, in RAM",
				" mapped by", v, n);
}

int
diff_memory_json(struct writer *w, const struct diff *d)
{
	static const char *const figures[] = { "old_bytes", "new_bytes" };
	struct diff_pair *v;
	size_t n;

	if (!is_known(d))
		return 0;
	v = lines(d, &n);
	if (diff_pairs_json(w, "memory", figures, v, n))
		return -1;
	if (!is_mapped(d))
		return 0;
	v = mapped(d, &n);
	return diff_pairs_json(w, "mapped", figures, v, n);
}
