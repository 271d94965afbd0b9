/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read files several times that can be read only once, such as pipes. */
#define _GNU_SOURCE
#include "reduce/base/spool.h"
#include "reduce/base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that was read, and the copy of it. */
static struct spool {
	dev_t dev;
	ino_t ino;
	int copy;
} * spool_known;
static size_t spool_n, spool_room;

/* Is it a file in which lseek() doesn't work? */
static bool
spool_once(const struct stat *st)
{
	return !S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode) &&
	       !S_ISBLK(st->st_mode);
}

static int
spool_write(int to, const char *p, size_t n)
{
	ssize_t w;

	while (n > 0) {
		w = write(to, p, n);
		if (w < 0 && errno != EINTR)
			return -1;
		if (w > 0) {
			p += w;
			n -= (size_t)w;
		}
	}
	return 0;
}

/*
 * Copy all data, or only the beginning if wanted() says no.  0, or -1 with
 * errno set.
 */
static int
spool_copy(int from, int to, spool_wanted *wanted)
{
	char p[65536], head[8];
	size_t all = 0;
	ssize_t n;

	for (;;) {
		n = read(from, p, sizeof(p));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return (int)n;
		if (spool_write(to, p, (size_t)n))
			return -1;
		all += (size_t)n;
		if (wanted && all >= sizeof(head) &&
		    pread(to, head, sizeof(head), 0) == sizeof(head) &&
		    !wanted(head, sizeof(head)))
			return 0;
	}
}

/* The copy that was made of the file before, or -1. */
static int
spool_find(const struct stat *st)
{
	size_t i;

	for (i = 0; i < spool_n; i++) {
		if (spool_known[i].dev == st->st_dev &&
		    spool_known[i].ino == st->st_ino)
			return spool_known[i].copy;
	}
	return -1;
}

/* Read the file from fd.  Returns the copy, or -1 with errno set. */
static int
spool_add(const struct stat *st, int fd, spool_wanted *wanted)
{
	int copy, e;

	ARRAY_ROOM(spool_known, spool_room, spool_n + 1);
	copy = memfd_create("mpreduce", MFD_CLOEXEC);
	if (copy < 0)
		return -1;
	if (spool_copy(fd, copy, wanted)) {
		e = errno;
		close(copy);
		errno = e;
		return -1;
	}
	spool_known[spool_n++] = (struct spool){ st->st_dev, st->st_ino, copy };
	return copy;
}

int
spool_open(const char *path, spool_wanted *wanted)
{
	struct stat st;
	int copy, fd, e;

	copy = stat(path, &st) ? -1 : spool_find(&st);
	if (copy < 0) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || fstat(fd, &st) || !spool_once(&st))
			return fd;
		copy = spool_add(&st, fd, wanted);
		e = errno;
		close(fd);
		errno = e;
		if (copy < 0)
			return -1;
	}
	return lseek(copy, 0, SEEK_SET) ? -1 : fcntl(copy, F_DUPFD_CLOEXEC, 0);
}
