/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warnings of programs and libraries that lack names. */
#ifndef MEMMON_PROBLEMS_H
#define MEMMON_PROBLEMS_H

#include <stdbool.h>

#include "reduce/model/result.h"

struct exe;
struct funcs;

/*
 * Warn of problems with the files that call paths contain.  used: by module of
 * f->mon, does a call path contain it?  The problem of a library is a warning
 * if the library has no names at all, or if half of the bytes, or more, were
 * allocated by functions of it whose names are unknown.  Half of the bytes is
 * no reason for the libraries of libc and of the compiler.  Call it after p's
 * sites are set.  Returns 0, or -1 when out of memory.
 */
int problems_warn(struct profile *p, const struct funcs *f, const struct exe *x,
		  const bool *used);

/* Warn of a problem with the server of debug information.  0, or -1. */
int problems_warn_server(struct profile *p);

#endif
