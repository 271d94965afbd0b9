/* SPDX-License-Identifier: MIT */
/* The end of the process, however it ends. */
#ifndef MEMMON_END_H
#define MEMMON_END_H

#include "monitor/file/out.h"

/*
 * The process is about to end, or requests its file: writes the file.  end:
 * enum monout_end; sig: the signal that ends the process, if one does.  A child
 * of vfork writes nothing.  Returns 0; a negative number if nothing was
 * written: -errno if there is one.  ctx: exit.
 */
int mmi_end(int end, int sig);

/*
 * The same before an exec: *f receives the file, for the case that exec fails.
 * A forked process writes no file.
 */
int mmi_end_exec(struct mmi_out_file *f);

/* exit() or quick_exit() has begun: _exit() is part of it.  ctx: exit. */
void mmi_end_exits(void);

/* In the child it has not begun.  ctx: fork. */
void mmi_end_fork(void);

#endif
