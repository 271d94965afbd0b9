/* SPDX-License-Identifier: MIT */
/* Functions of libc, by their addresses in libc: see real.c. */
#ifndef MEMMON_REAL_H
#define MEMMON_REAL_H

#include <pthread.h>

#include "monitor/base/internal.h"

/*
 * Finds them.  Until then, and if libc can't be identified, they are called by
 * name.  No object may be unloaded meanwhile.  ctx: init.
 */
void mmi_real_find(void);

/* pthread_setspecific().  ctx: slow. */
int mmi_real_setspecific(pthread_key_t key, const void *p);

/* getauxval(), which doesn't change errno.  ctx: any. */
unsigned long mmi_real_auxval(unsigned long type);

/* An address in the C library.  ctx: any. */
const void *mmi_real_libc(void);

#endif
