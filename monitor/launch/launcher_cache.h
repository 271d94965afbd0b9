/* SPDX-License-Identifier: MIT */
/* What memmon stores for later runs: $XDG_CACHE_HOME/memmon. */
#ifndef MEMMON_LAUNCHER_CACHE_H
#define MEMMON_LAUNCHER_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Puts the path of file `name' in directory `dir' there, or in ~/.cache/memmon,
 * into to[n].  Creates the directories.  false: this failed, or the path is too
 * long.
 */
bool launcher_cache_path(char *to, size_t n, const char *dir, const char *name);

#endif
