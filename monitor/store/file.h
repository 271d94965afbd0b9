/* SPDX-License-Identifier: MIT */
/*
 * A file of this process, identified by device and inode.  Another file of the
 * same name belongs to another process: no function here opens, moves or
 * removes that file.
 */
#ifndef MEMMON_FILE_H
#define MEMMON_FILE_H

#include <limits.h>
#include <sys/stat.h>

#include "monitor/base/internal.h"

struct mmi_file {
	uint64_t dev, ino;   /* ino 0: unknown, the name identifies it */
	char path[PATH_MAX]; /* "": there is none */
};

/*
 * Make a new file under a private name: `path', `before', the process id,
 * `after'.  If that name is taken, ".1", ".2" and so on follow the id.  Returns
 * a descriptor for reading and writing, or -errno.  ctx: slow, exit.
 */
long mmi_file_new(struct mmi_file *f, const char *path, const char *before,
		  const char *after);

/* Does the name still lead to this file?  ctx: slow, exit. */
bool mmi_file_there(const struct mmi_file *f);

/* Open with these flags; -ENOENT if the name leads elsewhere.  ctx: slow. */
long mmi_file_open(const struct mmi_file *f, int flags);

/*
 * Rename the file to `to'.  Returns 0, -EEXIST if a file has that name, or
 * another -errno; after an error the file keeps its old name.  ctx: slow, exit.
 */
long mmi_file_move(struct mmi_file *f, const char *to);

/* The same, but replace any file of that name.  ctx: exit. */
long mmi_file_replace(struct mmi_file *f, const char *to);

/* Remove the file, and forget its name.  ctx: slow, exit. */
void mmi_file_remove(struct mmi_file *f);

/* Did stat() find this file?  ctx: any. */
static inline bool
mmi_file_is(const struct mmi_file *f, const struct stat *st)
{
	return f->path[0] && st->st_dev == f->dev && st->st_ino == f->ino;
}

#endif
