/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts instructions: see apart_steps.h. */
#define _GNU_SOURCE
#include "tests/access/apart_steps.h"

#include <signal.h>
#include <stddef.h>

static volatile long steps;

static void
step(int signal)
{
	(void)signal;
	steps++;
}

long
steps_of(void (*f)(void))
{
#ifdef __x86_64__
	signal(SIGTRAP, step);
	f(); /* the loader finds what it calls */
	steps = 0;
	__asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::
				 : "memory", "cc");
	f();
	__asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::
				 : "memory", "cc");
	return steps;
#else
	(void)f;
	(void)step;
	return -1;
#endif
}

void
steps_call(const void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
}
