/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shadow on a kernel with pages of 64 KB: its system calls are for whole
 * pages only, and it gives back only pages with nothing else in them.
 */
#define MEMMON_ACCESS
#include "monitor/base/arch.h"

#include "tests/tap.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 65536 };

#undef ARCH_PAGE_MAX
#undef ARCH_PAGE_NOW
#undef ARCH_SYS
#define ARCH_PAGE_MAX ((unsigned)PAGE)
#define ARCH_PAGE_NOW ((uintptr_t)PAGE)
#define ARCH_SYS(n, a, b, c, d, e, f) \
	kernel(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), \
	       (long)(f))

/* A kernel: every third page is in memory; MADV_DONTNEED clears pages. */
static long
kernel(long n, long at, long size, long third, ...)
{
	size_t pages = ((size_t)size + PAGE - 1) / PAGE;

	if (n == SYS_sysinfo) /* no page is in swap */
		return 0;
	if (at % PAGE)
		return -EINVAL;
	if (n == SYS_mincore)
		for (size_t i = 0; i < pages; i++)
			((uint8_t *)third)[i] = i % 3 == 0;
	if (n == SYS_madvise && third == MADV_DONTNEED)
		memset((void *)at, 0, pages * PAGE);
	return 0;
}

#include "monitor/shadow/shadow.c"

/* The shadow's other functions aren't called here. */
struct mmi_next mmi_next;

void
mmi_own_add_or_miss(const void *p, size_t size)
{
	(void)p;
	(void)size;
}

void *
mmi_arena_reserve(size_t size)
{
	(void)size;
	return NULL;
}

bool
mmi_next_is_glibc(void)
{
	return false;
}

bool
mmi_process_searched(void)
{
	return false;
}

void
mmi_state_open(uint64_t *cells)
{
	(void)cells;
}

void
mmi_state_close(void)
{
}

/* ----------------------------------------------------------------- tests -- */

enum { WORDS = 4 * PAGE / sizeof(uint64_t) };

static void
drop(uint64_t *words, uint64_t from, uint64_t n)
{
	uint64_t lo, hi, left = 0, lost = 0;

	for (uint64_t i = 0; i < WORDS; i++)
		words[i] = 1;
	mmi_shadow_drop(words, from, n, &lo, &hi);
	for (uint64_t i = 0; i < WORDS; i++) {
		left += i >= lo && i < hi && words[i];
		lost += (i < from || i >= from + n) && !words[i];
	}
	ok(lo >= from && hi <= from + n && lo <= hi,
	   "%u words from %u: within them", (unsigned)n, (unsigned)from);
	is_int(left, 0, "... what is given back is 0");
	is_int(lost, 0, "... and nothing else");
}

static void
there(void)
{
	static uint64_t words[REGION_WORDS] __attribute__((aligned(PAGE)));
	uint8_t in[REGION_PAGES];
	unsigned wrong = 0;

	memset(in, 2, sizeof(in));
	pages_there(words, 0, in);
	for (unsigned i = 0; i < REGION_PAGES; i++)
		wrong += in[i] != (i * ARCH_PAGE / PAGE % 3 == 0);
	is_int(wrong, 0, "which pages are there");
}

int
main(void)
{
	static uint64_t room[WORDS] __attribute__((aligned(PAGE)));
	/*
	 * volatile: the compiler must not know more of the array than of a
	 * mapping.
	 */
	uint64_t *volatile where = room, *words = where;

	drop(words, 0, WORDS);
	drop(words, 512, WORDS - 512);
	drop(words, 8192 + 512, 8192 + 512);
	drop(words, 512, 1024);
	there();
	shadow_set(words);
	is_int((uintptr_t)mmi_shadow.cells % PAGE, 0, "words begin a page");
	is_int(mmi_shadow.cells[-1], MMI_SHADOW_GRANULES - 1,
	       "... behind their mask");
	return done_testing();
}
