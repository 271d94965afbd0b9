/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The call paths that a profiler should find, known without unwinding.  Every
 * function of a program that uses this notes its own return address when it is
 * entered, so the whole call path is known at each allocation.  Blocks are
 * counted by call path, and at the end there is a line for each, like those
 * that chains.c makes of mon.out:
 *
 *	hash allocations bytes frees bytes-freed
 *
 * For C and C++.  Doesn't use the heap.  May be used in several threads, and in
 * handlers of signals that don't interrupt these functions.
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
	unsigned bottom;	      /* where a walk stops; 0: nowhere */
	uint64_t h[ORACLE_DEPTH + 1]; /* h[i]: hash of the i outermost */
};

/* At the beginning of each function, and before each return. */
#define ENTER(s) oracle_push(s, __builtin_return_address(0))
#define LEAVE(s) ((s)->n--)

#ifdef __cplusplus
extern "C" {
#endif

/* Call it first. */
void oracle_begin(void);

/* Adds a frame, which returns to ra. */
void oracle_push(struct shadow *s, void *ra);

/* Begins a stack; its first function, the caller, returns to ra. */
void oracle_root(struct shadow *s, void *ra);

/* Allocates a block of n bytes, or a few more, on the stack s. */
void *oracle_take(struct shadow *s, size_t n);

/* Frees the block; p may be NULL. */
void oracle_give(void *p);

/*
 * Counts p, a block of n bytes, 16 or more, that was allocated by other means,
 * with the call path of s.  Returns p.
 */
void *oracle_count(const struct shadow *s, void *p, size_t n);

/* n bytes of zeros from the kernel. */
void *oracle_map(size_t n);

/* Writes the lines to the file named by $ORACLE_OUT, if there is one. */
void oracle_print(void);

/*
 * From oracle.S: each calls fn(arg, its own return address) from another kind
 * of frame.  The last two have no unwind information.
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

/* SIGTRAP at one of three places; then the return address is at 8(%rsp). */
void oracle_trap(int which);

#ifdef __cplusplus
}
#endif

#endif
