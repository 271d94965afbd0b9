/* SPDX-License-Identifier: MIT */
/*
 * How a hook is named.  In the shared library it has the libc's name.  In the
 * static one it is the linker's __wrap_ name, and the original its __real_ name
 * (ld(1), --wrap); wrap.list names them all.
 */
#ifndef MEMMON_HOOK_H
#define MEMMON_HOOK_H

#include "monitor/base/internal.h"

#ifdef MEMMON_STATIC
#define HOOK(name) __wrap_##name
#else
#define HOOK(name) name
#endif

/* Parameters or arguments in a macro, without their brackets. */
#define HOOK_PLAIN(...) __VA_ARGS__

/*
 * Not for linking: a program that lacks the library which such a function is of
 * must not find it here.  musl's loader knows no versions, and would not find
 * it for itself either.
 */
#ifdef MEMMON_MUSL
#define HOOK_UNLINKED(name)
#else
#define HOOK_UNLINKED(name) VERSIONED(name, ARCH_GLIBC ", remove")
#endif

#endif
