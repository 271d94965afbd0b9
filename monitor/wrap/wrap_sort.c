/* SPDX-License-Identifier: MIT */
/*
 * qsort: whatever it moves how often, each element counts as read once and as
 * written once.  What the comparing function reads counts besides, if that is
 * instrumented.  bsearch touches nothing by itself.
 */
#include "monitor/wrap/wrap.h"

static void
sorted(const void *p, size_t n, size_t size)
{
	if (n > 1) {
		mmi_wrap_read(p, n * size);
		mmi_wrap_write(p, n * size);
	}
}

EXPORT void
qsort(void *p, size_t n, size_t size,
      int (*compare)(const void *, const void *))
{
	if (UNREADY(qsort))
		return;
	NEXT(qsort)(p, n, size, compare);
	sorted(p, n, size);
}

EXPORT void
qsort_r(void *p, size_t n, size_t size,
	int (*compare)(const void *, const void *, void *), void *arg)
{
	if (UNREADY(qsort_r))
		return;
	NEXT(qsort_r)(p, n, size, compare, arg);
	sorted(p, n, size);
}
