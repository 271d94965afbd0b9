/* SPDX-License-Identifier: MIT */
/* Calls in machine code. */
#ifndef MEMMON_CALLS_H
#define MEMMON_CALLS_H

#include <stdint.h>
#include <string.h>

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

#endif
