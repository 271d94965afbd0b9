/* SPDX-License-Identifier: MIT */
/* Files written while the program runs. */
#include "monitor/process/dump.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "monitor/base/duration.h"
#include "monitor/base/process.h"
#include "monitor/base/signame.h"
#include "monitor/file/out.h"
#include "monitor/image/name.h"
#include "monitor/memmon.h"
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

/* --------------------------------------------------------------- by time -- */

/* More are never kept. */
#define EVERY_MOST 1024u

/*
 * The files that were written and are there, of which `first' is the oldest.
 * Only who has `busy' looks at it.
 */
static struct {
	int busy;
	unsigned long files, bytes; /* that are kept; 0: any number */
	long pid;		    /* whose they are */
	unsigned first, last;
	uint64_t sum; /* of size[] */
	uint64_t size[EVERY_MOST];
	char path[4096];
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
	/* With K, M or G it is a size. */
	*(keep && *keep ? &kept.bytes : &kept.files) = n;
	if (v && mmi_duration(v))
		mmi_times_every(mmi_duration(v), mmi_process.mono);
}

/* Take away the oldest ones that are too many. */
static void
every_remove(void)
{
	while (kept.first < kept.last) {
		unsigned n = kept.last - kept.first + 1;

		if (n < EVERY_MOST && (!kept.files || n <= kept.files) &&
		    (!kept.bytes || kept.sum <= kept.bytes))
			break;
		if (mmi_name_dump(kept.path, sizeof(kept.path), kept.first))
			ARCH_SYS(SYS_unlinkat, AT_FDCWD, kept.path, 0, 0, 0, 0);
		kept.sum -= kept.size[kept.first++ % EVERY_MOST];
	}
}

void
mmi_times_dump(void)
{
	int none = 0, e = errno;
	struct stat st;

	if (!CAS(&kept.busy, &none, 1))
		return;
	if (kept.pid != mmi_process.pid) {
		kept.pid = mmi_process.pid;
		kept.first = 1;
		kept.last = 0;
		kept.sum = 0;
	}
	if (mmi_name_dump(kept.path, sizeof(kept.path), kept.last + 1) &&
	    dump(kept.path) == 0) {
		kept.last++;
		st.st_size = 0;
		ARCH_SYS(SYS_newfstatat, AT_FDCWD, kept.path, &st, 0, 0, 0);
		kept.size[kept.last % EVERY_MOST] = (uint64_t)st.st_size;
		kept.sum += (uint64_t)st.st_size;
		every_remove();
	}
	STORE_REL(&kept.busy, 0);
	errno = e;
}

EXPORT int
memmon_dump_to(const char *path)
{
	int e = errno, r = path && *path ? dump(path) : -ENOENT;

	errno = r < 0 ? -r : e;
	return r < 0 ? -1 : r;
}
