/* SPDX-License-Identifier: MIT */
/* Only one memmon at a time attaches to a process. */
#include "monitor/attach/claim.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define TRIES 100
#define TRY_US 20000

/*
 * A socket with an abstract name.  The kernel gives the name to one process
 * only, and frees it with the last descriptor: so a child that still attaches
 * holds the claim, too.
 */
bool
claim(pid_t pid)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int s = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), n;
	socklen_t length;

	if (s < 0)
		return true; /* unknown */
	n = snprintf(a.sun_path + 1, sizeof(a.sun_path) - 1,
		     "memmon-attach-%ld-%llu", (long)pid, target_started(pid));
	length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
			     (size_t)n);
	for (int i = 0; i < TRIES; i++) {
		if (bind(s, (struct sockaddr *)&a, length) == 0 ||
		    errno != EADDRINUSE)
			return true;
		usleep(TRY_US);
	}
	close(s);
	return false;
}
