/* SPDX-License-Identifier: MIT */
/*
 * The parts that depend on the CPU: one header for each CPU, with the same
 * names, which arch_x86_64.h explains.  Everything is inline and may be used in
 * any context.
 */
#ifndef MEMMON_ARCH_H
#define MEMMON_ARCH_H

#include "monitor/base/arch_shared.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

#if defined(__x86_64__)
#include "monitor/base/arch_x86_64.h"
#elif defined(__aarch64__)
#include "monitor/base/arch_aarch64.h"
#else
#error "memmon's monitor knows x86-64 and arm64"
#endif

/*
 * Where a hook was entered from: the return address; and the stack pointer and
 * the frame pointer of the caller after the return.
 */
struct arch_entry {
	uintptr_t pc;
	uintptr_t sp;
	uintptr_t bp;
};

/* A system call that the program itself has requested. */
#define ARCH_ASKED(n, a, b, c, d, e, f) \
	arch_syscall(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), \
		     (long)(f))

/*
 * System calls that the monitor needs; it must do without them if they fail.
 * Calls whose bits are set in mmi_arch_refuse aren't made: they would end the
 * process, see seccomp.h.
 */
ARCH_SHARED uint64_t mmi_arch_refuse[8];
ARCH_SHARED int mmi_arch_refuses; /* is any bit set? */

static inline bool
arch_refused(long n)
{
	return __builtin_expect(mmi_arch_refuses, 0) &&
	       mmi_arch_refuse[n / 64] >> n % 64 & 1;
}

#ifdef MEMMON_FAULT
/* Calls that fail on purpose: tests/fault/. */
#include MEMMON_FAULT
#define ARCH_NEED mmi_fault_sys
#define arch_clone(flags, top, tls, f) \
	(mmi_fault_clone() ?: arch_clone(flags, top, tls, f))
#else
#define ARCH_NEED arch_syscall
#endif

#define ARCH_SYS(n, a, b, c, d, e, f) \
	(arch_refused(n) ? -1L /* EPERM */ \
			 : ARCH_NEED(n, (long)(a), (long)(b), (long)(c), \
				     (long)(d), (long)(e), (long)(f)))

#endif
