/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All atomic operations, by the functions that compilers call for them and by
 * the compilers' own code: results, memory afterwards, counts; and threads that
 * add to one number.  Prints the differences, and the number of comparisons.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/access/calls_word.h"

#define EACH 100000
#define SEQ __ATOMIC_SEQ_CST

typedef unsigned __int128 u128;
static int compared, wrong;

static void
check(bool fine, const char *what, int bits)
{
	compared++;
	if (fine)
		return;
	wrong++;
	printf("%s of %d bits\n", what, bits);
}

#define DECLARE(bits, type)                                               \
	type __tsan_atomic##bits##_load(volatile type *, int);            \
	void __tsan_atomic##bits##_store(volatile type *, type, int);     \
	type __tsan_atomic##bits##_exchange(volatile type *, type, int);  \
	type __tsan_atomic##bits##_fetch_add(volatile type *, type, int); \
	type __tsan_atomic##bits##_fetch_sub(volatile type *, type, int); \
	type __tsan_atomic##bits##_fetch_and(volatile type *, type, int); \
	type __tsan_atomic##bits##_fetch_or(volatile type *, type, int);  \
	type __tsan_atomic##bits##_fetch_xor(volatile type *, type, int); \
	type __tsan_atomic##bits##_fetch_nand(volatile type *, type, int); \
	int __tsan_atomic##bits##_compare_exchange_strong(volatile type *, \
							  type *, type, int, \
							  int); \
	int __tsan_atomic##bits##_compare_exchange_weak(volatile type *, \
							type *, type, int, \
							int); \
	type __tsan_atomic##bits##_compare_exchange_val(volatile type *, type, \
							type, int, int);
DECLARE(8, uint8_t)
DECLARE(16, uint16_t)
DECLARE(32, uint32_t)
DECLARE(64, uint64_t)
DECLARE(128, u128)
void __tsan_atomic_thread_fence(int);
void __tsan_atomic_signal_fence(int);

/* A number with a different value in each byte. */
#define PATTERN ((u128)0x0123456789abcdefull << 64 | 0xf0e1d2c3b4a59687ull)

#define CHANGE(bits, type, name, result)                                   \
	__tsan_atomic##bits##_store(p, a, SEQ);                            \
	r = word_reads(p), w = word_writes(p);                             \
	check(__tsan_atomic##bits##_##name(p, b, SEQ) == a, #name, bits);  \
	check(word_reads(p) == r + 1 && word_writes(p) == w + 1,           \
	      #name " counted", bits);                                     \
	check(*p == (type)(result), #name " in memory", bits);

#define COMPARE(bits, type, name)                                            \
	old = b;                                                             \
	r = word_reads(p), w = word_writes(p);                               \
	check(!__tsan_atomic##bits##_compare_exchange_##name(p, &old, b, SEQ, \
							     SEQ) && \
		      old == a,                                              \
	      #name " that fails", bits);                                    \
	check(word_reads(p) == r + 1 && word_writes(p) == w,                 \
	      #name " that fails, counted", bits);                           \
	check(__tsan_atomic##bits##_compare_exchange_##name(p, &old, b, SEQ, \
							    SEQ) &&          \
		      old == a,                                              \
	      #name, bits);                                                  \
	check(word_reads(p) == r + 2 && word_writes(p) == w + 1,             \
	      #name " counted", bits);                                       \
	check(*p == b, #name " in memory", bits);                            \
	*p = a;

#define ALL(bits, type)                                                     \
	static void all##bits(volatile type *p)                             \
	{                                                                   \
		type a = (type)PATTERN, b = (type)(PATTERN * 77 + 3), old;  \
		uint64_t r, w;                                              \
\
		CHANGE(bits, type, exchange, b)                             \
		CHANGE(bits, type, fetch_add, a + b)                        \
		CHANGE(bits, type, fetch_sub, a - b)                        \
		CHANGE(bits, type, fetch_and, a &b) \
		CHANGE(bits, type, fetch_or, a | b)                         \
		CHANGE(bits, type, fetch_xor, a ^ b)                        \
		CHANGE(bits, type, fetch_nand, ~(a & b))                    \
		r = word_reads(p), w = word_writes(p);                      \
		__tsan_atomic##bits##_store(p, a, __ATOMIC_RELAXED);        \
		check(word_reads(p) == r && word_writes(p) == w + 1,        \
		      "store counted", bits);                               \
		check(__tsan_atomic##bits##_load(p, SEQ) == a, "load", bits); \
		check(word_reads(p) == r + 1 && word_writes(p) == w + 1,    \
		      "load counted", bits);                                \
		COMPARE(bits, type, strong)                                 \
		COMPARE(bits, type, weak)                                   \
		check(__tsan_atomic##bits##_compare_exchange_val(p, b, b, SEQ, \
								 SEQ) == a && \
			      *p == a, \
		      "val that fails", bits);                              \
		check(__tsan_atomic##bits##_compare_exchange_val(p, a, b, SEQ, \
								 SEQ) == a && \
			      *p == b, \
		      "val", bits);                                         \
	}
ALL(8, uint8_t)
ALL(16, uint16_t)
ALL(32, uint32_t)
ALL(64, uint64_t)
ALL(128, u128)

static uint64_t *sum;
static u128 *large;

static void *
adder(void *arg)
{
	for (int i = 0; i < EACH; i++) {
		__atomic_fetch_add(sum, 1, __ATOMIC_RELAXED);
		__tsan_atomic128_fetch_add(large, (u128)1 << 64 | 1, SEQ);
		__atomic_thread_fence(__ATOMIC_RELEASE);
	}
	return arg;
}

int
main(void)
{
	char *p = aligned_alloc(16, 64);
	pthread_t t[4];

	all8((void *)(p + 3));
	all16((void *)(p + 18));
	all32((void *)(p + 36));
	all64((void *)(p + 48));
	all128((void *)p);
	__tsan_atomic_thread_fence(SEQ);
	__tsan_atomic_signal_fence(SEQ);

	sum = (uint64_t *)(void *)p;
	large = (u128 *)(void *)(p + 16);
	*sum = 0;
	*large = 0;
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, adder, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	check(*sum == 4 * EACH, "sum of threads", 64);
	check(*large == ((u128)(4 * EACH) << 64 | 4 * EACH), "sum of threads",
	      128);
	printf("%d results, %d wrong\n", compared, wrong);
	free(p);
	return wrong != 0;
}
