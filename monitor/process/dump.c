/* SPDX-License-Identifier: MIT */
/* Files written while the program runs. */
#include "monitor/process/dump.h"

#include <errno.h>

#include "monitor/base/duration.h"
#include "monitor/base/mask.h"
#include "monitor/base/pass.h"
#include "monitor/base/process.h"
#include "monitor/base/signame.h"
#include "monitor/file/out.h"
#include "monitor/image/signal_mask.h"
#include "monitor/leak/leak.h"
#include "monitor/memmon.h"
#include "monitor/process/libraries.h"
#include "monitor/process/recording.h"
#include "monitor/record/times.h"
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

/* Writes to the file `name'; NULL: to one with the next number. */
static int
dump(const char *name, enum mmi_leak_what what)
{
	int r;

	if (!mmi_process_writes())
		return -EPERM;
	mmi_libraries_look();
	mmi_leak_dump(what);
	mmi_thread_internal_begin();
	r = name ? mmi_out_named(name) : mmi_out_wanted();
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
	case MMI_ACTION_LEAKS:
		dump(NULL, MMI_LEAK_LEAKS);
		break;
	case MMI_ACTION_GRAPH:
		dump(NULL, MMI_LEAK_GRAPH);
		break;
	default:
		dump(NULL, MMI_LEAK_WANTED);
	}
	errno = e;
}

/* --------------------------------------------------------------- by time -- */

/* More files are never kept. */
#define EVERY_MOST 1024u

/*
 * The files written by time that still exist: from the one at `first' to the
 * one before `end'.  Only the thread that has set `busy' uses this.
 */
static struct {
	int busy;
	unsigned long files, bytes; /* to be kept; 0: any number */
	unsigned first, end;
	uint64_t sum; /* of size[] */
	uint64_t size[EVERY_MOST];
	struct mmi_out_file file[EVERY_MOST];
} kept;

void
mmi_dump_init_every(void)
{
	const char *v = mmi_process_variable("MEMMON_EVERY");
	const char *keep = mmi_process_variable("MEMMON_KEEP");
	unsigned long n = 0;

	mmi_process_number("MEMMON_KEEP", &n);
	for (; keep && *keep >= '0' && *keep <= '9'; keep++)
		;
	/* With K, M or G the number is a size. */
	*(keep && *keep ? &kept.bytes : &kept.files) = n;
	if (v && mmi_duration(v))
		mmi_times_every(mmi_duration(v), mmi_process.mono);
}

/* Removes the oldest files if there are too many. */
static void
every_remove(void)
{
	while (kept.end - kept.first > 1) {
		unsigned n = kept.end - kept.first, i;

		if (n < EVERY_MOST && (!kept.files || n <= kept.files) &&
		    (!kept.bytes || kept.sum <= kept.bytes))
			break;
		i = kept.first++ % EVERY_MOST;
		mmi_out_remove(&kept.file[i], false);
		kept.sum -= kept.size[i];
	}
}

/*
 * Signals are blocked: if a handler never returned, `busy' would stay set.
 */
static void
every_write(void)
{
	unsigned i = kept.end % EVERY_MOST;
	int none = 0, r;

	if (!CAS(&kept.busy, &none, 1))
		return;
	mmi_libraries_look();
	mmi_leak_dump(MMI_LEAK_WANTED);
	mmi_thread_internal_begin();
	r = mmi_out_next(&kept.file[i], &kept.size[i]);
	mmi_thread_internal_end();
	if (r == 0) {
		kept.sum += kept.size[i];
		kept.end++;
		every_remove();
	}
	STORE_REL(&kept.busy, 0);
}

void
mmi_times_dump(void)
{
	struct mmi_signal_mask m;
	int e = errno;

	if (mmi_process_writes() && mmi_signal_mask_block(&m)) {
		every_write();
		mmi_signal_mask_unblock(&m);
	}
	errno = e;
}

bool
mmi_times_moment(uint64_t now)
{
	struct mmi_mask mask;
	bool can = mmi_process_writes();
	int e = errno;

	if (!can)
		return false;
	/* No file is written here, so none of the signals is memmon's own. */
	mmi_mask_block(&mask, MMI_MASK_MOST);
	mmi_thread_internal_begin();
	can = mmi_out_moment(now);
	mmi_thread_internal_end();
	mmi_mask_restore(&mask);
	errno = e;
	return can;
}

void
mmi_dump_fork(void)
{
	kept.busy = 0;
	kept.first = kept.end = 0;
	kept.sum = 0;
}

EXPORT int
memmon_dump_to(const char *path)
{
	int e = errno, r;

	PASS(memmon_dump_to, path);
	r = path && *path ? dump(path, MMI_LEAK_WANTED) : -ENOENT;
	errno = r < 0 ? -r : e;
	return r < 0 ? -1 : r;
}
