/* SPDX-License-Identifier: MIT */
/* The address space; the shadow is a part of it. */
#ifndef MEMMON_SPACE_H
#define MEMMON_SPACE_H

#include <stddef.h>

/*
 * The program is about to unmap n bytes at p: frees the memory of their shadow.
 * ctx: hook.
 */
void mmi_space_unmaps(const void *p, size_t n);

#endif
