/* SPDX-License-Identifier: MIT */
/* The parts that depend on the CPU: arm64.  See arch.h, which includes it. */
#if !defined(MEMMON_ARCH_AARCH64_H) && defined(__aarch64__)
#define MEMMON_ARCH_AARCH64_H

#include <arm_neon.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <ucontext.h>

#define ARCH_NAME "arm64"
#define ARCH_MACHINE 183 /* EM_AARCH64 */
#define ARCH_AUDIT 0xc00000b7u /* AUDIT_ARCH_AARCH64 */
#define ARCH_VDSO_CLOCK "__kernel_clock_gettime"
#define ARCH_GLIBC "2.17"

/*
 * DWARF numbers of the registers (DWARF for the Arm 64-bit Architecture, table
 * 1).  The return address has no number of its own: it has that of x30.
 */
enum {
	ARCH_X19 = 19,
	ARCH_FP = 29,
	ARCH_RA = 30,
	ARCH_SP = 31,
	ARCH_NREG = 32,
	ARCH_VG = 46 /* 64-bit words of an SVE register */
};

#define ARCH_ADDR_BITS 48

#define ARCH_PAGE 4096u
#define ARCH_PAGE_MAX 65536u
#define ARCH_PAGE_NOW arch_page_now()
static inline uintptr_t
arch_page_now(void)
{
	static uintptr_t page;

	if (!page)
		page = getauxval(AT_PAGESZ);
	return page;
}

/* Relocations that are an address: R_AARCH64_ABS64, _GLOB_DAT, _JUMP_SLOT. */
#define ARCH_RELOC_ADDRESS(type) \
	((type) == 257 || (type) == 1025 || (type) == 1026)

/*
 * A return address without its authentication code: XPACLRI, which does nothing
 * on a CPU without authentication.
 */
static inline uintptr_t
arch_strip(uintptr_t pc)
{
	register uintptr_t x30 __asm__("x30") = pc;

	__asm__("hint #7" : "+r"(x30));
	return x30;
}

/* Is the word the return address pc, signed or not? */
static inline bool
arch_is_return(uintptr_t word, uintptr_t pc)
{
	return __builtin_expect(word == pc, 1) || arch_strip(word) == pc;
}

#ifdef __clang__
#define ARCH_CFA() __builtin_sponentry()
#else
#define ARCH_CFA() __builtin_dwarf_cfa()
#endif

#define ARCH_ENTRY() \
	({ \
		uintptr_t *fp_ = __builtin_frame_address(0); \
		(struct arch_entry){ arch_strip(fp_[1]), \
				     (uintptr_t)ARCH_CFA(), fp_[0] }; \
	})

/* The stack pointer is always aligned: the CPU enforces it. */
#define ARCH_REALIGN

#define ARCH_ASK_AND_PASS(name, ask, here, next) \
	__asm__(".pushsection .text\n\t.p2align 2\n\t" \
		".globl " #name "\n\t.hidden " #name "\n\t" \
		".type " #name ", %function\n" #name ":\n\t" \
		".cfi_startproc\n\thint #34\n\t" \
		"stp x29, x30, [sp, #-48]!\n\t" \
		".cfi_def_cfa_offset 48\n\t" \
		".cfi_offset x29, -48\n\t.cfi_offset x30, -40\n\t" \
		"mov x29, sp\n\t" \
		"stp x0, x1, [sp, #16]\n\tstr x2, [sp, #32]\n\t" \
		"mov x3, x30\n\t" \
		"bl " #ask "\n\t" \
		"mov w16, w0\n\t" \
		"ldp x0, x1, [sp, #16]\n\tldr x2, [sp, #32]\n\t" \
		"ldp x29, x30, [sp], #48\n\t" \
		".cfi_def_cfa_offset 0\n\t" \
		".cfi_restore x29\n\t.cfi_restore x30\n\t" \
		"tst w16, #255\n\tb.eq 1f\n\tb " #here "\n" \
		"1:\tadrp x16, " #next "\n\t" \
		"ldr x16, [x16, #:lo12:" #next "]\n\tbr x16\n\t" \
		".cfi_endproc\n\t" \
		".size " #name ", . - " #name "\n\t.popsection");

static inline __attribute__((always_inline)) void
arch_registers(uintptr_t reg[ARCH_NREG], uint32_t *valid, uintptr_t *pc)
{
	uintptr_t sp, here;

	__asm__ volatile("stp x19, x20, [%2]\n\t"
			 "stp x21, x22, [%2, #16]\n\t"
			 "stp x23, x24, [%2, #32]\n\t"
			 "stp x25, x26, [%2, #48]\n\t"
			 "stp x27, x28, [%2, #64]\n\t"
			 "stp x29, x30, [%2, #80]\n\t"
			 "mov %0, sp\n\t"
			 "adr %1, ."
			 : "=&r"(sp), "=&r"(here)
			 : "r"(&reg[ARCH_X19])
			 : "memory");
	reg[ARCH_SP] = sp;
	*pc = here;
	*valid = ~0u << ARCH_X19;
}

/* A register beyond these that .eh_frame computes with.  False: unknown. */
static inline bool
arch_other_register(uint64_t n, uint64_t *v)
{
	if (n != ARCH_VG)
		return false;
	/* cntd: code with such a frame runs on such a CPU only. */
	__asm__(".inst 0x04e0e3e0\n\tmov %0, x0" : "=r"(*v) : : "x0");
	return true;
}

/*
 * The kernel's return from a handler (mov x8, #139; svc #0), whose unwind
 * tables are incomplete: x0 to x30, sp and pc are this many bytes above the
 * stack pointer.
 */
#define ARCH_SIGRETURN 0xd4000001d2801168ull
#define ARCH_SIGNAL_REGISTERS 312u

static inline uintptr_t
arch_tcb(void)
{
	return (uintptr_t)__builtin_thread_pointer();
}

/* The C library's data of the thread end there. */
#define ARCH_THREAD_FIRST (-(uintptr_t)ARCH_THREAD_SIZE)
#define ARCH_THREAD_SIZE 0x600u

/* If a handler comes in between, the store fails and is repeated. */
static inline bool
arch_cas_local(uint64_t *p, uint64_t old, uint64_t new)
{
	return __atomic_compare_exchange_n(p, &old, new, false,
					   __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static inline bool
arch_less_local(int64_t *p, int64_t v)
{
	return __atomic_sub_fetch(p, v, __ATOMIC_RELAXED) < 0;
}

static inline void
arch_add_local(uint64_t *p, uint64_t v)
{
	__atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}

/* Compare and swap of 16 bytes, as two halves; the old value goes to *old. */
static inline bool
arch_cas128(volatile void *p, uint64_t old[2], uint64_t lo, uint64_t hi)
{
	uint64_t was_lo, was_hi;
	uint32_t failed;

	/* Stored in any case, which proves that the pair was read at once. */
	__asm__ volatile("1:\tldaxp %0, %1, %3\n\t"
			 "cmp %0, %4\n\tccmp %1, %5, #0, eq\n\t"
			 "b.ne 2f\n\t"
			 "stlxp %w2, %6, %7, %3\n\tcbnz %w2, 1b\n\tb 3f\n"
			 "2:\tstlxp %w2, %0, %1, %3\n\tcbnz %w2, 1b\n"
			 "3:"
			 : "=&r"(was_lo), "=&r"(was_hi), "=&r"(failed),
			   "+Q"(*(volatile unsigned __int128 *)p)
			 : "r"(old[0]), "r"(old[1]), "r"(lo), "r"(hi)
			 : "cc", "memory");
	failed = was_lo != old[0] || was_hi != old[1];
	old[0] = was_lo;
	old[1] = was_hi;
	return !failed;
}

static inline unsigned
arch_bits(uint16x8_t lanes)
{
	static const uint16_t bit[8] = { 0x3,	0xc,   0x30,   0xc0,
					 0x300, 0xc00, 0x3000, 0xc000 };

	return vaddvq_u16(vandq_u16(lanes, vld1q_u16(bit)));
}

static inline __attribute__((always_inline)) unsigned
arch_line_find(const uint64_t *line, int shift, unsigned want, unsigned *none)
{
	int64x2_t by = vdupq_n_s64(-shift);
	uint32x4_t ab =
		vcombine_u32(vmovn_u64(vshlq_u64(vld1q_u64(line), by)),
			     vmovn_u64(vshlq_u64(vld1q_u64(line + 2), by)));
	uint32x4_t cd =
		vcombine_u32(vmovn_u64(vshlq_u64(vld1q_u64(line + 4), by)),
			     vmovn_u64(vshlq_u64(vld1q_u64(line + 6), by)));
	uint16x8_t all = vcombine_u16(vmovn_u32(ab), vmovn_u32(cd));

	*none = arch_bits(vceqzq_u16(all));
	return arch_bits(vceqq_u16(all, vdupq_n_u16((uint16_t)want)));
}

/* bti c; and adrp x16, page; ldr x17, [x16, slot] of a linkage table. */
#define ARCH_LANDING \
	{ \
		0x5f, 0x24, 0x03, 0xd5 \
	}

static inline const void *
arch_linked_to(const uint8_t *code)
{
	uintptr_t page = (uintptr_t)code & ~(uintptr_t)4095;
	uint32_t adrp, ldr;
	int64_t pages;

	memcpy(&adrp, code, 4);
	memcpy(&ldr, code + 4, 4);
	if ((adrp & 0x9f00001f) != 0x90000010 ||
	    (ldr & 0xffc003ff) != 0xf9400211)
		return NULL;
	pages = (int64_t)((uint64_t)(adrp >> 5 & 0x7ffff) << 45) >> 43;
	page += (uintptr_t)(pages | (adrp >> 29 & 3)) << 12;
	return *(const void *const *)(page + 8 * (ldr >> 10 & 0xfff));
}

static inline uint64_t
arch_ticks(void)
{
	uint64_t t;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
	return t;
}

static inline uint64_t
arch_ticks_begin(void)
{
	uint64_t t;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb"
			 : "=r"(t)
			 :
			 : "memory");
	return t;
}

static inline uint64_t
arch_ticks_end(void)
{
	uint64_t t;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(t) : : "memory");
	return t;
}

/* Programs can't read the CPU's counters unless the system allows it. */
#define ARCH_COUNTERS 0
#define ARCH_COUNTER(i) ((void)(i), 0)

static inline void
arch_pause(void)
{
	__asm__ volatile("yield");
}

static inline long
arch_syscall(long n, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = n;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc #0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
}

/* Recorded code makes calls, so none of its registers needs to be saved. */
struct arch_vectors {
	char none[1];
};

static inline void
arch_vectors_save(struct arch_vectors *v)
{
	(void)v;
}

static inline void
arch_vectors_restore(const struct arch_vectors *v)
{
	(void)v;
}

static inline long
arch_clone(long flags, void *top, void *tls, void (*f)(void))
{
	register long x8 __asm__("x8") = SYS_clone;
	register long x0 __asm__("x0") = flags;
	register void *x1 __asm__("x1") = top;
	register long x2 __asm__("x2") = 0;
	register void *x3 __asm__("x3") = tls;
	register long x4 __asm__("x4") = 0;
	register void (*x5)(void) __asm__("x5") = f;

	__asm__ volatile("svc #0\n\t"
			 "cbnz x0, 1f\n\t"
			 "mov x29, xzr\n\t"
			 "mov x30, xzr\n\t"
			 "blr x5\n\t"
			 "brk #1\n"
			 "1:"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory", "x30");
	return x0;
}

static inline void
arch_on_stack(void *top, void (*f)(void *), void *arg)
{
	register void *x0 __asm__("x0") = arg;

	__asm__ volatile("mov x19, sp\n\t"
			 "mov sp, %[top]\n\t"
			 "blr %[f]\n\t"
			 "mov sp, x19"
			 : "+r"(x0)
			 : [top] "r"(top), [f] "r"(f)
			 : "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9",
			   "x10", "x11", "x12", "x13", "x14", "x15", "x16",
			   "x17", "x18", "x19", "x30", "v0", "v1", "v2", "v3",
			   "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11",
			   "v12", "v13", "v14", "v15", "v16", "v17", "v18",
			   "v19", "v20", "v21", "v22", "v23", "v24", "v25",
			   "v26", "v27", "v28", "v29", "v30", "v31", "cc",
			   "memory");
}

/* arm64 has no red zone. */
#define ARCH_RED_ZONE 0u

/* The NEON part of SVE's registers. */
#define ARCH_CONTEXT_MAX (31 + 64)
#define ARCH_FPSIMD 0x46508001u

static inline unsigned
arch_context(const ucontext_t *c, uintptr_t reg[ARCH_CONTEXT_MAX])
{
	const unsigned char *at = c->uc_mcontext.__reserved;
	const unsigned char *end = at + sizeof(c->uc_mcontext.__reserved);
	uint32_t head[2];
	unsigned n = 0;

	for (; n < 31; n++)
		reg[n] = c->uc_mcontext.regs[n];
	/* Records with a magic number and a size; the last has neither. */
	for (; end - at >= 528; at += head[1]) {
		memcpy(head, at, sizeof(head));
		if (head[0] == ARCH_FPSIMD) {
			memcpy(&reg[n], at + 16, 512);
			return n + 64;
		}
		if (!head[0] || head[1] < sizeof(head) ||
		    head[1] > (size_t)(end - at))
			break;
	}
	return n;
}

static inline uintptr_t
arch_context_sp(const ucontext_t *c)
{
	return c->uc_mcontext.sp;
}

static inline uintptr_t
arch_context_pc(const ucontext_t *c)
{
	return c->uc_mcontext.pc;
}

static inline bool
arch_context_eintr(const ucontext_t *c)
{
	return (int64_t)c->uc_mcontext.regs[0] == -EINTR &&
	       !memcmp((const char *)c->uc_mcontext.pc - 4, "\001\0\0\324", 4);
}

/* The result replaces the first argument. */
#define ARCH_FIRST_LOST
static inline void
arch_context_again(ucontext_t *c, long call, const uintptr_t a[6])
{
	for (int i = 0; i < 6; i++)
		c->uc_mcontext.regs[i] = a[i];
	c->uc_mcontext.regs[8] = (uint64_t)call;
	c->uc_mcontext.pc -= 4;
}

static inline void
arch_context_arguments(const ucontext_t *c, uintptr_t a[6])
{
	for (int i = 0; i < 6; i++)
		a[i] = c->uc_mcontext.regs[i];
}

static inline void
arch_context_result(ucontext_t *c, long r)
{
	c->uc_mcontext.regs[0] = (uint64_t)r;
}

/*
 * glibc's struct pthread ends where the control block begins, which has only
 * two words, the first for the table; thread-local storage is above it.  Its
 * list of robust mutexes points to itself, twice.
 */
#define ARCH_PTHREAD_SIZE 1856u
#define ARCH_PTHREAD_AT (-(intptr_t)ARCH_PTHREAD_SIZE)
#define ARCH_PTHREAD_ALIGN 16u
#define ARCH_TLS_BELOW ARCH_PTHREAD_SIZE
#define ARCH_TLS_ABOVE (16u << 10)
#define ARCH_PTHREAD_HEAD 232u

static inline bool
arch_pthread_is(const uintptr_t *p)
{
	return p[27] == (uintptr_t)&p[28] && p[28] == (uintptr_t)&p[28];
}

static inline int32_t
arch_pthread_tid(uintptr_t p)
{
	return *(const int32_t *)(p + 208);
}

static inline uintptr_t
arch_tls_table(const uintptr_t *tcb)
{
	return tcb[0] - 16;
}

/* The kernel has its own way back from a handler. */
#define ARCH_RESTORER(name) \
	__asm__(".pushsection .text\n\t.p2align 2\n" \
		".type " #name ",%function\n" #name ":\n\t" \
		"mov x8, #139\n\tsvc #0\n" \
		".size " #name ", .-" #name "\n" \
		".popsection")
#define ARCH_SA_RESTORER 0ul

#define ARCH_SYSCALL(name, other, failed) \
	__asm__(".text\n\t.p2align 4\n\t.globl " name "\n\t" \
		".type " name ", %function\n" name ":\n\t" \
		".cfi_startproc\n\thint #34\n\t" \
		"cmp x0, #167\n\tb.ne 2f\n\tb " other "\n" \
		"2:\tcmp x0, #277\n\tb.ne 3f\n\tb " other "\n" \
		"3:\tcmp x0, #221\n\tb.ne 4f\n\tb " other "\n" \
		"4:\tcmp x0, #281\n\tb.ne 5f\n\tb " other "\n" \
		"5:\tmov x8, x0\n\tmov x0, x1\n\t" \
		"mov x1, x2\n\tmov x2, x3\n\t" \
		"mov x3, x4\n\tmov x4, x5\n\tmov x5, x6\n\tsvc #0\n\t" \
		"cmn x0, #4095\n\tb.cs 1f\n\tret\n" \
		"1:\tb " failed "\n\t" \
		".cfi_endproc\n\t.size " name ", .-" name);

#endif
