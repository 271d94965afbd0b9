/* SPDX-License-Identifier: MIT */
/* The root directory of a process, which may differ from memmon's. */
#include "monitor/attach/root.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "monitor/attach/target.h"

static bool
same(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/* By a living thread: the first one may have ended. */
void
root_link(pid_t pid, char *to, size_t n)
{
	pid_t tid = target_thread(pid);

	if (tid == 0 || tid == pid)
		snprintf(to, n, "/proc/%ld/root", (long)pid);
	else
		snprintf(to, n, "/proc/%ld/task/%ld/root", (long)pid,
			 (long)tid);
}

bool
root_is_other(pid_t pid)
{
	char link[64];

	root_link(pid, link, sizeof(link));
	return access(link, F_OK) == 0 && !same(link, "/");
}

bool
root_path(pid_t pid, const char *path, char *to, size_t n)
{
	char link[64], root[PATH_MAX], theirs[2 * PATH_MAX], ours[2 * PATH_MAX];
	bool there;
	ssize_t len;

	root_link(pid, link, sizeof(link));
	snprintf(theirs, sizeof(theirs), "%s%s", link, path);
	len = readlink(link, root, sizeof(root) - 1);
	root[len > 1 ? len : 0] = '\0';
	snprintf(ours, sizeof(ours), "%s%s", root, path);
	/* Other mounts may have other files there, or none. */
	there = access(theirs, F_OK) == 0;
	if (there ? same(path, theirs) : !root_is_other(pid))
		return snprintf(to, n, "%s", path) < (int)n;
	if (there ? same(ours, theirs) : same(root, link))
		return snprintf(to, n, "%s", ours) < (int)n;
	return snprintf(to, n, "%s", theirs) < (int)n;
}
