/* SPDX-License-Identifier: MIT */
/*
 * The portable way: rarer calls, and calls that need no counting.  ctx: hook.
 */
#include <dlfcn.h>
#include <string.h>

#include "monitor/access/calls.h"
#include "monitor/access/imports.h"
#include "monitor/access/inline.h"
#include "monitor/access/slow_path.h"
#include "monitor/base/internal.h"

EXPORT void
__memmon_one(uintptr_t a, size_t size, uint64_t add)
{
	mmi_access_one(a, size, add);
}

/* clang 15 and later.  The functions of libc called here count nothing. */
EXPORT void *__tsan_memcpy(void *to, const void *from, size_t size);
EXPORT void *
__tsan_memcpy(void *to, const void *from, size_t size)
{
	__memmon_range(from, size, 1, 0);
	__memmon_range(to, size, 0, 1);
	return memcpy(to, from, size);
}

EXPORT void *__tsan_memmove(void *to, const void *from, size_t size);
EXPORT void *
__tsan_memmove(void *to, const void *from, size_t size)
{
	__memmon_range(from, size, 1, 0);
	__memmon_range(to, size, 0, 1);
	return memmove(to, from, size);
}

EXPORT void *__tsan_memset(void *to, int c, size_t size);
EXPORT void *
__tsan_memset(void *to, int c, size_t size)
{
	__memmon_range(to, size, 0, 1);
	return memset(to, c, size);
}

/* Called by each object file's constructor, maybe after some accesses. */
EXPORT void __tsan_init(void);
EXPORT void
__tsan_init(void)
{
	if (!(mmi_access_ways() & MONOUT_W_CALLS))
		__memmon_way(MONOUT_W_CALLS);
	mmi_imports_loaded();
}

extern __typeof__(__tsan_init) own_init
	__attribute__((alias("__tsan_init"), visibility("hidden")));

const char *
mmi_calls_conflict(void)
{
	void *theirs = dlsym(RTLD_DEFAULT, "__tsan_init");

	if (!theirs || theirs == (void *)own_init)
		return NULL;
	return "libtsan is linked in and took the accesses";
}
