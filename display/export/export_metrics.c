/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of sites that are exported. */
#include "display/export/export.h"

#include "display/text/amount.h"

#include <string.h>

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

/* Identifier, name, unit, meaning, why it isn't known, value of a site. */
/* clang-format off */
#define METRICS(M) \
	M(bytes, "bytes", "bytes", "bytes allocated", always, \
	  amount_bytes(&s->count)) \
	M(allocs, "allocs", "count", "allocations", always, \
	  amount_allocs(&s->count)) \
	M(kept, "kept", "bytes", "bytes not freed", always, \
	  amount_kept(&s->count)) \
	M(kept_blocks, "kept-blocks", "count", "blocks not freed", always, \
	  amount_sub(amount_allocs(&s->count), amount_frees(&s->count))) \
	M(peak, "peak", "bytes", "bytes live at the peak", why_peak, \
	  s->count.peak) \
	M(peak_blocks, "peak-blocks", "count", "blocks live at the peak", \
	  why_peak, s->peak_blocks) \
	M(frees, "frees", "count", "frees", always, amount_frees(&s->count)) \
	M(reads, "reads", "count", "reads of blocks", why_uses, \
	  s->use ? s->use->reads : 0) \
	M(writes, "writes", "count", "writes to blocks", why_uses, \
	  s->use ? s->use->writes : 0)
/* clang-format on */

#define M(id, name, unit, what, why, value) \
	static uint64_t id(const struct site *s) \
	{ \
		return value; \
	}
METRICS(M)
#undef M

#define M(id, name, unit, what, why, value) { name, unit, what, id, why },
const struct export_metric export_metrics[] = { METRICS(M){ .name = NULL } };
#undef M

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
