/* SPDX-License-Identifier: MIT */
/*
 * operator new and delete of C++, all replaceable forms.
 *
 * libstdc++'s and libc++'s call malloc and free, so their events come by
 * themselves, and these hooks pass the call on with a jump.  An allocator that
 * brings its own forms doesn't call malloc; then the event is recorded here.
 * Which it is shows at the first new: did it come by malloc's hook?
 *
 * Not in the static library: there the forms of the C++ library are linked in
 * and call malloc.  Compiled with frame pointers.
 */
#ifndef MEMMON_STATIC

#include "monitor/internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "monitor/event.h"
#include "monitor/hooks.h"
#include "monitor/next.h"
#include "monitor/thread.h"

enum mode {
	MODE_UNKNOWN,
	MODE_THROUGH, /* they come by malloc: pass on */
	MODE_RECORD   /* they don't */
};
static int mode; /* atomic; set once */

/* For a program that calls new and has none anywhere: out of memory is NULL. */
static void *
plain_new(size_t size)
{
	return mmi_next.malloc(size);
}

static void *
plain_new_aligned(size_t size, size_t align)
{
	return mmi_next.aligned_alloc(align, size);
}

static void
plain_delete(void *p)
{
	mmi_next.free(p);
}

/*
 * The next definition of a form.  A C++ library that was loaded for one plug-in
 * only isn't in the global scope: look in the caller's, which may begin with
 * ourselves.
 */
static COLD void *
next_form(const char *name, const void *ours, uintptr_t caller)
{
	struct dl_find_object f;
	int e = errno;
	void *p;

	mmi_thread_internal_begin();
	mmi_next_find();
	p = mmi_next_symbol(name);
	if (!p && _dl_find_object((void *)(caller - 1), &f) == 0)
		p = dlsym(f.dlfo_link_map, name);
	if (!p || p == ours)
		p = name[2] == 'd'		? (void *)plain_delete
		    : strstr(name, "align_val") ? (void *)plain_new_aligned
						: (void *)plain_new;
	mmi_thread_internal_end();
	errno = e;
	return p;
}

/* Record what a form returned, unless a hook further in has. */
static inline void *
made(void *p, size_t size, const struct arch_entry *e)
{
	int unknown = MODE_UNKNOWN;

	if (p && mmi_event_last == p) {
		CAS(&mode, &unknown, MODE_THROUGH);
		return p;
	}
	CAS(&mode, &unknown, MODE_RECORD);
	mmi_hooks_asked = 0;
	mmi_event_alloc(p, size, e);
	return p;
}

/* Record that p goes, and let free() know if the next form calls it. */
static inline void
gone(void *p)
{
	if (p && mmi_hooks_passing != p) {
		mmi_event_free(p);
		mmi_hooks_passing = p;
	}
}

#define UNPACK(...) __VA_ARGS__

/* Nothing's address is taken in the form itself, so the call on is a jump. */
#define NEW(name, params, args, asked) \
	extern void *name(UNPACK params); \
	static void *(*next##name)(UNPACK params); \
	static COLD void *find##name(uintptr_t caller) \
	{ \
		void *p = next_form(#name, (void *)name, caller); \
\
		STORE(&next##name, p); \
		return p; \
	} \
	static __attribute__((noinline)) void *slow##name(UNPACK params, \
							  struct arch_entry e) \
	{ \
		mmi_event_last = NULL; \
		return made(next##name(UNPACK args), size, &e); \
	} \
	EXPORT void *name(UNPACK params) \
	{ \
		struct arch_entry e = ARCH_ENTRY(); \
\
		if (UNLIKELY(!LOAD(&next##name))) \
			find##name(e.pc); \
		mmi_hooks_asked = asked; \
		if (LIKELY(LOAD(&mode) == MODE_THROUGH)) \
			return next##name(UNPACK args); \
		return slow##name(UNPACK args, e); \
	}

#define DELETE(name, params, args) \
	extern void name(UNPACK params); \
	static void (*next##name)(UNPACK params); \
	static COLD void find##name(uintptr_t caller) \
	{ \
		STORE(&next##name, next_form(#name, (void *)name, caller)); \
	} \
	EXPORT void name(UNPACK params) \
	{ \
		if (UNLIKELY(!LOAD(&next##name))) \
			find##name((uintptr_t)__builtin_return_address(0)); \
		if (UNLIKELY(LOAD(&mode) != MODE_THROUGH)) { \
			gone(p); \
			next##name(UNPACK args); \
			mmi_hooks_passing = NULL; \
			return; \
		} \
		next##name(UNPACK args); \
	}

/* new, new[]; with std::nothrow; with std::align_val_t; with both. */
NEW(_Znwm, (size_t size), (size), 0)
NEW(_Znam, (size_t size), (size), 0)
NEW(_ZnwmRKSt9nothrow_t, (size_t size, const void *nothrow), (size, nothrow), 0)
NEW(_ZnamRKSt9nothrow_t, (size_t size, const void *nothrow), (size, nothrow), 0)
NEW(_ZnwmSt11align_val_t, (size_t size, size_t align), (size, align), size + 1)
NEW(_ZnamSt11align_val_t, (size_t size, size_t align), (size, align), size + 1)
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t,
    (size_t size, size_t align, const void *nothrow), (size, align, nothrow),
    size + 1)
NEW(_ZnamSt11align_val_tRKSt9nothrow_t,
    (size_t size, size_t align, const void *nothrow), (size, align, nothrow),
    size + 1)

/* delete, delete[]; sized; nothrow; aligned; aligned and sized or nothrow. */
DELETE(_ZdlPv, (void *p), (p))
DELETE(_ZdaPv, (void *p), (p))
DELETE(_ZdlPvm, (void *p, size_t size), (p, size))
DELETE(_ZdaPvm, (void *p, size_t size), (p, size))
DELETE(_ZdlPvRKSt9nothrow_t, (void *p, const void *nothrow), (p, nothrow))
DELETE(_ZdaPvRKSt9nothrow_t, (void *p, const void *nothrow), (p, nothrow))
DELETE(_ZdlPvSt11align_val_t, (void *p, size_t align), (p, align))
DELETE(_ZdaPvSt11align_val_t, (void *p, size_t align), (p, align))
DELETE(_ZdlPvmSt11align_val_t, (void *p, size_t size, size_t align),
       (p, size, align))
DELETE(_ZdaPvmSt11align_val_t, (void *p, size_t size, size_t align),
       (p, size, align))
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t,
       (void *p, size_t align, const void *nothrow), (p, align, nothrow))
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t,
       (void *p, size_t align, const void *nothrow), (p, align, nothrow))

#define EARLY(name) next##name = (__typeof__(next##name))mmi_next_symbol(#name)

void
mmi_cxx_init(void)
{
	EARLY(_Znwm);
	EARLY(_Znam);
	EARLY(_ZnwmRKSt9nothrow_t);
	EARLY(_ZnamRKSt9nothrow_t);
	EARLY(_ZnwmSt11align_val_t);
	EARLY(_ZnamSt11align_val_t);
	EARLY(_ZnwmSt11align_val_tRKSt9nothrow_t);
	EARLY(_ZnamSt11align_val_tRKSt9nothrow_t);
	EARLY(_ZdlPv);
	EARLY(_ZdaPv);
	EARLY(_ZdlPvm);
	EARLY(_ZdaPvm);
	EARLY(_ZdlPvRKSt9nothrow_t);
	EARLY(_ZdaPvRKSt9nothrow_t);
	EARLY(_ZdlPvSt11align_val_t);
	EARLY(_ZdaPvSt11align_val_t);
	EARLY(_ZdlPvmSt11align_val_t);
	EARLY(_ZdaPvmSt11align_val_t);
	EARLY(_ZdlPvSt11align_val_tRKSt9nothrow_t);
	EARLY(_ZdaPvSt11align_val_tRKSt9nothrow_t);
	/* The program shall not hear of what wasn't found. */
	dlerror();
}

#else

#include "monitor/hooks.h"

void
mmi_cxx_init(void)
{
}

#endif
