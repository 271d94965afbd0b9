/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames that C can't write, for the programs here: see oracle.h.  Those called
 * oracle_via_* call fn(arg, ra), where ra is their own return address, from a
 * frame of some odd kind; the return address of that call needs no label, as
 * the callee notes it.
 */
	.text

	.macro	FUNCTION name
	.globl	\name
	.type	\name, @function
	.p2align 4
\name:
	.cfi_startproc
	.endm

	.macro	END name
	.cfi_endproc
	.size	\name, . - \name
	.endm

/*
 * struct oracle_block oracle_malloc(size_t n): the block, and the return
 * address of this call.  The allocation's own is oracle_after.
 */
	FUNCTION oracle_malloc
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	malloc@PLT
	.globl	oracle_after
oracle_after:
	movq	8(%rsp), %rdx
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	END	oracle_malloc

/* The frame pointer is a register like any other, with garbage in it. */
	FUNCTION oracle_via_garbage
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	movq	%rdi, %rax
	movq	%rsi, %rdi
	movq	8(%rsp), %rsi
	imulq	$12345, %rsp, %rbp
	call	*%rax
	popq	%rbp
	.cfi_restore %rbp
	.cfi_adjust_cfa_offset -8
	ret
	END	oracle_via_garbage

/* The frame pointer points into the stack, but not to a frame. */
	FUNCTION oracle_via_pointer
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	movq	%rdi, %rax
	movq	%rsi, %rdi
	movq	8(%rsp), %rsi
	leaq	-64(%rsp), %rbp
	subq	$160, %rsp
	.cfi_adjust_cfa_offset 160
	call	*%rax
	addq	$160, %rsp
	.cfi_adjust_cfa_offset -160
	popq	%rbp
	.cfi_restore %rbp
	.cfi_adjust_cfa_offset -8
	ret
	END	oracle_via_pointer

/* A frame of unknown size, measured from rbx. */
	FUNCTION oracle_via_rbx
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbx, 0
	movq	%rsp, %rbx
	.cfi_def_cfa_register %rbx
	movq	%rdi, %rax
	movq	%rsi, %rdi
	movq	8(%rsp), %rsi
	movq	%rsp, %rcx
	andq	$0x70, %rcx
	subq	%rcx, %rsp
	subq	$32, %rsp
	call	*%rax
	movq	%rbx, %rsp
	.cfi_def_cfa_register %rsp
	popq	%rbx
	.cfi_restore %rbx
	.cfi_adjust_cfa_offset -8
	ret
	END	oracle_via_rbx

/* The caller's rbp is in r12, whose caller's value is in the frame. */
	FUNCTION oracle_via_r12
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r12, 0
	movq	%rbp, %r12
	.cfi_register %rbp, %r12
	movq	%rdi, %rax
	movq	%rsi, %rdi
	movq	8(%rsp), %rsi
	movq	$-1, %rbp
	call	*%rax
	movq	%r12, %rbp
	.cfi_restore %rbp
	popq	%r12
	.cfi_restore %r12
	.cfi_adjust_cfa_offset -8
	ret
	END	oracle_via_r12

/* The frame is only a jump: it isn't there any more. */
	FUNCTION oracle_via_jump
	movq	%rdi, %rax
	movq	%rsi, %rdi
	movq	(%rsp), %rsi
	jmp	*%rax
	END	oracle_via_jump

/* Half a megabyte of frame: slots and sizes that need many bits. */
	FUNCTION oracle_via_large
	movq	(%rsp), %rdx
	subq	$0x40000, %rsp
	.cfi_adjust_cfa_offset 0x40000
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	subq	$0x40000, %rsp
	.cfi_adjust_cfa_offset 0x40000
	movq	%rdi, %rax
	movq	%rsi, %rdi
	movq	%rdx, %rsi
	xorl	%ebp, %ebp
	call	*%rax
	addq	$0x40000, %rsp
	.cfi_adjust_cfa_offset -0x40000
	popq	%rbp
	.cfi_restore %rbp
	.cfi_adjust_cfa_offset -8
	addq	$0x40000, %rsp
	.cfi_adjust_cfa_offset -0x40000
	ret
	END	oracle_via_large

/*
 * oracle_via_stack(fn, arg, top): on another stack, that ends at top.  Only rbp
 * knows the way back.
 */
	FUNCTION oracle_via_stack
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	movq	%rdi, %rax
	movq	%rsi, %rdi
	movq	8(%rbp), %rsi
	movq	%rdx, %rsp
	call	*%rax
	leave
	.cfi_restore %rbp
	.cfi_def_cfa %rsp, 8
	ret
	END	oracle_via_stack

/*
 * oracle_trap(i): one of three int3 that differ in nothing but the address.
 * The return address is at 8(%rsp) then.
 */
	FUNCTION oracle_trap
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	testl	%edi, %edi
	je	1f
	cmpl	$1, %edi
	je	2f
	int3
	jmp	3f
1:	int3
	jmp	3f
2:	int3
3:	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	END	oracle_trap

/* No unwind information at all, with and without a frame pointer. */
	.globl	oracle_via_nothing
	.type	oracle_via_nothing, @function
	.p2align 4
oracle_via_nothing:
	movq	%rdi, %rax
	movq	%rsi, %rdi
	movq	(%rsp), %rsi
	subq	$24, %rsp
	call	*%rax
	addq	$24, %rsp
	ret
	.size	oracle_via_nothing, . - oracle_via_nothing

	.globl	oracle_via_frame
	.type	oracle_via_frame, @function
	.p2align 4
oracle_via_frame:
	pushq	%rbp
	movq	%rsp, %rbp
	movq	%rdi, %rax
	movq	%rsi, %rdi
	movq	8(%rbp), %rsi
	call	*%rax
	popq	%rbp
	ret
	.size	oracle_via_frame, . - oracle_via_frame

	.section .note.GNU-stack, "", @progbits
