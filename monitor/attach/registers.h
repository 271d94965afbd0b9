/* SPDX-License-Identifier: MIT */
/*
 * The registers of a stopped thread, and the frame that a signal would make of
 * them.  registers_*.c contain the parts that depend on the CPU.
 */
#ifndef MEMMON_REGISTERS_H
#define MEMMON_REGISTERS_H

#include <sys/user.h>

#include "monitor/attach/target.h"

#define REGISTERS_MAX 65536u
/* The largest frame, without the image of the FPU. */
#define REGISTERS_FRAME 5120u

struct registers {
	struct user_regs_struct general;
	long call;	 /* its current system call; -1: none */
	uintptr_t thread; /* the thread's pointer to its control block */
	size_t more; /* bytes of the next */
	unsigned char fpu[REGISTERS_MAX] __attribute__((aligned(16)));
};

/* Reads the registers of a thread.  False, with errno; ENOTSUP: a 32-bit
 * program. */
bool registers_get(pid_t tid, struct registers *r);

/* Reads, or writes, only the general ones and the system call. */
bool registers_get_general(pid_t tid, struct registers *r);
bool registers_set_general(pid_t tid, const struct registers *r);

/* Writes the FPU's; or sets them to a state that a function may expect. */
void registers_set_fpu(pid_t tid, const struct registers *r);
void registers_clean_fpu(pid_t tid, const struct registers *r);

/*
 * Makes the thread, which is stopped, stop again by SIGTRAP when it is about to
 * execute the instruction at that address; 0: removes this.  False: the CPU, or
 * the kernel, has no registers for it.
 */
bool registers_break(pid_t tid, uintptr_t at);

uintptr_t registers_sp(const struct registers *r);
uintptr_t registers_pc(const struct registers *r);

/* The register with a function's result, when the function returns. */
uintptr_t registers_result(const struct registers *r);

/*
 * Sets `to' to the state in which the thread continues: if the stop has
 * interrupted a system call, it is made again.  A call that returns EINTR only
 * because of the stop, as no signal is pending (`waits' is false), is repeated,
 * too, if this is possible and harmless; then r is set to repeat it as well.
 */
void registers_resume(const struct target *t, struct registers *r,
		      struct registers *to, bool waits);

/* The address of the thread's errno; 0: unknown. */
uintptr_t registers_errno(const struct target *t, const struct registers *r);

/* Code of the process that returns from a handler by rt_sigreturn(2); or 0. */
uintptr_t registers_back(const struct target *t);

/* Puts the FPU's image that a frame points to into `to'.  Its size, or 0. */
size_t registers_image(const struct registers *r,
		       unsigned char to[REGISTERS_MAX]);

/*
 * Makes the frame from which rt_sigreturn(2) restores r, with the signal mask,
 * the image at `fpu', and the return address.  *at is the end of the stack, and
 * becomes the frame's address, which is the stack pointer of the call.  Returns
 * the frame's size.
 */
size_t registers_frame(const struct registers *r, uint64_t mask, uintptr_t fpu,
		       uintptr_t back, uintptr_t *at,
		       unsigned char to[REGISTERS_FRAME]);

/* Sets r to the state at the start of the function, called with that frame. */
void registers_call(struct registers *r, uintptr_t function,
		    const uintptr_t arg[3], uintptr_t sp, uintptr_t back);

/* Is a thread in r about to return from the frame at sp? */
bool registers_returns(const struct registers *r, uintptr_t sp);

/* Bytes that a function may use below its stack pointer. */
#define REGISTERS_RED_ZONE 128u

/* For registers_*.c: ptrace(2) of a set of registers. */
bool registers_ptrace(int request, pid_t tid, int type, void *p, size_t *n);
bool registers_find(const struct target *t, const struct target_module *m,
		    const char *map, const unsigned char *code, size_t n,
		    uintptr_t *found);

#endif
