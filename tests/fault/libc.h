/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of the libc that fail as MEMMON_FAULT says. */
#ifndef MEMMON_FAULT_LIBC_H
#define MEMMON_FAULT_LIBC_H

#include <stdbool.h>

/*
 * Must the next call of this function of libc.list fail?  *e gets its errno.
 * ctx: any
 */
bool mmi_fault_libc(const char *name, int *e);

#endif
