/* SPDX-License-Identifier: MIT */
/*
 * Programs that give up their rights or their root directory.  Afterwards the
 * process may not be able to open the image or to write a data file, so the
 * image gets its room before.
 */
#ifndef MEMMON_STATIC

#include <errno.h>
#include <unistd.h>

#include "monitor/base/next.h"
#include "monitor/image/image.h"
#include "monitor/process/exec.h"

static struct {
	int (*setuid)(uid_t a);
	int (*seteuid)(uid_t a);
	int (*setreuid)(uid_t a, uid_t b);
	int (*setresuid)(uid_t a, uid_t b, uid_t c);
	int (*chroot)(const char *path);
} next;

void
mmi_rights_init(void)
{
	next.setuid = mmi_next_symbol("setuid");
	next.seteuid = mmi_next_symbol("seteuid");
	next.setreuid = mmi_next_symbol("setreuid");
	next.setresuid = mmi_next_symbol("setresuid");
	next.chroot = mmi_next_symbol("chroot");
}

/* Another library's constructor may call it before mmi_rights_init(). */
#define RIGHTS(name, parameters, arguments) \
	EXPORT int name parameters \
	{ \
		if (!next.name) \
			mmi_rights_init(); \
		if (!next.name) { \
			errno = ENOSYS; \
			return -1; \
		} \
		mmi_image_ahead(); \
		return next.name arguments; \
	}

RIGHTS(setuid, (uid_t a), (a))
RIGHTS(seteuid, (uid_t a), (a))
RIGHTS(setreuid, (uid_t a, uid_t b), (a, b))
RIGHTS(setresuid, (uid_t a, uid_t b, uid_t c), (a, b, c))
RIGHTS(chroot, (const char *path), (path))

#endif
