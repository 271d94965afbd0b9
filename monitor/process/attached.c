/* SPDX-License-Identifier: MIT */
/* Recording in a process that already runs, until memmon detaches. */
#include "monitor/process/attached.h"

#ifdef MMI_ATTACHES

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>

#include "monitor/base/bound.h"
#include "monitor/base/lookup.h"
#include "monitor/base/process.h"
#include "monitor/file/out.h"
#include "monitor/hooks/got.h"
#include "monitor/image/image.h"
#include "monitor/leak/leak.h"
#include "monitor/memmon.h"
#include "monitor/process/end.h"
#include "monitor/process/recording.h"
#include "monitor/thread/control.h"
#include "monitor/thread/resync.h"

/* The launcher's last settings. */
static char settings[MMI_ATTACHED_SETTINGS];

bool
mmi_attached_loading(void)
{
	struct dl_find_object f;
	const char *name, *slash;

	if (_dl_find_object((void *)mmi_attached_loading, &f) != 0)
		return false;
	name = f.dlfo_link_map->l_name;
	slash = name ? strrchr(name, '/') : NULL;
	return slash && slash - name >= 2 &&
	       !memcmp(slash - 2, MMI_ATTACHED_PATH, strlen(MMI_ATTACHED_PATH));
}

EXPORT uint64_t memmon_attach_loaded;

void
mmi_attached_loaded(void)
{
	STORE_REL(&memmon_attach_loaded, MMI_ATTACHED_LOADED);
}

static int arguments; /* of main() */
static char **argument;

void
mmi_attached_arguments(int argc, char **argv)
{
	arguments = argc;
	argument = argv;
}

void
mmi_attached_fork(void)
{
	if (!mmi_process.attached)
		return;
	mmi_process.idle = true;
	mmi_recording_stop();
}

/* The library is used for the first time: no thread calls it yet. */
static void
first(void)
{
	mmi_process.attached = mmi_process.alone = true;
	STORE(&mmi_shared.control.gaps, true);
	mmi_start_attached(arguments, argument);
	mmi_got_init();
	mmi_process.alone = false;
}

/* Starts again, with counts of 0 and another data file. */
static int
again(void)
{
	bool alone, ok;

	mmi_out_fork();
	mmi_process_begin();
	mmi_process_name();
	alone = mmi_thread_freeze();
	ok = memmon_reset() == 0;
	/* Frees in the meantime weren't seen. */
	if (ok && alone)
		mmi_recording_forget(true);
	STORE(&mmi_shared.reset_at, 0);
	if (ok && alone)
		mmi_image_renew();
	mmi_thread_thaw();
	if (!ok)
		return -EBUSY;
	mmi_recording_start();
	mmi_control_times_begin(mmi_process.mono);
	return 0;
}

static void
name_file(char file[4096], const char *name)
{
	size_t n = strlen(name);

	if (n < 4096)
		memcpy(file, name, n + 1);
}

/* Writes the data file.  Returns 0, or -errno. */
static int
recording_end(char file[4096])
{
	int error;

	/* Lets events that have begun end first. */
	mmi_thread_freeze();
	error = mmi_end(MONOUT_E_DUMP, 0);
	mmi_recording_stop();
	mmi_thread_thaw();
	name_file(file, mmi_out_name());
	mmi_image_remove();
	mmi_process.idle = true;
	return error;
}

static int
begin(struct mmi_attached_answer *a, const char *told, uint64_t length)
{
	if (length >= sizeof(settings) - 1)
		return -ENAMETOOLONG;
	a->again = mmi_process.attached;
	if (mmi_process.pid && !mmi_process.attached)
		return -EALREADY;
	if (!a->again &&
	    mmi_lookup_from(0, "memmon_version",
			    mmi_lookup_own("memmon_version")) != NULL)
		return -EALREADY;
	/* The memmon that began recording was killed. */
	if (a->again && !mmi_process.idle && recording_end(a->before) != 0)
		a->before[0] = '\0';
	memset(settings, 0, sizeof(settings));
	memcpy(settings, told, length);
	mmi_process.settings = settings;
	mmi_leak_init();
	if (!a->again)
		first();
	else if (again() != 0)
		return -EBUSY;
	if (mmi_process.secure)
		return -EPERM;
	if (mmi_thread_stopped())
		return -ENOMEM;
	return 0;
}

static void
got_said(struct mmi_attached_answer *a, struct mmi_got s)
{
	a->changed = s.changed;
	a->refused = s.refused;
}

EXPORT void
memmon_attach_begin(const char *told, uint64_t length,
		    struct mmi_attached_answer *a)
{
	int e = errno;

	a->error = begin(a, told, length);
	if (a->error == 0) {
		mmi_process.idle = false;
		got_said(a, mmi_got_hook());
		a->image = mmi_image_path()[0] != '\0';
		name_file(a->file, mmi_image_path());
	}
	STORE_REL(&a->done, 1);
	errno = e;
}

EXPORT void
memmon_attach_end(struct mmi_attached_answer *a)
{
	int e = errno;

	got_said(a, mmi_got_unhook());
	a->error = mmi_process.idle ? -EALREADY : 0;
	if (a->error == 0)
		a->error = recording_end(a->file);
	STORE_REL(&a->done, 1);
	errno = e;
}

#endif
