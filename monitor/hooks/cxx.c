/* SPDX-License-Identifier: MIT */
/*
 * operator new and delete of C++, all replaceable forms.
 *
 * Those of libstdc++ and libc++ call malloc and free, whose hooks report the
 * event, so these hooks pass the call on with a jump.  An allocator with its
 * own forms doesn't call malloc; then the event is recorded here.  The first
 * new shows which case it is: did malloc's hook report its block?
 *
 * Not in the static library: there the forms of the C++ library are linked in
 * and call malloc.  Compiled with frame pointers.
 */
#ifndef MEMMON_STATIC

#include "monitor/base/internal.h"

#include <dlfcn.h>
#include <string.h>

#include "monitor/base/lookup.h"
#include "monitor/base/next.h"
#ifdef MEMMON_ACCESS
#include "monitor/events/events.h"
#endif
#include "monitor/costs/operations.h"
#include "monitor/hooks/hooks.h"
#include "monitor/record/event.h"
#include "monitor/record/sample.h"
#include "monitor/thread/enter.h"
#include "monitor/thread/within.h"

enum mode {
	MODE_UNKNOWN,
	MODE_THROUGH, /* they call malloc: pass on */
	MODE_RECORD   /* they don't call malloc */
};
static int mode; /* atomic; set once */

/*
 * For a program that calls new but has no definition of it: returns NULL if out
 * of memory.
 */
extern void *malloc(size_t);
extern void *aligned_alloc(size_t, size_t);
extern void free(void *);

static void *
plain_new(size_t size)
{
	return malloc(size);
}

static void *
plain_new_aligned(size_t size, size_t align)
{
	return aligned_alloc(align, size);
}

static void
plain_delete(void *p)
{
	free(p);
}

/* The next definition of a form. */
static COLD void *
next_form(const char *name, const void *ours, uintptr_t caller)
{
	void *p = mmi_next_of(name, ours, caller);

	if (!p)
		p = name[2] == 'd'		? (void *)plain_delete
		    : strstr(name, "align_val") ? (void *)plain_new_aligned
						: (void *)plain_new;
#ifdef MEMMON_ACCESS
	if (name[2] == 'n')
		mmi_events_note_new(p);
#endif
	return p;
}

/* An address that can't be a block's. */
#define NOTHING ((const void *)1)

/*
 * While blocks are sampled: how many blocks this thread got from malloc's
 * hooks.
 */
static inline uint64_t
asked_for(void)
{
	return mmi_thread_me ? mmi_thread_me->sample.allocs : 0;
}

/* made() while blocks are sampled: then few blocks are reported. */
static COLD void *
made_sampled(void *p, size_t size, const struct arch_entry *e, uint64_t before)
{
	int unknown = MODE_UNKNOWN;

	if (asked_for() != before || (!p && mmi_event_last != NOTHING)) {
		CAS(&mode, &unknown, MODE_THROUGH);
		return p;
	}
	CAS(&mode, &unknown, MODE_RECORD);
	mmi_hooks_asked.set = false;
	if (!mmi_sample_skips(size) && p)
		mmi_event_alloc_other(p, size, e);
	else if (!p)
		mmi_event_refused(size);
	return p;
}

/*
 * Records the block or NULL that a form returned, unless a hook that it called
 * has.
 */
static inline void *
made(void *p, size_t size, const struct arch_entry *e, uint64_t before)
{
	int unknown = MODE_UNKNOWN;

	if (LOAD(&mmi_next_ready) == MMI_NEXT_SAMPLED)
		return made_sampled(p, size, e, before);
	/* A failure shows nothing: an exception may have been allocated. */
	if (!p) {
		if (mmi_event_last == NOTHING)
			mmi_event_alloc(p, size, e);
		return p;
	}
	if (mmi_event_last == p) {
		CAS(&mode, &unknown, MODE_THROUGH);
		return p;
	}
	CAS(&mode, &unknown, MODE_RECORD);
	mmi_hooks_asked.set = false;
	mmi_event_alloc_other(p, size, e);
	return p;
}

/* Records that p is freed, and notes it for free(), which the form may call. */
static inline void
gone(void *p, const struct arch_entry *e)
{
	if (p && mmi_hooks_passing != p) {
#ifdef MEMMON_ACCESS
		if (mmi_events_want(MEMMON_EVENT_FREE) &&
		    !mmi_thread_internal())
			mmi_events_free(p,
					(uintptr_t)__builtin_return_address(0));
#endif
		if (!mmi_sample_on())
			mmi_event_free(p, e);
		else if (mmi_sample_marked(p))
			mmi_event_free_sampled(p, e);
		mmi_hooks_passing = p;
	}
}

/*
 * Must the form be timed?  Not if it calls malloc or free, which are timed.
 * (The first new of all, which decides that, isn't timed.)
 */
static inline bool
costs_begin(void)
{
	return UNLIKELY(mmi_operations_on()) && LOAD(&mode) == MODE_RECORD &&
	       mmi_operations_begin();
}

/*
 * A form that doesn't call malloc's hooks for its blocks may still call them
 * for its own memory.
 */
static inline __attribute__((always_inline)) bool
within_enter(struct mmi_within *was)
{
	if (LOAD(&mode) != MODE_RECORD)
		return false;
	*was = mmi_within_enter((uintptr_t)__builtin_frame_address(0));
	return true;
}

#define UNPACK(...) __VA_ARGS__

/* The next form, and the function that finds it. */
#define NEXT(name) \
	static void *next##name; \
	static COLD void *find##name(uintptr_t caller) \
	{ \
		void *p = next_form(#name, (void *)name, caller); \
\
		STORE(&next##name, p); \
		return p; \
	}

/* The form itself only jumps on, without a frame of its own. */
#define NEW(name, params, args, aligned) \
	extern void *name(UNPACK params); \
	NEXT(name) \
	static __attribute__((noinline)) void *slow##name(UNPACK params) \
	{ \
		struct arch_entry e = ARCH_ENTRY(); \
		void *(*next)(UNPACK params) = LOAD(&next##name); \
		uint64_t before = asked_for(); \
		struct mmi_within was; \
		bool costs, marked; \
		void *p; \
\
		if (UNLIKELY(!next)) \
			next = (__typeof__(next))find##name(e.pc); \
		if (mmi_thread_apart() && !mmi_thread_internal() && \
		    mmi_within(&e)) \
			return next(UNPACK args); \
		aligned; \
		mmi_event_last = NOTHING; \
		costs = costs_begin(); \
		marked = within_enter(&was); \
		p = next(UNPACK args); \
		if (marked) \
			mmi_within_leave(&was); \
		if (costs) \
			mmi_operations_made(p, size); \
		return made(p, size, &e, before); \
	} \
	EXPORT void *name(UNPACK params) \
	{ \
		void *(*next)(UNPACK params) = LOAD(&next##name); \
\
		if (UNLIKELY(!next) || UNLIKELY(LOAD(&mode) != MODE_THROUGH)) \
			return slow##name(UNPACK args); \
		aligned; \
		return next(UNPACK args); \
	}

#define DELETE(name, params, args) \
	extern void name(UNPACK params); \
	NEXT(name) \
	EXPORT void name(UNPACK params) \
	{ \
		void (*next)(UNPACK params) = LOAD(&next##name); \
\
		if (UNLIKELY(!next)) \
			next = (__typeof__(next))find##name( \
				(uintptr_t)__builtin_return_address(0)); \
		if (UNLIKELY(LOAD(&mode) != MODE_THROUGH)) { \
			struct arch_entry e = ARCH_ENTRY(); \
			struct mmi_within was; \
			bool costs, marked; \
			uint64_t usable = 0; \
\
			gone(p, &e); \
			costs = p && costs_begin(); \
			if (costs) \
				usable = mmi_operations_going(p); \
			marked = within_enter(&was); \
			next(UNPACK args); \
			if (marked) \
				mmi_within_leave(&was); \
			if (costs) \
				mmi_operations_gone(usable); \
			mmi_hooks_passing = NULL; \
			return; \
		} \
		next(UNPACK args); \
	}

/* libstdc++ rounds the size up to a multiple of the alignment. */
#define ALIGNED \
	mmi_hooks_asked = (struct mmi_asked) \
	{ \
		size, ((size + !size) + align - 1) & -align, true \
	}
#define PLAIN mmi_hooks_asked.set = false

/*
 * new, new[]; with std::nothrow; with std::align_val_t; with both.  Then
 * delete, delete[]; sized; nothrow; aligned; aligned and sized or nothrow.
 */
#define FORMS(NEW, DELETE) \
	NEW(_Znwm, (size_t size), (size), PLAIN) \
	NEW(_Znam, (size_t size), (size), PLAIN) \
	NEW(_ZnwmRKSt9nothrow_t, (size_t size, const void *nothrow), \
	    (size, nothrow), PLAIN) \
	NEW(_ZnamRKSt9nothrow_t, (size_t size, const void *nothrow), \
	    (size, nothrow), PLAIN) \
	NEW(_ZnwmSt11align_val_t, (size_t size, size_t align), (size, align), \
	    ALIGNED) \
	NEW(_ZnamSt11align_val_t, (size_t size, size_t align), (size, align), \
	    ALIGNED) \
	NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, \
	    (size_t size, size_t align, const void *nothrow), \
	    (size, align, nothrow), ALIGNED) \
	NEW(_ZnamSt11align_val_tRKSt9nothrow_t, \
	    (size_t size, size_t align, const void *nothrow), \
	    (size, align, nothrow), ALIGNED) \
	DELETE(_ZdlPv, (void *p), (p)) \
	DELETE(_ZdaPv, (void *p), (p)) \
	DELETE(_ZdlPvm, (void *p, size_t size), (p, size)) \
	DELETE(_ZdaPvm, (void *p, size_t size), (p, size)) \
	DELETE(_ZdlPvRKSt9nothrow_t, (void *p, const void *nothrow), \
	       (p, nothrow)) \
	DELETE(_ZdaPvRKSt9nothrow_t, (void *p, const void *nothrow), \
	       (p, nothrow)) \
	DELETE(_ZdlPvSt11align_val_t, (void *p, size_t align), (p, align)) \
	DELETE(_ZdaPvSt11align_val_t, (void *p, size_t align), (p, align)) \
	DELETE(_ZdlPvmSt11align_val_t, (void *p, size_t size, size_t align), \
	       (p, size, align)) \
	DELETE(_ZdaPvmSt11align_val_t, (void *p, size_t size, size_t align), \
	       (p, size, align)) \
	DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, \
	       (void *p, size_t align, const void *nothrow), \
	       (p, align, nothrow)) \
	DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, \
	       (void *p, size_t align, const void *nothrow), \
	       (p, align, nothrow))
FORMS(NEW, DELETE)

#define FORM(name, ...) { #name, (const void *)name, &next##name },
static const struct {
	const char *name;
	const void *called; /* ours, or the program's own */
	void **next;
} forms[] = { FORMS(FORM, FORM) };
#define NFORMS (sizeof(forms) / sizeof(forms[0]))

void
mmi_cxx_init(void)
{
	for (size_t i = 0; i < NFORMS; i++) {
		if (mmi_lookup_has(forms[i].name))
			*forms[i].next = mmi_next_symbol(forms[i].name);
#ifdef MEMMON_ACCESS
		if (forms[i].name[2] == 'n') {
			mmi_events_note_new(forms[i].called);
			mmi_events_note_new(*forms[i].next);
		}
#endif
	}
	/* The program must not see these failed look-ups in dlerror(). */
	mmi_next_forget();
}

void
mmi_cxx_unloaded(void)
{
	struct dl_find_object f;
	void *next;

	for (size_t i = 0; i < NFORMS; i++) {
		next = LOAD(forms[i].next);
		if (next && _dl_find_object(next, &f) != 0)
			STORE(forms[i].next, NULL);
	}
}

#else

#include "monitor/hooks/hooks.h"

void
mmi_cxx_init(void)
{
}

void
mmi_cxx_unloaded(void)
{
}

#endif
