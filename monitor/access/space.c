/* SPDX-License-Identifier: MIT */
/* Functions that manage the address space; the shadow is a part of it. */
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "monitor/access/handed.h"
#include "monitor/access/space.h"
#include "monitor/shadow/shadow.h"

/* Smaller areas aren't worth a system call. */
#define WORTH (64u << 10)

void
mmi_space_unmaps(const void *p, size_t n)
{
	const uintptr_t end = (uintptr_t)1 << ARCH_ADDR_BITS;
	uint64_t lo, hi;

	/* The kernel refuses an area beyond the end. */
	if (n >= WORTH && n <= end && (uintptr_t)p <= end - n &&
	    !((uintptr_t)p & (ARCH_PAGE - 1)) && LOAD_ACQ(&mmi_shadow.cells))
		mmi_shadow_drop(mmi_shadow.cells,
				mmi_shadow_granule((uintptr_t)p),
				n >> MEMMON_GRANULE_SHIFT, &lo, &hi);
}

unsigned mmi_handed_hidden;

/* Notes unreadable memory, so that it isn't read: see mmi_handed_word(). */
static int
protect(long number, void *p, size_t n, int prot, int key)
{
	long r;

	if (!(prot & PROT_READ))
		__atomic_store_n(&mmi_handed_hidden, 1, __ATOMIC_SEQ_CST);
	r = ARCH_ASKED(number, p, n, prot, key, 0, 0);
	if (r >= 0)
		return 0;
	errno = (int)-r;
	return -1;
}

EXPORT int
mprotect(void *p, size_t n, int prot)
{
	return protect(SYS_mprotect, p, n, prot, 0);
}

EXPORT int pkey_mprotect(void *p, size_t n, int prot, int key);
int
pkey_mprotect(void *p, size_t n, int prot, int key)
{
	return protect(SYS_pkey_mprotect, p, n, prot, key);
}

/*
 * Locking the shadow would back all of it by memory, which would use up all
 * memory and fail.  The shadow can't be left out, so nothing is locked.
 */
EXPORT int
mlockall(int flags)
{
	(void)flags;
	return 0;
}
