/* SPDX-License-Identifier: MIT */
/* What memmon keeps from one run to others: $XDG_CACHE_HOME/memmon. */
#ifndef MEMMON_LAUNCHER_CACHE_H
#define MEMMON_LAUNCHER_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The path of a file in the directory dir there, or else in ~/.cache/memmon,
 * into to[n].  The directories are made.  false: they can't be, or the path is
 * too long.
 */
bool launcher_cache_path(char *to, size_t n, const char *dir, const char *name);

#endif
