/* SPDX-License-Identifier: MIT */
/* Whose a file is that stands under a name. */
#ifndef MEMMON_OWNER_H
#define MEMMON_OWNER_H

#include <sys/stat.h>

#include "monitor/base/internal.h"

enum mmi_owner {
	MMI_OWNER_NONE,	   /* there is no file */
	MMI_OWNER_LEFT,	   /* it may be replaced */
	MMI_OWNER_KEPT,	   /* a profile: it may be moved, but not removed */
	MMI_OWNER_USED,	   /* a process is using it */
	MMI_OWNER_SPECIAL, /* not a file: to be opened and written to */
};

/*
 * What stands under the name, and the process that it is of; *pid 0: not known.
 * A data file is LEFT only if it was whole two seconds before this process
 * started: programs that are started together don't replace each other's.
 * What a killed process left is KEPT for ever.  ctx: slow, exit.
 */
enum mmi_owner mmi_owner_look(const char *path, long *pid);

/* The same of an open file.  Reads by its offset 0. */
enum mmi_owner mmi_owner_of(long fd, const char *path, const struct stat *st,
			    long *pid);

/* Is it a log that no process writes?  ctx: slow, exit. */
bool mmi_owner_log_left(const char *path);

/*
 * When a process was started, which tells it from others of its id, and its
 * namespace of ids; 0: not known.  ctx: slow.
 */
uint64_t mmi_owner_born(long pid);
uint64_t mmi_owner_pid_space(void);

/* Which start of which machine it is, as monimg.h has it; 0: not known. */
uint64_t mmi_owner_boot(void);

#endif
