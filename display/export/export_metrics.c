/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics that can be exported. */
#include "display/export/export.h"
#include "display/tables/memory.h"

#include <string.h>

const struct export_metric export_metrics[] = {
	{ "bytes", COLUMN_BYTES },
	{ "allocs", COLUMN_ALLOCS },
	{ "kept", COLUMN_KEPT },
	{ "kept-blocks", COLUMN_KEPT_BLOCKS },
	{ "peak", COLUMN_PEAK },
	{ "peak-blocks", COLUMN_PEAK_BLOCKS },
	{ "frees", COLUMN_FREES },
	{ "reads", COLUMN_READS },
	{ "writes", COLUMN_WRITES },
	{ "pinned", COLUMN_ALL },
	{ .name = NULL },
};

const struct export_metric *
export_metric(const char *name, size_t n)
{
	for (const struct export_metric *m = export_metrics; m->name; m++)
		if (strlen(m->name) == n && !memcmp(m->name, name, n))
			return m;
	return NULL;
}

const struct export_metric *
export_chosen(const char *name)
{
	return name ? export_metric(name, strlen(name)) : export_metrics;
}

const char *
export_unknown(const struct profile *p, const struct export_metric *m)
{
	bool peak = m->column == COLUMN_PEAK || m->column == COLUMN_PEAK_BLOCKS;

	if (m->column == COLUMN_ALL)
		return memory_pins_known(p) ? NULL
					    : "mpreduce --memory=pins has "
					      "no call paths either";
	bool uses = m->column == COLUMN_READS || m->column == COLUMN_WRITES;

	if (peak && !p->peaks_known)
		return "the call paths at the peak are unknown";
	if (uses && !p->uses_known)
		return p->uses_why && *p->uses_why
			       ? p->uses_why
			       : "accesses weren't recorded";
	return NULL;
}

uint64_t
export_value(struct export *x, const struct export_metric *m,
	     const struct site *s)
{
	struct tally t = tally_site(&x->schema.base, s);
	struct value v;

	if (m->column == COLUMN_ALL)
		return x->p->pins[s - x->p->sites].pinned;
	/* Readers sum up sites, so each access counts at one site only. */
	t.use = profile_use_once(s);
	v = columns_value(&x->schema, &t, m->column);
	return v.known ? value_whole(&v) : 0;
}
