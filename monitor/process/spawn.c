/* SPDX-License-Identifier: MIT */
/*
 * Programs that libc starts in new processes: children.h describes their
 * environments.  libmemmon-access has hooks for these functions in wrap/, and
 * LD_PRELOAD never contains it alone.
 */
#if !defined(MEMMON_STATIC) && !defined(MEMMON_ACCESS)

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>

#include "monitor/base/internal.h"
#include "monitor/base/next.h"
#include "monitor/process/children.h"
#include "monitor/process/exec.h"

typedef int spawn_function(pid_t *, const char *,
			   const posix_spawn_file_actions_t *,
			   const posix_spawnattr_t *, char *const[],
			   char *const[]);

static spawn_function *next_posix_spawn, *next_posix_spawnp;
static int (*next_system)(const char *);
static FILE *(*next_popen)(const char *, const char *);

void
mmi_spawn_init(void)
{
	next_posix_spawn = mmi_next_symbol("posix_spawn");
	next_posix_spawnp = mmi_next_symbol("posix_spawnp");
	next_system = mmi_next_symbol("system");
	next_popen = mmi_next_symbol("popen");
}

/* Another library's constructor may call this before mmi_spawn_init(). */
#define FOUND(function) (function || (mmi_spawn_init(), function))

/* A path that is relative to another directory isn't found. */
#define SPAWN(name, searched) \
	EXPORT int name(pid_t *pid, const char *path, \
			const posix_spawn_file_actions_t *actions, \
			const posix_spawnattr_t *attributes, \
			char *const argv[], char *const envp[]) \
	{ \
		struct mmi_child c = { .directory = AT_FDCWD, \
				       .path = path, \
				       .search = searched, \
				       .spawned = true, \
				       .argv = argv, \
				       .envp = envp }; \
		int r; \
\
		if (!FOUND(next_##name)) \
			return ENOSYS; \
		if (mmi_child_readable(&c)) \
			MMI_CHILD_BEGIN(&c); \
		r = next_##name(pid, path, actions, attributes, argv, c.envp); \
		mmi_child_release(&c); \
		return r; \
	}

SPAWN(posix_spawn, false)
SPAWN(posix_spawnp, true)

EXPORT int
system(const char *command)
{
	mmi_child_shell();
	return FOUND(next_system) ? next_system(command) : -1;
}

EXPORT FILE *
popen(const char *command, const char *mode)
{
	mmi_child_shell();
	return FOUND(next_popen) ? next_popen(command, mode) : NULL;
}

#endif
