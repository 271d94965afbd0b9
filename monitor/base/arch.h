/* SPDX-License-Identifier: MIT */
/*
 * All that depends on the CPU: x86-64.  A port is another version of this file.
 * Everything here is inline and may be used in any context.
 */
#ifndef MEMMON_ARCH_H
#define MEMMON_ARCH_H

#include <emmintrin.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

#ifndef __x86_64__
#error "memmon's monitor knows x86-64 only"
#endif

/* DWARF numbers of the registers (System V psABI, figure 3.36). */
enum {
	ARCH_RBX = 3,
	ARCH_RBP = 6,
	ARCH_RSP = 7,
	ARCH_R12 = 12,
	ARCH_R13 = 13,
	ARCH_R14 = 14,
	ARCH_R15 = 15,
	ARCH_RA = 16,
	ARCH_NREG = 17
};

/* User addresses have 47 bits; the monitor tags the bits above. */
#define ARCH_ADDR_BITS 47
#define ARCH_PAGE 4096u

/* Relocations that are an address: R_X86_64_64, _GLOB_DAT, _JUMP_SLOT. */
#define ARCH_RELOC_ADDRESS(type) ((type) == 1 || (type) == 6 || (type) == 7)

/*
 * Where a hook was entered from: the return address, the stack pointer and the
 * frame pointer as the caller will have them after the return.  Only in a
 * function compiled with a frame pointer.
 */
struct arch_entry {
	uintptr_t pc;
	uintptr_t sp;
	uintptr_t bp;
};

#define ARCH_ENTRY() \
	({ \
		uintptr_t *fp_ = __builtin_frame_address(0); \
		(struct arch_entry){ fp_[1], (uintptr_t)(fp_ + 2), fp_[0] }; \
	})

/*
 * For what the hooks call: callers in assembly may come with a stack that isn't
 * aligned as it should be, which malloc itself doesn't mind.
 */
#define ARCH_REALIGN __attribute__((force_align_arg_pointer))

/*
 * Define `name', a function of up to three arguments: bool ask() gets them, and
 * then `here' is jumped to if it said true, or what the variable `next' points
 * to, as if called by who called `name'.
 */
#define ARCH_ASK_AND_PASS(name, ask, here, next) \
	__asm__(".pushsection .text\n\t" \
		".globl " #name "\n\t.hidden " #name "\n\t" \
		".type " #name ", @function\n" #name ":\n\t" \
		".cfi_startproc\n\tendbr64\n\t" \
		"pushq %rdi\n\tpushq %rsi\n\tpushq %rdx\n\t" \
		".cfi_adjust_cfa_offset 24\n\t" \
		"call " #ask "\n\t" \
		"popq %rdx\n\tpopq %rsi\n\tpopq %rdi\n\t" \
		".cfi_adjust_cfa_offset -24\n\t" \
		"testb %al, %al\n\tjne " #here "\n\t" \
		"jmp *" #next "(%rip)\n\t" \
		".cfi_endproc\n\t" \
		".size " #name ", . - " #name "\n\t.popsection");

/*
 * The registers that a callee saves, as they are here; *valid has their bits.
 */
static inline __attribute__((always_inline)) void
arch_registers(uintptr_t reg[ARCH_NREG], uint32_t *valid)
{
	__asm__ volatile("movq %%rbx, %c1(%0)\n\t"
			 "movq %%rbp, %c2(%0)\n\t"
			 "movq %%rsp, %c3(%0)\n\t"
			 "movq %%r12, %c4(%0)\n\t"
			 "movq %%r13, %c5(%0)\n\t"
			 "movq %%r14, %c6(%0)\n\t"
			 "movq %%r15, %c7(%0)\n\t"
			 "leaq 0(%%rip), %%rcx\n\t"
			 "movq %%rcx, %c8(%0)"
			 :
			 : "r"(reg), "i"(8 * ARCH_RBX), "i"(8 * ARCH_RBP),
			   "i"(8 * ARCH_RSP), "i"(8 * ARCH_R12),
			   "i"(8 * ARCH_R13), "i"(8 * ARCH_R14),
			   "i"(8 * ARCH_R15), "i"(8 * ARCH_RA)
			 : "rcx", "memory");
	*valid = 1u << ARCH_RBX | 1u << ARCH_RBP | 1u << ARCH_RSP |
		 1u << ARCH_R12 | 1u << ARCH_R13 | 1u << ARCH_R14 |
		 1u << ARCH_R15 | 1u << ARCH_RA;
}

/* The thread's control block: above its stack, but for the main thread. */
static inline uintptr_t
arch_tcb(void)
{
	uintptr_t tcb;

	__asm__("movq %%fs:0, %0" : "=r"(tcb));
	return tcb;
}

/*
 * If *p is old, make it new and say true.  Not atomic for other threads, but
 * one instruction: a signal handler of this thread comes before it or after it.
 */
static inline bool
arch_cas_local(uint64_t *p, uint64_t old, uint64_t new)
{
	bool ok;

	__asm__("cmpxchgq %3, %1"
		: "=@ccz"(ok), "+m"(*p), "+a"(old)
		: "r"(new)
		: "memory");
	return ok;
}

/* *p -= v, likewise: is it below 0 now? */
static inline bool
arch_less_local(int64_t *p, int64_t v)
{
	bool below;

	__asm__("subq %2, %1" : "=@ccs"(below), "+m"(*p) : "er"(v) : "memory");
	return below;
}

/* *p += v, likewise. */
static inline void
arch_add_local(uint64_t *p, uint64_t v)
{
	__asm__("addq %1, %0" : "+m"(*p) : "er"(v) : "cc");
}

/*
 * In a line of eight words, aligned to 64 bytes: which have `want' (not 0) in
 * their upper bits from `shift' on, and which have 0 there (*none)?  Two bits
 * for each; at most 15 bits may be left by the shift.
 */
static inline __attribute__((always_inline)) unsigned
arch_line_find(const uint64_t *line, int shift, unsigned want, unsigned *none)
{
	const __m128i *p = (const __m128i *)line;
	__m128i a = _mm_srli_epi64(_mm_load_si128(p), shift);
	__m128i b = _mm_srli_epi64(_mm_load_si128(p + 1), shift);
	__m128i c = _mm_srli_epi64(_mm_load_si128(p + 2), shift);
	__m128i d = _mm_srli_epi64(_mm_load_si128(p + 3), shift);
	__m128i ab = _mm_castps_si128(
		_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), 0x88));
	__m128i cd = _mm_castps_si128(
		_mm_shuffle_ps(_mm_castsi128_ps(c), _mm_castsi128_ps(d), 0x88));
	__m128i all = _mm_packs_epi32(ab, cd);

	*none = (unsigned)_mm_movemask_epi8(
		_mm_cmpeq_epi16(all, _mm_setzero_si128()));
	return (unsigned)_mm_movemask_epi8(
		_mm_cmpeq_epi16(all, _mm_set1_epi16((short)want)));
}

/* endbr64; jmp *disp32(%rip), which may have a prefix, but for the disp32. */
#define ARCH_LANDING \
	{ \
		0xf3, 0x0f, 0x1e, 0xfa \
	}
#define ARCH_JUMP_SLOT \
	{ \
		0xff, 0x25 \
	}
#define ARCH_JUMP_PREFIX 0xf2

/* Ticks of a clock that goes on evenly, on all CPUs the same. */
static inline uint64_t
arch_ticks(void)
{
	return __builtin_ia32_rdtsc();
}

/*
 * The same around a piece of code: at the first look all is done that came
 * before, and nothing of it; at the second all of it.
 */
static inline uint64_t
arch_ticks_begin(void)
{
	uint64_t t;

	__builtin_ia32_lfence();
	t = __builtin_ia32_rdtsc();
	__builtin_ia32_lfence();
	return t;
}

static inline uint64_t
arch_ticks_end(void)
{
	unsigned cpu;

	return __builtin_ia32_rdtscp(&cpu);
}

static inline void
arch_pause(void)
{
	__builtin_ia32_pause();
}

/* System calls that leave errno alone: the result, or -errno. */
static inline long
arch_syscall(long n, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
			   "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}

/*
 * The vector and floating-point registers, as they are now, and back again.
 * Not AMX's tiles, which no C code of ours gets to.
 */
struct arch_vectors {
	unsigned char area[2752] __attribute__((aligned(64)));
};
#define ARCH_VECTORS 0xe7u /* x87, SSE, AVX, AVX-512 */

/* Can the CPU, and does the kernel, save them by XSAVE? */
static inline bool
arch_vectors_many(void)
{
	static int known; /* 1: no, 2: yes */
	uint32_t a = 1, b, c = 0, d;

	if (!known) {
		__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
		known = 1 + (c >> 27 & 1);
	}
	return known == 2;
}

static inline void
arch_vectors_save(struct arch_vectors *v)
{
	uint64_t *head = (uint64_t *)(v->area + 512);

	for (int i = 0; i < 8; i++)
		head[i] = 0;
	if (arch_vectors_many())
		__asm__ volatile("xsave64 %0"
				 : "+m"(*v)
				 : "a"(ARCH_VECTORS), "d"(0));
	else
		__asm__ volatile("fxsave64 %0" : "+m"(*v));
}

static inline void
arch_vectors_restore(const struct arch_vectors *v)
{
	if (arch_vectors_many())
		__asm__ volatile("xrstor64 %0"
				 :
				 : "m"(*v), "a"(ARCH_VECTORS), "d"(0));
	else
		__asm__ volatile("fxrstor64 %0" : : "m"(*v));
}

/*
 * clone(2) with a stack that ends at `top', on which the new thread calls f,
 * which doesn't return.
 */
static inline long
arch_clone(long flags, void *top, void (*f)(void))
{
	register long r10 __asm__("r10") = 0;
	register long r8 __asm__("r8") = 0;
	register long r9 __asm__("r9") = (long)f;
	long ret;

	__asm__ volatile("syscall\n\t"
			 "testq %%rax, %%rax\n\t"
			 "jnz 1f\n\t"
			 "xorl %%ebp, %%ebp\n\t"
			 "callq *%%r9\n\t"
			 "hlt\n"
			 "1:"
			 : "=a"(ret)
			 : "a"(SYS_clone), "D"(flags), "S"(top), "d"(0L),
			   "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}

/* Call f(arg) on the stack that ends at `top', a multiple of 16. */
static inline void
arch_on_stack(void *top, void (*f)(void *), void *arg)
{
	__asm__ volatile("movq %%rsp, %%rbx\n\t"
			 "movq %[top], %%rsp\n\t"
			 "callq *%[f]\n\t"
			 "movq %%rbx, %%rsp"
			 : "+D"(arg)
			 : [top] "r"(top), [f] "r"(f)
			 : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10",
			   "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4",
			   "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
			   "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "cc",
			   "memory");
}

/* Below its stack pointer a function may use as much. */
#define ARCH_RED_ZONE 128u

/*
 * A thread as a signal has interrupted it: all registers that may hold a
 * pointer, the vector registers among them, and how many these are.
 */
#define ARCH_CONTEXT_MAX (NGREG + 32)

static inline unsigned
arch_context(const ucontext_t *c, uintptr_t reg[ARCH_CONTEXT_MAX])
{
	const greg_t *g = c->uc_mcontext.gregs;
	unsigned n = 0;

	for (int i = 0; i <= REG_RIP; i++)
		if (i != REG_RSP)
			reg[n++] = (uintptr_t)g[i];
	if (c->uc_mcontext.fpregs) {
		memcpy(&reg[n], c->uc_mcontext.fpregs->_xmm, 256);
		n += 32;
	}
	return n;
}

static inline uintptr_t
arch_context_sp(const ucontext_t *c)
{
	return (uintptr_t)c->uc_mcontext.gregs[REG_RSP];
}

/* Was it in a system call that is to fail with EINTR? */
static inline bool
arch_context_eintr(const ucontext_t *c)
{
	const greg_t *g = c->uc_mcontext.gregs;

	return g[REG_RAX] == -EINTR &&
	       !memcmp((const char *)g[REG_RIP] - 2, "\017\005", 2);
}

/* Let it make the call again. */
static inline void
arch_context_again(ucontext_t *c, long call)
{
	c->uc_mcontext.gregs[REG_RAX] = call;
	c->uc_mcontext.gregs[REG_RIP] -= 2;
}

/* Of a system call that wasn't made: what it is asked; and what it says. */
static inline void
arch_context_arguments(const ucontext_t *c, uintptr_t a[6])
{
	const greg_t *g = c->uc_mcontext.gregs;

	a[0] = (uintptr_t)g[REG_RDI];
	a[1] = (uintptr_t)g[REG_RSI];
	a[2] = (uintptr_t)g[REG_RDX];
	a[3] = (uintptr_t)g[REG_R10];
	a[4] = (uintptr_t)g[REG_R8];
	a[5] = (uintptr_t)g[REG_R9];
}

static inline void
arch_context_result(ucontext_t *c, long r)
{
	c->uc_mcontext.gregs[REG_RAX] = r;
}

static inline uintptr_t
arch_context_pc(const ucontext_t *c)
{
	return (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
}

/* The thread's table of thread-local storage: what malloc gave glibc for it. */
static inline uintptr_t
arch_tls_table(const uintptr_t *tcb)
{
	return tcb[1] - 16;
}

/*
 * Is this a control block of glibc's?  Its thread's id is 0 when it has ended,
 * below 0 when it has been joined, too.
 */
static inline bool
arch_tcb_is(const uintptr_t *tcb)
{
	return tcb[0] == (uintptr_t)tcb && tcb[2] == (uintptr_t)tcb;
}

static inline bool
arch_tcb_ended(const uintptr_t *tcb)
{
	return *(const int32_t *)((const char *)tcb + 720) <= 0;
}

static inline bool
arch_tcb_joinable(const uintptr_t *tcb)
{
	return *(const int32_t *)((const char *)tcb + 720) == 0;
}
#define ARCH_TCB_SIZE 2304u
#define ARCH_TCB_ALIGN 64u

/* rt_sigaction(2) wants to be told how a handler returns. */
#define ARCH_RESTORER(name) \
	__asm__(".pushsection .text\n" \
		".type " #name ",@function\n" #name ":\n\t" \
		"movq $15, %rax\n\t" \
		"syscall\n" \
		".size " #name ", .-" #name "\n" \
		".popsection")
#define ARCH_SA_RESTORER 0x04000000ul

/* What the program itself has asked for. */
#define ARCH_ASKED(n, a, b, c, d, e, f) \
	arch_syscall(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), \
		     (long)(f))

/*
 * What the monitor needs, and must do without when it fails.  Calls whose bits
 * are set in mmi_arch_refuse aren't made: they would end the process, see
 * seccomp.h.  Weak, so that unit programs need no file for them.
 */
#ifdef MEMMON_CALLS
#define ARCH_SHARED extern
#else
#define ARCH_SHARED __attribute__((weak))
#endif
ARCH_SHARED uint64_t mmi_arch_refuse[8];
ARCH_SHARED int mmi_arch_refuses; /* is there a bit? */

static inline bool
arch_refused(long n)
{
	return __builtin_expect(mmi_arch_refuses, 0) &&
	       mmi_arch_refuse[n / 64] >> n % 64 & 1;
}

#ifdef MEMMON_FAULT
/* Calls that fail on demand: tests/fault/. */
#include MEMMON_FAULT
#define ARCH_NEED mmi_fault_sys
#define arch_clone(flags, top, f) \
	(mmi_fault_clone() ?: arch_clone(flags, top, f))
#else
#define ARCH_NEED arch_syscall
#endif

#define ARCH_SYS(n, a, b, c, d, e, f) \
	(arch_refused(n) ? -1L /* EPERM */ \
			 : ARCH_NEED(n, (long)(a), (long)(b), (long)(c), \
				     (long)(d), (long)(e), (long)(f)))

/*
 * syscall(2) as the libc has it, but for prctl and seccomp, which go on to
 * `other' as they are.  Without a frame: what it calls may come back twice.
 */
#define ARCH_SYSCALL(name, other, failed) \
	__asm__(".text\n\t.p2align 4\n\t.globl " name "\n\t" \
		".type " name ", @function\n" name ":\n\t" \
		".cfi_startproc\n\tendbr64\n\t" \
		"cmpq $157, %rdi\n\tje " other "\n\t" \
		"cmpq $317, %rdi\n\tje " other "\n\t" \
		"movq %rdi, %rax\n\tmovq %rsi, %rdi\n\t" \
		"movq %rdx, %rsi\n\tmovq %rcx, %rdx\n\t" \
		"movq %r8, %r10\n\tmovq %r9, %r8\n\t" \
		"movq 8(%rsp), %r9\n\tsyscall\n\t" \
		"cmpq $-4095, %rax\n\tjae 1f\n\tret\n" \
		"1:\tmovq %rax, %rdi\n\tjmp " failed "\n\t" \
		".cfi_endproc\n\t.size " name ", .-" name);

#endif
