/* SPDX-License-Identifier: MIT */
/* The registers of a stopped thread: arm64. */
#ifdef __aarch64__

#include "monitor/attach/registers.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <ucontext.h>

#ifndef NT_ARM_TLS
#define NT_ARM_TLS 0x401
#endif
#ifndef NT_ARM_HW_BREAK
#define NT_ARM_HW_BREAK 0x402
#endif
#ifndef NT_ARM_SYSTEM_CALL
#define NT_ARM_SYSTEM_CALL 0x404
#endif

/* A record of FPU registers in a frame; the last record is 0 and 0. */
#define FPSIMD 0x46508001u
struct record {
	uint32_t magic, size;
	uint32_t fpsr, fpcr;
	unsigned char v[512];
};
#define CONTROL_AT 512u /* offset in the kernel's set: v, fpsr, fpcr */

/* The frame that the kernel makes. */
struct frame {
	siginfo_t info;
	ucontext_t uc;
};
_Static_assert(sizeof(struct frame) <= REGISTERS_FRAME, "room for a frame");

bool
registers_get_general(pid_t tid, struct registers *r)
{
	size_t n = sizeof(r->general);
	int call = -1;

	if (!registers_ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &r->general,
			      &n))
		return false;
	n = sizeof(call);
	r->call = registers_ptrace(PTRACE_GETREGSET, tid, NT_ARM_SYSTEM_CALL,
				   &call, &n)
			  ? call
			  : -1;
	n = sizeof(r->thread);
	if (!registers_ptrace(PTRACE_GETREGSET, tid, NT_ARM_TLS, &r->thread,
			      &n))
		r->thread = 0;
	return true;
}

/* A 32-bit program has another set. */
bool
registers_get(pid_t tid, struct registers *r)
{
	r->more = sizeof(r->fpu);
	if (!registers_get_general(tid, r) ||
	    !registers_ptrace(PTRACE_GETREGSET, tid, NT_PRFPREG, r->fpu,
			      &r->more))
		return false;
	errno = ENOTSUP;
	return r->more >= CONTROL_AT + 8 && !(r->general.pstate & 0x10);
}

bool
registers_set_general(pid_t tid, const struct registers *r)
{
	struct user_regs_struct copy = r->general;
	size_t n = sizeof(copy);
	int call = -1;

	if (!registers_ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &copy, &n))
		return false;
	/* No system call is left to restart or to make. */
	n = sizeof(call);
	registers_ptrace(PTRACE_SETREGSET, tid, NT_ARM_SYSTEM_CALL, &call, &n);
	return true;
}

void
registers_set_fpu(pid_t tid, const struct registers *r)
{
	size_t n = r->more;

	registers_ptrace(PTRACE_SETREGSET, tid, NT_PRFPREG,
			 (void *)(uintptr_t)r->fpu, &n);
}

void
registers_clean_fpu(pid_t tid, const struct registers *r)
{
	static struct registers clean;

	memcpy(clean.fpu, r->fpu, r->more);
	clean.more = r->more;
	memset(clean.fpu + CONTROL_AT, 0, 8);
	registers_set_fpu(tid, &clean);
}

/* The CPU's first breakpoint: for user code, all four bytes. */
bool
registers_break(pid_t tid, uintptr_t at)
{
	struct user_hwdebug_state s = { 0 };
	size_t n = offsetof(struct user_hwdebug_state, dbg_regs[1]);

	s.dbg_regs[0].addr = at;
	s.dbg_regs[0].ctrl = at ? 0xf << 5 | 2 << 1 | 1 : 0;
	return registers_ptrace(PTRACE_SETREGSET, tid, NT_ARM_HW_BREAK, &s, &n);
}

uintptr_t
registers_sp(const struct registers *r)
{
	return r->general.sp;
}

uintptr_t
registers_pc(const struct registers *r)
{
	return r->general.pc;
}

uintptr_t
registers_result(const struct registers *r)
{
	return r->general.regs[0];
}

/*
 * The kernel has set the registers back to before a call that is made again.  A
 * call that sleeps for a time continues with the remaining time.
 */
void
registers_resume(const struct target *t, struct registers *r,
		 struct registers *to, bool waits)
{
	uint32_t code = 0;

	(void)waits;
	*to = *r;
	if (r->call < 0 || !target_get(t, r->general.pc, &code, sizeof(code)) ||
	    code != 0xd4000001)
		return;
	if (r->call == SYS_nanosleep ||
	    (r->call == SYS_clock_nanosleep && !(r->general.regs[1] & 1)))
		r->general.regs[8] = to->general.regs[8] = SYS_restart_syscall;
}

/*
 * __errno_location() loads a value and adds it to the thread's pointer: adrp
 * x0, page; ldr x0, [x0, at]; mrs x1, tpidr_el0.
 */
uintptr_t
registers_errno(const struct target *t, const struct registers *r)
{
	uintptr_t at =
		target_find(target_of(t, TARGET_LIBC), "__errno_location");
	uint32_t code[8], adrp = 0;
	uint64_t offset;
	int64_t pages;

	if (!at || !r->thread || !target_get(t, at, code, sizeof(code)))
		return 0;
	for (unsigned i = 0; i < 8; i++) {
		uint32_t c = code[i];

		if ((c & 0x9f000000) == 0x90000000) {
			pages = (int64_t)((uint64_t)(c >> 5 & 0x7ffff) << 45) >>
				43;
			pages |= c >> 29 & 3;
			adrp = c & 31;
			at = ((at + 4 * i) & ~(uintptr_t)4095) +
			     ((uintptr_t)pages << 12);
		} else if ((c & 0xffc00000) == 0xf9400000 &&
			   (c >> 5 & 31) == adrp) {
			return target_get(t, at + 8 * (c >> 10 & 0xfff),
					  &offset, sizeof(offset))
				       ? r->thread + offset
				       : 0;
		}
	}
	return 0;
}

/* The kernel's own: mov x8, #139; svc #0. */
uintptr_t
registers_back(const struct target *t)
{
	static const unsigned char code[] = { 0x68, 0x11, 0x80, 0xd2,
					      0x01, 0x00, 0x00, 0xd4 };
	uintptr_t found = 0;

	registers_find(t, NULL, "[vdso]", code, sizeof(code), &found);
	return found;
}

/* The frame contains it. */
size_t
registers_image(const struct registers *r, unsigned char to[REGISTERS_MAX])
{
	(void)r;
	(void)to;
	return 0;
}

size_t
registers_frame(const struct registers *r, uint64_t mask, uintptr_t fpu,
		uintptr_t back, uintptr_t *at,
		unsigned char to[REGISTERS_FRAME])
{
	struct record record = { .magic = FPSIMD, .size = sizeof(record) };
	struct frame f = { 0 };
	stack_t same = { .ss_flags = 5 /* no such flag: unchanged */ };

	(void)fpu;
	(void)back;
	memcpy(record.v, r->fpu, sizeof(record.v));
	memcpy(&record.fpsr, r->fpu + CONTROL_AT, 4);
	memcpy(&record.fpcr, r->fpu + CONTROL_AT + 4, 4);
	f.uc.uc_stack = same;
	memcpy(&f.uc.uc_sigmask, &mask, sizeof(mask));
	memcpy(f.uc.uc_mcontext.regs, r->general.regs,
	       sizeof(f.uc.uc_mcontext.regs));
	f.uc.uc_mcontext.sp = r->general.sp;
	f.uc.uc_mcontext.pc = r->general.pc;
	f.uc.uc_mcontext.pstate = r->general.pstate;
	memcpy(f.uc.uc_mcontext.__reserved, &record, sizeof(record));
	memcpy(to, &f, sizeof(f));
	*at = (*at - sizeof(f)) & ~(uintptr_t)15;
	return sizeof(f);
}

void
registers_call(struct registers *r, uintptr_t function, const uintptr_t arg[3],
	       uintptr_t sp, uintptr_t back)
{
	struct user_regs_struct *g = &r->general;

	g->pc = function;
	g->sp = sp;
	g->regs[0] = arg[0];
	g->regs[1] = arg[1];
	g->regs[2] = arg[2];
	/* No frame above it, only the return address. */
	g->regs[29] = 0;
	g->regs[30] = back;
	/* No single step, and no branch type that needs a landing
	 * instruction. */
	g->pstate &= ~(1ull << 21 | 3ull << 10);
}

bool
registers_returns(const struct registers *r, uintptr_t sp)
{
	return r->call == SYS_rt_sigreturn && r->general.sp == sp;
}

#endif
