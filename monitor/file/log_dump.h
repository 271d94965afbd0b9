/* SPDX-License-Identifier: MIT */
/* The log, as a data file is written. */
#ifndef MEMMON_LOG_DUMP_H
#define MEMMON_LOG_DUMP_H

/*
 * All that went, and the live blocks.  The data file's name will be `name'
 * (NULL: it is a dump).  ctx: exit.
 */
void mmi_log_dump(const char *name);

#endif
