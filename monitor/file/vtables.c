/* SPDX-License-Identifier: MIT */
/*
 * The first words of live blocks.
 *
 * A block may be in unreadable memory.  So the kernel copies the words:
 * process_vm_readv(2) fails for such memory and never raises a signal.  The
 * blocks of a page are read in one piece.
 */
#include "monitor/file/vtables.h"
#include "monitor/file/codes_put.h"

#include <errno.h>
#include <sys/uio.h>
#include <time.h>

#include "monitor/base/arena.h"
#include "monitor/base/process.h"
#include "monitor/base/put.h"
#include "monitor/base/sort.h"
#include "monitor/chain/modules.h"
#ifdef MEMMON_ACCESS
#include "monitor/shadow/shadow.h"
#endif

/* Pages and blocks that are read at once. */
#define PAGES 64u
#define BLOCKS 4096u

/* How many different (node, module, address) are noted, and their places. */
#define SEEN_MOST (1u << 14)
#define PLACES (2 * SEEN_MOST)

/* Pages noted as a module's data, or as not. */
#define KNOWN 1024u

/* ns: it mustn't take longer, unless the user asks for it. */
#define PATIENCE 2000000000ull

struct block {
	uintptr_t a;
	uint64_t size;
	uint32_t node, page;
};

/* node: in its lower half the module's number plus 1. */
struct seen {
	uint64_t node, addr, blocks, bytes;
};

struct known {
	uintptr_t page;
	uintptr_t bias;
	uint32_t module; /* plus 1, 0 if there is none */
};

/* All its memory; mapped while the file is written. */
static struct work {
	struct iovec to[PAGES], from[PAGES];
	bool read[PAGES];
	uint32_t pages, blocks; /* of the batch */
	struct block block[BLOCKS];
	uint32_t nseen, next; /* next: the next one to write */
	struct seen seen[SEEN_MOST];
	/* Numbers of `seen', plus 1, by hash; 0: a free place. */
	uint16_t place[PLACES];
	struct known known[KNOWN];
	uint64_t more;
	uint64_t since; /* ns on the monotonic clock */
	char buffer[PAGES * ARCH_PAGE];
} * work; /* NULL: don't look at blocks */

static struct mmi_emit out = MMI_EMIT_FULL;
static bool never, always, wanted, any; /* any: some block could be read */

void
mmi_vtables_init(bool on)
{
	always = on;
	never = !on;
}

void
mmi_vtables_want(bool want)
{
	wanted = want && !never;
}

/* The module whose data contain a; its number plus 1, 0 if there is none. */
static const struct known *
known_of(uintptr_t a)
{
	struct known *k = &work->known[a / ARCH_PAGE % KNOWN];
	const struct mmi_module *m;
	unsigned i = 0;

	if (k->page == a / ARCH_PAGE)
		return k;
	m = mmi_modules_data(a, &i);
	k->page = a / ARCH_PAGE;
	k->module = m ? i + 1 : 0;
	k->bias = m ? m->bias : 0;
	return k;
}

static void
seen_add(const struct block *b, const struct known *k, uint64_t addr)
{
	uint64_t node = (uint64_t)b->node << 32 | k->module;
	uint64_t h =
		(node * 0x9e3779b97f4a7c15ull ^ addr) * 0x9e3779b97f4a7c15ull;
	uint16_t *place;
	struct seen *s;

	for (uint32_t i = (uint32_t)(h >> 40);; i++) {
		place = &work->place[i % PLACES];
		s = *place ? &work->seen[*place - 1] : NULL;
		if (!s || (s->node == node && s->addr == addr))
			break;
	}
	if (!s) {
		if (work->nseen == SEEN_MOST) {
			work->more++;
			return;
		}
		s = &work->seen[work->nseen++];
		*place = (uint16_t)work->nseen;
		s->node = node;
		s->addr = addr;
	}
	s->blocks++;
	s->bytes += b->size;
}

static void
block_look(const struct block *b)
{
	const struct known *k;
	uint64_t v;

	if (!work->read[b->page])
		return;
	v = *(const uint64_t *)(work->buffer + b->page * ARCH_PAGE +
				b->a % ARCH_PAGE);
	if (v % 8 || v < ARCH_PAGE || v >> ARCH_ADDR_BITS)
		return;
	k = known_of(v);
	if (k->module)
		seen_add(b, k, v - k->bias);
}

/* Read the pages of the batch; leave out unreadable ones. */
static void
pages_read(void)
{
	uint32_t i = 0, k;
	long n;

	while (i < work->pages) {
		n = ARCH_SYS(SYS_process_vm_readv, mmi_process.pid,
			     &work->to[i], work->pages - i, &work->from[i],
			     work->pages - i, 0);
		/* It was refused: it always will be. */
		if (n < 0 && n != -EFAULT)
			return;
		any = true;
		for (k = i; k < work->pages && n > 0 &&
			    (size_t)n >= work->from[k].iov_len;
		     k++) {
			n -= (long)work->from[k].iov_len;
			work->read[k] = true;
		}
		/* The page after those read is unreadable. */
		i = k + 1;
	}
}

static void
work_free(void)
{
	MMI_ARENA_DROP(work, sizeof(*work));
}

static void
flush(void)
{
	for (uint32_t i = 0; i < work->pages; i++)
		work->read[i] = false;
	pages_read();
	for (uint32_t i = 0; i < work->blocks; i++)
		block_look(&work->block[i]);
	work->pages = work->blocks = 0;
	if (!always &&
	    mmi_process_clock(CLOCK_MONOTONIC) - work->since > PATIENCE)
		work_free();
}

void
mmi_vtables_begin(void)
{
	any = false;
	if (!wanted)
		return;
	work = mmi_arena_map(sizeof(*work));
	if (work)
		work->since = mmi_process_clock(CLOCK_MONOTONIC);
}

/* Add a place for a word in a page other than the last one's. */
static void
page_begin(uintptr_t a)
{
	uint32_t i = work->pages++;

	work->from[i].iov_base = (void *)a;
	work->from[i].iov_len = sizeof(uint64_t);
}

/* Widen the page's piece to include the word at a. */
static void
page_widen(struct iovec *v, uintptr_t a)
{
	uintptr_t start = (uintptr_t)v->iov_base, last = start + v->iov_len;

	if (a < start)
		start = a;
	if (a + sizeof(uint64_t) > last)
		last = a + sizeof(uint64_t);
	v->iov_base = (void *)start;
	v->iov_len = last - start;
}

void
mmi_vtables_block(uintptr_t a, uint32_t node, uint64_t size)
{
	struct iovec *v;
	uint32_t i;

	if (!work || size < sizeof(uint64_t) || a % 8)
		return;
	i = work->pages;
	v = i ? &work->from[i - 1] : NULL;
	if (!v || (uintptr_t)v->iov_base / ARCH_PAGE != a / ARCH_PAGE) {
		if (i == PAGES || work->blocks + ARCH_PAGE / 8 > BLOCKS)
			flush();
		if (!work)
			return;
		page_begin(a);
	} else {
		page_widen(v, a);
	}
	/* At the same offset in the buffer's page. */
	i = work->pages - 1;
	v = &work->from[i];
	work->to[i].iov_base = work->buffer + i * ARCH_PAGE +
			       (uintptr_t)v->iov_base % ARCH_PAGE;
	work->to[i].iov_len = v->iov_len;
	work->block[work->blocks++] = (struct block){ a, size, node, i };
}

#ifdef MEMMON_ACCESS
#define LOW_BITS (MMI_SHADOW_BITS + MEMMON_GRANULE_SHIFT)

/* Is there a readable word, outside of the shadow itself? */
static bool
is_there(uintptr_t a)
{
	uint64_t word, own = 2 * MMI_SHADOW_GRANULES * sizeof(uint64_t);
	struct iovec to = { &word, sizeof(word) };
	struct iovec from = { (void *)a, sizeof(word) };

	return a - (uintptr_t)mmi_shadow.cells >= own &&
	       ARCH_SYS(SYS_process_vm_readv, mmi_process.pid, &to, 1, &from, 1,
			0) == sizeof(word);
}

/* The shadow drops upper bits: find bits with which there is memory. */
uintptr_t
mmi_vtables_address(uint64_t granule)
{
	static uint64_t last, top; /* region, plus 1, and its upper bits */
	uintptr_t low = granule << MEMMON_GRANULE_SHIFT;
	uint64_t region = (low >> MMI_SHADOW_REGION_SHIFT) + 1;
	uint64_t t = 0, tops = 1ull << (ARCH_ADDR_BITS - LOW_BITS);

	if (last != region) {
		while (t < tops && !is_there(low | t << LOW_BITS))
			t++;
		if (t == tops)
			return 0;
		top = t << LOW_BITS;
		last = region;
	}
	return low | top;
}
#endif

/* Sort what was seen by node. */
void
mmi_vtables_end(void)
{
	if (work)
		flush();
	if (work && !any)
		work_free();
	if (work)
		mmi_sort(work->seen, work->nseen, sizeof(work->seen[0]) / 8);
}

void
mmi_vtables_table(struct mmi_emit *o)
{
	mmi_emit_table_after(&out, o, MONOUT_VTABLES);
}

void
mmi_vtables_site(const struct mmi_tables_sums *s, uint32_t node)
{
	const struct seen *v;

	while (work && work->next < work->nseen &&
	       work->seen[work->next].node >> 32 <= node) {
		v = &work->seen[work->next++];
		/* It is another node's, or in a module that came too late. */
		if (v->node >> 32 != node ||
		    !mmi_codes_after((uint32_t)v->node - 1))
			continue;
		mmi_put_vtable(&out, &(struct monrec_vtable){
					     s->sites, (uint32_t)v->node,
					     v->addr, v->blocks, v->bytes });
	}
}

void
mmi_vtables_table_end(struct mmi_tables_sums *s)
{
	s->vtables = mmi_emit_end(&out);
	s->vtables_known = work != NULL;
	if (!work)
		return;
	s->vtables_more = work->more;
	work_free();
}
