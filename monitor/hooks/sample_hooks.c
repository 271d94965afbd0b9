/* SPDX-License-Identifier: MIT */
/*
 * The allocator's functions for unrecorded blocks, nearly all of them: they do
 * a subtraction before the next allocator's function, or a look into the
 * filter.  All other blocks go to hooks.c.  Compiled without frame pointers.
 */
#include "monitor/base/next.h"
#include "monitor/hooks/hooks.h"
#include "monitor/record/event.h"
#include "monitor/record/sample.h"

/* Counts a block that isn't recorded.  False: nothing was counted. */
static inline __attribute__((always_inline)) bool
counted(uint64_t size)
{
	struct mmi_sample *s;

	/* Until the library is relocated, it has no thread-local variables. */
	if (UNLIKELY(LOAD_ACQ(&mmi_next_ready) != MMI_NEXT_SAMPLED))
		return false;
	s = mmi_sample_mine;
	if (UNLIKELY(!s))
		return false;
	if (UNLIKELY(arch_less_local(&s->left, (int64_t)size + 1))) {
		arch_add_local((uint64_t *)&s->left, size + 1);
		return false;
	}
	arch_add_local(&s->allocs, 1);
	return true;
}

void *
mmi_sample_malloc(size_t size)
{
	void *p;

	if (UNLIKELY(!counted(size)))
		return mmi_hooks_malloc(size);
	p = QUIETLY(malloc, size);
	if (UNLIKELY(!p))
		mmi_event_refused(size);
	return p;
}

void *
mmi_sample_calloc(size_t n, size_t size)
{
	size_t all;
	void *p;

	if (UNLIKELY(__builtin_mul_overflow(n, size, &all) || !counted(all)))
		return mmi_hooks_calloc(n, size);
	p = QUIETLY(calloc, n, size);
	if (UNLIKELY(!p))
		mmi_event_refused(all);
	return p;
}

/* old may be NULL. */
void *
mmi_sample_realloc(void *old, size_t size)
{
	void *p;

	if (UNLIKELY(mmi_sample_marked(old) || !counted(size)))
		return mmi_hooks_realloc(old, size);
	p = QUIETLY(realloc, old, size);
	if (UNLIKELY(!p && (size || !old)))
		mmi_event_refused(size);
	else if (UNLIKELY(!p))
		mmi_sample_refund(size);
	return p;
}

/* This may be the first call of all. */
void
mmi_sample_pass(void *p)
{
	if (LIKELY(LOAD_ACQ(&mmi_next_ready) == MMI_NEXT_SAMPLED) &&
	    !mmi_sample_marked(p))
		mmi_next.free(p);
	else
		mmi_hooks_free(p);
}
