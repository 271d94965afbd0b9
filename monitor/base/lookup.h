/* SPDX-License-Identifier: MIT */
/* Is a function defined further on?  Asked of the objects, not of dlsym(). */
#ifndef MEMMON_LOOKUP_H
#define MEMMON_LOOKUP_H

#include <stdbool.h>

/*
 * Does any object that was loaded behind this library define `name'?  Also true
 * when that can't be told.  Nothing is allocated, and no lock is taken: not to
 * be called while objects may be unloaded.  ctx: init.
 */
bool mmi_lookup_has(const char *name);

#endif
