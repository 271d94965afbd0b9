/* SPDX-License-Identifier: MIT */
/* How a process ended, and why it has no file: see launcher_image.h. */
#include "monitor/launch/launcher_image.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "monitor/monimg.h"

/* The part of the header that is written here. */
struct ended {
	uint32_t end, sig;
	uint64_t ended;
};
_Static_assert(offsetof(struct monimg_header, ended) ==
		       offsetof(struct monimg_header, end) +
			       offsetof(struct ended, ended),
	       "as in the header");

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Read the header of an open file.  False: it isn't an image. */
static _Bool
read_header(int fd, struct monimg_header *h)
{
	return pread(fd, h, sizeof(*h), 0) == (ssize_t)sizeof(*h) &&
	       !memcmp(h->magic, MONIMG_MAGIC, sizeof(h->magic)) &&
	       h->version == MONIMG_VERSION && h->order == MONOUT_ORDER;
}

void
launcher_image_ended(const char *file, pid_t pid, int status)
{
	struct ended e = { .end = MONOUT_E__EXIT, .ended = now() };
	int fd = open(file, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct monimg_header h;

	if (fd < 0)
		return;
	if (WIFSIGNALED(status)) {
		e.end = MONOUT_E_SIGNAL;
		e.sig = (uint32_t)WTERMSIG(status);
	}
	/* If this fails, the report says that the end is unknown. */
	if (read_header(fd, &h) && h.pid == pid && !h.end)
		(void)!pwrite(fd, &e, sizeof(e),
			      offsetof(struct monimg_header, end));
	close(fd);
}

_Bool
launcher_image_executed(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct monimg_header h;
	_Bool yes;

	yes = fd >= 0 && read_header(fd, &h) && h.end == MONOUT_E_EXEC;
	if (fd >= 0)
		close(fd);
	return yes;
}

const char *
launcher_image_why(const char *at)
{
	static char text[100];
	char page[4096] = { 0 };
	int fd = open(at, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int e = fd < 0 && errno != EEXIST ? errno : 0;

	if (fd >= 0) {
		/* The size of files may be limited. */
		signal(SIGXFSZ, SIG_IGN);
		if (write(fd, page, sizeof(page)) != sizeof(page))
			e = errno ? errno : ENOSPC;
		close(fd);
		unlink(at);
	}
	if (e)
		snprintf(text, sizeof(text), " (%s)", strerror(e));
	return text;
}
