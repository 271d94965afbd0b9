/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The header of an image, its slots, and the targets of pointers. */
#include "reduce/base/arena.h"
#include "reduce/base/err.h"
#include "reduce/image/image_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)IMAGE_KINDS == (int)MONIMG_NKIND, "the same kinds");
_Static_assert(sizeof(void *) == 8, "the structs are those of this machine");

/* Images with this many slots are worth a search for holes. */
enum { HOLES_FROM = 16384 };

/* The largest size of a cell: cells of libmemmon-access contain more. */
enum { CELL_MOST = 1024 };

/* Say why this reader can't read the image.  NULL if it can. */
static const char *
image_head_other(const struct monimg_header *h)
{
	if (h->word != sizeof(void *))
		return "its addresses have another width; use the mpreduce of "
		       "the same kind";
	if (h->slot != MONIMG_SLOT ||
	    h->global_size != sizeof(struct monimg_global) ||
	    h->node_size != sizeof(struct monimg_node) ||
	    h->pub_size != sizeof(struct monimg_pub) ||
	    h->extra_size != sizeof(struct monimg_extra) ||
	    h->lives_size != sizeof(struct monimg_lives) ||
	    h->fate_size != sizeof(struct monimg_fate) ||
	    h->figures != MONOUT_NFIGURE ||
	    h->cell_size < sizeof(struct monimg_cell))
		return "from another build of memmon; use the mpreduce of that "
		       "build";
	return NULL;
}

static bool
image_head_sane(const struct monimg_header *h)
{
	uint64_t end;

	return h->order == MONOUT_ORDER && h->nslots && h->used &&
	       h->cell_size <= CELL_MOST && h->cell_size % 8 == 0 &&
	       h->kinds_at >= sizeof(*h) &&
	       !__builtin_add_overflow(h->kinds_at, 8ull * h->nslots, &end) &&
	       end <= (uint64_t)INT64_MAX;
}

static int
image_head_check(const struct image *g, size_t have, struct err *e)
{
	const struct monimg_header *h = &g->h;
	size_t least = offsetof(struct monimg_header, word);
	const char *other;

	if (have >= least && h->order == __builtin_bswap32(MONOUT_ORDER))
		return err_set(
			e,
			"%s: the image of a process on a machine with the "
			"other byte order; run mpreduce on such a machine",
			g->path);
	if (have >= least && h->order == MONOUT_ORDER &&
	    h->version != MONIMG_VERSION)
		return err_set(e,
			       "%s: the image of a process with another memmon "
			       "(layout %" PRIu32 ", this mpreduce reads %u); "
			       "use the mpreduce of that version",
			       g->path, h->version, MONIMG_VERSION);
	if (have < sizeof(*h))
		return err_set(e,
			       "%s: the image of a process, truncated after "
			       "%zu bytes, in the header; copy it again, or "
			       "run the program again",
			       g->path, have);
	other = h->order == MONOUT_ORDER ? image_head_other(h) : NULL;
	if (other)
		return err_set(e, "%s: the image of a process, but %s", g->path,
			       other);
	if (!image_head_sane(h))
		return err_set(
			e,
			"%s: the image of a process, but its header is "
			"damaged; copy it again, or run the program again",
			g->path);
	return 0;
}

static void
image_head_slot(struct image *g, uint32_t slot, const struct monimg_kind *k)
{
	if (k->kind >= MONIMG_NKIND || k->kind == MONIMG_NONE)
		return;
	ARRAY_ADD(g->slots, g->slot_room, g->nslots,
		  (struct image_slot){ slot, k->kind, k->first });
	g->info.slots[k->kind]++;
}

void
image_slots(struct image *g)
{
	enum { MANY = 512 };
	const struct monimg_header *h = &g->h;
	struct monimg_kind k[MANY];
	uint64_t i = 0, next, at;
	uint32_t used;
	size_t n, j;

	image_source_read(&g->from, offsetof(struct monimg_header, used), &used,
			  sizeof(used));
	g->info.used = used < h->nslots ? used : h->nslots;
	while (i < g->info.used) {
		at = h->kinds_at + i * sizeof(*k);
		next = image_source_next(&g->from, at);
		if (next > at)
			i += (next - at) / sizeof(*k);
		if (i >= g->info.used)
			break;
		n = g->info.used - i < MANY ? (size_t)(g->info.used - i) : MANY;
		image_source_read(&g->from, h->kinds_at + i * sizeof(*k), k,
				  n * sizeof(*k));
		/* If the file ends here, no slots follow. */
		if (g->from.cut)
			g->info.used = (uint32_t)(i + n);
		for (j = 0; j < n; j++) {
			image_head_slot(g, (uint32_t)(i + j), &k[j]);
		}
		i += n;
	}
	g->info.slots[MONIMG_NONE] = g->info.used - g->nslots;
}

int
image_head(struct image *g, struct err *e)
{
	struct monimg_header *h = &g->h;
	size_t have = image_source_read(&g->from, 0, h, sizeof(*h));

	if (image_head_check(g, have, e))
		return -1;
	g->info.version = h->version;
	g->info.nslots = h->nslots;
	g->from.holes = h->used >= HOLES_FROM;
	g->buffer = heap_new(MONIMG_SLOT);
	image_slots(g);
	return 0;
}

int
image_each(struct image *g, uint32_t kind, size_t size,
	   int (*take)(struct image *g, const void *item, uint64_t number))
{
	const unsigned char *copy = kind == MONIMG_CELLS ? g->cells : NULL,
			    *items;
	const struct image_slot *s;
	uint64_t at;
	size_t i, k;
	int status = 0;

	for (i = 0; i < g->nslots && !status; i++) {
		s = &g->slots[i];
		at = (uint64_t)s->slot * MONIMG_SLOT;
		if (s->kind != kind)
			continue;
		items = copy ? copy : g->buffer;
		copy += copy ? MONIMG_SLOT : 0;
		if (image_source_next(&g->from, at) >= at + MONIMG_SLOT)
			continue;
		if (!copy)
			image_source_read(&g->from, at, g->buffer, MONIMG_SLOT);
		for (k = 0; k < MONIMG_SLOT / size && !status; k++)
			status = take(g, items + k * size,
				      (uint64_t)s->first + k);
	}
	return status;
}

bool
image_follow(struct image *g, uint64_t pointer, void *to, size_t n)
{
	const struct monimg_window *w;
	uint64_t at;
	size_t i;

	for (i = 0; i < MONIMG_WINDOWS; i++) {
		w = &g->h.window[i];
		if (!w->base || pointer < w->base ||
		    pointer - w->base >= w->length)
			continue;
		if (w->length - (pointer - w->base) < n ||
		    __builtin_add_overflow(w->at, pointer - w->base, &at))
			return false;
		image_source_peek(&g->from, at, to, n);
		return true;
	}
	return false;
}

bool
image_global(struct image *g)
{
	uint64_t at = 0;
	size_t i, n = sizeof(*g->global);

	for (i = 0; i < g->nslots && !at; i++) {
		if (g->slots[i].kind == MONIMG_GLOBAL)
			at = (uint64_t)g->slots[i].slot * MONIMG_SLOT;
	}
	if (!at) {
		memset(g->global, 0, n);
		return false;
	}
	image_source_read(&g->from, at, g->global, n);
	return true;
}
