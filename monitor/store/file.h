/* SPDX-License-Identifier: MIT */
/*
 * A file of this process: which one it is, told by device and inode.  A file of
 * the same name that isn't this one belongs to somebody else, and no function
 * here opens, moves or removes it.
 */
#ifndef MEMMON_FILE_H
#define MEMMON_FILE_H

#include <limits.h>
#include <sys/stat.h>

#include "monitor/base/internal.h"

struct mmi_file {
	uint64_t dev, ino;   /* ino 0: not known, the name must do */
	char path[PATH_MAX]; /* "": there is none */
};

/*
 * Make a new file under a name of its own: `path', `before', the process id,
 * `after'.  If that name is taken, ".1", ".2" and so on follow the id.  Returns
 * a descriptor for reading and writing, or -errno.  ctx: slow, exit.
 */
long mmi_file_new(struct mmi_file *f, const char *path, const char *before,
		  const char *after);

/* Does its name still lead to it?  ctx: slow, exit. */
bool mmi_file_there(const struct mmi_file *f);

/* Open it with these flags; -ENOENT if its name leads elsewhere.  ctx: slow. */
long mmi_file_open(const struct mmi_file *f, int flags);

/*
 * Give it the name `to', which no file has: -EEXIST if one has.  Returns 0 or
 * -errno; the file keeps its old name then.  ctx: slow, exit.
 */
long mmi_file_move(struct mmi_file *f, const char *to);

/* The same in place of whatever has that name.  ctx: exit. */
long mmi_file_replace(struct mmi_file *f, const char *to);

/* Remove it, and forget its name.  ctx: slow, exit. */
void mmi_file_remove(struct mmi_file *f);

/* Is it the file that stat() found?  ctx: any. */
static inline bool
mmi_file_is(const struct mmi_file *f, const struct stat *st)
{
	return f->path[0] && st->st_dev == f->dev && st->st_ino == f->ino;
}

#endif
