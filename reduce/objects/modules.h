/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program and its libraries, as far as the profile tells of them. */
#ifndef MEMMON_REDUCE_MODULES_H
#define MEMMON_REDUCE_MODULES_H

#include "reduce/file/mon.h"
#include "reduce/model/stages.h"

/*
 * Set p's modules from m, which is merged; func.in is a number of both.  0, or
 * -1 when out of memory.
 */
int modules_make(struct profile *p, const struct mon *m);

/*
 * Is the file the C library, or the monitor, by its name?  Or one of those that
 * are in every process and not of the program: these two and the loader?
 */
bool modules_is_libc(const char *path);
bool modules_is_monitor(const char *path);
bool modules_is_system(const char *path);

/* Is it a library that compilers link programs with unasked? */
bool modules_is_runtime(const char *path);

#endif
