/* SPDX-License-Identifier: MIT */
/*
 * The process that consumes events.  The program must not notice it.  So a copy
 * of this process starts the consumer, and ends at once; both send no signal
 * when they end, and wait() never sees either.
 */
#include "monitor/events/consumer.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "monitor/base/mask.h"
#include "monitor/base/process.h"

static char home[PATH_MAX];

/* Append `name' to the first n bytes of home; "" if nothing is there. */
static void
at_home(size_t n, const char *name)
{
	if (n + strlen(name) + 20 > sizeof(home))
		name = "";
	memcpy(home + n, name, strlen(name) + 1);
	memcpy(home + strlen(home), "/memmon-consume", 16);
	if (ARCH_SYS(SYS_faccessat, AT_FDCWD, home, 1 /* X_OK */, 0, 0, 0) == 0)
		home[n + strlen(name)] = '\0';
	else
		home[0] = '\0';
}

const char *
mmi_consumer_home(void)
{
	Dl_info d;
	const char *slash;
	size_t n;

	if (home[0] || !dladdr((void *)&home, &d) || !d.dli_fname)
		return home;
	slash = strrchr(d.dli_fname, '/');
	n = slash ? (size_t)(slash - d.dli_fname) : 0;
	if (n >= sizeof(home) / 2)
		return home;
	n += !slash;
	for (unsigned i = 0; i < 2 && !home[0]; i++) {
		memcpy(home, slash ? d.dli_fname : ".", n);
		at_home(n, i ? "/plugin" : "/memmon");
	}
	return home;
}

/* Close all descriptors except the first four. */
static void
close_others(void)
{
	if (ARCH_SYS(SYS_close_range, 4, ~0u, 0, 0, 0, 0) == 0)
		return;
	for (int i = 4; i < 65536; i++)
		ARCH_SYS(SYS_close, i, 0, 0, 0, 0, 0);
}

/* In the copy of the copy: becomes the consumer. */
static void
become(struct stream_head *h, int fd)
{
	static char name[PATH_MAX + 20];
	char *argv[] = { name, home, NULL }, *envp[] = { NULL };
	uint64_t none = 0;
	long null;

	memcpy(name, home, strlen(home) + 1);
	memcpy(name + strlen(name), "/memmon-consume", 16);
	ARCH_SYS(SYS_setsid, 0, 0, 0, 0, 0, 0);
	if (fd != 3) {
		ARCH_SYS(SYS_dup3, fd, 3, 0, 0, 0, 0);
	} else {
		ARCH_SYS(SYS_fcntl, 3, F_SETFD, 0, 0, 0, 0);
	}
	ARCH_SYS(SYS_close, 0, 0, 0, 0, 0, 0);
	null = ARCH_SYS(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR, 0, 0, 0);
	for (int i = 0; null >= 0 && i < 3; i++)
		if (i != null)
			ARCH_SYS(SYS_dup3, null, i, 0, 0, 0, 0);
	close_others();
	ARCH_SYS(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, &none, 0, 8, 0, 0);
	ARCH_SYS(SYS_execve, name, argv, envp, 0, 0, 0);
	STORE_REL(&h->failed, 1);
	mmi_consumer_wake(&h->done);
}

bool
mmi_consumer_start(struct stream_head *h, int fd)
{
	struct mmi_mask mask;
	long pid;
	int status;

	if (!mmi_consumer_home()[0]) {
		ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
		return false;
	}
	mmi_mask_block(&mask, MMI_MASK_ALL);
	pid = ARCH_SYS(SYS_clone, 0, 0, 0, 0, 0, 0);
	if (pid == 0) {
		pid = ARCH_SYS(SYS_clone, 0, 0, 0, 0, 0, 0);
		if (pid == 0)
			become(h, fd);
		else if (pid > 0)
			STORE(&h->consumer, (uint32_t)pid);
		for (;;)
			ARCH_SYS(SYS_exit_group, 0, 0, 0, 0, 0, 0);
	}
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	while (pid > 0 &&
	       ARCH_SYS(SYS_wait4, pid, &status, __WALL, 0, 0, 0) == -EINTR)
		;
	mmi_mask_restore(&mask);
	return LOAD(&h->consumer) != 0;
}

bool
mmi_consumer_dead(const struct stream_head *h)
{
	char stat[512];
	const char *end;
	long n;

	if (LOAD_ACQ(&h->failed) || !LOAD(&h->consumer))
		return true;
	if (LOAD_ACQ(&h->done))
		return false;
	if (ARCH_SYS(SYS_kill, LOAD(&h->consumer), 0, 0, 0, 0, 0) == -ESRCH)
		return !LOAD_ACQ(&h->done);
	/* Its parent may not have called wait() for it. */
	n = mmi_process_file("/proc/", LOAD(&h->consumer), "/stat", stat,
			     sizeof(stat));
	if (n <= 0)
		return false;
	end = strrchr(stat, ')');
	return end && end[1] == ' ' && (end[2] == 'Z' || end[2] == 'X') &&
	       !LOAD_ACQ(&h->done);
}

void
mmi_consumer_sleep(const uint32_t *p, uint32_t v)
{
	struct timespec ts = { 0, 100000000 };

	ARCH_SYS(SYS_futex, p, FUTEX_WAIT, v, &ts, 0, 0);
}

void
mmi_consumer_wake(const uint32_t *p)
{
	ARCH_SYS(SYS_futex, p, FUTEX_WAKE, INT_MAX, 0, 0, 0);
}
