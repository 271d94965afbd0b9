/* SPDX-License-Identifier: MIT */
/*
 * Code that each program or library has once, as a COMDAT group, for the rare
 * call of __memmon_touch(); and a constructor that tells the library of it.
 * Assembler's text for x86-64, which gcc's plugin and LLVM's pass write:
 * TOUCH_SECTION; for each register an entry, which is TOUCH_START, and but for
 * the last one, rdi, moves it to rdi and jumps to 1; TOUCH_QUICK;
 * TOUCH_COMMON; HANDED_ENTRY, for the call of __memmon_handed_registers()
 * (abi.h); and TOUCH_CONSTRUCTOR.
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

/*
 * The granule's address in rdi, the old rdi pushed.  First what needs no call
 * of __memmon_touch(), as it does it (monitor/access/slow_path.c): a thread
 * that has a tag accesses a granule with a word, no count of which has grown
 * to its guard; it is the first access, or when that was is known; no other
 * thread has accessed it last.  The upper half becomes that of now.  The names
 * are those of abi.h.
 */
#define TOUCH_TEXT_OF(...) #__VA_ARGS__
#define TOUCH_TEXT(...) TOUCH_TEXT_OF(__VA_ARGS__)
/* clang-format off */
#define TOUCH_QUICK \
	"1:\tpushq\t%rax\n" \
	"\t.cfi_def_cfa_offset 24\n" \
	"\tpushq\t%rcx\n" \
	"\t.cfi_def_cfa_offset 32\n" \
	"\tpushq\t%rdx\n" \
	"\t.cfi_def_cfa_offset 40\n" \
	"\tmovq\t" MEMMON_STATE_NAME "@gottpoff(%rip), %rax\n" \
	"\tmovq\t%fs:(%rax), %rax\n" \
	"\tincq\t" TOUCH_TEXT(MEMMON_RENEWED) "(%rax)\n" \
	"\tmovl\t12(%rax), %eax\n" /* of now */ \
	"\tmovl\t4(%rdi), %ecx\n" \
	"\tmovl\t(%rdi), %edx\n" \
	"\tcmpl\t$1 << (" TOUCH_TEXT(MEMMON_TAG_SHIFT) " - 32), %eax\n" \
	"\tjb\t4f\n" \
	"\ttestl\t$(1 << (" TOUCH_TEXT(MEMMON_STAMP_SHIFT) \
		" - 32)) - 1, %ecx\n" \
	"\tjne\t4f\n" \
	"\ttestl\t$~(7 << " TOUCH_TEXT(MEMMON_FIRST_SHIFT) "), %edx\n" \
	"\tjne\t3f\n" \
	"\torl\t%edx, %ecx\n" \
	"\tje\t4f\n" \
	"2:\tmovl\t%eax, 4(%rdi)\n" \
	"\t.cfi_remember_state\n" \
	"\tpopq\t%rdx\n" \
	"\tpopq\t%rcx\n" \
	"\tpopq\t%rax\n" \
	"\t.cfi_def_cfa_offset 16\n" \
	"\tpopq\t%rdi\n" \
	"\t.cfi_def_cfa_offset 8\n" \
	"\tret\n" \
	"\t.cfi_restore_state\n" \
	"3:\tbtl\t$" TOUCH_TEXT(MEMMON_FIRST_SHIFT) ", %edx\n" \
	"\tjnc\t4f\n" \
	"\txorl\t%eax, %ecx\n" \
	"\tshrl\t$(" TOUCH_TEXT(MEMMON_TAG_SHIFT) " - 32), %ecx\n" \
	"\tje\t2b\n" \
	"\ttestl\t$-1 << (" TOUCH_TEXT(MEMMON_TAG_SHIFT) " - 32), 4(%rdi)\n" \
	"\tje\t2b\n" /* no thread's so far */
/* clang-format on */

/* The same, by the library. */
#define TOUCH_COMMON \
	"4:\tpushq\t%rbp\n" \
	"\t.cfi_def_cfa_offset 48\n" \
	"\t.cfi_offset %rbp, -48\n" \
	"\tmovq\t%rsp, %rbp\n" \
	"\t.cfi_def_cfa_register %rbp\n" \
	"\tpushq\t%rsi\n" \
	"\tpushq\t%r8\n\tpushq\t%r9\n\tpushq\t%r10\n\tpushq\t%r11\n" \
	"\tpushq\t%rdi\n" \
	"\tandq\t$-16, %rsp\n" \
	"\tcall\t*__memmon_touch@GOTPCREL(%rip)\n" \
	"\tleaq\t-40(%rbp), %rsp\n" \
	"\tpopq\t%r11\n\tpopq\t%r10\n\tpopq\t%r9\n\tpopq\t%r8\n" \
	"\tpopq\t%rsi\n" \
	"\tpopq\t%rbp\n" \
	"\t.cfi_def_cfa %rsp, 40\n" \
	"\tpopq\t%rdx\n\tpopq\t%rcx\n\tpopq\t%rax\n" \
	"\t.cfi_def_cfa_offset 16\n" \
	"\tpopq\t%rdi\n" \
	"\t.cfi_def_cfa_offset 8\n" \
	"\tret\n" \
	"\t.cfi_endproc\n"

/* It leaves alone all that arguments may be in. */
#define HANDED_ENTRY \
	"\t.p2align 4\n" \
	"\t.hidden\t__memmon_handed_entry\n" \
	"\t.globl\t__memmon_handed_entry\n" \
	"\t.type\t__memmon_handed_entry, @function\n" \
	"__memmon_handed_entry:\n" \
	"\t.cfi_startproc\n" \
	"\tpushq\t%rbp\n" \
	"\t.cfi_def_cfa_offset 16\n" \
	"\t.cfi_offset %rbp, -16\n" \
	"\tmovq\t%rsp, %rbp\n" \
	"\t.cfi_def_cfa_register %rbp\n" \
	"\tpushq\t%rax\n\tpushq\t%r10\n" \
	"\tpushq\t%r9\n\tpushq\t%r8\n\tpushq\t%rcx\n" \
	"\tpushq\t%rdx\n\tpushq\t%rsi\n\tpushq\t%rdi\n" \
	"\tmovq\t%r11, %rdi\n" \
	"\tmovq\t%rsp, %rsi\n" \
	"\tsubq\t$128, %rsp\n" \
	"\tandq\t$-16, %rsp\n" \
	"\tmovaps\t%xmm0, (%rsp)\n\tmovaps\t%xmm1, 16(%rsp)\n" \
	"\tmovaps\t%xmm2, 32(%rsp)\n\tmovaps\t%xmm3, 48(%rsp)\n" \
	"\tmovaps\t%xmm4, 64(%rsp)\n\tmovaps\t%xmm5, 80(%rsp)\n" \
	"\tmovaps\t%xmm6, 96(%rsp)\n\tmovaps\t%xmm7, 112(%rsp)\n" \
	"\tcall\t*__memmon_handed_registers@GOTPCREL(%rip)\n" \
	"\tmovaps\t(%rsp), %xmm0\n\tmovaps\t16(%rsp), %xmm1\n" \
	"\tmovaps\t32(%rsp), %xmm2\n\tmovaps\t48(%rsp), %xmm3\n" \
	"\tmovaps\t64(%rsp), %xmm4\n\tmovaps\t80(%rsp), %xmm5\n" \
	"\tmovaps\t96(%rsp), %xmm6\n\tmovaps\t112(%rsp), %xmm7\n" \
	"\tleaq\t-64(%rbp), %rsp\n" \
	"\tpopq\t%rdi\n\tpopq\t%rsi\n\tpopq\t%rdx\n" \
	"\tpopq\t%rcx\n\tpopq\t%r8\n\tpopq\t%r9\n" \
	"\tpopq\t%r10\n\tpopq\t%rax\n" \
	"\tpopq\t%rbp\n" \
	"\t.cfi_def_cfa %rsp, 8\n" \
	"\tret\n" \
	"\t.cfi_endproc\n"

/*
 * Code that stands for a function where it is called, of the number n among
 * such, whose record of the callee has the number c: labels .LMEMMON_H n, _D n
 * (struct memmon_handing), _C c.  All three are of std::string.
 */
/* clang-format off */
#define HANDED_CALL(n, c, function) \
	(".LMEMMON_H" + (n) + ":\n\t.cfi_startproc\n" \
	 "\tcmpq\t$0, .LMEMMON_C" + (c) + "(%rip)\n" \
	 "\tjne\t1f\n" \
	 "2:\tjmp\t" + (function) + "@PLT\n" \
	 "1:\tleaq\t.LMEMMON_D" + (n) + "(%rip), %r11\n" \
	 "\tcall\t__memmon_handed_entry\n" \
	 "\tjmp\t2b\n" \
	 "\t.cfi_endproc\n")
/* clang-format on */

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
