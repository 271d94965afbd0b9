/* SPDX-License-Identifier: MIT */
/* Which process a file belongs to. */
#ifndef MEMMON_OWNER_H
#define MEMMON_OWNER_H

#include <sys/stat.h>

#include "monitor/base/internal.h"

enum mmi_owner {
	MMI_OWNER_NONE,	   /* the name is free */
	MMI_OWNER_LEFT,	   /* it may be replaced */
	MMI_OWNER_PAST,	   /* this process's image before an exec */
	MMI_OWNER_KEPT,	   /* a profile: it may be moved, but not removed */
	MMI_OWNER_USED,	   /* a process is using it */
	MMI_OWNER_SPECIAL, /* not a file: open it and write to it */
};

/*
 * Look at the file of that name.  *pid is the process that made the file, 0 if
 * unknown.  A data file is LEFT if its process wrote it more than two seconds
 * before this process started, else KEPT: programs that start together don't
 * replace each other's files.  An image without a running process is KEPT, but
 * PAST once this process has written the data file that exec calls for.  ctx:
 * slow, exit.
 */
enum mmi_owner mmi_owner_look(const char *path, long *pid);

/* Look at an open file; fstat() has filled *st.  ctx: slow, exit. */
enum mmi_owner mmi_owner_of(long fd, const char *path, const struct stat *st,
			    long *pid);

/* Is the file a log whose process has ended?  ctx: slow, exit. */
bool mmi_owner_log_left(const char *path);

/*
 * The start time of a process, which differs between processes of the same id;
 * and this process's namespace of ids.  0: unknown.  ctx: slow.
 */
uint64_t mmi_owner_born(long pid);
uint64_t mmi_owner_pid_space(void);

/* A number for this start of this machine, see monimg.h; 0: unknown. */
uint64_t mmi_owner_boot(void);

#endif
