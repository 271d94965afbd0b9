/* SPDX-License-Identifier: MIT */
/* Large tables, of which most programs touch little. */
#ifndef MEMMON_TABLE_H
#define MEMMON_TABLE_H

#include "monitor/base/internal.h"

/*
 * MMI_TABLE: a variable that is zero at first, in a part of the shared library
 * that is read-only until mmi_table_open().  Where it could be written at once,
 * the loader would count it for RLIMIT_DATA, and a program under a small limit
 * would not start.  The section's type is added to its name, which only gcc's
 * assembler takes; elsewhere the table is a variable as others are.
 */
#if !defined(MEMMON_STATIC) && !defined(MEMMON_MUSL) && !defined(__clang__) && \
	defined(__x86_64__) && defined(MEMMON_TABLES)
#define MMI_TABLE __attribute__((section(".mmi_tables,\"a\",@nobits#")))
#else
#define MMI_TABLE
#endif

/*
 * Tables can be written from here.  False: the kernel refuses it, mostly since
 * the process may have no more memory of its own, and no hook may do more than
 * call the next allocator.  ctx: init.
 */
bool mmi_table_open(void);

#endif
