/* SPDX-License-Identifier: MIT */
/* The address space, of which the shadow has a part. */
#ifndef MEMMON_SPACE_H
#define MEMMON_SPACE_H

#include <stddef.h>

/*
 * The program is about to unmap n bytes at p: the shadow of these takes no
 * memory any more.  ctx: hook.
 */
void mmi_space_unmaps(const void *p, size_t n);

#endif
