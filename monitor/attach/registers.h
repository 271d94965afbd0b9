/* SPDX-License-Identifier: MIT */
/*
 * The registers of a stopped thread, and the frame that a signal would make of
 * them: what depends on the CPU, in registers_*.c.
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
	long call;	 /* the system call that it is in; -1: none */
	uintptr_t thread; /* the thread's pointer to its control block */
	size_t more; /* bytes of the next */
	unsigned char fpu[REGISTERS_MAX] __attribute__((aligned(16)));
};

/* Those of a thread.  False, with errno; ENOTSUP: of a program of 32 bits. */
bool registers_get(pid_t tid, struct registers *r);

/* Only the general ones, and the call; and back again. */
bool registers_get_general(pid_t tid, struct registers *r);
bool registers_set_general(pid_t tid, const struct registers *r);

/* The FPU's, back again; or as a function may expect them. */
void registers_set_fpu(pid_t tid, const struct registers *r);
void registers_clean_fpu(pid_t tid, const struct registers *r);

/*
 * Have the thread, which is stopped, stop again by SIGTRAP when it is about to
 * execute the instruction at that address; 0: no more.  False: the CPU, or the
 * kernel, has no such registers.
 */
bool registers_break(pid_t tid, uintptr_t at);

uintptr_t registers_sp(const struct registers *r);
uintptr_t registers_pc(const struct registers *r);

/* What a function returns in, as it returns. */
uintptr_t registers_result(const struct registers *r);

/*
 * `to' becomes the state in which the thread goes on: a system call that the
 * stop has interrupted is made once more.  What says EINTR only because of the
 * stop (`waits': a signal does) is, too, if that does no harm and can be done;
 * then so does r.
 */
void registers_resume(const struct target *t, struct registers *r,
		      struct registers *to, bool waits);

/* Where the thread's errno is; 0: it isn't known. */
uintptr_t registers_errno(const struct target *t, const struct registers *r);

/* Code of the process to return to from a handler: rt_sigreturn(2); or 0. */
uintptr_t registers_back(const struct target *t);

/* The bytes of the FPU's image that a frame points to, into `to'; or 0. */
size_t registers_image(const struct registers *r,
		       unsigned char to[REGISTERS_MAX]);

/*
 * The frame that rt_sigreturn(2) makes r of, with the signal mask, the image at
 * `fpu', and the way back.  *at is the end of the stack, and becomes where the
 * frame is to be put, which is the stack pointer of the call.  Its size.
 */
size_t registers_frame(const struct registers *r, uint64_t mask, uintptr_t fpu,
		       uintptr_t back, uintptr_t *at,
		       unsigned char to[REGISTERS_FRAME]);

/* r becomes the state at the start of the function, called with that frame. */
void registers_call(struct registers *r, uintptr_t function,
		    const uintptr_t arg[3], uintptr_t sp, uintptr_t back);

/* Is a thread in r about to return from the frame at sp? */
bool registers_returns(const struct registers *r, uintptr_t sp);

/* What a function may use of the stack below its stack pointer. */
#define REGISTERS_RED_ZONE 128u

/* For registers_*.c: ptrace(2) of a set of registers. */
bool registers_ptrace(int request, pid_t tid, int type, void *p, size_t *n);
bool registers_find(const struct target *t, const struct target_module *m,
		    const char *map, const unsigned char *code, size_t n,
		    uintptr_t *found);

#endif
