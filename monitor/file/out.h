/* SPDX-License-Identifier: MIT */
/* Writing the data file.  Its format: monout.h, mon.out(5). */
#ifndef MEMMON_OUT_H
#define MEMMON_OUT_H

#include "monitor/base/internal.h"

/* A written file that may be removed again; number: the end of its name. */
struct mmi_out_file {
	uint64_t dev, ino;
	unsigned number;
};

/*
 * Write everything to the data file, via a temporary file beside it.  Returns
 * 0; -errno when the file can't be written (an existing file is unchanged);
 * -EBUSY when it is being written now.  exec: NULL; or the file gets a name for
 * a file before an exec, and *exec identifies it.  end, sig: as for mmi_end().
 * Takes no lock that another thread waits for, so any code may call it, and
 * uses less than 2 KiB of stack.  ctx: exit, signal.
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
 * Write a snapshot to the file `path', and replace any file with that name.
 * -EBUSY: another process is using the file.  ctx: exit, signal.
 */
int mmi_out_named(const char *path);

/*
 * Take a moment of the memory (moments.h), unless another thread is writing or
 * the process ends; at: ns on the monotonic clock.  False: it is unknown.
 * Signals are blocked.  ctx: slow.
 */
bool mmi_out_moment(uint64_t at);

/*
 * No thread begins to write until mmi_out_release().  False: a thread is
 * writing.  ctx: exit, signal.
 */
bool mmi_out_hold(void);
void mmi_out_release(void);

/* The file that mmi_out_write() wrote last, "" if none.  ctx: exit. */
const char *mmi_out_name(void);

/* Is a thread writing?  ctx: any. */
bool mmi_out_busy(void);

/*
 * Remove a snapshot, or the file that was written before an exec that failed,
 * unless another file has its name now.  Takes 4 KiB of stack.  ctx: exit.
 */
void mmi_out_remove(const struct mmi_out_file *f, bool exec);

/* Forget a file that the parent was writing.  ctx: fork. */
void mmi_out_fork(void);

#endif
