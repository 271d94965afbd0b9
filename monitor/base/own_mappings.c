/* SPDX-License-Identifier: MIT */
/* Memory of the monitor: a list that only grows. */
#include "monitor/base/own_mappings.h"

#include <sys/mman.h>

#define OWN_SHIFT 10u
#define OWN_CHUNK (1u << OWN_SHIFT)
#define OWN_CHUNKS 8192u

/* Bit 0 of start: the memory isn't data. */
struct own {
	uintptr_t start;
	size_t size;
};

static struct own own_first[OWN_CHUNK];
static struct own *own_chunk[OWN_CHUNKS] = { own_first };
static uint32_t own_used;    /* atomic */
static uint32_t own_missing; /* atomic: ranges that got no place */
static uint32_t own_hint;    /* atomic: a free one, number + 1 */

void (*mmi_own_moved)(size_t wanted);

static void
own_changed(void)
{
	void (*f)(size_t) = LOAD_ACQ(&mmi_own_moved);

	if (UNLIKELY(f != NULL))
		f(0);
}

/* Place i; NULL: no memory for it. */
static struct own *
own_place(uint32_t i)
{
	struct own *c = LOAD_ACQ(&own_chunk[i >> OWN_SHIFT]), *none = NULL;
	long p;

	if (LIKELY(c))
		return c + (i & (OWN_CHUNK - 1));
	p = ARCH_SYS(SYS_mmap, 0, OWN_CHUNK * sizeof(*c),
		     PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		     0);
	if (p < 0 && p > -4096)
		return NULL;
	c = (struct own *)p;
	if (!CAS(&own_chunk[i >> OWN_SHIFT], &none, c)) {
		ARCH_SYS(SYS_munmap, c, OWN_CHUNK * sizeof(*c), 0, 0, 0, 0);
		c = none;
	}
	return c + (i & (OWN_CHUNK - 1));
}

static bool
own_add(uintptr_t start, size_t size)
{
	uint32_t i = SWAP(&own_hint, 0);
	struct own *o;

	if (!i) {
		i = FETCH_ADD(&own_used, 1) + 1;
		if (i > OWN_CHUNKS * OWN_CHUNK) {
			FETCH_ADD(&own_used, -1);
			return false;
		}
	}
	o = own_place(i - 1);
	if (!o) {
		/* The next range takes its number. */
		STORE_REL(&own_hint, i);
		return false;
	}
	STORE(&o->start, start);
	STORE_REL(&o->size, size);
	own_changed();
	return true;
}

bool
mmi_own_add(const void *p, size_t size)
{
	return own_add((uintptr_t)p, size);
}

void
mmi_own_add_or_miss(const void *p, size_t size)
{
	if (!own_add((uintptr_t)p | 1, size))
		FETCH_ADD(&own_missing, 1);
}

/* Cuts [a, a + size) off the range; false: it isn't in the range. */
static bool
own_cut(struct own *o, uintptr_t a, size_t size, uint32_t i)
{
	size_t n = LOAD_ACQ(&o->size);
	uintptr_t start = LOAD(&o->start), other = start & 1;

	start -= other;
	if (a < start || a - start >= n)
		return false;
	if (a > start) {
		STORE_REL(&o->size, a - start);
		return true;
	}
	STORE_REL(&o->size, n > size ? n - size : 0);
	STORE(&o->start, (start + size) | other);
	if (n <= size)
		STORE_REL(&own_hint, i + 1);
	return true;
}

void
mmi_own_remove(const void *p, size_t size)
{
	struct own *c;

	/* Usually it is one of the last ranges. */
	for (uint32_t i = LOAD_ACQ(&own_used); i-- > 0;) {
		c = LOAD_ACQ(&own_chunk[i >> OWN_SHIFT]);
		if (c &&
		    own_cut(c + (i & (OWN_CHUNK - 1)), (uintptr_t)p, size, i))
			return;
	}
}

uint32_t
mmi_own_count(void)
{
	return LOAD(&own_missing) ? 0 : LOAD_ACQ(&own_used);
}

struct mmi_own_mapping
mmi_own_at(uint32_t i)
{
	const struct own *c = LOAD_ACQ(&own_chunk[i >> OWN_SHIFT]);
	struct mmi_own_mapping o = { 0, 0, false };
	uintptr_t start;

	if (!c)
		return o;
	c += i & (OWN_CHUNK - 1);
	o.size = LOAD_ACQ(&c->size);
	start = LOAD(&c->start);
	o.start = start & ~(uintptr_t)1;
	o.data = !(start & 1);
	return o;
}

#ifdef MEMMON_STATIC
/* The static tables contain no addresses of blocks. */
struct mmi_own_mapping
mmi_own_module(void)
{
	return (struct mmi_own_mapping){ 0, 0, false };
}
#else
extern char __ehdr_start[] __attribute__((visibility("hidden")));
extern char _end[] __attribute__((visibility("hidden")));

struct mmi_own_mapping
mmi_own_module(void)
{
	uintptr_t start = (uintptr_t)__ehdr_start & -ARCH_PAGE_NOW;
	uintptr_t end = ((uintptr_t)_end + ARCH_PAGE_NOW - 1) & -ARCH_PAGE_NOW;

	return (struct mmi_own_mapping){ start, end - start, true };
}
#endif
