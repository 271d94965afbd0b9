/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A simple form of the functions that monitor/wrap/wrap*.c need from the rest
 * of the library, to test them alone: a shadow with plain counts.
 */
#include "tests/access/wrap_rt.h"

#include <signal.h>
#include <dlfcn.h>
#include <sys/mman.h>

#include "monitor/shadow/shadow.h"
#include "monitor/access/handed.h"
#include "monitor/access/first.h"
#include "monitor/access/inline.h"
#include "monitor/base/next.h"
#include "monitor/base/peek.h"
#include "monitor/shadow/access_state.h"
#include "monitor/shadow/ranges.h"
#include "monitor/thread/enter.h"

static uint64_t a_word;
struct mmi_shadow mmi_shadow = { .cells = &a_word };

#define GRANULES (1ull << 40)

static uint64_t dummy[17] = { 15 };
static struct memmon_access_state here = { .cells = dummy + 1,
					   .skip = MEMMON_SKIP_NONE,
					   .limit = UINT64_MAX };
EXPORT __thread struct memmon_access_state *__link_with_lmemmon_access_v6 =
	&here;

TLS int mmi_thread_own_doing;

void
mmi_next_forget(void)
{
	dlsym(RTLD_NEXT, "malloc");
}

static unsigned long touches, taken;

EXPORT int
rt_open(void)
{
	uint64_t *p =
		mmap(NULL, (1 + GRANULES) * sizeof(*p), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return -1;
	p[0] = GRANULES - 1;
	here.cells = p + 1;
	return 0;
}

EXPORT void
rt_watch(int some)
{
	here.now = some ? 1ull << MEMMON_TAG_SHIFT : 0;
}

EXPORT unsigned long
rt_touches(void)
{
	return touches;
}

EXPORT unsigned
rt_take(const void *p, unsigned *writes)
{
	uint64_t *cell = mmi_access_cell(&here, (uintptr_t)p);
	uint64_t v = *cell;

	/* Some counts fit afterwards and some don't, others each time. */
	*cell = (uintptr_t)cell / 8 * ++taken % 7 < 3 ? 0 : here.now;
	*writes = mmi_word_writes(v);
	if (v & MMI_WORD_COUNTS && here.now && !mmi_access_fits(&v, &here.now))
		return UINT32_MAX;
	return mmi_word_reads(v);
}

bool
mmi_ranges_add(uint64_t first, uint64_t last, uint32_t reads, uint32_t writes)
{
	(void)first;
	(void)last;
	(void)reads;
	(void)writes;
	return false;
}

uint64_t
mmi_access_first(uint64_t i, uint64_t *v)
{
	(void)v;
	return i;
}

void
mmi_access_slow(uint64_t *cell)
{
	touches++;
	*cell = (*cell & ~MMI_WORD_NOW) | here.now;
}

void *
mmi_next_symbol(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

bool
mmi_peek_each(const void *const at[], size_t n)
{
	(void)at;
	(void)n;
	return true;
}

void
mmi_thread_internal_begin(void)
{
	mmi_thread_own_doing++;
}

void
mmi_thread_internal_end(void)
{
	mmi_thread_own_doing--;
}

/* The last pointers passed to unrecorded code, and their number. */
static const void *handed[16];
static unsigned long handed_n;

EXPORT unsigned long
rt_handed(const void *p)
{
	unsigned long n = 0;

	for (unsigned i = 0; i < 16; i++)
		n += i < handed_n && handed[i] == p;
	handed_n = p ? handed_n : 0;
	return n;
}

bool
mmi_handed_block(const void *p, const void **end)
{
	(void)end;
	handed[handed_n++ % 16] = p;
	return true;
}

void
mmi_handed_pointers(const void *p, size_t n)
{
	const uintptr_t *word = p;

	mmi_handed_block(p, NULL);
	for (size_t i = 0; p && i < n; i++)
		mmi_handed_block((const void *)word[i], NULL);
}

void
mmi_handed_arguments(const uintptr_t *argument, size_t n)
{
	for (size_t i = 0; i < n; i++)
		mmi_handed_block((const void *)argument[i], NULL);
}

int
mmi_wrap_mask(int (*next)(int, const sigset_t *, sigset_t *), int how,
	      const sigset_t *set, sigset_t *old)
{
	return next(how, set, old);
}
