/* SPDX-License-Identifier: MIT */
/* How a process ended that wrote no data file, for its image. */
#ifndef MEMMON_LAUNCHER_IMAGE_H
#define MEMMON_LAUNCHER_IMAGE_H

#include <sys/types.h>

/*
 * The process `pid', a child of this one, has ended, and waitpid(2) has given
 * its status.  If the file is its image, and the process couldn't say there how
 * it ended, as it did so by SIGKILL or by the system call exit_group(), write
 * that into the image.  Any other file is left alone; errors are no matter.
 */
void launcher_image_ended(const char *file, pid_t pid, int status);

/* Is the file an image that ends where its process executed another program? */
_Bool launcher_image_executed(const char *file);

#endif
