/* SPDX-License-Identifier: MIT */
/* The lines of the memory, and the blocks that pin pages. */
#include "monitor/memory/memory.h"

#include <string.h>
#include <sys/uio.h>

#include "monitor/base/arena.h"
#include "monitor/base/next.h"
#include "monitor/base/process.h"
#include "monitor/base/put.h"
#include "monitor/chain/node.h"
#include "monitor/leak/leak.h"
#include "monitor/memory/mapped_put.h"
#include "monitor/memory/pieces.h"

/* glibc: a block has a word before it; no chunk is smaller. */
#define HEADER sizeof(size_t)
#define CHUNK_MIN 32u
#define CHUNK_ALIGN 16u

enum line {
#define X(NAME, name) LINE_##NAME,
	MONREC_MEMORY_LINES(X)
#undef X
		LINES
};

_Static_assert(LINES == MONREC_MEMORY_COUNT, "all lines");

const char *const mmi_memory_name[LINES] = {
#define X(NAME, name) #name,
	MONREC_MEMORY_LINES(X)
#undef X
};

static struct mmi_pieces pieces;
static uint64_t sum[LINES]; /* bytes; blocks: also in pieces without bits */
static bool glibc; /* the next allocator is glibc's: its rounding is known */
static bool known; /* the pieces are known */
static struct mmi_emit pins_out = MMI_EMIT_FULL;
static struct monrec_pin *pin; /* by node */
static uint32_t pin_nodes;     /* 0: there are none */

void
mmi_memory_begin(bool pins)
{
	static char text[MMI_LEAK_STATUS];

	memset(sum, 0, sizeof(sum));
	mmi_pieces_free(&pieces);
	glibc = mmi_next_is_glibc();
	known = !mmi_leak_filters(text) && mmi_pieces_read(&pieces, pins);
}

/* ---------------------------------------------------------------- blocks -- */

/* Bytes of [a, end) in a piece that are in memory. */
static uint64_t
bytes_there(const struct mmi_piece *x, uintptr_t a, uintptr_t end)
{
	uint64_t n = 0, i;
	uintptr_t next;

	for (; a < end; a = next) {
		i = (a - x->start) / ARCH_PAGE_NOW;
		next = x->start + (i + 1) * ARCH_PAGE_NOW;
		if (next > end)
			next = end;
		if (x->there[i / 64] >> i % 64 & 1)
			n += next - a;
	}
	return n;
}

static void
take(struct mmi_piece *x, uintptr_t a, uintptr_t end)
{
	uint64_t i = (a - x->start) / ARCH_PAGE_NOW;
	uint64_t last = (end - 1 - x->start) / ARCH_PAGE_NOW;

	for (; i <= last; i++)
		x->taken[i / 64] |= 1ull << i % 64;
}

/*
 * [a, end) is a live block's, or the allocator's for the block: adds the bytes
 * in memory to the line.  It may be in several pieces because of mprotect().
 */
static void
range_add(uintptr_t a, uintptr_t end, enum line line)
{
	struct mmi_piece *x;
	uintptr_t to;

	for (; a < end && (x = mmi_pieces_at(&pieces, a)) != NULL; a = to) {
		to = end < x->end ? end : x->end;
		if (!mmi_pieces_look(&pieces, x))
			continue;
		sum[line] += bytes_there(x, a, to);
		take(x, a, to);
		x->blocks++;
	}
}

/* Adds a block to its pages. */
static void
page_add(uintptr_t a, uintptr_t end)
{
	struct mmi_piece *x;
	struct mmi_page *page;
	uintptr_t to;

	for (; a < end && (x = mmi_pieces_at(&pieces, a)) != NULL; a = to) {
		to = (a | (ARCH_PAGE_NOW - 1)) + 1;
		if (to > end)
			to = end;
		if (!mmi_pieces_look(&pieces, x) || !x->page)
			return;
		page = &x->page[(a - x->start) / ARCH_PAGE_NOW];
		page->used += (uint32_t)(to - a);
		page->blocks += page->blocks < UINT16_MAX;
	}
}

/* Where the chunk of a block at a ends, as glibc rounds. */
static uintptr_t
chunk_end(uintptr_t a, uint64_t size)
{
	uint64_t n = size + HEADER;

	if (!glibc)
		return a + size;
	n = n < CHUNK_MIN ? CHUNK_MIN
			  : (n + CHUNK_ALIGN - 1) & -(uint64_t)CHUNK_ALIGN;
	return a - HEADER + n;
}

/*
 * Adds a block of `size' bytes in the chunk [from, end).  Most chunks are on
 * one page: then one bit is enough.  False: this chunk isn't on one page.
 */
static bool
chunk_add(struct mmi_piece *x, uintptr_t from, uintptr_t end, uint64_t size)
{
	uint64_t i = (from - x->start) / ARCH_PAGE_NOW;
	uint64_t bit = 1ull << i % 64;

	if (from < x->start || (end - 1 - x->start) / ARCH_PAGE_NOW != i)
		return false;
	x->blocks++;
	x->taken[i / 64] |= bit;
	if (x->there[i / 64] & bit) {
		sum[LINE_LIVE] += size;
		sum[LINE_ROUNDED] += end - from - size;
	}
	if (x->page) {
		x->page[i].used += (uint32_t)(end - from);
		x->page[i].blocks += x->page[i].blocks < UINT16_MAX;
	}
	return true;
}

void
mmi_memory_block(uintptr_t a, uint64_t size)
{
	struct mmi_piece *x = known ? mmi_pieces_at(&pieces, a) : NULL;
	uintptr_t from = glibc ? a - HEADER : a, end;

	if (!x || !mmi_pieces_look(&pieces, x))
		return;
	sum[LINE_BLOCKS]++;
	sum[LINE_ASKED] += size;
	end = chunk_end(a, size);
	if (chunk_add(x, from, end, size))
		return;
	page_add(from, end);
	range_add(a, a + size, LINE_LIVE);
	range_add(a + size, end, LINE_ROUNDED);
	range_add(from, a, LINE_ROUNDED);
}

/* ------------------------------------------------------------------ pins -- */

/* Bytes of pages in memory without a block. */
static uint64_t
free_pages(const struct mmi_piece *x)
{
	uint64_t n = (x->end - x->start) / ARCH_PAGE_NOW, pages = 0;

	for (uint64_t i = 0; x->there && i < (n + 63) / 64; i++)
		pages += (unsigned)__builtin_popcountll(x->there[i] &
							~x->taken[i]);
	n = pages * ARCH_PAGE_NOW;
	return n < x->resident ? n : x->resident;
}

/* Fewer free bytes on pages with blocks aren't worth a second walk. */
#define PINS_MIN ((uint64_t)1 << 20)

/* The free bytes in memory, on pages with live blocks. */
static uint64_t
parts(void)
{
	uint64_t heap = 0, gone = sum[LINE_LIVE] + sum[LINE_ROUNDED];

	for (size_t i = 0; i < pieces.n; i++)
		if (pieces.piece[i].blocks) {
			heap += pieces.piece[i].resident;
			gone += free_pages(&pieces.piece[i]);
		}
	return heap > gone ? heap - gone : 0;
}

bool
mmi_memory_pins(void)
{
	pin_nodes = 0;
	if (!known || !pieces.pages || parts() < PINS_MIN)
		return false;
	pin_nodes = mmi_sites_nodes() + 1;
	pin = mmi_arena_reserve(pin_nodes * sizeof(*pin));
	if (!pin)
		pin_nodes = 0;
	return pin != NULL;
}

/* The share of a block in the free bytes on the page. */
static uint64_t
page_share(struct mmi_page *page)
{
	uint32_t left = page->blocks & UINT16_MAX, n;

	if (!(page->blocks >> 16))
		page->blocks |= left << 16;
	/* The block was made since the first walk. */
	if (!left)
		return 0;
	n = page->used < ARCH_PAGE_NOW ? (uint32_t)ARCH_PAGE_NOW - page->used
				       : 0;
	n /= left;
	page->used += n;
	page->blocks--;
	return n;
}

void
mmi_memory_pin(uintptr_t a, uint64_t size, uint32_t node)
{
	uintptr_t at = glibc ? a - HEADER : a, end = chunk_end(a, size), to;
	struct monrec_pin *n = node < pin_nodes ? &pin[node] : NULL;
	struct mmi_piece *x;
	uint64_t i, there = 0;
	uintptr_t lo, hi;
	bool alone = false;

	for (; n && at < end && (x = mmi_pieces_at(&pieces, at)) != NULL;
	     at = to) {
		to = (at | (ARCH_PAGE_NOW - 1)) + 1;
		if (!x->page)
			return;
		i = (at - x->start) / ARCH_PAGE_NOW;
		if (!(x->there[i / 64] >> i % 64 & 1))
			continue;
		n->pinned += page_share(&x->page[i]);
		alone |= x->page[i].blocks >> 16 == 1;
		/* The chunk begins before the block, and ends after it. */
		lo = at > a ? at : a;
		hi = to < a + size ? to : a + size;
		there += hi > lo ? hi - lo : 0;
	}
	if (n && there) {
		n->blocks++;
		n->alone += alone;
		n->resident += there;
	}
}

void
mmi_memory_begin_table(struct mmi_emit *o)
{
	mmi_emit_table_after(&pins_out, o, MONOUT_PINS);
}

void
mmi_memory_site(uint64_t number, uint32_t node)
{
	if (node >= pin_nodes || !pin[node].blocks)
		return;
	pin[node].site = number;
	mmi_put_pin(&pins_out, &pin[node]);
}

uint64_t
mmi_memory_end_table(void)
{
	MMI_ARENA_DROP_PART(pin, pin_nodes * sizeof(*pin), 0);
	pin_nodes = 0;
	return mmi_emit_end(&pins_out);
}

/* ----------------------------------------------------------------- lines -- */

/* Is it an arena of glibc's without live blocks?  See its struct heap_info. */
static bool
is_arena(const struct mmi_piece *x)
{
	uintptr_t word[4];
	struct iovec to = { word, sizeof(word) };
	struct iovec from = { (void *)x->start, sizeof(word) };

	return glibc && x->start % MMI_PIECES_HEAP == 0 && x->resident &&
	       ARCH_SYS(SYS_process_vm_readv, mmi_process.pid, &to, 1, &from, 1,
			0) == sizeof(word) &&
	       word[0] && !(word[0] & (CHUNK_ALIGN - 1)) &&
	       word[2] >= x->end - x->start && word[2] <= MMI_PIECES_HEAP &&
	       word[3] >= word[2] && word[3] <= MMI_PIECES_HEAP;
}

/* Adds a piece of the allocator. */
static void
allocator_add(struct mmi_piece *x)
{
	mmi_pieces_look(&pieces, x);
	sum[LINE_HEAP] += x->resident;
	sum[LINE_PAGES] += free_pages(x);
}

static void
piece_add(struct mmi_piece *x)
{
	static const unsigned char line[MMI_PIECE_KINDS] = {
		[MMI_PIECE_OTHER] = LINE_OTHER,
		[MMI_PIECE_OWN] = LINE_OWN,
		[MMI_PIECE_CODE] = LINE_CODE,
		[MMI_PIECE_FILE] = LINE_FILES,
		[MMI_PIECE_SHARED] = LINE_SHARED,
		[MMI_PIECE_STACK] = LINE_STACKS,
		[MMI_PIECE_ANON] = LINE_MAPPED,
		[MMI_PIECE_PROGRAM] = LINE_MAPPED,
	};

	if (x->kind == MMI_PIECE_BRK || x->blocks ||
	    ((x->kind == MMI_PIECE_ANON || x->kind == MMI_PIECE_STACK) &&
	     is_arena(x)))
		allocator_add(x);
	else
		sum[line[x->kind]] += x->resident;
}

/* A line can't have more than what is left in *left. */
static void
limit(uint64_t *n, uint64_t *left)
{
	if (*n > *left)
		*n = *left;
	*left -= *n;
}

/* The kernel doesn't count a page of zeros that it lends: limit the sums. */
static void
heap_divide(void)
{
	uint64_t left = sum[LINE_HEAP];

	limit(&sum[LINE_LIVE], &left);
	limit(&sum[LINE_ROUNDED], &left);
	limit(&sum[LINE_PAGES], &left);
	sum[LINE_PARTS] = left;
}

bool
mmi_memory_lines(uint64_t *line)
{
	if (!known)
		return false;
	for (size_t i = 0; i < pieces.n; i++)
		piece_add(&pieces.piece[i]);
	heap_divide();
	sum[LINE_RESIDENT] = pieces.resident;
	sum[LINE_SWAPPED] = pieces.swapped;
	sum[LINE_PSS] = pieces.pss;
	memcpy(line, sum, sizeof(sum));
	mmi_pieces_free(&pieces);
	known = false;
	return true;
}

void
mmi_memory_put(struct mmi_emit *o)
{
	uint64_t line[LINES];

	if (known)
		mmi_mapped_count(&pieces);
	if (!mmi_memory_lines(line))
		return;
	for (unsigned i = 0; i < LINES; i++)
		mmi_put_memory(o, &(struct monrec_memory){
					  .name = mmi_memory_name[i],
					  .namelen = strlen(mmi_memory_name[i]),
					  .bytes = line[i] });
}
