/* SPDX-License-Identifier: MIT */
/* The end of the process, in whatever way. */
#ifndef MEMMON_END_H
#define MEMMON_END_H

#include "monitor/file/out.h"

/*
 * The process is about to end, or asks for its file: write it.  end: enum
 * monout_end; sig: the signal, when that is what ends it.  Nothing is written
 * in a child of vfork.  Returns 0; below 0 when nothing was written, -errno if
 * there is one.  ctx: exit.
 */
int mmi_end(int end, int sig);

/*
 * The same before an exec: *f is the file, should the exec fail.  A forked
 * process writes none.
 */
int mmi_end_exec(struct mmi_out_file *f);

/* exit() or quick_exit() has begun: _exit() is part of it.  ctx: exit. */
void mmi_end_exits(void);

/* It hasn't, in the child.  ctx: fork. */
void mmi_end_fork(void);

#endif
