/* SPDX-License-Identifier: MIT */
/* What other hooks need to know about the allocator's functions. */
#ifndef MEMMON_HOOKS_H
#define MEMMON_HOOKS_H

#include "monitor/base/internal.h"
#include "monitor/base/next.h"
#ifdef MEMMON_ACCESS
#include "monitor/shadow/access_state.h"
#include "monitor/shadow/shadow.h"
#endif

/* Calls a function of the next allocator; its accesses aren't the program's. */
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
 * A block whose free operator delete has recorded, and that the next form is
 * about to pass to free().
 */
extern TLS const void *mmi_hooks_passing;

/*
 * The size that the program requested from an aligned operator new, and the
 * size that libstdc++ rounds it to: a call of aligned_alloc or a similar
 * function in this thread for `rounded' bytes is for `size' bytes.
 */
struct mmi_asked {
	size_t size, rounded;
	bool set;
};
extern TLS struct mmi_asked mmi_hooks_asked;

/*
 * The hooks while blocks are sampled, and their quick ways (sample_hooks.c),
 * which jump to these: the caller must look like the program.  A quick way
 * counts nothing before it jumps here.  ctx: hook.
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
 * Finds the next forms of operator new and delete now, while no thread uses the
 * loader: at the first call another thread may be in dlopen().  ctx: init.
 */
void mmi_cxx_init(void);

/* Finds the next functions that map memory (map_hooks.c).  ctx: init. */
void mmi_map_hooks_init(void);

/*
 * libmemmon-access is in the program, too: passes calls of traced functions to
 * it.  ctx: init.
 */
void mmi_function_hooks_pass(void);

/*
 * Something was unloaded: forgets the forms that were in it.  ctx: not in a
 * hook.
 */
void mmi_cxx_unloaded(void);

#endif
