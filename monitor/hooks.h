/* SPDX-License-Identifier: MIT */
/* The allocator's functions, as far as other hooks must know of them. */
#ifndef MEMMON_HOOKS_H
#define MEMMON_HOOKS_H

#include "monitor/internal.h"

/*
 * A block whose free is recorded already, by operator delete, and that the next
 * allocator is about to pass to free().
 */
extern TLS const void *mmi_hooks_passing;

/*
 * What the program asked operator new for, plus one, when the next
 * aligned_alloc or its like in this thread is libstdc++'s, which rounds the
 * size up; else 0.
 */
extern TLS size_t mmi_hooks_asked;

/*
 * Find the next forms of operator new and delete now, while the loader is idle:
 * at the first call another thread may be in dlopen().  ctx: init.
 */
void mmi_cxx_init(void);

#endif
