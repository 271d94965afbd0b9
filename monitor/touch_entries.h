/* SPDX-License-Identifier: MIT */
/*
 * Code that each program or library has once, as a COMDAT group, for the rare
 * call of __memmon_touch(); and a constructor that tells the library of it.
 * Assembler's text for x86-64, which gcc's plugin and LLVM's pass write:
 * TOUCH_SECTION; for each register an entry, which is TOUCH_START, and but for
 * the last one, rdi, moves it to rdi and jumps to 1; TOUCH_COMMON; and
 * TOUCH_CONSTRUCTOR.
 */
#ifndef MEMMON_TOUCH_ENTRIES_H
#define MEMMON_TOUCH_ENTRIES_H

#define TOUCH_SECTION \
	"\t.section\t.text.__memmon_touch,\"axG\",@progbits," \
	"__memmon_touch_rax,comdat\n" \
	"\t.p2align 4\n\t.cfi_startproc\n"

#define TOUCH_START \
	"\t.cfi_def_cfa_offset 8\n" \
	"\tpushq\t%rdi\n" \
	"\t.cfi_def_cfa_offset 16\n"

/* The granule's address in rdi, the old rdi pushed. */
#define TOUCH_COMMON \
	"1:\tpushq\t%rbp\n" \
	"\t.cfi_def_cfa_offset 24\n" \
	"\t.cfi_offset %rbp, -24\n" \
	"\tmovq\t%rsp, %rbp\n" \
	"\t.cfi_def_cfa_register %rbp\n" \
	"\tpushq\t%rax\n\tpushq\t%rcx\n\tpushq\t%rdx\n\tpushq\t%rsi\n" \
	"\tpushq\t%r8\n\tpushq\t%r9\n\tpushq\t%r10\n\tpushq\t%r11\n" \
	"\tpushq\t%rdi\n" \
	"\tandq\t$-16, %rsp\n" \
	"\tcall\t*__memmon_touch@GOTPCREL(%rip)\n" \
	"\tmovq\t-72(%rbp), %rdi\n" \
	"\tmovq\t%rax, (%rdi)\n" \
	"\tleaq\t-64(%rbp), %rsp\n" \
	"\tpopq\t%r11\n\tpopq\t%r10\n\tpopq\t%r9\n\tpopq\t%r8\n" \
	"\tpopq\t%rsi\n\tpopq\t%rdx\n\tpopq\t%rcx\n\tpopq\t%rax\n" \
	"\tpopq\t%rbp\n" \
	"\t.cfi_def_cfa %rsp, 16\n" \
	"\tpopq\t%rdi\n" \
	"\t.cfi_def_cfa_offset 8\n" \
	"\tret\n" \
	"\t.cfi_endproc\n"

/* Tells the library that there is code of this kind, once in each module. */
#define TOUCH_CONSTRUCTOR \
	"\t.p2align 4\n" \
	"\t.hidden\t__memmon_way_plugin\n" \
	"\t.globl\t__memmon_way_plugin\n" \
	"\t.type\t__memmon_way_plugin, @function\n" \
	"__memmon_way_plugin:\n" \
	"\t.cfi_startproc\n" \
	"\tsubq\t$8, %rsp\n" \
	"\t.cfi_def_cfa_offset 16\n" \
	"\tmovl\t$1, %edi\n" \
	"\tcall\t*__memmon_way@GOTPCREL(%rip)\n" \
	"\taddq\t$8, %rsp\n" \
	"\t.cfi_def_cfa_offset 8\n" \
	"\tret\n" \
	"\t.cfi_endproc\n" \
	"\t.section\t.init_array,\"awG\",@init_array," \
	"__memmon_touch_rax,comdat\n" \
	"\t.balign 8\n" \
	"\t.quad\t__memmon_way_plugin\n" \
	"\t.text\n"

#endif
