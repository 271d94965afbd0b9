/* SPDX-License-Identifier: MIT */
/*
 * ECL's functions that allocate.  Each sets its object's type and caller; the
 * collector's function that it calls counts the block.  Compiled with frame
 * pointers, which ARCH_ENTRY() needs.
 */
#include "monitor/hooks/lisp.h"

int mmi_lisp_on;

#ifndef MEMMON_STATIC

#include <dlfcn.h>

#include "monitor/base/hook.h"
#include "monitor/base/lookup.h"
#include "monitor/base/next.h"
#include "monitor/chain/fold.h"
#include "monitor/hooks/lisp_ihs.h"
#include "monitor/hooks/lisp_object.h"
#include "monitor/memmon.h"
#include "monitor/record/types.h"
#include "monitor/record/usual.h"
#include "monitor/thread/enter.h"

#ifdef MEMMON_ACCESS
#define EVENT_ALLOC_OF mmi_event_alloc_of
#else
#define EVENT_ALLOC_OF(p, size, e, o) mmi_usual_alloc_of(p, size, e, true, o)
#endif

/* The type of memory that is part of an object, like a vector's elements. */
#define DATA 63

/* The function of ECL that runs in this thread; e.sp 0: none. */
struct call {
	struct arch_entry e;
	int type; /* of the object, or DATA */
};
static TLS struct call call;

/* An object that isn't filled in yet, and its type. */
static TLS uintptr_t unfinished;
static TLS int unfinished_type;

static uintptr_t its_start, its_end; /* ECL's code; the end is set last */

static bool
is_its(uintptr_t pc)
{
	return pc - its_start < LOAD(&its_end) - its_start;
}

/* All blocks have types, and the making of functions has many call paths. */
#define CHAINS 8
static COLD void
lisp_begins(void)
{
	mmi_sites_all_typed = 4;
	if (mmi_sites_limit == MMI_SITES_LIMIT)
		mmi_sites_limit = mmi_fold_most = CHAINS * MMI_SITES_LIMIT;
	STORE(&mmi_lisp_on, 1);
}

static COLD void *
next_of(const char *name, const void *ours, uintptr_t caller)
{
	void *p = mmi_next_of(name, ours, caller);
	struct dl_find_object f;

	if (p && !LOAD(&its_end) && _dl_find_object(p, &f) == 0) {
		STORE(&its_start, (uintptr_t)f.dlfo_map_start);
		STORE_REL(&its_end, (uintptr_t)f.dlfo_map_end);
		mmi_lisp_ihs_init(p);
		lisp_begins();
	}
	return p;
}

/*
 * Are the symbols known?  ECL makes them when it starts; they come first in its
 * table.
 */
static bool
symbols_known(void)
{
	static const int8_t *table;

	if (LIKELY(mmi_lisp_symbol))
		return true;
	if (!table)
		table = mmi_lookup_from(its_start, "cl_symbols", NULL);
	/* ECL with complex numbers of floats: 13; without: 10. */
	if (!table || (*table != 13 && *table != 10))
		return false;
	mmi_lisp_symbol = (uint8_t)*table;
	return true;
}

/* The key of a type by its number. */
static uint64_t
type_key(int type)
{
	static uint64_t known[DATA + 1]; /* atomic */
	struct mmi_thread *t;
	const char *name;
	uint64_t key;

	if (UNLIKELY(type < 0) || UNLIKELY(type > DATA))
		return 0;
	key = LOAD(&known[type]);
	if (LIKELY(key))
		return key;
	if (!symbols_known() || !(t = mmi_thread_enter_on()))
		return 0;
	name = type == DATA ? "DATA" : mmi_lisp_type_name(type);
	if (name)
		STORE(&known[type], mmi_types_key(t, name, 0));
	mmi_thread_leave(t);
	return LOAD(&known[type]);
}

void *
mmi_lisp_made(void *p, size_t size, const struct arch_entry *e)
{
	const struct call *c = &call;
	struct mmi_origin o;
	bool within = c->e.sp > e->sp && c->e.sp - e->sp < 4 * ARCH_PAGE;

	if (UNLIKELY(!within) && !is_its(e->pc)) {
		mmi_event_alloc_other(p, size, e);
		return p;
	}
	o.type = type_key(within ? c->type : DATA);
	mmi_lisp_ihs(&o, e->sp);
	EVENT_ALLOC_OF(p, size, within ? &c->e : e, &o);
	return p;
}

/* ------------------------------------------------- what was made before -- */

/* An instance gets the name of its class; structures have a class, too. */
static void
settle_instance(uintptr_t o)
{
	uintptr_t class = lisp_word(o, 2), slots;
	char name[MONOUT_TYPE_NAME_MAX + 1];
	size_t n = 0;

	if (lisp_type(class) != LISP_INSTANCE)
		return;
	slots = lisp_address(lisp_word(class, 5));
	if (slots && lisp_word(class, 1) > 3)
		n = mmi_lisp_name(lisp_word(slots, 3), name,
				  MONOUT_TYPE_NAME_MAX);
	if (!n)
		return;
	name[n] = '\0';
	memmon_type((void *)o, name, 0);
}

static COLD void
settle(uintptr_t o)
{
	unfinished = 0;
	if (!symbols_known())
		return;
	switch (unfinished_type - mmi_lisp_symbol) {
	case LISP_INSTANCE:
		settle_instance(o);
		break;
	case LISP_CFUN:
		mmi_lisp_function(lisp_word(o, 3), lisp_word(o, 1), 0);
		break;
	case LISP_CFUNFIXED:
		mmi_lisp_function(lisp_word(o, 4), lisp_word(o, 1),
				  lisp_word(o, 3));
		break;
	default:
		break;
	}
}

void
mmi_lisp_settle(void)
{
	if (unfinished)
		settle(unfinished);
}

/* ------------------------------------------------------------- the hooks -- */

/* Another call may be running, or an object may need its name. */
static COLD struct call
begin(const struct arch_entry *e)
{
	struct call was = call;

	if (unfinished)
		settle(unfinished);
	/* If one function of ECL calls another, the first one's caller
	 * counts. */
	if (!(was.e.sp > e->sp && was.e.sp - e->sp < 4 * ARCH_PAGE &&
	      is_its(e->pc)))
		call.e = *e;
	return was;
}

/* Objects with a name get it later. */
static inline __attribute__((always_inline)) void *
end(void *o, int type)
{
	int since = type - mmi_lisp_symbol;

	if (type > LISP_COMPLEX && type < DATA && mmi_lisp_symbol &&
	    (since == LISP_INSTANCE || since == LISP_CFUN ||
	     since == LISP_CFUNFIXED)) {
		unfinished = (uintptr_t)o;
		unfinished_type = type;
	}
	return o;
}

#define MAKE(name, params, args, number) \
	extern void *name params; \
	static void *(*next_##name)params; \
	static COLD void *slow_##name(const struct arch_entry *e, \
				      HOOK_PLAIN params) \
	{ \
		void *(*next)params = LOAD(&next_##name); \
		struct call was; \
		void *o; \
\
		if (!next) { \
			next = (void *(*)params)next_of(#name, (void *)name, \
							e->pc); \
			if (!next) \
				return NULL; \
			STORE(&next_##name, next); \
		} \
		was = begin(e); \
		call.type = number; \
		o = next args; \
		call = was; \
		return end(o, number); \
	} \
	EXPORT void *name params \
	{ \
		void *(*next)params = LOAD(&next_##name); \
		struct arch_entry e; \
		void *o; \
\
		if (UNLIKELY(!next) || UNLIKELY(call.e.sp | unfinished)) { \
			e = ARCH_ENTRY(); \
			return slow_##name(&e, HOOK_PLAIN args); \
		} \
		call.e = ARCH_ENTRY(); \
		call.type = number; \
		o = next args; \
		call.e.sp = 0; \
		return end(o, number); \
	} \
	HOOK_UNLINKED(name)

MAKE(ecl_alloc_object, (int t), (t), t)
MAKE(ecl_alloc_compact_object, (int t, size_t n), (t, n), t)
MAKE(ecl_alloc_instance, (size_t n), (n), LISP_INSTANCE + mmi_lisp_symbol)
MAKE(ecl_cons, (void *a, void *d), (a, d), LISP_CONS)
MAKE(ecl_list1, (void *a), (a), LISP_CONS)
MAKE(ecl_alloc, (size_t n), (n), DATA)
MAKE(ecl_alloc_atomic, (size_t n), (n), DATA)
MAKE(ecl_alloc_unprotected, (size_t n), (n), DATA)
MAKE(ecl_alloc_atomic_unprotected, (size_t n), (n), DATA)
MAKE(ecl_alloc_uncollectable, (size_t n), (n), DATA)

#else

void *
mmi_lisp_made(void *p, size_t size, const struct arch_entry *e)
{
	(void)size;
	(void)e;
	return p;
}

void
mmi_lisp_settle(void)
{
}

#endif
