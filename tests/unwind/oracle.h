/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a profiler should find, known without unwinding: every function of a
 * program that uses this notes its own return address when it is entered, so
 * that the whole chain is known at each allocation.  Blocks are counted by
 * chain, and at the end there is a line for each, such as chains.c makes of
 * mon.out:
 *
 *	hash allocations bytes frees bytes-freed
 *
 * For C and C++.  No heap; may be used in several threads, and in the handlers
 * of signals that strike in none of these functions.
 */
#ifndef MEMMON_TESTS_ORACLE_H
#define MEMMON_TESTS_ORACLE_H

#include <stddef.h>
#include <stdint.h>

#define ORACLE_DEPTH (1u << 14) /* frames, in all */

/* A function that is never inlined, cloned or split. */
#ifdef __clang__
#define ORACLE __attribute__((noinline))
#else
#define ORACLE __attribute__((noinline, noclone, noipa))
#endif

/* The frames of one stack.  One for each thread and each coroutine. */
struct shadow {
	unsigned n;
	unsigned bottom;	      /* where a walk stops; 0: it is whole */
	uint64_t h[ORACLE_DEPTH + 1]; /* h[i]: hash of the i outermost */
};

/* At the beginning of each function, and before each return. */
#define ENTER(s) oracle_push(s, __builtin_return_address(0))
#define LEAVE(s) ((s)->n--)

#ifdef __cplusplus
extern "C" {
#endif

/* First of all. */
void oracle_begin(void);

/* One more frame, which returns to ra. */
void oracle_push(struct shadow *s, void *ra);

/* Begin a stack, whose first function, the caller, returns to ra. */
void oracle_root(struct shadow *s, void *ra);

/* A block of n bytes, or somewhat more, that s allocates. */
void *oracle_take(struct shadow *s, size_t n);

/* Free it; p may be NULL. */
void oracle_give(void *p);

/*
 * p is a block of n bytes, 16 or more, that was allocated by other means, with
 * the chain of s.  Returns p.
 */
void *oracle_count(const struct shadow *s, void *p, size_t n);

/* n bytes of zeros from the kernel. */
void *oracle_map(size_t n);

/* The lines, to the file named by $ORACLE_OUT, if any. */
void oracle_print(void);

/*
 * From oracle.S: call fn(arg, their own return address) from a frame of some
 * kind.  The last two have no unwind information.
 */
typedef void oracle_fn(void *arg, void *ra);
void oracle_via_garbage(oracle_fn *fn, void *arg);
void oracle_via_pointer(oracle_fn *fn, void *arg);
void oracle_via_rbx(oracle_fn *fn, void *arg);
void oracle_via_r12(oracle_fn *fn, void *arg);
void oracle_via_jump(oracle_fn *fn, void *arg);
void oracle_via_large(oracle_fn *fn, void *arg);
void oracle_via_stack(oracle_fn *fn, void *arg, void *top);
void oracle_via_nothing(oracle_fn *fn, void *arg);
void oracle_via_frame(oracle_fn *fn, void *arg);

/* SIGTRAP, at one of three places; the return address is at 8(%rsp) then. */
void oracle_trap(int which);

#ifdef __cplusplus
}
#endif

#endif
