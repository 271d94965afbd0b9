/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the memory of the process was. */
#include "reduce/profile/parts.h"
#include "reduce/base/clean.h"

#include <string.h>

/* The lines in the order of display; lines with other names are left out. */
static const struct memory_line memory_lines[] = {
	{ "resident", 0, "resident memory of the process (RSS)", false },
	{ "swapped", 0, "memory in swap space, which RSS doesn't include",
	  false },
	{ "pss", 0, "the same, with shared pages in parts (PSS)", false },
	{ "blocks", 0, "live blocks", false },
	{ "asked", 0, "bytes that the program asked for in live blocks",
	  false },
	{ "heap", 0, "resident memory of the allocator, with blocks", false },
	{ "live", 0, "live blocks, as the program asked for them", true },
	{ "rounded", 0, "added to these blocks by the allocator", true },
	{ "pages", 0, "free, on pages without a live block", true },
	{ "parts", 0, "free, on pages with live blocks", true },
	{ "mapped", 0, "other private memory: mmap, or an allocator's", true },
	{ "files", 0, "mapped files", true },
	{ "shared", 0, "shared memory", true },
	{ "code", 0, "code and data of the program and its libraries", true },
	{ "stacks", 0, "stacks", true },
	{ "own", 0, "memmon", true },
	{ "other", 0, "the rest", true },
};
#define MEMORY_LINES (sizeof(memory_lines) / sizeof(memory_lines[0]))
_Static_assert(MEMORY_LINES == MONREC_MEMORY_COUNT, "all lines");

static void
pins_make(struct profile *p, const struct mon *m)
{
	struct pins *a = arena_array(&p->priv->arena, p->nsites, sizeof(*a));

	memset(a, 0, p->nsites * sizeof(*a));
	for (size_t i = 0; i < m->npins; i++) {
		const struct mon_pin *x = &m->pins[i];
		struct pins *to = &a[p->priv->site_of[x->site]];

		to->blocks += x->blocks;
		to->alone += x->alone;
		to->resident += x->resident;
		to->pinned += x->pinned;
	}
	p->pins = a;
	p->npins = p->nsites;
}

/* Add an item; the items of one time follow each other. */
static void
moment_add(struct profile *p, const struct mon_memory_snapshot *x)
{
	struct memory_snapshot *to = p->memory_snapshots + p->nmemory_snapshots;

	if (!p->nmemory_snapshots || to[-1].at != x->at)
		*to = (struct memory_snapshot){ .at = x->at };
	else
		to--;
	for (size_t k = 0; k < MEMORY_LINES; k++)
		if (!strcmp(x->name, memory_lines[k].name))
			to->bytes[k] = x->bytes;
	p->nmemory_snapshots = (size_t)(to - p->memory_snapshots) + 1;
}

static void
moments_make(struct profile *p, const struct mon *m)
{
	struct memory_snapshot *last;

	if (p->nruns != 1 || p->runs[0].sum || !m->nmemory_snapshots)
		return;
	p->memory_snapshots =
		arena_array(&p->priv->arena, m->nmemory_snapshots + 1,
			    sizeof(*p->memory_snapshots));
	for (size_t i = 0; i < m->nmemory_snapshots; i++)
		moment_add(p, &m->memory_snapshots[i]);
	if (!p->nmemory)
		return;
	last = &p->memory_snapshots[p->nmemory_snapshots++];
	last->at = p->runs[0].length;
	for (size_t k = 0; k < MEMORY_LINES; k++)
		last->bytes[k] = p->memory[k].bytes;
}

static void
facts_make(struct profile *p, const struct mon *m)
{
	struct arena *a = &p->priv->arena;
	struct fact *f = arena_array(a, m->nsystems + 1, sizeof(*f));

	p->facts = f;
	for (size_t i = 0; i < m->nsystems; i++, p->nfacts++) {
		f[i].name = clean_name(a, m->systems[i].name);
		f[i].value = clean_name(a, m->systems[i].value);
	}
}

void
memory_make(struct profile *p, const struct mon *m)
{
	struct memory_line *a =
		arena_array(&p->priv->arena, MEMORY_LINES, sizeof(*a));

	for (size_t i = 0; i < MEMORY_LINES; i++) {
		a[i] = memory_lines[i];
		for (size_t k = 0; k < m->nmemories; k++)
			if (!strcmp(m->memories[k].name, a[i].name))
				a[i].bytes = m->memories[k].bytes;
	}
	p->mappings_lost = m->total[MONOUT_T_MAPS_LOST];
	p->endings_lost = m->total[MONOUT_T_ENDINGS_LOST];
	p->mappings_known = p->endings_known = p->nruns > p->nunread;
	for (size_t i = 0; i < p->nruns; i++) {
		p->mappings_known &= p->runs[i].mapped_known;
		p->endings_known &= p->runs[i].endings_known;
	}
	p->memory = a;
	p->nmemory = m->nmemories ? MEMORY_LINES : 0;
	facts_make(p, m);
	moments_make(p, m);
	if (m->npins)
		pins_make(p, m);
}
