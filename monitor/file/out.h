/* SPDX-License-Identifier: MIT */
/* Writing the data file.  Its layout: monout.h, mon.out(5). */
#ifndef MEMMON_OUT_H
#define MEMMON_OUT_H

#include "monitor/base/internal.h"

/*
 * Write all there is to the file that mmi_name_expand() names, by way of a
 * temporary file beside it.  Returns 0; -errno when it can't be written (the
 * file, if there was one, is as before), -EBUSY when it is being written just
 * now.  exec: as there; end, sig: as mmi_end().  Takes no lock that anybody
 * waits for, so it may be called anywhere, and less than 2 KiB of stack.  ctx:
 * exit, signal.
 */
int mmi_out_write(bool exec, int end, int sig);

/*
 * The same, of a process that goes on, to the file `path', as it is; or, where
 * NULL, to one with a number that no file has yet: while another is written, as
 * soon as that is done.  Returns 0; 1: it will be written so; or -errno.  ctx:
 * exit, signal.
 */
int mmi_out_dump(const char *path);

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
 * Take back the file that was written before an exec that failed.  ctx: exit.
 */
void mmi_out_remove(void);

/* A file that the parent was writing isn't the child's.  ctx: fork. */
void mmi_out_fork(void);

#endif
