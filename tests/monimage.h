/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Making the image of a process by hand (monitor/monimg.h), in memory: for
 * tests/monimage.c, tests/unit/t_image.c and tests/fuzz/image.c.
 *
 * Slots are taken one after the other; all pointers are in one window, the
 * whole file.  A program that runs out of slots ends with a message.
 */
#ifndef MEMMON_TESTS_MONIMAGE_H
#define MEMMON_TESTS_MONIMAGE_H

#include "monitor/monimg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file's address in the process that it pretends to be of. */
#define MONIMAGE_BASE 0x7f0000000000ull

/* Cells of a slot; a slot has room for more, as in the monitor. */
#define MONIMAGE_CELLS 128u

struct monimage {
	unsigned char *p;
	uint32_t slots;
	struct monimg_header *h;
	struct monimg_kind *kinds;
	struct monimg_global *global;
	size_t texts; /* where the next text goes */
	/* The used part of the newest slot of each kind. */
	struct monimg_node *nodes;
	struct monimg_pub *pubs;
	unsigned char *modules, *pool;
	uint32_t nnodes, npubs, module_at, pool_at;
};

static inline unsigned char *
monimage_slot(struct monimage *i, uint32_t kind, uint32_t first)
{
	uint32_t s = i->h->used++;

	if (s >= i->slots) {
		fprintf(stderr, "monimage: out of slots\n");
		exit(1);
	}
	i->kinds[s] = (struct monimg_kind){ kind, first };
	return i->p + (size_t)s * MONIMG_SLOT;
}

/* A file of `slots' slots, with nothing counted yet. */
static inline void
monimage_init(struct monimage *i, uint32_t slots)
{
	size_t global = sizeof(struct monimg_global), k;

	*i = (struct monimage){ .p = calloc(slots, MONIMG_SLOT),
				.slots = slots };
	if (!i->p || slots > 512)
		exit(1);
	i->h = (struct monimg_header *)i->p;
	*i->h = (struct monimg_header){
		.magic = MONIMG_MAGIC,
		.version = MONIMG_VERSION,
		.order = MONOUT_ORDER,
		.word = sizeof(void *),
		.slot = MONIMG_SLOT,
		.global_size = sizeof(struct monimg_global),
		.cell_size = sizeof(struct monimg_cell),
		.node_size = sizeof(struct monimg_node),
		.pub_size = sizeof(struct monimg_pub),
		.extra_size = sizeof(struct monimg_extra),
		.fate_size = sizeof(struct monimg_fate),
		.figures = MONOUT_NFIGURE,
		.lives_size = sizeof(struct monimg_lives),
		.kinds_at = 4096,
		.nslots = slots,
		.window = { { MONIMAGE_BASE, 0,
			      (uint64_t)slots * MONIMG_SLOT } },
	};
	i->kinds = (struct monimg_kind *)(i->p + i->h->kinds_at);
	i->texts = 8192; /* the table of kinds ends there */
	monimage_slot(i, MONIMG_HEAD, 0);
	i->global = (struct monimg_global *)monimage_slot(i, MONIMG_GLOBAL, 0);
	for (k = MONIMG_SLOT; k < global; k += MONIMG_SLOT)
		monimage_slot(i, MONIMG_GLOBAL, (uint32_t)(k / MONIMG_SLOT));
}

static inline void
monimage_text(struct monimage *i, struct monimg_text *t, const void *text,
	      size_t n)
{
	if (n > MONIMG_SLOT - i->texts)
		exit(1);
	*t = (struct monimg_text){ (uint32_t)i->texts, (uint32_t)n };
	memcpy(i->p + i->texts, text, n);
	i->texts += n;
}

/* Cell of that number, all 0 at first. */
static inline struct monimg_cell *
monimage_cell(struct monimage *i, uint32_t number)
{
	uint32_t first = number / MONIMAGE_CELLS * MONIMAGE_CELLS, s;
	struct monimg_cell *c;
	unsigned char *slot = NULL;

	for (s = 0; s < i->h->used && !slot; s++) {
		if (i->kinds[s].kind == MONIMG_CELLS &&
		    i->kinds[s].first == first)
			slot = i->p + (size_t)s * MONIMG_SLOT;
	}
	if (!slot)
		slot = monimage_slot(i, MONIMG_CELLS, first);
	slot += (size_t)(number - first) * i->h->cell_size;
	c = (struct monimg_cell *)slot;
	c->number = number;
	return c;
}

static inline void
monimage_node(struct monimage *i, uint32_t number, uint32_t parent,
	      uint64_t key)
{
	if (i->nnodes % (MONIMG_SLOT / sizeof(*i->nodes)) == 0) {
		i->nodes = (struct monimg_node *)monimage_slot(i, MONIMG_NODES,
							       i->nnodes);
	}
	i->nodes[i->nnodes++ % (MONIMG_SLOT / sizeof(*i->nodes))] =
		(struct monimg_node){ key, number, parent };
}

static inline struct monimg_pub *
monimage_pub(struct monimage *i)
{
	struct monimg_pub *t;

	if (i->npubs % (MONIMG_SLOT / sizeof(*i->pubs)) == 0)
		i->pubs = (struct monimg_pub *)monimage_slot(i, MONIMG_PUBS,
							     i->npubs);
	t = &i->pubs[i->npubs++ % (MONIMG_SLOT / sizeof(*i->pubs))];
	t->taken = 1;
	return t;
}

/* Adds module m; sets all its lengths except the build-id's. */
static inline void
monimage_module(struct monimage *i, struct monimg_module m, const char *path)
{
	m.path_length = (uint16_t)strlen(path);
	m.length = (uint32_t)((sizeof(m) + m.path_length + 7) & ~(size_t)7);
	if (!i->modules || i->module_at + m.length > MONIMG_SLOT) {
		i->modules = monimage_slot(i, MONIMG_MODULES, 0);
		i->module_at = 0;
	}
	memcpy(i->modules + i->module_at, &m, sizeof(m));
	memcpy(i->modules + i->module_at + sizeof(m), path, m.path_length);
	i->module_at += m.length;
}

/* Returns n zeroed bytes; *at gets their pointer in the file. */
static inline void *
monimage_pool(struct monimage *i, size_t n, uint64_t *at)
{
	void *p;

	if (!i->pool || i->pool_at + n > MONIMG_SLOT) {
		i->pool = monimage_slot(i, MONIMG_POOL, 0);
		i->pool_at = 0;
	}
	p = i->pool + i->pool_at;
	*at = MONIMAGE_BASE + (uint64_t)(i->pool + i->pool_at - i->p);
	i->pool_at += (uint32_t)((n + 15) & ~(size_t)15);
	return p;
}

/* The cell's extra; made if there is none. */
static inline struct monimg_extra *
monimage_extra(struct monimage *i, struct monimg_cell *c)
{
	if (!c->extra)
		return monimage_pool(i, sizeof(struct monimg_extra), &c->extra);
	return (struct monimg_extra *)(i->p + (c->extra - MONIMAGE_BASE));
}

/* The cell's own fate; made if there is none. */
static inline struct monimg_fate *
monimage_fate(struct monimage *i, struct monimg_cell *c)
{
	struct monimg_fate *x;

	if (c->fate)
		return (struct monimg_fate *)(i->p + (c->fate - MONIMAGE_BASE));
	x = monimage_pool(i, sizeof(*x), &c->fate);
	x->cell = c->number;
	return x;
}

/* The fate's lives; made if there are none. */
static inline struct monimg_lives *
monimage_lives(struct monimage *i, struct monimg_fate *e)
{
	struct monimg_lives *l;

	if (e->lives)
		return (struct monimg_lives *)(i->p +
					       (e->lives - MONIMAGE_BASE));
	l = monimage_pool(i, sizeof(*l), &e->lives);
	l->min = UINT64_MAX;
	return l;
}

/* Bytes of the file so far. */
static inline size_t
monimage_size(const struct monimage *i)
{
	return (size_t)i->h->used * MONIMG_SLOT;
}

static inline void
monimage_fini(struct monimage *i)
{
	free(i->p);
	*i = (struct monimage){ 0 };
}

#endif
