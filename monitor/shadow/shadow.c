/* SPDX-License-Identifier: MIT */
/* The shadow: how it is mapped, walked, and given back. */
#include "monitor/shadow/shadow.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <sys/sysinfo.h>

#include "monitor/base/arena.h"
#include "monitor/base/next.h"
#include "monitor/base/own_mappings.h"
#include "monitor/base/process.h"
#include "monitor/shadow/access_state.h"

#define WORDS_SIZE (MMI_SHADOW_GRANULES * sizeof(uint64_t))
#define CARDS_SIZE (MMI_SHADOW_GRANULES / MMI_SHADOW_CARD * sizeof(uint16_t))
#define ENDS_SIZE (MMI_SHADOW_GRANULES / MMI_RANGES_CARD * MMI_RANGES_BYTES)
#define LARGE_SIZE (MMI_SHADOW_REGIONS * sizeof(uint64_t))
/* The mask comes before the words, at the end of a page. */
#define WHOLE_SIZE \
	(ARCH_PAGE_MAX + 2 * WORDS_SIZE + ENDS_SIZE + CARDS_SIZE + LARGE_SIZE)
#define PAGE_WORDS (ARCH_PAGE / sizeof(uint64_t))
#define REGION_WORDS MMI_SHADOW_REGION
#define REGION_CARDS (MMI_SHADOW_REGION / MMI_SHADOW_CARD)
#define REGION_PAGES MMI_SHADOW_REGION_PAGES
/* Flags of regions that are tested at once. */
#define MANY 4096u
/*
 * Regions whose words fill a huge page, 2 MiB; and how many regions must have
 * blocks before it: then an unneeded huge page is only a small part.
 */
#define AREA 4u
#define AREA_BEFORE (8 * AREA)

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

struct mmi_shadow mmi_shadow = { .least = UINT64_MAX };
static uint8_t touched[MMI_SHADOW_REGIONS / MANY]; /* flags of regions[] */
static const char *why = "the shadow isn't mapped yet";
static int put_off; /* atomic */

/*
 * Addresses far from the program, its heap, and later mappings; for the last
 * line the kernel chooses.
 */
static const uintptr_t places[] = {
	0x100000000000,
	0x300000000000,
	0x410000000000,
	0,
};

static void *
map_at(uintptr_t at, int flags, int fd)
{
	int fixed = at ? MAP_FIXED_NOREPLACE : 0;
	long p = ARCH_SYS(SYS_mmap, at, WHOLE_SIZE, PROT_READ | PROT_WRITE,
			  MAP_NORESERVE | flags | fixed, fd, 0);

	if (p < 0 && p > -4096)
		return NULL;
	/* Old kernels take the address only as a hint. */
	if (at && (uintptr_t)p != at) {
		ARCH_SYS(SYS_munmap, p, WHOLE_SIZE, 0, 0, 0, 0);
		return NULL;
	}
	return (void *)p;
}

static void *
map_anywhere(int flags, int fd)
{
	void *p = NULL;

	for (size_t i = 0; !p && i < sizeof(places) / sizeof(*places); i++)
		p = map_at(places[i], flags, fd);
	return p;
}

/*
 * If the kernel promises no more memory than it has, use a file in memory: it
 * is charged only for touched pages.
 */
static void *
map_file(void)
{
	long fd = ARCH_SYS(SYS_memfd_create, "memmon-shadow", MFD_CLOEXEC, 0, 0,
			   0, 0);
	void *p = NULL;

	if (fd < 0)
		return NULL;
	if (ARCH_SYS(SYS_ftruncate, fd, WHOLE_SIZE, 0, 0, 0, 0) == 0)
		p = map_anywhere(MAP_SHARED, (int)fd);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	return p;
}

static void
shadow_set(uint64_t *p)
{
	/*
	 * A huge page may cost 2 MiB for a few blocks; core dumps leave it out.
	 */
	ARCH_SYS(SYS_madvise, p, WHOLE_SIZE, MADV_NOHUGEPAGE, 0, 0, 0);
	ARCH_SYS(SYS_madvise, p, WHOLE_SIZE, MADV_DONTDUMP, 0, 0, 0);
	mmi_own_add_or_miss(p, WHOLE_SIZE);
	p += ARCH_PAGE_MAX / sizeof(*p);
	p[-1] = MMI_SHADOW_GRANULES - 1;
	mmi_shadow.blocks = p + MMI_SHADOW_GRANULES;
	mmi_shadow.large = mmi_shadow.blocks + MMI_SHADOW_GRANULES;
	mmi_shadow.cards = (uint16_t *)(mmi_shadow.large + MMI_SHADOW_REGIONS);
	mmi_shadow.ends =
		(uint64_t *)((uintptr_t)mmi_shadow.cards + CARDS_SIZE);
	STORE_REL(&mmi_shadow.cells, p);
	/*
	 * Blocks of glibc are 32 bytes apart; other allocators have smaller
	 * ones.
	 */
	mmi_shadow.least = mmi_next_is_glibc() ? 0 : 17;
	mmi_state_open(p);
	why = NULL;
}

void
mmi_shadow_init(void)
{
	uint64_t *p;

	/* For the shadow such a tool takes 20 GB, and hours. */
	if (mmi_process_searched()) {
		why = "this valgrind tool has its own shadow of all memory";
		return;
	}
	mmi_shadow.regions = mmi_arena_reserve(2 * MMI_SHADOW_REGIONS);
	if (!mmi_shadow.regions) {
		why = "no address space for the shadow";
		return;
	}
	mmi_shadow.ranged = mmi_shadow.regions + MMI_SHADOW_REGIONS;
	p = map_anywhere(MAP_PRIVATE | MAP_ANONYMOUS, -1);
	if (!p) {
		p = map_file();
		mmi_shadow.shared = p != NULL;
	}
	if (p)
		shadow_set(p);
	else
		why = "18 TiB of address space for the shadow were refused; "
		      "check ulimit -v";
}

void
mmi_shadow_put_off(void)
{
	why = NULL;
	STORE(&put_off, 1);
}

void
mmi_shadow_needed(void)
{
	int yes = 1;

	if (!LOAD(&put_off) || !CAS(&put_off, &yes, 0))
		return;
	/* Other threads may be reading the shadow. */
	if (__libc_single_threaded)
		mmi_shadow_init();
	else
		why = "the first code that records accesses was loaded while "
		      "several threads ran";
}

const char *
mmi_shadow_why(void)
{
	return why;
}

/*
 * Find out which of n pages are in memory, n at most REGION_PAGES: all, if the
 * kernel doesn't say.
 */
static void
pages_at(const void *from, unsigned n, uint8_t in[REGION_PAGES])
{
	if (ARCH_SYS(SYS_mincore, from, n * ARCH_PAGE, in, 0, 0, 0) != 0)
		memset(in, 1, n);
	/* The kernel answers for its own pages, which may be larger. */
	for (unsigned i = n; ARCH_PAGE_NOW > ARCH_PAGE && i-- > 0;)
		in[i] = in[i * ARCH_PAGE / ARCH_PAGE_NOW];
}

static void
pages_in_memory(const uint64_t *words, uint32_t region,
		uint8_t in[REGION_PAGES])
{
	pages_at(words + region * REGION_WORDS, REGION_PAGES, in);
}

/* Is any memory of this system in swap? */
static bool
swap_is_used(void)
{
	struct sysinfo s = { .totalswap = 0 };

	return ARCH_SYS(SYS_sysinfo, &s, 0, 0, 0, 0, 0) != 0 ||
	       s.totalswap != s.freeswap;
}

/*
 * Which pages of a region's words are in memory or in swap?  mincore(2) doesn't
 * count swap; /proc/self/pagemap shows it, for private memory.  Unknown pages
 * count as present.
 */
static void
pages_there(const uint64_t *words, uint32_t region, uint8_t in[REGION_PAGES])
{
	const uint64_t there = 3ull << 62; /* in memory or in swap */
	uint64_t e[REGION_PAGES];
	const size_t n = REGION_PAGES * ARCH_PAGE / ARCH_PAGE_NOW;
	uintptr_t from = (uintptr_t)(words + region * REGION_WORDS);
	long fd, got = -1;

	pages_in_memory(words, region, in);
	if (!memchr(in, 0, REGION_PAGES) || !swap_is_used())
		return;
	fd = mmi_shadow.shared
		     ? -1
		     : ARCH_SYS(SYS_openat, AT_FDCWD, "/proc/self/pagemap",
				O_RDONLY | O_CLOEXEC, 0, 0, 0);
	if (fd >= 0) {
		got = ARCH_SYS(SYS_pread64, fd, e, n * sizeof(*e),
			       from / ARCH_PAGE_NOW * sizeof(*e), 0, 0);
		ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	}
	for (unsigned i = 0; i < REGION_PAGES; i++)
		in[i] = got != (long)(n * sizeof(*e)) ||
			e[i * ARCH_PAGE / ARCH_PAGE_NOW] & there;
}

/* How many bytes from `from' on are in memory. */
static uint64_t
bytes_at(const void *from, size_t size)
{
	uint8_t in[REGION_PAGES];
	unsigned pages = (unsigned)(size / ARCH_PAGE), n = 0;

	pages_at(from, pages, in);
	for (unsigned i = 0; i < pages; i++)
		n += in[i] & 1;
	return n * ARCH_PAGE;
}

/*
 * Are nearly all pages of the words of the area present whose first region is
 * r?
 */
static bool
is_full(const uint64_t *words, uint32_t r)
{
	uint8_t in[REGION_PAGES];
	unsigned n = 0;

	for (unsigned k = 0; k < AREA; k++) {
		pages_in_memory(words, r + k, in);
		for (unsigned i = 0; i < REGION_PAGES; i++)
			n += in[i] & 1;
	}
	return n >= AREA * REGION_PAGES / 8 * 7;
}

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* since Linux 6.1 */
#endif

/* Has the heap grown through all regions before r? */
static bool
has_grown(uint32_t r)
{
	if (r < AREA_BEFORE)
		return false;
	for (uint32_t k = r - AREA_BEFORE; k < r; k++)
		if (!LOAD(&mmi_shadow.regions[k]))
			return false;
	return true;
}

/*
 * The first region of an area is touched.  If nearly all words of the area
 * before it are in memory, they are moved to huge pages.  If the heap has grown
 * through many areas, this one gets huge pages from the start.
 */
static void
area_begin(uint32_t r)
{
	uint64_t *words[] = { mmi_shadow.cells, mmi_shadow.blocks };
	const size_t size = AREA * REGION_WORDS * sizeof(uint64_t);
	bool grown = has_grown(r);

	if (r < AREA || !words[0])
		return;
	for (unsigned i = 0; i < 2; i++) {
		uint64_t *at = words[i] + r * REGION_WORDS;
		uint64_t *before = at - AREA * REGION_WORDS;

		if (!is_full(words[i], r - AREA))
			continue;
		if (grown) {
			ARCH_SYS(SYS_madvise, at, size, MADV_HUGEPAGE, 0, 0, 0);
			continue;
		}
		ARCH_SYS(SYS_madvise, before, size, MADV_HUGEPAGE, 0, 0, 0);
		ARCH_SYS(SYS_madvise, before, size, MADV_COLLAPSE, 0, 0, 0);
	}
}

COLD void
mmi_shadow_region(uintptr_t a)
{
	uint32_t r = a >> MMI_SHADOW_REGION_SHIFT & (MMI_SHADOW_REGIONS - 1);

	STORE(&touched[r / MANY], 1);
	STORE(&mmi_shadow.regions[r], 1);
	if (r % AREA == 0)
		area_begin(r);
}

COLD void
mmi_shadow_set(uint64_t i, uint64_t n, uint64_t word)
{
	uint64_t v;

	for (uint64_t *c = &mmi_shadow.cells[i]; n-- > 0; c++)
		if (!(v = LOAD(c)))
			CAS(c, &v, word);
}

COLD void
mmi_shadow_drop(uint64_t *words, uint64_t i, uint64_t n, uint64_t *lo,
		uint64_t *hi)
{
	const uint64_t page = ARCH_PAGE_NOW / sizeof(*words);

	*lo = (i + page - 1) / page * page;
	*hi = (i + n) / page * page;
	if (*lo >= *hi) {
		*lo = *hi = i;
		return;
	}
	ARCH_SYS(SYS_madvise, words + *lo, (*hi - *lo) * sizeof(*words),
		 mmi_shadow.shared ? MADV_REMOVE : MADV_DONTNEED, 0, 0, 0);
}

COLD void
mmi_shadow_zero(uint64_t i, uint64_t n)
{
	uint64_t *c = mmi_shadow.cells, lo, hi;

	mmi_shadow_drop(c, i, n, &lo, &hi);
	memset(&c[i], 0, (lo - i) * sizeof(*c));
	memset(&c[hi], 0, (i + n - hi) * sizeof(*c));
}

void
mmi_shadow_first(uint64_t i, uint32_t epoch)
{
	uint64_t *b = &mmi_shadow.blocks[i], v = LOAD(b), old;
	uint64_t first = (uint64_t)epoch << MMI_SHADOW_FIRST_SHIFT;
	const uint64_t mask = MMI_SHADOW_STAMP << MMI_SHADOW_FIRST_SHIFT;

	if (v & MMI_SHADOW_START)
		v = LOAD(++b);
	if (v & MMI_SHADOW_START)
		return;
	if (!(v & MMI_SHADOW_INFO)) {
		mmi_shadow_replace(b, &v, MMI_SHADOW_FIRST | first);
		return;
	}
	do {
		old = v & mask;
		if (old && old <= first)
			return;
	} while (v & MMI_SHADOW_INFO &&
		 !mmi_shadow_replace(b, &v, (v & ~mask) | first));
}

/* Call f for the live blocks of one page. */
static void
walk_page(uint64_t granule,
	  void (*f)(uint64_t granule, uint64_t entry, void *arg), void *arg)
{
	for (uint64_t i = granule; i < granule + PAGE_WORDS; i++) {
		uint64_t v = LOAD(&mmi_shadow.blocks[i]);

		if (v & MMI_SHADOW_START)
			f(i, v & MMI_SHADOW_ENTRY, arg);
	}
}

/* The next region from r on that has or had blocks, or MMI_SHADOW_REGIONS. */
static uint32_t
region_next(uint32_t r)
{
	while (r < MMI_SHADOW_REGIONS) {
		if (r % MANY == 0 && !LOAD(&touched[r / MANY]))
			r += MANY;
		else if (LOAD(&mmi_shadow.regions[r]))
			return r;
		else
			r++;
	}
	return r;
}

void
mmi_shadow_walk(void (*f)(uint64_t granule, uint64_t entry, void *arg),
		void *arg)
{
	uint8_t in[REGION_PAGES];

	if (!mmi_shadow.blocks)
		return;
	for (uint32_t r = region_next(0); r < MMI_SHADOW_REGIONS;
	     r = region_next(r + 1)) {
		pages_there(mmi_shadow.blocks, r, in);
		for (unsigned i = 0; i < REGION_PAGES; i++)
			if (in[i] & 1)
				walk_page(r * REGION_WORDS + i * PAGE_WORDS, f,
					  arg);
	}
}

/* Words that are tested at once. */
#define SOME 8u

static void
with_in(uint64_t i, uint64_t end, uint64_t bits, void (*f)(uint64_t granule))
{
	const uint64_t *c = mmi_shadow.cells;
	uint64_t any;

	for (; i + SOME <= end; i += SOME) {
		any = 0;
		for (unsigned k = 0; k < SOME; k++)
			any |= c[i + k];
		for (unsigned k = 0; any & bits && k < SOME; k++)
			if (LOAD(&c[i + k]) & bits)
				f(i + k);
	}
	for (; i < end; i++)
		if (LOAD(&c[i]) & bits)
			f(i);
}

bool
mmi_shadow_there(struct mmi_shadow_pages *p)
{
	uint64_t i = p->to;

	for (; !p->all && i < p->end; i = (i / PAGE_WORDS + 1) * PAGE_WORDS) {
		if (p->region != i / REGION_WORDS) {
			p->region = (uint32_t)(i / REGION_WORDS);
			pages_there(mmi_shadow.cells, p->region, p->in);
		}
		if (p->in[i % REGION_WORDS / PAGE_WORDS] & 1)
			break;
	}
	p->from = i;
	p->to = p->all ? p->end : (i / PAGE_WORDS + 1) * PAGE_WORDS;
	if (p->to > p->end)
		p->to = p->end;
	return i < p->end;
}

void
mmi_shadow_with(uint64_t i, uint64_t n, uint64_t bits,
		void (*f)(uint64_t granule))
{
	struct mmi_shadow_pages p = mmi_shadow_pages(i, n);

	while (mmi_shadow_there(&p))
		with_in(p.from, p.to, bits, f);
}

uint64_t
mmi_shadow_used(void)
{
	const size_t words = REGION_WORDS * sizeof(uint64_t);
	const size_t ends = REGION_WORDS / MMI_RANGES_CARD * MMI_RANGES_BYTES;
	const size_t cards = REGION_CARDS * sizeof(uint16_t);
	uint64_t n = 0, i;

	if (!mmi_shadow.blocks)
		return 0;
	for (uint32_t r = region_next(0); r < MMI_SHADOW_REGIONS;
	     r = region_next(r + 1)) {
		i = r * REGION_WORDS;
		n += bytes_at(mmi_shadow.blocks + i, words);
		n += bytes_at(mmi_shadow.cells + i, words);
		n += bytes_at((const char *)mmi_shadow.ends + r * ends, ends);
		n += bytes_at(mmi_shadow.cards + r * REGION_CARDS, cards);
	}
	return n;
}

/*
 * A shadow that a fork doesn't copy is also the parent's.  The child gets an
 * empty one instead, and doesn't know the blocks that it inherited.
 */
#define FORKED_SIZE (WHOLE_SIZE - ARCH_PAGE_MAX)

void
mmi_shadow_fork(void)
{
	long fd, p;

	if (!mmi_shadow.shared)
		return;
	fd = ARCH_SYS(SYS_memfd_create, "memmon-shadow", MFD_CLOEXEC, 0, 0, 0,
		      0);
	if (fd >= 0 &&
	    ARCH_SYS(SYS_ftruncate, fd, FORKED_SIZE, 0, 0, 0, 0) == 0) {
		p = ARCH_SYS(SYS_mmap, mmi_shadow.cells, FORKED_SIZE,
			     PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd, 0);
		ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
		if (p == (long)mmi_shadow.cells)
			return;
	}
	/* The child must not change the parent's counts. */
	why = "the child of a fork has no shadow of its own";
	mmi_state_close();
	mmi_shadow.least = UINT64_MAX;
	mmi_shadow.blocks = mmi_shadow.cells = NULL;
}
