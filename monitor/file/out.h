/* SPDX-License-Identifier: MIT */
/* Writing the data file.  Its layout: monout.h, mon.out(5). */
#ifndef MEMMON_OUT_H
#define MEMMON_OUT_H

#include "monitor/base/internal.h"

/* A file that was written, and may go again; number: what its name ends in. */
struct mmi_out_file {
	uint64_t dev, ino;
	unsigned number;
};

/*
 * Write all there is to the data file, by way of a temporary file beside it.
 * Returns 0; -errno when it can't be written (the file, if there was one, is as
 * before), -EBUSY when it is being written just now.  exec: NULL, or the file
 * gets the name of one before an exec, and *exec says which it is; end, sig: as
 * mmi_end().  Takes no lock that anybody waits for, so it may be called
 * anywhere, and less than 2 KiB of stack.  ctx: exit, signal.
 */
int mmi_out_write(int end, int sig, struct mmi_out_file *exec);

/*
 * Write a snapshot: a file with the next free number.  mmi_out_wanted() returns
 * 1 if another file is being written: the snapshot follows that file.  *size:
 * bytes.  ctx: exit, signal.
 */
int mmi_out_wanted(void);
int mmi_out_next(struct mmi_out_file *f, uint64_t *size);

/*
 * Write a snapshot to the file `path' and replace what has that name.  -EBUSY:
 * another process is using the file.  ctx: exit, signal.
 */
int mmi_out_named(const char *path);

/*
 * Take a moment of the memory (moments.h), unless somebody is writing or the
 * process ends; at: ns on the monotonic clock.  False: that can't be known.
 * Signals are blocked.  ctx: slow.
 */
bool mmi_out_moment(uint64_t at);

/*
 * Nobody begins to write until mmi_out_release().  False: somebody is writing.
 * ctx: exit, signal.
 */
bool mmi_out_hold(void);
void mmi_out_release(void);

/* The file that mmi_out_write() has written last, "" if none.  ctx: exit. */
const char *mmi_out_name(void);

/* Is some thread writing?  ctx: any. */
bool mmi_out_busy(void);

/*
 * Remove a snapshot, or the file that was written before an exec that failed,
 * unless another file has its name now.  Takes 4 KiB of stack.  ctx: exit.
 */
void mmi_out_remove(const struct mmi_out_file *f, bool exec);

/* A file that the parent was writing isn't the child's.  ctx: fork. */
void mmi_out_fork(void);

#endif
