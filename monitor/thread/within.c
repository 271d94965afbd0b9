/* SPDX-License-Identifier: MIT */
/* Calls of the allocator's functions that the next allocator makes. */
#include "monitor/thread/within.h"

#include <dlfcn.h>
#include <link.h>

#include "monitor/base/lookup.h"
#include "monitor/base/next.h"
#include "monitor/base/real.h"
#include "monitor/chain/walk.h"

static struct mmi_next real; /* the allocator's own */

/*
 * Where the thread's stack was when it entered the next allocator; 0: it isn't
 * in it.
 */
static TLS uintptr_t entered;

ARCH_REALIGN struct mmi_within
mmi_within_enter(uintptr_t sp)
{
	struct mmi_within was = { entered, mmi_sample_mine };

	entered = sp;
	mmi_sample_mine = NULL;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	mmi_thread_own_doing |= MMI_THREAD_WITHIN;
	return was;
}

void
mmi_within_leave(const struct mmi_within *was)
{
	if (!was->sp)
		mmi_thread_own_doing &= ~MMI_THREAD_WITHIN;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	entered = was->sp;
	mmi_sample_mine = was->sample;
}

/* ------------------------------------------------------------ who calls -- */

enum object {
	/* Has the next functions, or its own functions of these names. */
	ALLOCATOR,
	RUNTIME, /* serves its caller: libc, loader, C++ */
	OTHER
};

#ifdef MEMMON_STATIC

/*
 * Everything is one object, so only a handler is known not to be the allocator.
 */
static enum object
object_of(uintptr_t pc)
{
	(void)pc;
	return RUNTIME;
}

#else

static bool
same_object(uintptr_t a, const void *b)
{
	struct dl_find_object x, y;

	return b && _dl_find_object((void *)a, &x) == 0 &&
	       _dl_find_object((void *)(uintptr_t)b, &y) == 0 &&
	       x.dlfo_link_map == y.dlfo_link_map;
}

static bool
has_any(uintptr_t pc, const char *const *name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (mmi_lookup_in(pc, name[i]))
			return true;
	return false;
}

static enum object
object_of(uintptr_t pc)
{
	static const char *const runtime[] = { "__libc_start_main",
					       "_rtld_global", "__cxa_throw" };
	static const char *const own[] = { "malloc",   "calloc", "realloc",
					   "memalign", "_Znwm",	 "_Znam" };
	struct dl_find_object f;
	bool next = same_object(pc, (void *)real.malloc) ||
		    same_object(pc, (void *)real.calloc) ||
		    same_object(pc, (void *)real.realloc);

	if (_dl_find_object((void *)pc, &f) != 0)
		return OTHER;
	/* The program may be both the allocator and the code that it serves. */
	if (!f.dlfo_link_map->l_prev)
		return next ? RUNTIME : OTHER;
	if (has_any(pc, runtime, sizeof(runtime) / sizeof(runtime[0])))
		return RUNTIME;
	return next || has_any(pc, own, sizeof(own) / sizeof(own[0]))
		       ? ALLOCATOR
		       : OTHER;
}

#endif

#ifdef MEMMON_STATIC
bool
mmi_within_code(uintptr_t pc)
{
	(void)pc;
	return false;
}
#else
/* Another library of memmon passes calls on: it isn't an allocator. */
bool
mmi_within_code(uintptr_t pc)
{
	/* An operator new may be built on malloc(), or on mmap(2). */
	return object_of(pc) == ALLOCATOR &&
	       (mmi_lookup_in(pc, "malloc") || mmi_lookup_in(pc, "memalign")) &&
	       !mmi_lookup_in(pc, "memmon_dump_to");
}
#endif

/* Look at one frame after the other, outwards, until one decides. */
static bool
asks(const struct mmi_walk_frame *f, void *arg)
{
	bool *within = arg;
	enum object o;

	/* The hook that called the allocator. */
	if (f->own)
		return false;
	/* The allocator was left: by a handler, or by a jump. */
	o = f->signal || f->sp >= entered ? OTHER : object_of(f->pc);
	*within = o != OTHER;
	return o == RUNTIME;
}

static bool
asks_signal(const struct mmi_walk_frame *f, void *arg)
{
	*(bool *)arg = f->signal;
	return !f->signal;
}

bool
mmi_within(const struct arch_entry *e)
{
	bool within = true, handler = false;

	if (LIKELY(e->sp < entered)) {
		mmi_walk_frames(e, asks, &within);
		return within;
	}
	/* A handler on another stack; or the allocator was left by a jump. */
	mmi_walk_frames(e, asks_signal, &handler);
	if (!handler) {
		mmi_thread_own_doing &= ~MMI_THREAD_WITHIN;
		entered = 0;
	}
	return false;
}

/* ---------------------------------------------------------------- marks -- */

#define SP ((uintptr_t)__builtin_frame_address(0))
#define MARKED(type, name, params, args) \
	static type marked_##name params \
	{ \
		struct mmi_within was = mmi_within_enter(SP); \
		type r = real.name args; \
\
		mmi_within_leave(&was); \
		return r; \
	}
#define MARKED_VOID(name, params, args) \
	static void marked_##name params \
	{ \
		struct mmi_within was = mmi_within_enter(SP); \
\
		real.name args; \
		mmi_within_leave(&was); \
	}
MARKED(void *, malloc, (size_t n), (n))
MARKED(void *, calloc, (size_t n, size_t size), (n, size))
MARKED(void *, realloc, (void *p, size_t n), (p, n))
MARKED(int, posix_memalign, (void **p, size_t align, size_t n), (p, align, n))
MARKED(void *, aligned_alloc, (size_t align, size_t n), (align, n))
MARKED(void *, memalign, (size_t align, size_t n), (align, n))
MARKED(void *, valloc, (size_t n), (n))
MARKED(void *, pvalloc, (size_t n), (n))
MARKED_VOID(free, (void *p), (p))
MARKED_VOID(free_sized, (void *p, size_t n), (p, n))
MARKED_VOID(free_aligned_sized, (void *p, size_t align, size_t n),
	    (p, align, n))

#ifdef MEMMON_STATIC
extern void *__libc_malloc(size_t) __attribute__((weak));

static bool
is_libc(void)
{
	return __libc_malloc && mmi_next.malloc == __libc_malloc;
}
#else
static bool
is_libc(void)
{
	const uintptr_t libc = (uintptr_t)mmi_real_libc();

	return same_object(libc, (void *)mmi_next.malloc) &&
	       same_object(libc, (void *)mmi_next.calloc) &&
	       same_object(libc, (void *)mmi_next.realloc) &&
	       same_object(libc, (void *)mmi_next.free) &&
	       same_object(libc, (void *)mmi_next.memalign) &&
	       same_object(libc, (void *)mmi_next.posix_memalign) &&
	       same_object(libc, (void *)mmi_next.aligned_alloc);
}
#endif

#define MARK(name) \
	if (real.name) \
	mmi_next.name = marked_##name

void
mmi_within_init(void)
{
	if (is_libc())
		return;
	real = mmi_next;
	MARK(malloc);
	MARK(calloc);
	MARK(realloc);
	MARK(free);
	MARK(posix_memalign);
	MARK(aligned_alloc);
	MARK(memalign);
	MARK(valloc);
	MARK(pvalloc);
	MARK(free_sized);
	MARK(free_aligned_sized);
}
