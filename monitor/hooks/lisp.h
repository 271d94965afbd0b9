/* SPDX-License-Identifier: MIT */
/*
 * Lisp objects of ECL.  They are the collector's blocks, each counted once, by
 * its functions; ECL's own say by whom and of which type.
 */
#ifndef MEMMON_LISP_H
#define MEMMON_LISP_H

#include "monitor/base/internal.h"

/* Is ECL there? */
extern HIDDEN int mmi_lisp_on;

/*
 * The collector made a block of `size' bytes for the caller at *e: it is
 * counted, as ECL's if it is for ECL.  Returns p.  ctx: hook.
 */
void *mmi_lisp_made(void *p, size_t size, const struct arch_entry *e);

/* The last object of this thread is whole by now.  ctx: hook, exit. */
void mmi_lisp_settle(void);

#endif
