/* SPDX-License-Identifier: MIT */
/* The part of zstd that memmon needs. */
#include "monitor/zip/zip.h"

#ifdef MEMMON_NO_ZSTD

size_t
mmi_zip_room(size_t most)
{
	(void)most;
	return 64;
}

size_t
mmi_zip(void *memory, size_t most, void *to, size_t room, const void *from,
	size_t n)
{
	(void)memory;
	(void)most;
	(void)to;
	(void)room;
	(void)from;
	(void)n;
	return 0;
}

#else

#define ZSTD_STATIC_LINKING_ONLY
#define ZSTD_DISABLE_DEPRECATE_WARNINGS
#include <zstd.h>

/*
 * Replaces functions that the library names but never calls here: other levels,
 * its own memory.  The linker gives this function each of their names, see the
 * Makefile.
 */
__attribute__((used)) unsigned long long
mmi_zip_none(void)
{
	return 0;
}

#define LEVEL 1

size_t
mmi_zip_room(size_t most)
{
	return ZSTD_estimateCCtxSize_usingCParams(
		ZSTD_getCParams(LEVEL, most, 0));
}

size_t
mmi_zip(void *memory, size_t most, void *to, size_t room, const void *from,
	size_t n)
{
	ZSTD_parameters p = ZSTD_getParams(LEVEL, most, 0);
	ZSTD_CCtx *c = ZSTD_initStaticCCtx(memory, mmi_zip_room(most));
	size_t r;

	if (!c)
		return 0;
	r = ZSTD_compress_advanced(c, to, room, from, n, NULL, 0, p);
	return ZSTD_isError(r) ? 0 : r;
}

#endif
