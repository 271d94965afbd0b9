/* SPDX-License-Identifier: MIT */
/* One memmon at a time attaches to a process. */
#ifndef MEMMON_CLAIM_H
#define MEMMON_CLAIM_H

#include <stdbool.h>

#include "monitor/attach/target.h"

/*
 * Have the process for this memmon, until it ends, however it does.  False:
 * another one records it.  One that was killed a moment ago may still let it
 * go: that is waited for, for up to two seconds.
 */
bool claim(pid_t pid);

#endif
