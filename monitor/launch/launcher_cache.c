/* SPDX-License-Identifier: MIT */
/* The directory of what is kept. */
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
	bool own = !base || *base != '/';
	char *slash;

	if (own && (!home || *home != '/'))
		return false;
	if (snprintf(to, n, "%s%s/memmon/%s/%s", own ? home : base,
		     own ? "/.cache" : "", dir, name) >= (int)n)
		return false;
	slash = to + strlen(own ? home : base);
	for (; slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (*to)
			mkdir(to, 0700);
		*slash = '/';
	}
	slash = strrchr(to, '/');
	*slash = '\0';
	own = access(to, W_OK | X_OK) == 0;
	*slash = '/';
	return own;
}
