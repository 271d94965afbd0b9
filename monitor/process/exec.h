/* SPDX-License-Identifier: MIT */
/* Ways out of the program that run no exit handlers, and dlclose(). */
#ifndef MEMMON_EXEC_H
#define MEMMON_EXEC_H

/* Find what the hooks of exec.c need, while the loader is idle.  ctx: init. */
void mmi_exec_init(void);

#endif
