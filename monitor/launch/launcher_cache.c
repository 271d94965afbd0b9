/* SPDX-License-Identifier: MIT */
/* The directory of files that later runs read. */
#include "monitor/launch/launcher_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool
launcher_cache_path(char *to, size_t n, const char *dir, const char *name)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	bool own = !base || *base != '/', there = false;
	const char *root = own ? home : base;
	char *slash;

	if (!root || *root != '/')
		return false;
	if (snprintf(to, n, "%s%s/memmon/%s/%s", root, own ? "/.cache" : "",
		     dir, name) >= (int)n)
		return false;
	/* Creates the directories, and checks that the last one is writable. */
	for (slash = to + strlen(root); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (*to)
			mkdir(to, 0700);
		there = access(to, W_OK | X_OK) == 0;
		*slash = '/';
	}
	return there;
}
