/* SPDX-License-Identifier: MIT */
/* The next allocator. */
#include "monitor/base/next.h"

#include <dlfcn.h>
#include <errno.h>

#include "monitor/base/arena.h"
#include "monitor/base/lookup.h"
#include "monitor/base/pass.h"
#include "monitor/base/process.h"
#include "monitor/base/real.h"
#include "monitor/base/sampling.h"
#include "monitor/base/table.h"
#include "monitor/base/thread.h"

struct mmi_next mmi_next;
int mmi_next_ready;

#ifdef MEMMON_STATIC

extern void *__real_malloc(size_t);
extern void *__real_calloc(size_t, size_t);
extern void *__real_realloc(void *, size_t);
extern void __real_free(void *);
extern int __real_posix_memalign(void **, size_t, size_t);
extern void *__real_aligned_alloc(size_t, size_t);
extern void *__real_memalign(size_t, size_t);
extern void *__real_valloc(size_t);
extern void *__real_pvalloc(size_t) __attribute__((weak)); /* not musl's */
extern size_t malloc_usable_size(void *) __attribute__((weak));

bool
mmi_next_find(void)
{
	mmi_next = (struct mmi_next){
		.malloc = __real_malloc,
		.calloc = __real_calloc,
		.realloc = __real_realloc,
		.free = __real_free,
		.posix_memalign = __real_posix_memalign,
		.aligned_alloc = __real_aligned_alloc,
		.memalign = __real_memalign,
		.valloc = __real_valloc,
		.pvalloc = __real_pvalloc,
		.malloc_usable_size = malloc_usable_size,
	};
#ifdef MEMMON_MUSL
	mmi_musl_next();
#endif
	STORE_REL(&mmi_next_ready, mmi_next_found());
	return true;
}

void *
mmi_next_boot(size_t size, size_t align)
{
	(void)size;
	(void)align;
	return NULL;
}

bool
mmi_next_is_boot(const void *p)
{
	(void)p;
	return false;
}

size_t
mmi_next_boot_size(const void *p)
{
	(void)p;
	return 0;
}

size_t
mmi_next_boot_area(unsigned i, const void **start)
{
	(void)i;
	(void)start;
	return 0;
}

#else /* shared */

/*
 * Areas for memory that is allocated during the search.  The first is static;
 * more are mapped if something large is requested.
 */
#define AREAS 64u

static char first[65536] __attribute__((aligned(4096)));
static struct area {
	char *start; /* of later areas: see area_start() */
	size_t size;
	size_t used; /* atomic */
} area[AREAS] = { { NULL, sizeof(first), 0 } };
static unsigned nareas = 1; /* atomic */
static int finding;	    /* atomic */

/* NULL: not mapped yet.  Uses no address that the loader must fill in first. */
static char *
area_start(const struct area *a)
{
	return a == area ? first : LOAD_ACQ(&a->start);
}

static void *
area_take(struct area *a, size_t size, size_t align)
{
	size_t used = LOAD(&a->used), from;
	char *start = area_start(a);

	if (!start)
		return NULL;

	do {
		from = (used + align - 1) & ~(align - 1);
		if (from > a->size || size > a->size - from)
			return NULL;
	} while (!CAS(&a->used, &used, from + size));
	return start + from;
}

void *
mmi_next_boot(size_t size, size_t align)
{
	unsigned n = LOAD_ACQ(&nareas), place;
	size_t room;
	void *p;

	if (align < 16)
		align = 16;
	if (size > PTRDIFF_MAX - 2 * 65536 || align > 65536)
		return NULL;
	for (unsigned i = 0; i < n; i++) {
		p = area_take(&area[i], size, align);
		if (p) {
			/* Only marked blocks are looked up while blocks are
			 * sampled. */
			mmi_sample_mark(p);
			return p;
		}
	}
	place = __atomic_fetch_add(&nareas, 1, __ATOMIC_ACQ_REL);
	if (place >= AREAS) {
		__atomic_fetch_sub(&nareas, 1, __ATOMIC_ACQ_REL);
		return NULL;
	}
	room = (size + align + 65535) & ~(size_t)65535;
	p = mmi_arena_map(room);
	if (!p)
		return NULL;
	area[place].size = room;
	STORE_REL(&area[place].start, (char *)p);
	p = area_take(&area[place], size, align);
	mmi_sample_mark(p);
	return p;
}

static const struct area *
area_of(const void *p)
{
	unsigned n = LOAD_ACQ(&nareas);
	const char *c = p, *start;

	for (unsigned i = 0; i < n && i < AREAS; i++) {
		start = area_start(&area[i]);
		if (start && c >= start && c < start + area[i].size)
			return &area[i];
	}
	return NULL;
}

bool
mmi_next_is_boot(const void *p)
{
	const char *c = p;

	if (c >= first && c < first + sizeof(first))
		return true;
	return UNLIKELY(LOAD(&nareas) > 1) && area_of(p);
}

size_t
mmi_next_boot_size(const void *p)
{
	const struct area *a = area_of(p);

	return a ? (size_t)(area_start(a) + a->size - (const char *)p) : 0;
}

size_t
mmi_next_boot_area(unsigned i, const void **start)
{
	if (i >= LOAD_ACQ(&nareas) || i >= AREAS)
		return 0;
	*start = area_start(&area[i]);
	return *start ? LOAD(&area[i].used) : 0;
}

/*
 * Has the loader filled in this library's addresses?  Not yet while it runs the
 * resolvers of a library that comes later in its list; until then no function
 * may be called, and no thread-local variable read, not even errno.
 */
static const void *const volatile self = (const void *)&self;

static inline bool
relocated(void)
{
	return self == (const void *)&self;
}

/* dlsym() isn't called for functions that don't exist; see lookup.c. */
#define FIND(name) \
	(mmi_next.name = mmi_lookup_has(#name) ? mmi_next_symbol(#name) : NULL)

/* A function can only handle the blocks of its own object. */
static bool
same_object(uintptr_t a, uintptr_t b)
{
	struct dl_find_object x, y;

	return _dl_find_object((void *)a, &x) == 0 &&
	       _dl_find_object((void *)b, &y) == 0 &&
	       x.dlfo_link_map == y.dlfo_link_map;
}

static COLD bool
find_all(void)
{
	int none = 0, e = errno, ready;

	if (!CAS(&finding, &none, 1))
		return false;
	mmi_thread_internal_begin();
	mmi_lookup_begin(mmi_real_find);
	if (!mmi_table_open())
		mmi_thread_stop();
	FIND(malloc);
	FIND(calloc);
	FIND(realloc);
	FIND(free);
	FIND(posix_memalign);
	FIND(aligned_alloc);
	FIND(memalign);
	FIND(valloc);
	FIND(pvalloc);
	FIND(free_sized);
	FIND(free_aligned_sized);
	FIND(malloc_usable_size);
#ifdef MEMMON_MUSL
	mmi_musl_next();
#endif
	if (!same_object((uintptr_t)mmi_next.malloc,
			 (uintptr_t)mmi_next.malloc_usable_size))
		mmi_next.malloc_usable_size = NULL;
	mmi_next_forget();
	/* Before the first block: constructors may run before ours. */
	ready = mmi_next_found();
	mmi_thread_internal_end();
	STORE_REL(&mmi_next_ready, ready);
	errno = e;
	return true;
}

bool
mmi_next_find(void)
{
	return LOAD_ACQ(&mmi_next_ready) || (relocated() && find_all());
}

COLD void *
mmi_next_of(const char *name, const void *ours, uintptr_t caller)
{
	int e = errno;
	void *p;

	mmi_thread_internal_begin();
	mmi_next_find();
	p = mmi_next_symbol(name);
	if (!p)
		p = mmi_lookup_from(caller - 1, name, ours);
	mmi_next_forget();
	mmi_thread_internal_end();
	errno = e;
	return p == ours ? NULL : p;
}

#ifndef MEMMON_ACCESS
struct mmi_pass mmi_pass;

void
mmi_pass_find(void)
{
#define FIND_PASSED(f) mmi_pass.f = mmi_next_symbol(#f);
	PASS_ALL(FIND_PASSED)
	mmi_next_forget();
}
#endif

#endif

void
mmi_next_boot_copy(void *to, const void *from, size_t n)
{
	char *d = to;
	const char *s = from;

	for (size_t i = 0; i < n; i++) {
		__asm__("" : "+r"(i));
		d[i] = s[i];
	}
}

void *
mmi_next_symbol(const char *name)
{
#ifdef MEMMON_STATIC
	(void)name;
	return NULL;
#else
	if (UNLIKELY(mmi_process.attached))
		return mmi_lookup_from(0, name, mmi_lookup_own(name));
	return dlsym(RTLD_NEXT, name);
#endif
}

/*
 * Not by dlerror() itself, which takes locks that the program may hold in
 * setlocale().  A search that succeeds deletes an earlier failure, too.
 */
void
mmi_next_forget(void)
{
	mmi_next_symbol("malloc");
}

bool
mmi_next_has(const char *name)
{
#ifdef MEMMON_STATIC
	(void)name;
	return false;
#else
	bool has = mmi_lookup_has(name) && mmi_next_symbol(name);

	mmi_next_forget();
	return has;
#endif
}

bool
mmi_next_is_glibc(void)
{
#if defined(MEMMON_STATIC) || defined(MEMMON_MUSL)
	return false;
#else
	struct dl_find_object a, b;

	return _dl_find_object((void *)mmi_real_libc(), &a) == 0 &&
	       _dl_find_object((void *)mmi_next.malloc, &b) == 0 &&
	       a.dlfo_link_map == b.dlfo_link_map;
#endif
}

bool
mmi_next_monitored(void)
{
#ifdef MEMMON_ACCESS
	return false;
#else
	return mmi_next_has("__memmon_touch");
#endif
}
