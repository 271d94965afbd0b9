/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layouts: see layout.h. */
#include "display/text/layout.h"

#include "display/text/amount.h"

#include <stdlib.h>
#include <string.h>

static uint64_t
layout_accesses(const struct fields *f, size_t i)
{
	return amount_add(f->reads[i], f->writes[i]);
}

uint64_t
layout_bytes(const struct fields *f, size_t i)
{
	uint64_t at = (uint64_t)i * LAYOUT_GRANULE;

	if (at >= f->size)
		return 0;
	return f->size - at < LAYOUT_GRANULE ? f->size - at : LAYOUT_GRANULE;
}

enum layout_heat
layout_heat(const struct layout *l, size_t i)
{
	const struct fields *f = l->f;

	if (!f->reads[i])
		return f->writes[i] ? LAYOUT_WRITE_ONLY : LAYOUT_NEVER;
	return layout_accesses(f, i) < l->hot ? LAYOUT_COLD : LAYOUT_HOT;
}

static int
descending(const void *va, const void *vb)
{
	uint64_t a = *(const uint64_t *)va, b = *(const uint64_t *)vb;

	return (a < b) - (a > b);
}

/* Set l->hot, the number of accesses that makes a granule hot. */
static int
find_hot(struct layout *l)
{
	const struct fields *f = l->f;
	uint64_t *sorted = calloc(f->n + 1, sizeof *sorted);
	unsigned __int128 sum = 0, all = 0;
	size_t n = 0;

	if (!sorted)
		return -1;
	for (size_t i = 0; i < f->n; i++) {
		l->accesses = amount_add(l->accesses, layout_accesses(f, i));
		if (!f->reads[i])
			continue;
		sorted[n] = layout_accesses(f, i);
		all += sorted[n++];
	}
	qsort(sorted, n, sizeof *sorted, descending);
	for (size_t i = 0; i < n && sum * 100 < all * LAYOUT_SHARE; i++) {
		sum += sorted[i];
		l->hot = sorted[i];
	}
	free(sorted);
	return 0;
}

/* Add a row for the granules first to end - 1. */
static void
layout_add(struct layout *l, struct layout_row r)
{
	for (size_t i = r.first; i < r.end; i++) {
		enum layout_heat heat = layout_heat(l, i);

		r.reads = amount_add(r.reads, l->f->reads[i]);
		r.writes = amount_add(r.writes, l->f->writes[i]);
		if (r.heat < heat)
			r.heat = heat;
	}
	l->row[l->n++] = r;
}

/* Add a row for granules without a member. */
static void
add_range(struct layout *l, size_t first, size_t end)
{
	struct layout_row r = { .offset = (uint64_t)first * LAYOUT_GRANULE,
				.first = first,
				.end = end };

	for (size_t i = first; i < end; i++)
		r.size += layout_bytes(l->f, i);
	layout_add(l, r);
}

/*
 * Make rows for members.  A granule belongs to the first member that has a byte
 * in it, even if that member begins in an earlier granule.
 */
static void
by_member(struct layout *l)
{
	const struct fields *f = l->f;
	size_t next = 0;

	for (size_t i = 0; i < f->nmembers; i++) {
		const struct member *m = &f->members[i];
		struct layout_row r = { .member = m,
					.offset = m->offset,
					.size = m->size };
		size_t first = (size_t)(m->offset / LAYOUT_GRANULE), end = f->n;

		r.whole = i + 1 < f->nmembers && m[1].depth > m->depth;
		if (r.whole || !m->size || m->offset >= f->size ||
		    first >= f->n) {
			layout_add(l, r);
			continue;
		}
		if (m->size < f->size - m->offset)
			end = (size_t)((m->offset + m->size - 1) /
				       LAYOUT_GRANULE) +
			      1;
		if (first > next)
			add_range(l, next, first);
		r.shared = first < next;
		r.first = r.shared ? next : first;
		r.end = end > r.first ? end : r.first;
		next = r.end;
		layout_add(l, r);
	}
	if (next < f->n)
		add_range(l, next, f->n);
}

/* Make rows of `unit' granules; granules never accessed are one row. */
static void
by_range(struct layout *l, size_t unit)
{
	size_t n = l->f->n, end;

	for (size_t i = 0; i < n; i = end) {
		bool never = true;

		end = n - i < unit ? n : i + unit;
		for (size_t k = i; k < end; k++)
			never = never && !layout_accesses(l->f, k);
		while (never && end < n && !layout_accesses(l->f, end))
			end++;
		if (never && end < n && end > i + unit)
			end -= end % unit;
		add_range(l, i, end);
	}
}

int
layout_init(struct layout *l, const struct fields *f, size_t most)
{
	size_t unit = 1;

	memset(l, 0, sizeof *l);
	l->f = f;
	l->members = f->nmembers && f->size == f->type_size;
	l->row = calloc(f->nmembers + f->n + 1, sizeof *l->row);
	if (!l->row || find_hot(l))
		return -1;
	while (most && f->n > most * unit)
		unit *= 2;
	if (l->members)
		by_member(l);
	else
		by_range(l, unit);
	return 0;
}

void
layout_fini(struct layout *l)
{
	free(l->row);
	l->row = NULL;
}
