/* SPDX-License-Identifier: MIT */
/* One memmon at a time attaches to a process. */
#ifndef MEMMON_CLAIM_H
#define MEMMON_CLAIM_H

#include <stdbool.h>

#include "monitor/attach/target.h"

/*
 * Claim the process for this memmon until this memmon ends, in any way.  False:
 * another memmon records the process.  A memmon that was killed a moment ago
 * may still be letting the process go: the call waits up to two seconds for
 * this.
 */
bool claim(pid_t pid);

#endif
