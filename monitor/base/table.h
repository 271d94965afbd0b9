/* SPDX-License-Identifier: MIT */
/* Large tables; most programs use little of them. */
#ifndef MEMMON_TABLE_H
#define MEMMON_TABLE_H

#include "monitor/base/internal.h"

/*
 * MMI_TABLE: a variable that is zero at first, in a part of the shared library
 * that is read-only until mmi_table_open().  If it were writable from the
 * start, the loader would count it for RLIMIT_DATA, and a program with a small
 * limit would not start.  The section's name includes its type, which only
 * gcc's assembler accepts; elsewhere the table is a variable like others.
 */
#if !defined(MEMMON_STATIC) && !defined(MEMMON_MUSL) && !defined(__clang__) && \
	defined(__x86_64__) && defined(MEMMON_TABLES)
#define MMI_TABLE __attribute__((section(".mmi_tables,\"a\",@nobits#")))
#else
#define MMI_TABLE
#endif

/*
 * Makes the tables writable.  False: the kernel refuses, usually because the
 * process may have no more memory of its own; then a hook may only call the
 * next allocator.  ctx: init.
 */
bool mmi_table_open(void);

#endif
