/* SPDX-License-Identifier: MIT */
/* The life of a data file: which name it gets. */
#include "monitor/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>

#include "monitor/base/process.h"
#include "monitor/store/name.h"
#include "monitor/store/owner.h"

/* Number of names to try. */
#define TRIES 1000u

/* A log follows its data file to `to'; NULL: both are removed. */
static void
log_follows(const char *path, const char *to)
{
	static char log[PATH_MAX];
	static struct mmi_file f;
	struct stat st;

	if (!mmi_name_log(f.path, sizeof(f.path), path) ||
	    !mmi_owner_log_left(f.path) ||
	    ARCH_SYS(SYS_newfstatat, AT_FDCWD, f.path, &st, AT_SYMLINK_NOFOLLOW,
		     0, 0) != 0)
		return;
	f.dev = st.st_dev;
	f.ino = st.st_ino;
	if (!to)
		mmi_file_remove(&f);
	else if (mmi_name_log(log, sizeof(log), to))
		mmi_file_move(&f, log);
}

/* Rename a file after its process, pid. */
static bool
move_away(const char *path, const struct stat *st, long pid)
{
	static struct mmi_file f;
	static char to[PATH_MAX];
	long r = -EEXIST;

	f.dev = st->st_dev;
	f.ino = st->st_ino;
	memcpy(f.path, path, strlen(path) + 1);
	for (unsigned i = 0; i < TRIES && r == -EEXIST; i++)
		if (mmi_name_beside(to, sizeof(to), path, ".", pid, i, ""))
			r = mmi_file_move(&f, to);
	if (r == 0)
		log_follows(path, to);
	return r == 0;
}

/* Remove or rename the file, which is locked, unless a process uses it. */
static bool
makes_way(long fd, const char *path, const struct stat *st)
{
	struct stat now = { .st_dev = 0 };
	long pid;

	if (ARCH_SYS(SYS_newfstatat, AT_FDCWD, path, &now, 0, 0, 0) != 0 ||
	    now.st_dev != st->st_dev || now.st_ino != st->st_ino)
		return false;
	switch (mmi_owner_of(fd, path, st, &pid)) {
	case MMI_OWNER_KEPT:
		ARCH_SYS(SYS_newfstatat, AT_FDCWD, path, &now,
			 AT_SYMLINK_NOFOLLOW, 0, 0);
		return move_away(path, &now, pid);
	case MMI_OWNER_LEFT:
	case MMI_OWNER_PAST:
		if (ARCH_SYS(SYS_unlinkat, AT_FDCWD, path, 0, 0, 0, 0) != 0)
			return false;
		log_follows(path, NULL);
		return true;
	default:
		return false;
	}
}

/*
 * Removes a dangling link.  Another process may put its file there meanwhile:
 * so the link is renamed first, and if another file was renamed, it gets its
 * name back.
 */
static bool
remove_link(const char *path)
{
	static struct mmi_file f;
	static char aside[PATH_MAX];
	struct stat st;
	long r = -EEXIST;

	if (ARCH_SYS(SYS_newfstatat, AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW,
		     0, 0) != 0 ||
	    !S_ISLNK(st.st_mode))
		return true;
	f.ino = 0;
	memcpy(f.path, path, strlen(path) + 1);
	for (unsigned i = 0; i < TRIES && r == -EEXIST; i++)
		if (mmi_name_beside(aside, sizeof(aside), path, ".part",
				    mmi_process.pid, i, ""))
			r = mmi_file_move(&f, aside);
	if (r != 0 || ARCH_SYS(SYS_newfstatat, AT_FDCWD, f.path, &st,
			       AT_SYMLINK_NOFOLLOW, 0, 0) != 0)
		return false;
	if (S_ISLNK(st.st_mode))
		return ARCH_SYS(SYS_unlinkat, AT_FDCWD, f.path, 0, 0, 0, 0) ==
		       0;
	if (mmi_file_move(&f, path) != 0)
		move_away(f.path, &st, mmi_process.pid);
	return false;
}

/*
 * Frees the name for a file of this process.  A process first locks the old
 * file: if two processes find the same old file, the second one must not remove
 * the new file of the first.  A process that can't get the lock takes another
 * name.
 */
static bool
give_way(const char *path)
{
	struct stat st;
	bool ok = false;
	long fd = ARCH_SYS(SYS_openat, AT_FDCWD, path,
			   O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0, 0, 0);

	if (fd == -ENOENT)
		return remove_link(path);
	if (fd < 0)
		return false;
	if (ARCH_SYS(SYS_flock, fd, LOCK_EX | LOCK_NB, 0, 0, 0, 0) !=
		    -EWOULDBLOCK &&
	    ARCH_SYS(SYS_fstat, fd, &st, 0, 0, 0, 0) == 0)
		ok = makes_way(fd, path, &st);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	return ok;
}

bool
mmi_store_choose(struct mmi_place *p)
{
	bool has_pid = false;
	long pid;

	p->special = false;
	for (p->again = 0; p->again < TRIES; p->again++) {
		if (!mmi_name_expand(p->path, sizeof(p->path), p->exec,
				     p->again, &has_pid))
			return false;
		p->plain = !has_pid && !p->again;
		switch (mmi_owner_look(p->path, &pid)) {
		case MMI_OWNER_SPECIAL:
			p->special = !p->refused;
			if (p->special)
				return true;
			break;
		case MMI_OWNER_NONE:
			return true;
		case MMI_OWNER_PAST:
			p->plain = true;
			/* fall through */
		case MMI_OWNER_LEFT:
		case MMI_OWNER_KEPT:
			if (p->plain && !p->refused)
				return true;
			break;
		default:
			break;
		}
	}
	return false;
}

long
mmi_store_settle(struct mmi_file *f, struct mmi_place *p)
{
	long r = mmi_file_move(f, p->path);

	if (r != -EEXIST || !p->plain || p->refused)
		return r;
	p->refused = !give_way(p->path);
	return p->refused ? r : mmi_file_move(f, p->path);
}

void
mmi_store_clear(void)
{
	static char path[PATH_MAX];
	bool has_pid;
	long pid;

	if (!mmi_name_expand(path, sizeof(path), false, 0, &has_pid) || has_pid)
		return;
	switch (mmi_owner_look(path, &pid)) {
	case MMI_OWNER_LEFT:
	case MMI_OWNER_PAST:
	case MMI_OWNER_KEPT:
		give_way(path);
		break;
	default:
		break;
	}
}
