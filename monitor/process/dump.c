/* SPDX-License-Identifier: MIT */
/* Files written while the program runs. */
#include "monitor/process/dump.h"

#include <errno.h>

#include "monitor/base/process.h"
#include "monitor/base/signame.h"
#include "monitor/file/out.h"
#include "monitor/memmon.h"
#include "monitor/process/recording.h"
#include "monitor/thread/control.h"
#include "monitor/thread/enter.h"

int mmi_dump_signal;
static enum mmi_signame_action action;

void
mmi_dump_init(const char *value)
{
	if (value)
		mmi_dump_signal = mmi_signame_parse(value, &action);
}

/* To the file `name', or where NULL to one with the next number. */
static int
dump(const char *name)
{
	int r;

	if (!mmi_process_writes())
		return -EPERM;
	mmi_thread_internal_begin();
	r = mmi_out_dump(name);
	mmi_thread_internal_end();
	return r;
}

void
mmi_dump_on_signal(int sig, siginfo_t *info, void *context)
{
	int e = errno;

	(void)sig;
	(void)info;
	(void)context;
	switch (action) {
	case MMI_ACTION_START:
		mmi_recording_start();
		break;
	case MMI_ACTION_STOP:
		mmi_recording_stop();
		break;
	case MMI_ACTION_TOGGLE:
		if (mmi_control_off())
			mmi_recording_start();
		else
			mmi_recording_stop();
		break;
	default:
		dump(NULL);
	}
	errno = e;
}

EXPORT int
memmon_dump_to(const char *path)
{
	int e = errno, r = path && *path ? dump(path) : -ENOENT;

	errno = r < 0 ? -r : e;
	return r < 0 ? -1 : r;
}
