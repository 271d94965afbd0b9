/* SPDX-License-Identifier: MIT */
/*
 * The life of a data file.  It is made under a private name (file.h) and gets
 * its name when it is whole:
 *
 *	image	NAME.PID.live while it is made, NAME while the program runs,
 *		NAME.PID.live again once a data file has NAME; then it goes
 *	data	NAME.partPID while it is written, then NAME
 *
 * NAME is the one that MEMMON_OUT says; if a running process uses that, the
 * same with ".PID", or with ".1", ".2" and so on.  Under a NAME without a
 * process id a finished run's file is replaced, and a killed run's file is
 * moved to its own ".PID".  No other name is ever taken from a file.
 */
#ifndef MEMMON_STORE_H
#define MEMMON_STORE_H

#include "monitor/store/file.h"

/* A name for a file of this process. */
struct mmi_place {
	char path[PATH_MAX];
	bool exec;     /* written before an exec */
	bool special;  /* not a file: to be opened and written to */
	bool plain;    /* a file of that name may be moved or replaced */
	bool refused;  /* ... but that has failed */
	unsigned again; /* argument of mmi_name_expand() */
};

/*
 * Choose the name that is free now, in place->path; place->exec is an argument.
 * False if there is none.  ctx: slow, exit.
 */
bool mmi_store_choose(struct mmi_place *place);

/*
 * Give the file that name.  Returns 0; -EEXIST if another process was first:
 * choose another one; or -errno.  ctx: slow, exit.
 */
long mmi_store_settle(struct mmi_file *f, struct mmi_place *place);

/*
 * No file is made yet: what a process has left under the plain name goes away,
 * so that it isn't taken for this process's if that can't write its own.  ctx:
 * init.
 */
void mmi_store_clear(void);

#endif
