/* SPDX-License-Identifier: MIT */
/*
 * memmon_module.h: the parts of a profiling module.  A module is a shared
 * object; memmon_module(3) has an example of each part.
 *
 *	cc -O2 -shared -fPIC my.c -o my.so
 *	memmon-cc --module=./my.so prog.c -o prog
 *
 * The module says which events it wants, gets them in batches, and returns rows
 * of tables at the end.  This header is C, and C++ may use it.
 */
#ifndef MEMMON_MODULE_H
#define MEMMON_MODULE_H

#include "monitor/module/api.h"
#include "monitor/module/context.h"
#include "monitor/module/groups.h"
#include "monitor/module/map.h"
#include "monitor/module/numbers.h"
#include "monitor/module/parts.h"
#include "monitor/module/scope.h"
#include "monitor/module/shadow.h"

#endif
