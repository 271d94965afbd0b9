/* SPDX-License-Identifier: MIT */
/*
 * Whose the data file is: names are taken with O_EXCL, and a file that another
 * process is using is left alone.
 */
#ifndef MEMMON_RESERVATION_H
#define MEMMON_RESERVATION_H

#include "monitor/base/internal.h"

/*
 * Make a new file for this process: the one that mmi_name_expand() names, or
 * when that is another process's, the same name with ".PID", or with ".1", ".2"
 * and so on.  A file of the plain name that a process has left is replaced; one
 * with a pid in its name isn't, since that is another process's.  Returns the
 * descriptor, open for reading and writing, and the name in to[n]; or
 * -errno.  ctx: slow.
 */
long mmi_reservation_new(char *to, size_t n);

/*
 * No file is made yet: one of the plain name that a process has left is
 * removed, so that it isn't taken for this process's if that can't write its
 * own.  ctx: init.
 */
void mmi_reservation_clear(void);

/*
 * The name for a file that is written now, in to[n], chosen in the same way;
 * exec: see mmi_name_expand().
 * *special: there is something that isn't a file (a terminal, a pipe): it is to
 * be opened and written to.  False if there is none.  ctx: exit.
 */
bool mmi_reservation_name(char *to, size_t n, bool exec, bool *special);

/*
 * When a process was started, which tells it from others of its id, and its
 * namespace of ids; 0: not known.  ctx: slow.
 */
uint64_t mmi_reservation_born(long pid);
uint64_t mmi_reservation_pid_space(void);

#endif
