/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replace a file once the new one is complete: see replace.h. */
#define _GNU_SOURCE
#include "reduce/base/replace.h"
#include "reduce/base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Links that lead to links: follow as many as Linux does. */
enum { REPLACE_LINKS = 40 };

/* The new file while it isn't complete; NULL: there is none. */
static const char *replace_temp;

/* Leave no part of a file behind if the process ends early. */
static void
replace_exit(void)
{
	if (replace_temp)
		unlink(replace_temp);
}

static void
replace_ended(int number)
{
	replace_exit();
	signal(number, SIG_DFL);
	raise(number);
}

/* Writing too much becomes an error; other signals remove the new file. */
static void
replace_signals(void)
{
	static const int ends[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	struct sigaction its;
	size_t i;

	signal(SIGXFSZ, SIG_IGN);
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (sigaction(ends[i], NULL, &its) == 0 &&
		    its.sa_handler == SIG_DFL)
			signal(ends[i], replace_ended);
}

/* The target of the symbolic link at path, to be freed; NULL with errno set. */
static char *
replace_link(const char *path)
{
	const char *slash = strrchr(path, '/');
	char to[PATH_MAX];
	ssize_t n = readlink(path, to, sizeof(to) - 1);

	if (n < 0)
		return NULL;
	to[n] = '\0';
	if (*to == '/' || !slash)
		return heap_text(to);
	return heap_print("%.*s/%s", (int)(slash - path), path, to);
}

/*
 * The last target of path, if links lead to links; the target may be missing.
 */
static char *
replace_target(const char *path)
{
	char *to = heap_text(path), *next;
	struct stat st;
	int i;

	for (i = 0; to && lstat(to, &st) == 0 && S_ISLNK(st.st_mode); i++) {
		next = i < REPLACE_LINKS ? replace_link(to) : NULL;
		if (i == REPLACE_LINKS)
			errno = ELOOP;
		free(to);
		to = next;
	}
	return to;
}

static int
replace_rights(int fd, const char *to)
{
	struct stat st;
	mode_t mask;

	if (stat(to, &st) == 0) {
		if (fchown(fd, st.st_uid, st.st_gid))
			/* A file of another user becomes this user's file. */
			st.st_mode &= 0777;
		return fchmod(fd, st.st_mode & 07777);
	}
	mask = umask(0);
	umask(mask);
	return fchmod(fd, 0666 & ~mask);
}

int
replace_open(struct replace *r, const char *path)
{
	int fd, saved;

	*r = (struct replace){ .to = replace_target(path) };
	if (!r->to)
		return -1;
	r->temp = heap_print("%s.XXXXXX", r->to);
	fd = mkostemp(r->temp, O_CLOEXEC);
	if (fd >= 0 && !replace_rights(fd, r->to)) {
		replace_temp = r->temp;
		atexit(replace_exit);
		replace_signals();
		return fd;
	}
	saved = errno;
	if (fd >= 0) {
		close(fd);
		unlink(r->temp);
	}
	free(r->temp);
	free(r->to);
	errno = saved;
	return -1;
}

int
replace_close(struct replace *r, bool keep)
{
	int status = keep ? rename(r->temp, r->to) : 0, saved = errno;

	replace_temp = NULL;
	if (!keep || status)
		unlink(r->temp);
	free(r->temp);
	free(r->to);
	errno = saved;
	return status;
}
