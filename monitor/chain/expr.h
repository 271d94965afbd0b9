/* SPDX-License-Identifier: MIT */
/* DWARF expressions, as far as call frame information uses them. */
#ifndef MEMMON_EXPR_H
#define MEMMON_EXPR_H

#include "monitor/base/internal.h"

/* Reads 8 bytes of the program's memory; false when they can't be read. */
typedef bool mmi_expr_read(void *arg, uintptr_t addr, uint64_t *v);

/*
 * Evaluates the n bytes at p (DWARF 5 section 2.5.1).  reg[] are registers,
 * valid a mask of the known ones; init, if not NULL, is pushed first.  True: *v
 * is the top of the stack.  False: an operation isn't known, a register isn't
 * valid or memory can't be read.  ctx: slow; signal-safe.
 */
bool mmi_expr_eval(const uint8_t *p, uint64_t n, const uintptr_t *reg,
		   uint32_t valid, const uintptr_t *init, mmi_expr_read *read,
		   void *arg, uint64_t *v);

#endif
