/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contents of a data file, as text (mpreduce -i). */
#ifndef MEMMON_REDUCE_INFO_H
#define MEMMON_REDUCE_INFO_H

#include "reduce/monout/mon.h"

#include <stdio.h>

/* Print the contents of m to out. */
void info_print(const struct mon *m, FILE *out);

#endif
