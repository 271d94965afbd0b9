/* SPDX-License-Identifier: MIT */
/* The end of the process: its file is written. */
#include "monitor/process/end.h"

#include <errno.h>

#include "monitor/base/process.h"
#include "monitor/base/signame.h"
#include "monitor/base/thread.h"
#ifdef MEMMON_ACCESS
#include "monitor/events/events.h"
#endif
#include "monitor/file/out.h"
#include "monitor/hooks/collector.h"
#include "monitor/hooks/lisp.h"
#include "monitor/image/image.h"
#include "monitor/leak/leak.h"
#include "monitor/log/log.h"
#include "monitor/process/libraries.h"
#include "monitor/record/times.h"
#include "monitor/thread/control.h"

static int ended; /* exit() or quick_exit() wrote the file */

void
mmi_end_exits(void)
{
	STORE(&ended, 1);
}

void
mmi_end_fork(void)
{
	ended = 0;
}

static int
write_end(int end, int sig, struct mmi_out_file *exec)
{
	int r;

	if (!mmi_process_writes())
		return -EPERM;
	if (end == MONOUT_E__EXIT && LOAD(&ended))
		return -1;
	/* The file would be wrong. */
	if (mmi_image_broken())
		return -EIO;
	mmi_control_pending(mmi_thread_self());
	if (end == MONOUT_E_EXIT || end == MONOUT_E_QUICK) {
		mmi_lisp_settle();
		mmi_collector_end();
	}
	if (end != MONOUT_E_DUMP && !sig)
		mmi_times_end(mmi_process_clock(CLOCK_MONOTONIC));
	/* After a crash the loader's own memory may be damaged. */
	if (!mmi_signame_crash(sig))
		mmi_libraries_look();
	mmi_leak_end(end, sig);
	mmi_thread_internal_begin();
	if (end != MONOUT_E_DUMP)
		mmi_image_end(end, sig);
	r = mmi_out_write(end, sig, exec);
	mmi_thread_internal_end();
#ifdef MEMMON_ACCESS
	if (end != MONOUT_E_DUMP)
		mmi_events_end(mmi_out_name(), false);
#endif
	return r;
}

int
mmi_end(int end, int sig)
{
	return write_end(end, sig, NULL);
}

int
mmi_end_exec(struct mmi_out_file *f)
{
	if (!mmi_process.forked || !mmi_process_writes())
		return write_end(MONOUT_E_EXEC, 0, f);
	/* A child without its parent's rights can't remove it. */
	mmi_image_end(MONOUT_E_EXEC, 0);
	mmi_image_remove();
	mmi_log_remove();
#ifdef MEMMON_ACCESS
	mmi_events_end(NULL, true);
#endif
	return -1;
}
