/* SPDX-License-Identifier: MIT */
/* The functions that allocate blocks: a program may define its own. */
#ifndef MEMMON_OWN_H
#define MEMMON_OWN_H

#include "monitor/monout.h"

/* N(name, MONOUT_OWN_*) for each. */
#define MMI_OWN(N) \
	N("malloc", MONOUT_OWN_MALLOC) \
	N("calloc", MONOUT_OWN_OTHERS) \
	N("realloc", MONOUT_OWN_OTHERS) \
	N("memalign", MONOUT_OWN_OTHERS) \
	N("posix_memalign", MONOUT_OWN_OTHERS) \
	N("aligned_alloc", MONOUT_OWN_OTHERS) \
	N("_Znwm", MONOUT_OWN_NEW) \
	N("_Znam", MONOUT_OWN_NEW) \
	N("_ZnwmSt11align_val_t", MONOUT_OWN_NEW) \
	N("_ZnamSt11align_val_t", MONOUT_OWN_NEW)

#endif
