/* SPDX-License-Identifier: MIT */
/* The parts that depend on the CPU: x86-64.  See arch.h, which includes it. */
#if !defined(MEMMON_ARCH_X86_64_H) && defined(__x86_64__)
#define MEMMON_ARCH_X86_64_H

#include "monitor/base/arch_shared.h"

#include <emmintrin.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

#define ARCH_NAME "x86-64"
#define ARCH_MACHINE 62 /* EM_X86_64 */
#define ARCH_AUDIT 0xc000003eu /* AUDIT_ARCH_X86_64 */
/* The function of the kernel's vDSO that reads a clock. */
#define ARCH_VDSO_CLOCK "__vdso_clock_gettime"
/* The first glibc: the version of functions that it had from the start. */
#define ARCH_GLIBC "2.2.5"

/* DWARF numbers of the registers (System V psABI, figure 3.36). */
enum {
	ARCH_RBX = 3,
	ARCH_FP = 6,
	ARCH_SP = 7,
	ARCH_R12 = 12,
	ARCH_R13 = 13,
	ARCH_R14 = 14,
	ARCH_R15 = 15,
	ARCH_RA = 16,
	ARCH_NREG = 17
};

/* Bits of a user address; the monitor tags those above. */
#define ARCH_ADDR_BITS 47

/* The smallest page that a kernel may have, the largest, and this one's. */
#define ARCH_PAGE 4096u
#define ARCH_PAGE_MAX ARCH_PAGE
#define ARCH_PAGE_NOW ((uintptr_t)ARCH_PAGE)

/* Relocations that are an address: R_X86_64_64, _GLOB_DAT, _JUMP_SLOT. */
#define ARCH_RELOC_ADDRESS(type) ((type) == 1 || (type) == 6 || (type) == 7)

/* A return address is always at this distance from the CFA. */
#define ARCH_RA_AT (-8)

/* Return addresses aren't signed. */
static inline uintptr_t
arch_strip(uintptr_t pc)
{
	return pc;
}

static inline bool
arch_is_return(uintptr_t word, uintptr_t pc)
{
	return word == pc;
}

/*
 * The struct arch_entry of the function that uses it, which must be compiled
 * with a frame pointer.
 */
#define ARCH_ENTRY() \
	({ \
		uintptr_t *fp_ = __builtin_frame_address(0); \
		(struct arch_entry){ fp_[1], (uintptr_t)(fp_ + 2), fp_[0] }; \
	})

/*
 * For functions that hooks call: callers in assembly may come with a misaligned
 * stack, which malloc itself accepts.
 */
#define ARCH_REALIGN __attribute__((force_align_arg_pointer))

/*
 * Defines `name', a function of up to three arguments.  It passes these and its
 * return address to bool ask(), and then jumps to `here' if that returned true,
 * otherwise to the function in `next', as if the caller of `name' called it.
 */
#define ARCH_ASK_AND_PASS(name, ask, here, next) \
	__asm__(".pushsection .text\n\t" \
		".globl " #name "\n\t.hidden " #name "\n\t" \
		".type " #name ", @function\n" #name ":\n\t" \
		".cfi_startproc\n\tendbr64\n\t" \
		"pushq %rdi\n\tpushq %rsi\n\tpushq %rdx\n\t" \
		".cfi_adjust_cfa_offset 24\n\t" \
		"movq 24(%rsp), %rcx\n\tcall " #ask "\n\t" \
		"popq %rdx\n\tpopq %rsi\n\tpopq %rdi\n\t" \
		".cfi_adjust_cfa_offset -24\n\t" \
		"testb %al, %al\n\tjne " #here "\n\t" \
		"jmp *" #next "(%rip)\n\t" \
		".cfi_endproc\n\t" \
		".size " #name ", . - " #name "\n\t.popsection");

/*
 * The present values of the callee-saved registers; *valid has their bits; *pc
 * is the address of this code.
 */
static inline __attribute__((always_inline)) void
arch_registers(uintptr_t reg[ARCH_NREG], uint32_t *valid, uintptr_t *pc)
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
			 : "r"(reg), "i"(8 * ARCH_RBX), "i"(8 * ARCH_FP),
			   "i"(8 * ARCH_SP), "i"(8 * ARCH_R12),
			   "i"(8 * ARCH_R13), "i"(8 * ARCH_R14),
			   "i"(8 * ARCH_R15), "i"(8 * ARCH_RA)
			 : "rcx", "memory");
	*valid = 1u << ARCH_RBX | 1u << ARCH_FP | 1u << ARCH_SP |
		 1u << ARCH_R12 | 1u << ARCH_R13 | 1u << ARCH_R14 |
		 1u << ARCH_R15 | 1u << ARCH_RA;
	*pc = reg[ARCH_RA];
}

/* A register beyond these that .eh_frame computes with.  False: unknown. */
static inline bool
arch_other_register(uint64_t n, uint64_t *v)
{
	(void)n;
	(void)v;
	return false;
}

/* The thread's control block: above its stack, except in the main thread. */
static inline uintptr_t
arch_tcb(void)
{
	uintptr_t tcb;

	__asm__("movq %%fs:0, %0" : "=r"(tcb));
	return tcb;
}

/* The C library's data of the thread begin there. */
#define ARCH_THREAD_FIRST 0u
#define ARCH_THREAD_SIZE 0x600u

/*
 * If *p is old, makes it new and returns true.  Not atomic for other threads,
 * but one instruction: a signal handler of this thread runs before or after it.
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

/* *p -= v in one instruction: is it below 0 now? */
static inline bool
arch_less_local(int64_t *p, int64_t v)
{
	bool below;

	__asm__("subq %2, %1" : "=@ccs"(below), "+m"(*p) : "er"(v) : "memory");
	return below;
}

/* *p += v in one instruction. */
static inline void
arch_add_local(uint64_t *p, uint64_t v)
{
	__asm__("addq %1, %0" : "+m"(*p) : "er"(v) : "cc");
}

/* Compare and swap of 16 bytes, as two halves; the old value goes to *old. */
static inline bool
arch_cas128(volatile void *p, uint64_t old[2], uint64_t lo, uint64_t hi)
{
	bool done;

	__asm__ volatile("lock cmpxchg16b %1"
			 : "=@ccz"(done),
			   "+m"(*(volatile unsigned __int128 *)p), "+a"(old[0]),
			   "+d"(old[1])
			 : "b"(lo), "c"(hi)
			 : "memory");
	return done;
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

/* Indirect branches may only lead to this: endbr64. */
#define ARCH_LANDING \
	{ \
		0xf3, 0x0f, 0x1e, 0xfa \
	}

/*
 * The target of an entry of a procedure linkage table, or NULL: jmp
 * *disp32(%rip), maybe with a prefix.  Reads no further if the code differs:
 * the mapping may end there.
 */
static inline const void *
arch_linked_to(const uint8_t *code)
{
	int32_t to;

	code += *code == 0xf2;
	if (code[0] != 0xff || code[1] != 0x25)
		return NULL;
	memcpy(&to, code + 2, sizeof(to));
	return *(const void *const *)(code + 6 + to);
}

/* Ticks of a clock, steady and the same on all CPUs; 0: it can't be read. */
static inline uint64_t
arch_ticks(void)
{
	return __builtin_expect(!mmi_arch_no_ticks, 1) ? __builtin_ia32_rdtsc()
						       : 0;
}

/*
 * The same around a piece of code: at the first reading all earlier code is
 * done and none of the piece; at the second reading all of the piece is done.
 */
static inline uint64_t
arch_ticks_begin(void)
{
	uint64_t t;

	if (__builtin_expect(mmi_arch_no_ticks, 0))
		return 0;
	__builtin_ia32_lfence();
	t = __builtin_ia32_rdtsc();
	__builtin_ia32_lfence();
	return t;
}

static inline uint64_t
arch_ticks_end(void)
{
	unsigned cpu;

	return __builtin_expect(!mmi_arch_no_ticks, 1)
		       ? __builtin_ia32_rdtscp(&cpu)
		       : 0;
}

/* May a program read the CPU's counters?  And one of them. */
#define ARCH_COUNTERS 1
#define ARCH_COUNTER(i) __builtin_ia32_rdpmc(i)

static inline void
arch_pause(void)
{
	__builtin_ia32_pause();
}

/* System calls that don't change errno: the result, or -errno. */
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
 * Saves and restores the vector and floating-point registers.  Not AMX's tiles,
 * which our C code never uses.
 */
struct arch_vectors {
	unsigned char area[2752] __attribute__((aligned(64)));
};
#define ARCH_VECTORS 0xe7u /* x87, SSE, AVX, AVX-512 */

/* Do the CPU and the kernel support XSAVE? */
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
 * clone(2) with a stack that ends at `top'; the new thread calls f, which
 * doesn't return; with CLONE_SETTLS, tls is its thread pointer.
 */
static inline long
arch_clone(long flags, void *top, void *tls, void (*f)(void))
{
	register long r10 __asm__("r10") = 0;
	register long r8 __asm__("r8") = (long)tls;
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

/* Calls f(arg) on the stack that ends at `top', a multiple of 16. */
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

/* A function may use this many bytes below its stack pointer. */
#define ARCH_RED_ZONE 128u

/*
 * All registers of an interrupted thread that may hold a pointer, also the
 * vector registers; returns how many.
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

/* Was it in a system call that is about to fail with EINTR? */
static inline bool
arch_context_eintr(const ucontext_t *c)
{
	const greg_t *g = c->uc_mcontext.gregs;

	return g[REG_RAX] == -EINTR &&
	       !memcmp((const char *)g[REG_RIP] - 2, "\017\005", 2);
}

/* Makes it repeat the call, with these arguments. */
static inline void
arch_context_again(ucontext_t *c, long call, const uintptr_t a[6])
{
	greg_t *g = c->uc_mcontext.gregs;

	g[REG_RAX] = call;
	g[REG_RDI] = (greg_t)a[0];
	g[REG_RSI] = (greg_t)a[1];
	g[REG_RDX] = (greg_t)a[2];
	g[REG_R10] = (greg_t)a[3];
	g[REG_R8] = (greg_t)a[4];
	g[REG_R9] = (greg_t)a[5];
	g[REG_RIP] -= 2;
}

/*
 * The arguments of a system call (after the call, the first one is lost on
 * other CPUs), and its result.
 */
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

/*
 * The thread's table of thread-local storage: the block that glibc got for it.
 */
static inline uintptr_t
arch_tls_table(const uintptr_t *tcb)
{
	return tcb[1] - 16;
}

/*
 * glibc's struct pthread, its offset from the control block, and the
 * thread-local storage around it.
 */
#define ARCH_PTHREAD_SIZE 2304u
#define ARCH_PTHREAD_AT 0
#define ARCH_PTHREAD_ALIGN 64u
#define ARCH_TLS_BELOW (16u << 10)
#define ARCH_TLS_ABOVE ARCH_PAGE
/* Is it a struct pthread?  Reads this many bytes. */
#define ARCH_PTHREAD_HEAD 24u
static inline bool
arch_pthread_is(const uintptr_t *p)
{
	return p[0] == (uintptr_t)p && p[2] == (uintptr_t)p;
}

/* Its thread's id: 0 if it has ended, below 0 if it was joined, too. */
static inline int32_t
arch_pthread_tid(uintptr_t p)
{
	return *(const int32_t *)(p + 720);
}

/* rt_sigaction(2) needs the code that returns from a handler. */
#define ARCH_RESTORER(name) \
	__asm__(".pushsection .text\n" \
		".type " #name ",@function\n" #name ":\n\t" \
		"movq $15, %rax\n\t" \
		"syscall\n" \
		".size " #name ", .-" #name "\n" \
		".popsection")
#define ARCH_SA_RESTORER 0x04000000ul

/*
 * syscall(2) as in the libc; but prctl, seccomp, execve and execveat go to
 * `other' unchanged.  Without a frame: the calls may return twice.
 */
#define ARCH_SYSCALL(name, other, failed) \
	__asm__(".text\n\t.p2align 4\n\t.globl " name "\n\t" \
		".type " name ", @function\n" name ":\n\t" \
		".cfi_startproc\n\tendbr64\n\t" \
		"cmpq $157, %rdi\n\tje " other "\n\t" \
		"cmpq $317, %rdi\n\tje " other "\n\t" \
		"cmpq $59, %rdi\n\tje " other "\n\t" \
		"cmpq $322, %rdi\n\tje " other "\n\t" \
		"movq %rdi, %rax\n\tmovq %rsi, %rdi\n\t" \
		"movq %rdx, %rsi\n\tmovq %rcx, %rdx\n\t" \
		"movq %r8, %r10\n\tmovq %r9, %r8\n\t" \
		"movq 8(%rsp), %r9\n\tsyscall\n\t" \
		"cmpq $-4095, %rax\n\tjae 1f\n\tret\n" \
		"1:\tmovq %rax, %rdi\n\tjmp " failed "\n\t" \
		".cfi_endproc\n\t.size " name ", .-" name);

#endif
