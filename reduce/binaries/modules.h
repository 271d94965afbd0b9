/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program and its libraries, as the profile describes them. */
#ifndef MEMMON_REDUCE_MODULES_H
#define MEMMON_REDUCE_MODULES_H

#include "reduce/monout/mon.h"
#include "reduce/model/stages.h"

/* Set p's modules from m, which is merged; func.in is an index in both. */
void modules_make(struct profile *p, const struct mon *m);

/*
 * Is the file the C library, by its name?  The monitor?  One of the libraries
 * that every process has: these two and the loader?
 */
bool modules_is_libc(const char *path);
bool modules_is_monitor(const char *path);
bool modules_is_system(const char *path);

/* Is it a library that compilers link by default? */
bool modules_is_runtime(const char *path);

#endif
