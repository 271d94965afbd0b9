/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of the libc that fail when they are told to. */
#ifndef MEMMON_FAULT_LIBC_H
#define MEMMON_FAULT_LIBC_H

#include <stdbool.h>

/*
 * Is the next call of this function of libc.list to fail?  *e becomes its
 * errno.  ctx: any
 */
bool mmi_fault_libc(const char *name, int *e);

#endif
