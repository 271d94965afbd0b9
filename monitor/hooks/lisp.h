/* SPDX-License-Identifier: MIT */
/*
 * Lisp objects of ECL.  They are blocks of the collector, whose functions count
 * each block once; ECL's functions give the caller and the type.
 */
#ifndef MEMMON_LISP_H
#define MEMMON_LISP_H

#include "monitor/base/internal.h"

/* Is ECL in the program? */
extern HIDDEN int mmi_lisp_on;

/*
 * The collector made a block of `size' bytes for the caller *e: counts it; if
 * ECL requested it, with ECL's caller and type.  Returns p.  ctx: hook.
 */
void *mmi_lisp_made(void *p, size_t size, const struct arch_entry *e);

/* The last object of this thread is filled in now.  ctx: hook, exit. */
void mmi_lisp_settle(void);

#endif
