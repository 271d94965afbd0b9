/* SPDX-License-Identifier: MIT */
/* Registers of an interrupted thread by their DWARF numbers. */
#ifndef MEMMON_CONTEXT_REG_H
#define MEMMON_CONTEXT_REG_H

#include "monitor/base/arch.h"

/*
 * The DWARF number of the i-th register that arch_context() has saved;
 * ARCH_NREG: another register.  ctx: any.
 */
static inline unsigned
arch_context_reg(unsigned i)
{
#ifdef __x86_64__
	/* r8 to r15, rdi, rsi, rbp, rbx, rdx, rax, rcx, rip */
	static const char of[] = "\10\11\12\13\14\15\16\17"
				 "\5\4\6\3\1\0\2\20";

	return i + 1 < sizeof(of) ? (unsigned char)of[i] : ARCH_NREG;
#else
	return i < 31 ? i : ARCH_NREG;
#endif
}

#endif
