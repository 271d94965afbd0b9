/* SPDX-License-Identifier: MIT */
/* Which modules are made of code whose accesses are recorded. */
#ifndef MEMMON_ACCESS_RECORDED_H
#define MEMMON_ACCESS_RECORDED_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/*
 * Are the accesses of function f counted: is it in a module of recorded code,
 * but not in the one that `from' is in, or is it this library's?  The linker
 * knows better of the functions of one module.  ctx: slow.
 */
bool mmi_recorded(const void *f, const void *from);

#pragma GCC visibility pop

#endif
