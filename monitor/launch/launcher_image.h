/* SPDX-License-Identifier: MIT */
/*
 * How a process without a data file ended, written into its image; and why a
 * file can't be written.
 */
#ifndef MEMMON_LAUNCHER_IMAGE_H
#define MEMMON_LAUNCHER_IMAGE_H

#include <sys/types.h>

/*
 * The process `pid', a child of this one, has ended, and waitpid(2) has
 * returned its status.  If the file is this process's image and doesn't say how
 * the process ended, write that into the image.  This happens after SIGKILL and
 * after the system call exit_group().  Other files stay as they are; errors are
 * ignored.
 */
void launcher_image_ended(const char *file, pid_t pid, int status);

/* Is the file an image that ends where its process executed another program? */
_Bool launcher_image_executed(const char *file);

/*
 * Why a file can't be written there, as " (reason)"; "" if it can be.  Makes a
 * small file and removes it.
 */
const char *launcher_image_why(const char *file);

#endif
