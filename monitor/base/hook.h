/* SPDX-License-Identifier: MIT */
/*
 * The names of hooks.  In the shared library a hook has the libc's name.  In
 * the static library it has the linker's __wrap_ name, and the original its
 * __real_ name (ld(1), --wrap); wrap.list lists them all.
 */
#ifndef MEMMON_HOOK_H
#define MEMMON_HOOK_H

#include "monitor/base/internal.h"

#ifdef MEMMON_STATIC
#define HOOK(name) __wrap_##name
#else
#define HOOK(name) name
#endif

/* Parameters or arguments in a macro, without their parentheses. */
#define HOOK_PLAIN(...) __VA_ARGS__

/*
 * Not for linking: a program that lacks the library of such a function must not
 * find the function here.  musl's loader knows no versions, and would not find
 * the function for itself either.
 */
#ifdef MEMMON_MUSL
#define HOOK_UNLINKED(name)
#else
#define HOOK_UNLINKED(name) VERSIONED(name, ARCH_GLIBC ", remove")
#endif

#endif
