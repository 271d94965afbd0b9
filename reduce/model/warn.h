/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warnings of a profile. */
#ifndef MEMMON_REDUCE_WARN_H
#define MEMMON_REDUCE_WARN_H

#include "reduce/model/result.h"

/*
 * Append "WHO: TEXT", or TEXT when who is NULL, to p->warnings.  Characters
 * that control a terminal become `?'.
 */
void profile_warn(struct profile *p, const char *who, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
