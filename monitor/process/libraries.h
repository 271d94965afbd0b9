/* SPDX-License-Identifier: MIT */
/* What the loader has mapped, looked at while it can't be unmapped. */
#ifndef MEMMON_LIBRARIES_H
#define MEMMON_LIBRARIES_H

/*
 * Look at all libraries: each gets into the table of modules, and those that
 * came since the last look are told from libraries with an allocator of their
 * own.  What is written to a file later reads nothing of the loader's, so this
 * comes before each file and before each dlclose().
 *
 * The loader's lock is taken, so no other thread may stand still by now.  In
 * the child of a process that had several threads nothing is looked at: one of
 * them may have had the lock.  ctx: exit, not in a hook.
 */
void mmi_libraries_look(void);

/* fork() begins, and is over in the parent.  Then the child.  ctx: fork. */
void mmi_libraries_fork_begin(void);
void mmi_libraries_fork_end(void);
void mmi_libraries_fork(void);

#endif
