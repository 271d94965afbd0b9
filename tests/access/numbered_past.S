/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For numbered.c: the functions in numbered_past.h, a line CARRY name for each,
 * are jumps to libc's own, which numbered_find() looks for at the first call.
 * Those to which pointers lead say that they are recorded.
 */
#define MEMMON_ABI_NAMES_ONLY
#include "monitor/abi.h"

	.macro	CARRY name
	.section .rodata
name_\@:
	.asciz	"\name"
	.data
	.balign	8
slot_\@:
	.quad	first_\@
	.text
	.globl	\name
	.type	\name, @function
\name:
	.cfi_startproc
	.byte	MEMMON_MARK
	jmp	*slot_\@(%rip)
	.cfi_endproc
	.size	\name, . - \name
first_\@:
	.cfi_startproc
	pushq	%rdi
	.cfi_def_cfa_offset 16
	leaq	name_\@(%rip), %rdi
	leaq	slot_\@(%rip), %r11
	jmp	find
	.cfi_endproc
	.endm

/* Arguments in registers stay as they are; rdi is on the stack. */
	.text
find:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	pushq	%rbp
	.cfi_def_cfa_offset 24
	.cfi_offset %rbp, -24
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	subq	$208, %rsp
	andq	$-16, %rsp
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	movaps	%xmm\n, 16*\n(%rsp)
	.endr
	movq	%rax, 128(%rsp)
	movq	%rcx, 136(%rsp)
	movq	%rdx, 144(%rsp)
	movq	%rsi, 152(%rsp)
	movq	%r8, 160(%rsp)
	movq	%r9, 168(%rsp)
	movq	%r11, 176(%rsp)
	call	numbered_find
	movq	176(%rsp), %r11
	movq	%rax, (%r11)
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	movaps	16*\n(%rsp), %xmm\n
	.endr
	movq	128(%rsp), %rax
	movq	136(%rsp), %rcx
	movq	144(%rsp), %rdx
	movq	152(%rsp), %rsi
	movq	160(%rsp), %r8
	movq	168(%rsp), %r9
	leave
	.cfi_def_cfa %rsp, 16
	popq	%rdi
	.cfi_def_cfa_offset 8
	jmp	*(%r11)
	.cfi_endproc

#include "numbered_past.h"

	.section .note.GNU-stack, "", @progbits
