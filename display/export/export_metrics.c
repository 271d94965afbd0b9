/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of sites that are exported. */
#include "display/export/export.h"

#include "display/text/amount.h"

#include <string.h>

static uint64_t
bytes(const struct site *s)
{
	return amount_bytes(&s->count);
}

static uint64_t
allocs(const struct site *s)
{
	return amount_allocs(&s->count);
}

static uint64_t
kept(const struct site *s)
{
	return amount_kept(&s->count);
}

static uint64_t
kept_blocks(const struct site *s)
{
	return amount_sub(amount_allocs(&s->count), amount_frees(&s->count));
}

static uint64_t
peak(const struct site *s)
{
	return s->count.peak;
}

static uint64_t
peak_blocks(const struct site *s)
{
	return s->peak_blocks;
}

static uint64_t
frees(const struct site *s)
{
	return amount_frees(&s->count);
}

static uint64_t
reads(const struct site *s)
{
	return s->use ? s->use->reads : 0;
}

static uint64_t
writes(const struct site *s)
{
	return s->use ? s->use->writes : 0;
}

static const char *
always(const struct profile *p)
{
	(void)p;
	return NULL;
}

static const char *
why_peak(const struct profile *p)
{
	return p->peak_known ? NULL
			     : "it isn't known who held the memory at the peak";
}

static const char *
why_uses(const struct profile *p)
{
	if (p->uses_known)
		return NULL;
	return p->uses_why && *p->uses_why ? p->uses_why
					   : "accesses weren't recorded";
}

const struct export_metric export_metrics[] = {
	{ "bytes", "bytes", "bytes allocated", bytes, always },
	{ "allocs", "count", "allocations", allocs, always },
	{ "kept", "bytes", "bytes not freed", kept, always },
	{ "kept-blocks", "count", "blocks not freed", kept_blocks, always },
	{ "peak", "bytes", "bytes live at the peak", peak, why_peak },
	{ "peak-blocks", "count", "blocks live at the peak", peak_blocks,
	  why_peak },
	{ "frees", "count", "frees", frees, always },
	{ "reads", "count", "reads of blocks", reads, why_uses },
	{ "writes", "count", "writes to blocks", writes, why_uses },
	{ NULL, NULL, NULL, NULL, NULL },
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

bool
export_known(const struct profile *p, const struct export_metric *m)
{
	return !m->why(p);
}
