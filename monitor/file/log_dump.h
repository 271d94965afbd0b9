/* SPDX-License-Identifier: MIT */
/* The log when a data file is written. */
#ifndef MEMMON_LOG_DUMP_H
#define MEMMON_LOG_DUMP_H

/*
 * Write all freed blocks and the live blocks.  The data file will be called
 * `name' (NULL: it is a snapshot).  ctx: exit.
 */
void mmi_log_dump(const char *name);

#endif
