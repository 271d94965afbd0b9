/* SPDX-License-Identifier: MIT */
/* The rare calls of instrumented code: see abi.h. */
#ifndef MEMMON_ACCESS_SLOW_PATH_H
#define MEMMON_ACCESS_SLOW_PATH_H

/* MONOUT_W_*: the ways in which accesses were recorded so far.  ctx: any. */
unsigned mmi_access_ways(void);
void __memmon_way(unsigned bit);

#endif
