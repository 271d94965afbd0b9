/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logs what a random program of events_random.pl does, as its source says.  A
 * function that isn't instrumented gets each access, loop and function, and
 * writes it to the file that NAIVE_LOG names.
 */
#ifndef EVENTS_NAIVE_H
#define EVENTS_NAIVE_H

#include <stddef.h>

void naive(const char *kind, const char *name);
void naive_access(const char *kind, volatile const void *p, size_t size);

#define LOAD(x) \
	({ \
		volatile __typeof__(x) *at_ = &(x); \
		naive_access("load", at_, sizeof(x)); \
		*at_; \
	})
#define STORE(x, v) \
	do { \
		volatile __typeof__(x) *at_ = &(x); \
		*at_ = (__typeof__(x))(v); \
		naive_access("store", at_, sizeof(x)); \
	} while (0)
#define ENTER naive("entry", __func__)
#define LEAVE naive("exit", __func__)
#define LOOP naive("loop", "-")
#define ITERATION naive("iteration", "-")
#define LOOP_EXIT naive("loop_exit", "-")
#define PLAIN __attribute__((noinline, noclone, noipa))

#endif
