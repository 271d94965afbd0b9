/* SPDX-License-Identifier: MIT */
/* The registers of a stopped thread: x86-64. */
#ifdef __x86_64__

#include "monitor/attach/registers.h"

#include <cpuid.h>
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include "monitor/base/calls.h"

/* Offsets of the kernel's words in an FPU image (asm/sigcontext.h). */
#define XSTATE_MXCSR 24u
#define XSTATE_MASK 464u /* what the kernel switches; also its own words */
#define XSTATE_IN_USE 512u
#define MAGIC1 0x46505853u
#define MAGIC2 0x46505845u
#define XSTATE_AMX (3ull << 17) /* only if the program requested it */
#define XSTATE_KEYS (1ull << 9) /* protection keys */

/* Results of interrupted system calls; in no header. */
enum { RESTART_SYS = 512, RESTART_NOINTR, RESTART_NOHAND, RESTART_BLOCK = 516 };

/* The frame that the kernel makes. */
struct frame {
	uint64_t back; /* the handler's return address */
	struct {
		uint64_t flags, link;
		uint64_t stack[3];
		uint64_t reg[23];
		uint64_t fpstate;
		uint64_t reserved[8];
		uint64_t mask;
	} uc;
	siginfo_t info;
};
_Static_assert(sizeof(struct frame) <= REGISTERS_FRAME, "room for a frame");

bool
registers_get_general(pid_t tid, struct registers *r)
{
	size_t n = sizeof(r->general);

	if (!registers_ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &r->general,
			      &n))
		return false;
	r->call = (long)r->general.orig_rax;
	r->thread = r->general.fs_base;
	return true;
}

bool
registers_get(pid_t tid, struct registers *r)
{
	r->more = sizeof(r->fpu);
	if (!registers_get_general(tid, r) ||
	    !registers_ptrace(PTRACE_GETREGSET, tid, NT_X86_XSTATE, r->fpu,
			      &r->more))
		return false;
	errno = ENOTSUP;
	return r->general.cs == 0x33;
}

bool
registers_set_general(pid_t tid, const struct registers *r)
{
	struct user_regs_struct copy = r->general;
	size_t n = sizeof(copy);

	return registers_ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &copy, &n);
}

void
registers_set_fpu(pid_t tid, const struct registers *r)
{
	size_t n = r->more;

	registers_ptrace(PTRACE_SETREGSET, tid, NT_X86_XSTATE,
			 (void *)(uintptr_t)r->fpu, &n);
}

/* Keeps the program's protection keys. */
void
registers_clean_fpu(pid_t tid, const struct registers *r)
{
	static struct registers clean;
	uint32_t control = 0x37f, mxcsr = 0x1f80;
	uint64_t used;

	memcpy(clean.fpu, r->fpu, r->more);
	clean.more = r->more;
	memcpy(clean.fpu, &control, 4);
	memcpy(clean.fpu + XSTATE_MXCSR, &mxcsr, 4);
	memcpy(&used, clean.fpu + XSTATE_IN_USE, sizeof(used));
	used &= XSTATE_KEYS;
	memcpy(clean.fpu + XSTATE_IN_USE, &used, sizeof(used));
	registers_set_fpu(tid, &clean);
}

/* Debug register 0, and the control register. */
bool
registers_break(pid_t tid, uintptr_t at)
{
	const size_t base = offsetof(struct user, u_debugreg);
	const size_t word = sizeof(((struct user *)0)->u_debugreg[0]);

	if (ptrace(PTRACE_POKEUSER, tid, base + 7 * word, 0) != 0)
		return false;
	return !at || (ptrace(PTRACE_POKEUSER, tid, base, at) == 0 &&
		       ptrace(PTRACE_POKEUSER, tid, base + 7 * word, 1) == 0);
}

uintptr_t
registers_sp(const struct registers *r)
{
	return r->general.rsp;
}

uintptr_t
registers_pc(const struct registers *r)
{
	return r->general.rip;
}

uintptr_t
registers_result(const struct registers *r)
{
	return r->general.rax;
}

/*
 * The call that restart_syscall(2) continues; restart_syscall(2) if it isn't
 * known.  If this process ends, the thread loses this call.
 */
static long
restarted(const struct target *t, uintptr_t pc)
{
	unsigned char code[CALLS_KERNEL];

	return target_get(t, pc - sizeof(code), code, sizeof(code))
		       ? calls_restarted(code)
		       : SYS_restart_syscall;
}

void
registers_resume(const struct target *t, struct registers *r,
		 struct registers *to, bool waits)
{
	struct user_regs_struct *g = &to->general;
	long call = r->call;
	bool again;

	*to = *r;
	g->orig_rax = (unsigned long long)-1;
	if (call < 0)
		return;
	switch (-(long long)r->general.rax) {
	case RESTART_SYS:
	case RESTART_NOINTR:
	case RESTART_NOHAND:
	case RESTART_BLOCK:
		again = true;
		break;
	case EINTR:
		again = call != SYS_connect && call != SYS_close && !waits;
		break;
	default:
		again = false;
	}
	if (!again)
		return;
	if (call == SYS_restart_syscall)
		call = restarted(t, g->rip);
	g->rax = (unsigned long long)call;
	g->rip -= 2;
	if (-(long long)r->general.rax == EINTR)
		r->general = *g;
}

/* __errno_location() adds fs to a value from "mov ...(%rip), %rax". */
uintptr_t
registers_errno(const struct target *t, const struct registers *r)
{
	uintptr_t at =
		target_find(target_of(t, TARGET_LIBC), "__errno_location");
	unsigned char code[24];
	int64_t offset;
	int32_t rel;

	if (!at || !target_get(t, at, code, sizeof(code)))
		return 0;
	for (unsigned i = 0; i < 8; i++)
		if (code[i] == 0x48 && code[i + 1] == 0x8b &&
		    code[i + 2] == 0x05) {
			memcpy(&rel, code + i + 3, sizeof(rel));
			if (target_get(t, at + i + 7 + (uintptr_t)(intptr_t)rel,
				       &offset, sizeof(offset)))
				return r->thread + (uintptr_t)offset;
		}
	return 0;
}

/* In the libc: mov $15, %rax; syscall. */
uintptr_t
registers_back(const struct target *t)
{
	static const unsigned char code[] = { 0x48, 0xc7, 0xc0, 0x0f, 0,
					      0,    0,	  0x0f, 0x05 };
	uintptr_t found = 0;

	registers_find(t, target_of(t, TARGET_LIBC), NULL, code, sizeof(code),
		       &found);
	return found;
}

/*
 * The length of the FPU image that rt_sigreturn() expects from this thread: all
 * parts that the kernel switches, except those that a program must request.
 */
static size_t
image_length(const struct registers *r)
{
	unsigned a, b, c, d;
	uint64_t mask, used;
	size_t end = 576;

	memcpy(&mask, r->fpu + XSTATE_MASK, sizeof(mask));
	memcpy(&used, r->fpu + XSTATE_IN_USE, sizeof(used));
	if (!(used & XSTATE_AMX))
		mask &= ~XSTATE_AMX;
	for (unsigned k = 2; k < 63; k++)
		if (mask >> k & 1 && __get_cpuid_count(13, k, &a, &b, &c, &d) &&
		    b + a > end)
			end = b + a;
	return end < r->more ? end : r->more;
}

/* With the kernel's words. */
size_t
registers_image(const struct registers *r, unsigned char to[REGISTERS_MAX])
{
	size_t n = image_length(r);
	uint32_t magic = MAGIC2, end = (uint32_t)n + 4, size = (uint32_t)n;
	uint32_t first = MAGIC1;
	uint64_t mask;

	if (n + 4 > REGISTERS_MAX)
		return 0;
	memcpy(to, r->fpu, n);
	memcpy(&mask, to + XSTATE_MASK, sizeof(mask));
	memset(to + XSTATE_MASK, 0, 48);
	memcpy(to + XSTATE_MASK, &first, 4);
	memcpy(to + XSTATE_MASK + 4, &end, 4);
	memcpy(to + XSTATE_MASK + 8, &mask, 8);
	memcpy(to + XSTATE_MASK + 16, &size, 4);
	memcpy(to + n, &magic, 4);
	return n + 4;
}

size_t
registers_frame(const struct registers *s, uint64_t mask, uintptr_t fpu,
		uintptr_t back, uintptr_t *at,
		unsigned char to[REGISTERS_FRAME])
{
	const struct user_regs_struct *r = &s->general;
	struct frame f = {
		.back = back,
		/* An FPU state with magic words; SS is valid. */
		.uc = { .flags = 7,
			/* No such flag: the alternate stack stays as it is. */
			.stack = { 0, 5, 0 },
			.reg = { r->r8,	 r->r9,	 r->r10,    r->r11, r->r12,
				 r->r13, r->r14, r->r15,    r->rdi, r->rsi,
				 r->rbp, r->rbx, r->rdx,    r->rax, r->rcx,
				 r->rsp, r->rip, r->eflags, 0,	    0,
				 0,	 mask,	 0 },
			.fpstate = fpu,
			.mask = mask },
	};

	/* cs, gs, fs, ss */
	f.uc.reg[18] = r->cs | r->ss << 48;
	memcpy(to, &f, sizeof(f));
	*at = ((*at - sizeof(f)) & ~(uintptr_t)15) - 8;
	return sizeof(f);
}

void
registers_call(struct registers *r, uintptr_t function, const uintptr_t arg[3],
	       uintptr_t sp, uintptr_t back)
{
	struct user_regs_struct *g = &r->general;

	(void)back; /* the frame contains it */
	g->rip = function;
	g->rsp = sp;
	g->rdi = arg[0];
	g->rsi = arg[1];
	g->rdx = arg[2];
	g->rax = 0;
	g->orig_rax = (unsigned long long)-1;
	/* Clears the trap, direction and alignment check flags. */
	g->eflags &= ~(0x100ull | 0x400 | 0x40000);
}

bool
registers_returns(const struct registers *r, uintptr_t sp)
{
	return r->call == SYS_rt_sigreturn && r->general.rsp == sp + 8;
}

#endif
