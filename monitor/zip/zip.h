/* SPDX-License-Identifier: MIT */
/*
 * Compression: zstd, in memory of the caller.  It makes no system call,
 * allocates nothing and keeps nothing.  The library contains a copy of
 * libzstd.a, under names that programs can't see.
 */
#ifndef MEMMON_ZIP_H
#define MEMMON_ZIP_H

#include <stddef.h>

/* The memory that mmi_zip() needs for `most' bytes.  ctx: any. */
size_t mmi_zip_room(size_t most);

/*
 * Packs n bytes at `from', at most `most', into at most `room' bytes at `to',
 * with memory of mmi_zip_room(most) bytes, aligned to 64.  Uses a few KiB of
 * stack.  Returns the number of packed bytes; 0: they don't fit.  ctx: any.
 */
size_t mmi_zip(void *memory, size_t most, void *to, size_t room,
	       const void *from, size_t n);

#endif
