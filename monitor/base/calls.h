/* SPDX-License-Identifier: MIT */
/* Calls in machine code. */
#ifndef MEMMON_CALLS_H
#define MEMMON_CALLS_H

#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

/* The size of a call by an offset, in bytes, and the alignment of code. */
#ifdef __x86_64__
#define CALLS_SIZE 5u
#define CALLS_STEP 1u
#else
#define CALLS_SIZE 4u
#define CALLS_STEP 4u
#endif

/* The target of the call or jump at p; 0: there is neither. */
static inline uintptr_t
calls_to(const unsigned char *p)
{
	int32_t by;

#ifdef __x86_64__
	memcpy(&by, p + 1, sizeof(by));
	return (*p | 1) == 0xe9 ? (uintptr_t)p + 5 + (uintptr_t)(long)by : 0;
#else
	uint32_t word;

	memcpy(&word, p, sizeof(word));
	by = (int32_t)(word << 6) >> 4;
	return (word & 0x7c000000u) == 0x14000000u
		       ? (uintptr_t)p + (uintptr_t)(long)by
		       : 0;
#endif
}

/*
 * The system call that restart_syscall(2) continues.  code: the CALLS_KERNEL
 * bytes before the address to which the kernel returns; the instruction before
 * the one that calls the kernel loads the number, "mov $call, %eax" or "mov x8,
 * #call".  SYS_restart_syscall: it is another instruction.
 */
#ifdef __x86_64__
#define CALLS_KERNEL 7u
#else
#define CALLS_KERNEL 8u
#endif

static inline long
calls_restarted(const unsigned char *code)
{
	uint32_t word;

#ifdef __x86_64__
	memcpy(&word, code + 1, sizeof(word));
	return *code == 0xb8 ? (long)word : SYS_restart_syscall;
#else
	memcpy(&word, code, sizeof(word));
	return (word & 0xffe0001f) == 0xd2800008 ? (long)(word >> 5 & 0xffff)
						 : SYS_restart_syscall;
#endif
}

#endif
