/* SPDX-License-Identifier: MIT */
/* Ways to leave the program without exit handlers; and dlclose(). */
#ifndef MEMMON_EXEC_H
#define MEMMON_EXEC_H

/* Find what the hooks of exec.c need, while the loader is idle.  ctx: init. */
void mmi_exec_init(void);

/* The same for spawn.c, which only libmemmon.so contains.  ctx: init. */
void mmi_spawn_init(void);

/* The same for rights.c, which the static library lacks.  ctx: init. */
void mmi_rights_init(void);

/*
 * execve or execveat by syscall(2), with its arguments: -1, errno is set.  ctx:
 * fork; a child of vfork(), too.
 */
int mmi_exec_syscall(long n, long a, long b, long c, long d, long e);

#endif
