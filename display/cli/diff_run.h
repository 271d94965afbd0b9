/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --diff and --diff=common: two profiles side by side. */
#ifndef MEMMON_DISPLAY_DIFF_RUN_H
#define MEMMON_DISPLAY_DIFF_RUN_H

#include "display/settings/settings.h"
#include "reduce/profile/profile.h"

#include <stdio.h>

/*
 * --diff and --diff=common: read the data files of o->files and print.  Clears
 * *whole if a file is incomplete, so that figures are lower bounds.  0, or -1
 * with *e set.
 */
int diff_run(const struct options *o, FILE *out, bool *whole, struct err *e);

#endif
