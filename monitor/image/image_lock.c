/* SPDX-License-Identifier: MIT */
/*
 * Keep the image in memory.  At a container's memory limit the kernel reclaims
 * pages of files first: it would write back pages of the image, which the next
 * event needs again at once.  So the process would hang for up to a minute
 * before it is killed.  Pages are locked when they are first used: a short
 * process uses few of them.
 */
#include <sys/mman.h>
#include <sys/resource.h>

#include "monitor/base/shared.h"
#include "monitor/image/image_file.h"

/* Use at most one part in this many of the limit on locked memory. */
#define PART 4

static bool
may_lock(uint64_t size)
{
	struct rlimit r;

	return mmi_image.stays &&
	       ARCH_SYS(SYS_prlimit64, 0, RLIMIT_MEMLOCK, 0, &r, 0, 0) == 0 &&
	       (r.rlim_cur == RLIM_INFINITY || size <= r.rlim_cur / PART);
}

static void
lock(void *p, uint64_t size)
{
	ARCH_SYS(SYS_mlock2, p, size, MLOCK_ONFAULT, 0, 0, 0);
}

void
mmi_image_lock(void)
{
	const struct monimg_window *m = &mmi_image.window[0];
	uint64_t size = LOAD(&mmi_image.size), from = mmi_image.locked;

	if (size > m->length)
		size = m->length;
	if (!m->base || size <= from || !may_lock(size + sizeof(mmi_shared)))
		return;
	mmi_image.locked = size;
	if (!from)
		lock(&mmi_shared, sizeof(mmi_shared));
	lock((char *)m->base + from, size - from);
}
