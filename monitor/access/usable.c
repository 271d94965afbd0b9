/* SPDX-License-Identifier: MIT */
/* malloc_usable_size(): libc's doesn't know the slots of apart.h. */
#include "monitor/base/hook.h"

#include "monitor/base/next.h"

EXPORT size_t
malloc_usable_size(void *p)
{
	static size_t (*other)(void *);
	size_t (*next)(void *);

	/* The size of a block from before is unknown. */
	if (!p || !mmi_next_find() || mmi_next_is_boot(p))
		return 0;
	next = LOAD(&mmi_next.malloc_usable_size);
	if (next)
		return next(p);
	/* malloc's object doesn't define it; the program calls another one. */
	if (!LOAD(&other))
		STORE(&other,
		      mmi_next_of("malloc_usable_size",
				  (void *)malloc_usable_size,
				  (uintptr_t)__builtin_return_address(0)));
	return LOAD(&other) ? LOAD(&other)(p) : 0;
}
