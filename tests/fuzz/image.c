/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libFuzzer on the image of a process.  The image is large, so an input has
 * only changes to an image that is made here.  For each change: a byte for one
 * of the used slots, two for a place in it, one for a length up to 8, then that
 * number of bytes.  Place 0xffff with length 0 truncates the file there.  By
 * hand:
 *
 *	clang -g -O1 -fsanitize=fuzzer,address,undefined -std=gnu11 -I. \
 *		-D_GNU_SOURCE= tests/fuzz/image.c \
 *		reduce/{base,model,file,image}/[a-z]*.c reduce/profile/info.c \
 *		-lm -o /tmp/fuzz-image && /tmp/fuzz-image DIRECTORY
 */
#include "reduce/base/err.h"
#include "reduce/monout/mon.h"
#include "reduce/image/open.h"
#include "reduce/image/image.h"
#include "reduce/profile/info.h"
#include "reduce/monout/merge.h"
#include "tests/monimage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHANGES = 256, HEAD = 4 };

static struct monimage f;
static unsigned char *good;

static struct monimg_cell *
cell(uint32_t number, uint64_t thread, uint32_t node, uint64_t size,
     uint64_t allocs, uint64_t frees)
{
	struct monimg_cell *c = monimage_cell(&f, number);

	c->key = thread << MONIMG_SIZE_BITS | size;
	c->parent = node;
	c->allocs = allocs;
	c->frees = frees;
	return c;
}

/* Cell 16: two notes, in two pieces. */
static void
make_notes(void)
{
	struct monimg_notes *h = (void *)monimage_slot(&f, MONIMG_NOTES, 0);
	struct monimg_piece *p = (void *)monimage_slot(&f, MONIMG_PIECES, 0);
	struct monimg_snapshots *s = &f.global->snapshots;

	cell(16, 1, 5, 24, 9, 4)->epoch = 2ull << MONIMG_SNAPSHOT;
	s->known = 1;
	s->n = 2;
	s->snapshot[0].number = 1;
	s->snapshot[1].number = 2;
	h[16].word = 1ull << 32 | 30;
	p[1] = (struct monimg_piece){ 2, { 2, 4, 2, 2, 4 } };
}

/* An image with some of everything. */
static void
make(void)
{
	struct monimg_module m = {
		.start = 0x1000, .end = 0x3000, .bias = 0x1000, .flags = 1
	};
	struct monimg_extra *e;
	struct monimg_fate *x;
	struct monimg_lives *l;
	struct monimg_pub *t;
	uint32_t i;

	monimage_init(&f, 160);
	monimage_text(&f, &f.h->program, "/x", 2);
	monimage_text(&f, &f.h->command, "x\0y", 4);
	monimage_module(&f, m, "/x");
	m.gen = 1;
	monimage_module(&f, m, "/y");
	for (i = 1; i < 6; i++)
		monimage_node(&f, i, i - 1, 0x1000 + 16 * i);
	f.global->peak = f.global->live = 900;
	f.global->peaks = 3;
	f.global->bins[0].allocs[700] = 2;
	f.global->row[0][0] = (struct monimg_row){
		.state = 2, .name = "w", .threads = 1, .done = { 1, 2, 3, 4, 5 }
	};
	cell(16, 1, 5, 24, 9, 4)->near = 3;
	x = monimage_fate(&f, cell(17, 2, 5, 24, 0, 2));
	x->by_others = x->reallocs = x->timed = 2;
	x->few[0] = 100;
	x = monimage_fate(&f, cell(18, 1, 4, 5000, 7, 7));
	x->timed = 5;
	l = monimage_lives(&f, x);
	l->bin[9] = l->weight = 5;
	l->sum = 3000;
	l->min = 512;
	l->max = 700;
	e = monimage_extra(&f, cell(19, 1, 3, MONIMG_SIZE_ANY + 2, 3, 1));
	e->bytes = 2100;
	e->freed = 700;
	t = monimage_pub(&f);
	*t = (struct monimg_pub){ .taken = 1, .tid = 7, .seq = 19 };
	monimage_pub(&f)->chains = 8;
	make_notes();
	good = malloc(monimage_size(&f));
	if (!good)
		abort();
	memcpy(good, f.p, monimage_size(&f));
}

/* Must hold for anything that is read. */
static void
check(const struct mon *m)
{
	size_t i;

	if (m->sums.frees > m->sums.allocs || m->sums.freed > m->sums.bytes ||
	    m->peak_blocks > m->sums.allocs || m->peak_bytes > m->sums.bytes)
		abort();
	for (i = 1; i < m->nnodes; i++) {
		if (m->nodes[i].parent >= i ||
		    m->nodes[i].module >= (m->nmodules ? m->nmodules : 1))
			abort();
	}
	for (i = 0; i < m->nsites; i++) {
		if (m->sites[i].node >= m->nnodes)
			abort();
	}
}

static void
read_image(size_t size)
{
	static FILE *null;
	struct merge g = { 0 };
	struct mon m;
	struct err e;

	if (!null)
		null = fopen("/dev/null", "w");
	if (open_memory(&m, "fuzz", f.p, size, &e))
		return;
	check(&m);
	info_print(&m, null);
	merge_add(&g, &m, &e);
	merge_fini(&g);
	mon_fini(&m);
}

/* The used part of a slot: the rest is always 0. */
static size_t
slot_size(uint32_t slot)
{
	uint32_t kind = f.kinds[slot].kind;

	return kind == MONIMG_HEAD    ? 5120
	       : kind == MONIMG_CELLS ? 24 * sizeof(struct monimg_cell)
	       : kind == MONIMG_NODES ? 8 * sizeof(struct monimg_node)
	       : kind == MONIMG_PUBS  ? 3 * sizeof(struct monimg_pub)
	       : kind == MONIMG_PIECES ? 4 * sizeof(struct monimg_piece)
				       : 2048;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t at[CHANGES], length[CHANGES], n = 0, end, in;
	uint32_t used, slot, place;

	if (!good)
		make();
	memcpy(&used, good + offsetof(struct monimg_header, used),
	       sizeof(used));
	end = (size_t)used * MONIMG_SLOT;
	while (size >= HEAD && n < CHANGES) {
		/* Global slots are alike: only the first is changed. */
		slot = data[0] % 12;
		slot = slot < 2 ? slot : used - 12 + slot;
		place = data[1] | (uint32_t)data[2] << 8;
		in = data[3] % 9;
		data += HEAD;
		size -= HEAD;
		if (place == 0xffff && !in)
			end = slot * (size_t)MONIMG_SLOT + 77;
		if (in > size)
			in = size;
		at[n] = slot * (size_t)MONIMG_SLOT + place % slot_size(slot);
		length[n] = in;
		memcpy(f.p + at[n], data, in);
		data += in;
		size -= in;
		n++;
	}
	read_image(end);
	while (n--)
		memcpy(f.p + at[n], good + at[n], length[n]);
	return 0;
}
