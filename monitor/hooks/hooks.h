/* SPDX-License-Identifier: MIT */
/* The allocator's functions, as far as other hooks must know of them. */
#ifndef MEMMON_HOOKS_H
#define MEMMON_HOOKS_H

#include "monitor/base/internal.h"
#include "monitor/base/next.h"
#ifdef MEMMON_ACCESS
#include "monitor/shadow/access_state.h"
#include "monitor/shadow/shadow.h"
#endif

/* A function of the next allocator whose own doing isn't the program's. */
#ifdef MEMMON_ACCESS
#define QUIETLY(f, ...) \
	({ \
		struct memmon_access_state *here_ = \
			mmi_shadow.least ? mmi_state_quiet() : NULL; \
		void *p_ = mmi_next.f(__VA_ARGS__); \
		if (here_) \
			mmi_state_loud(here_); \
		p_; \
	})
#else
#define QUIETLY(f, ...) mmi_next.f(__VA_ARGS__)
#endif

/*
 * A block whose free is recorded already, by operator delete, and that the next
 * allocator is about to pass to free().
 */
extern TLS const void *mmi_hooks_passing;

/*
 * What the program asked an aligned operator new for, and what libstdc++ makes
 * of it: an aligned_alloc or its like in this thread for `rounded' bytes is for
 * `size'.
 */
struct mmi_asked {
	size_t size, rounded;
	bool set;
};
extern TLS struct mmi_asked mmi_hooks_asked;

/*
 * The hooks where blocks are sampled, and their quick ways (sample_hooks.c) out
 * of which these are called, by jumps: it must look as if the program called
 * them.  A quick way counts nothing before it gives up.  ctx: hook.
 */
void *mmi_hooks_malloc(size_t size);
void *mmi_hooks_calloc(size_t n, size_t size);
void *mmi_hooks_realloc(void *old, size_t size);
void mmi_hooks_free(void *p);
void *mmi_sample_malloc(size_t size);
void *mmi_sample_calloc(size_t n, size_t size);
void *mmi_sample_realloc(void *old, size_t size);
void mmi_sample_pass(void *p);

/*
 * Find the next forms of operator new and delete now, while the loader is idle:
 * at the first call another thread may be in dlopen().  ctx: init.
 */
void mmi_cxx_init(void);

/* The same of the functions that map memory (map_hooks.c).  ctx: init. */
void mmi_map_hooks_init(void);

/*
 * libmemmon-access is in the program: what its functions tell of themselves
 * goes there. ctx: init.
 */
void mmi_function_hooks_pass(void);

/*
 * Something was unloaded: forget the forms that went with it.  ctx: not a
 * hook.
 */
void mmi_cxx_unloaded(void);

#endif
