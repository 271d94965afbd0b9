/* SPDX-License-Identifier: MIT */
/* Only one memmon at a time attaches to a process. */
#ifndef MEMMON_CLAIM_H
#define MEMMON_CLAIM_H

#include <stdbool.h>

#include "monitor/attach/target.h"

/*
 * Claim the process for this memmon until this memmon ends, however it ends.
 * False: another memmon records the process.  If a memmon was killed a moment
 * ago, it may still be detaching: the call waits up to two seconds for this.
 */
bool claim(pid_t pid);

#endif
