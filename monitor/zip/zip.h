/* SPDX-License-Identifier: MIT */
/*
 * Compression: zstd in memory that is given to it.  It makes no system call,
 * allocates nothing and keeps nothing.  A copy of libzstd.a is in here, under
 * no name that a program could see.
 */
#ifndef MEMMON_ZIP_H
#define MEMMON_ZIP_H

#include <stddef.h>

/* The memory that mmi_zip() needs for `most' bytes.  ctx: any. */
size_t mmi_zip_room(size_t most);

/*
 * Pack n bytes at `from', at most `most', to at most `room' bytes at `to', with
 * memory of mmi_zip_room(most) bytes, aligned to 64.  Takes a few KiB of stack.
 * Returns how many it made; 0: they don't fit.  ctx: any.
 */
size_t mmi_zip(void *memory, size_t most, void *to, size_t room,
	       const void *from, size_t n);

#endif
