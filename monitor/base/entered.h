/* SPDX-License-Identifier: MIT */
/* Functions that enter the library with a known end of the stack. */
#ifndef MEMMON_ENTERED_H
#define MEMMON_ENTERED_H

#include "monitor/base/internal.h"

/*
 * Defines `name' (`scope' is ".globl" or ".local"): it calls target(argument,
 * sp), of HIDDEN visibility.  The registers that a callee saves are at sp; the
 * caller's stack follows directly.
 */
#define ARCH_ENTERED(name, scope, target) ARCH_ENTERED_(name, scope, target)
#ifdef __x86_64__
#define ARCH_ENTERED_(name, scope, target) \
	__asm__(".pushsection .text\n\t" scope " " #name "\n\t" \
		".type " #name ", @function\n" #name ":\n\t" \
		".cfi_startproc\n\tendbr64\n\t" \
		"pushq %rbp\n\tpushq %rbx\n\tpushq %r12\n\t" \
		"pushq %r13\n\tpushq %r14\n\tpushq %r15\n\t" \
		"pushq $0\n\t.cfi_adjust_cfa_offset 56\n\t" \
		"movq %rsp, %rsi\n\t" \
		"call " #target "\n\t" \
		"addq $56, %rsp\n\t.cfi_adjust_cfa_offset -56\n\t" \
		"ret\n\t.cfi_endproc\n\t" \
		".size " #name ", . - " #name "\n\t.popsection")
#else
#define ARCH_ENTERED_(name, scope, target) \
	__asm__(".pushsection .text\n\t.p2align 2\n\t" scope " " #name \
		"\n\t.type " #name ", %function\n" #name ":\n\t" \
		".cfi_startproc\n\thint #34\n\t" \
		"stp x29, x30, [sp, #-96]!\n\t" \
		".cfi_def_cfa_offset 96\n\t" \
		".cfi_offset x29, -96\n\t.cfi_offset x30, -88\n\t" \
		"stp x19, x20, [sp, #16]\n\tstp x21, x22, [sp, #32]\n\t" \
		"stp x23, x24, [sp, #48]\n\tstp x25, x26, [sp, #64]\n\t" \
		"stp x27, x28, [sp, #80]\n\tmov x1, sp\n\t" \
		"bl " #target "\n\t" \
		"ldp x29, x30, [sp], #96\n\t" \
		".cfi_def_cfa_offset 0\n\t.cfi_restore x29\n\t" \
		".cfi_restore x30\n\tret\n\t.cfi_endproc\n\t" \
		".size " #name ", . - " #name "\n\t.popsection")
#endif

#endif
