/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of an image: types, and cells of threads that aren't known. */
#include "reduce/image/image_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- types -- */

static int
type_take(struct image *g, const void *item, uint64_t number)
{
	const struct monimg_type *x = item;
	struct monimg_type *to;
	uint32_t n;

	(void)number;
	memcpy(&n, &x->number, sizeof(n));
	if (!n || n > MONOUT_TYPE_MAX)
		return 0;
	if (!g->types)
		g->types = calloc(MONOUT_TYPE_MAX + 1, sizeof(*g->types));
	if (!g->types)
		return -1;
	to = malloc(sizeof(*to));
	if (!to)
		return -1;
	memcpy(to, item, sizeof(*to));
	free(g->types[n]);
	g->types[n] = to;
	return 0;
}

int
image_put_types(struct image *g)
{
	char name[sizeof(((struct monimg_type *)NULL)->name)];
	const struct monimg_type *x;
	uint32_t i;

	if (image_each(g, MONIMG_TYPES, sizeof(*x), type_take))
		return -1;
	for (i = 1; g->types && i <= MONOUT_TYPE_MAX; i++) {
		x = g->types[i];
		if (!x)
			continue;
		if (!g->types[i - 1])
			emit_open(&g->out, MONOUT_TYPES, i);
		memcpy(name, x->name, sizeof(name));
		name[image_min(x->length, MONOUT_TYPE_NAME_MAX)] = '\0';
		items_put_type(&g->out, &(struct mon_type){ x->size, name });
		g->t.types++;
		if (i == MONOUT_TYPE_MAX || !g->types[i + 1])
			emit_close(&g->out);
	}
	return 0;
}

void
image_free_types(struct image *g)
{
	uint32_t i;

	for (i = 0; g->types && i <= MONOUT_TYPE_MAX; i++)
		free(g->types[i]);
	free(g->types);
	g->types = NULL;
}

/* ---------------------------------------------------------------- cells -- */

/* The blocks of a site and a size. */
static void
put_cell(struct image *g, const struct image_pair *p, uint32_t site, bool peak)
{
	bool any = p->size >= MONIMG_SIZE_ANY;
	struct mon_cell x = {
		.site = site,
		.size = any ? p->size - MONIMG_SIZE_ANY : p->size,
		.any = any,
		.allocs = p->allocs,
		.frees = p->frees,
		.peak_blocks = peak ? (int64_t)p->held : 0,
		.bytes = p->bytes,
		.freed = p->freed,
		.peak_bytes = peak ? (int64_t)p->held_bytes : 0,
		.looked = p->looked >> MONIMG_LOOKED_SHIFT,
		.slack = p->looked & ((1ull << MONIMG_LOOKED_SHIFT) - 1),
	};

	items_put_cell(&g->out, &x);
	g->t.cells++;
}

/*
 * What the site held isn't what its sizes did, as the process went on
 * meanwhile: it is of any.
 */
static void
put_held(struct image *g, const struct image_site *s, uint32_t site)
{
	struct image_pair p = { .size = MONIMG_SIZE_ANY,
				.held = s->peak_blocks,
				.held_bytes = s->peak_bytes };

	put_cell(g, &p, site, true);
}

/* Is what the site held at the peak the sum of what its sizes did? */
static bool
held_adds_up(const struct image_site *s)
{
	return s->peak_blocks == (uint64_t)s->held &&
	       s->peak_bytes == (uint64_t)s->held_bytes;
}

int
image_put_cells(struct image *g)
{
	/* By what the pairs call it: its place now, and number in the file. */
	uint32_t *place = malloc((g->nsites + 1) * sizeof(*place)), n = 0;
	uint32_t *number = malloc((g->nsites + 1) * sizeof(*number));
	const struct image_site *s;
	size_t i;

	if (!place || !number) {
		free(place);
		free(number);
		return -1;
	}
	emit_open(&g->out, MONOUT_CELLS, 0);
	for (i = 0; i < g->nsites; i++) {
		s = &g->sites[i];
		place[s->index] = (uint32_t)i;
		number[i] = image_site_mask(s) ? n++ : UINT32_MAX;
		if (number[i] != UINT32_MAX && s->peak_blocks &&
		    !held_adds_up(s))
			put_held(g, s, number[i]);
	}
	for (i = 0; i < g->npairs; i++) {
		s = &g->sites[place[g->pairs[i].site]];
		n = number[s - g->sites];
		if (n != UINT32_MAX)
			put_cell(g, &g->pairs[i], n, held_adds_up(s));
	}
	emit_close(&g->out);
	free(place);
	free(number);
	return 0;
}
