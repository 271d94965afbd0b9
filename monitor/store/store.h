/* SPDX-License-Identifier: MIT */
/*
 * The life of a data file.  The file has a private name (file.h) until it is
 * complete:
 *
 *	image	NAME.PID.live while it is made, NAME while the program runs,
 *		NAME.PID.live again once a data file has NAME; then it goes
 *	data	NAME.partPID while it is written, then NAME
 *
 * NAME comes from MEMMON_OUT.  If a running process uses NAME, ".PID" is
 * appended, or ".1", ".2" and so on.  If NAME has no process id, a new file
 * replaces a finished run's file, and a killed run's file is moved to its own
 * ".PID".  Files under other names keep their names.
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
	bool refused;  /* ... but that has failed; or a pipe has no reader */
	unsigned again; /* argument of mmi_name_expand() */
};

/*
 * Choose the name that is free now, in place->path; place->exec is an argument.
 * False if there is none.  ctx: slow, exit.
 */
bool mmi_store_choose(struct mmi_place *place);

/*
 * Rename the file to place->path.  Returns 0; -EEXIST if another process was
 * first: choose again; or -errno.  ctx: slow, exit.
 */
long mmi_store_settle(struct mmi_file *f, struct mmi_place *place);

/*
 * Move or remove the file that an earlier process left under the plain name, as
 * described above.  Call it before this process makes a file.  Then the earlier
 * file can't be mistaken for this process's if this process can't write one.
 * ctx: init.
 */
void mmi_store_clear(void);

#endif
