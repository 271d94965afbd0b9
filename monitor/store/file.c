/* SPDX-License-Identifier: MIT */
/* A file of this process, identified by device and inode. */
#include "monitor/store/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "monitor/base/process.h"
#include "monitor/store/name.h"

/* Number of private names to try. */
#define TRIES 100u

/* Linux 3.15; it is in <stdio.h> under other names. */
#define NOREPLACE 1

static long
make(const char *path)
{
	return ARCH_SYS(SYS_openat, AT_FDCWD, path,
			O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
			0666, 0, 0);
}

/* A program may have forbidden itself one or both of these calls. */
static void
identify(struct mmi_file *f, long fd)
{
	struct stat st = { 0 };

	if (ARCH_SYS(SYS_fstat, fd, &st, 0, 0, 0, 0) != 0)
		ARCH_SYS(SYS_newfstatat, AT_FDCWD, f->path, &st,
			 AT_SYMLINK_NOFOLLOW, 0, 0);
	f->dev = st.st_dev;
	f->ino = st.st_ino;
}

long
mmi_file_new(struct mmi_file *f, const char *path, const char *before,
	     const char *after)
{
	long fd = -EEXIST;

	for (unsigned i = 0; i < TRIES && fd == -EEXIST; i++) {
		if (!mmi_name_beside(f->path, sizeof(f->path), path, before,
				     mmi_process.pid, i, after))
			fd = -ENAMETOOLONG;
		else
			fd = make(f->path);
	}
	if (fd < 0)
		f->path[0] = '\0';
	else
		identify(f, fd);
	return fd;
}

bool
mmi_file_there(const struct mmi_file *f)
{
	struct stat st;
	long r;

	if (!f->path[0] || !f->ino)
		return f->path[0];
	r = ARCH_SYS(SYS_newfstatat, AT_FDCWD, f->path, &st,
		     AT_SYMLINK_NOFOLLOW, 0, 0);
	/* A program that may not call stat() may still call rename(). */
	return r == 0 ? mmi_file_is(f, &st)
		      : r != -ENOENT && r != -ENOTDIR && r != -ELOOP;
}

long
mmi_file_open(const struct mmi_file *f, int flags)
{
	struct stat st;
	long fd;

	if (!f->path[0])
		return -ENOENT;
	fd = ARCH_SYS(SYS_openat, AT_FDCWD, f->path,
		      flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0, 0, 0);
	if (fd < 0)
		return fd;
	if (!f->ino || (ARCH_SYS(SYS_fstat, fd, &st, 0, 0, 0, 0) == 0 &&
			mmi_file_is(f, &st)))
		return fd;
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	return -ENOENT;
}

/*
 * Renames the file, if the file system can refuse to replace one.  Otherwise
 * makes a link; if this fails, reserves the name first.
 */
static long
give_name(const char *from, const char *to)
{
	long r = ARCH_SYS(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to,
			  NOREPLACE, 0);

	if (r != -EINVAL && r != -ENOSYS && r != -EPERM)
		return r;
	r = ARCH_SYS(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0, 0);
	if (r == 0)
		ARCH_SYS(SYS_unlinkat, AT_FDCWD, from, 0, 0, 0, 0);
	if (r == 0 || r == -EEXIST)
		return r;
	r = make(to);
	if (r < 0)
		return r;
	ARCH_SYS(SYS_close, r, 0, 0, 0, 0, 0);
	r = ARCH_SYS(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to, 0, 0);
	if (r != 0)
		ARCH_SYS(SYS_unlinkat, AT_FDCWD, to, 0, 0, 0, 0);
	return r;
}

static long
moved(struct mmi_file *f, const char *to, long r)
{
	if (r == 0)
		memmove(f->path, to, strlen(to) + 1);
	return r;
}

long
mmi_file_move(struct mmi_file *f, const char *to)
{
	if (strlen(to) >= sizeof(f->path))
		return -ENAMETOOLONG;
	if (!mmi_file_there(f))
		return -ENOENT;
	return moved(f, to, give_name(f->path, to));
}

long
mmi_file_replace(struct mmi_file *f, const char *to)
{
	if (strlen(to) >= sizeof(f->path))
		return -ENAMETOOLONG;
	return moved(f, to,
		     ARCH_SYS(SYS_renameat, AT_FDCWD, f->path, AT_FDCWD, to, 0,
			      0));
}

void
mmi_file_remove(struct mmi_file *f)
{
	if (mmi_file_there(f))
		ARCH_SYS(SYS_unlinkat, AT_FDCWD, f->path, 0, 0, 0, 0);
	f->path[0] = '\0';
}
