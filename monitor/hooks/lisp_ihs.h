/* SPDX-License-Identifier: MIT */
/*
 * ECL's own record of the functions it is in, the invocation history stack: of
 * interpreted ones nothing else tells.  And names of compiled ones.
 */
#ifndef MEMMON_LISP_IHS_H
#define MEMMON_LISP_IHS_H

#include "monitor/chain/origin.h"

/* A function of ECL's is found.  ctx: init. */
void mmi_lisp_ihs_init(void *function);

/* Of interpreted functions of this thread, whose stack is in use from sp on. */
void mmi_lisp_ihs(struct mmi_origin *o, uintptr_t sp); /* ctx: hook */

/*
 * The code that begins there is the function of that name, which is called by
 * a function of ECL's own, `by' (0: it isn't).  ctx: hook.
 */
void mmi_lisp_function(uintptr_t code, uintptr_t name, uintptr_t by);

#endif
