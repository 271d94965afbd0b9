/* SPDX-License-Identifier: MIT */
/*
 * The portable way: compilers replace atomic operations by calls of these
 * functions, which do them.  The order is the given one, or a stronger one.  A
 * compare-and-swap counts as a read, and as a write if it has swapped.  ctx:
 * hook.
 */
#include "monitor/access/inline.h"
#include "monitor/base/internal.h"

#define READ MMI_ACCESS_READ
#define WRITE MMI_ACCESS_WRITE

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef unsigned __int128 u128;

static void
count(const volatile void *p, size_t size, uint64_t add)
{
	mmi_access_one((uintptr_t)p, size, add);
}

/* Is the order stronger than release? */
static inline bool
strict(int order)
{
	return (order & 0xff) == __ATOMIC_SEQ_CST;
}

#define NATIVE(bits) \
	static inline u##bits load##bits(volatile u##bits *p) \
	{ \
		return __atomic_load_n(p, __ATOMIC_SEQ_CST); \
	} \
	static inline void store##bits(volatile u##bits *p, u##bits v, \
				       int order) \
	{ \
		if (strict(order)) \
			__atomic_store_n(p, v, __ATOMIC_SEQ_CST); \
		else \
			__atomic_store_n(p, v, __ATOMIC_RELEASE); \
	} \
	static inline bool cas##bits(volatile u##bits *p, u##bits *old, \
				     u##bits v) \
	{ \
		return __atomic_compare_exchange_n(p, old, v, 0, \
						   __ATOMIC_SEQ_CST, \
						   __ATOMIC_SEQ_CST); \
	}

NATIVE(8)
NATIVE(16)
NATIVE(32)
NATIVE(64)

/* Written in assembler, because compilers would call libatomic for it. */
static inline bool
cas128(volatile u128 *p, u128 *old, u128 v)
{
	uint64_t was[2] = { (u64)*old, (u64)(*old >> 64) };
	bool done = arch_cas128(p, was, (u64)v, (u64)(v >> 64));

	*old = (u128)was[1] << 64 | was[0];
	return done;
}

static inline u128
load128(volatile u128 *p)
{
	u128 v = 0;

	cas128(p, &v, 0);
	return v;
}

static inline void
store128(volatile u128 *p, u128 v, int order)
{
	u128 old = 0;

	(void)order;
	while (!cas128(p, &old, v))
		;
}

/* Stores a new value made from the old one and v; returns the old one. */
#define CHANGE(bits, name, how) \
	EXPORT u##bits __tsan_atomic##bits##_##name(volatile u##bits *p, \
						    u##bits v, int order); \
	EXPORT u##bits __tsan_atomic##bits##_##name(volatile u##bits *p, \
						    u##bits v, int order) \
	{ \
		(void)order; \
		count(p, sizeof(*p), READ + WRITE); \
		how; \
	}

#define CHANGES(bits, how) \
	CHANGE(bits, exchange, how(exchange_n, v)) \
	CHANGE(bits, fetch_add, how(fetch_add, old + v)) \
	CHANGE(bits, fetch_sub, how(fetch_sub, old - v)) \
	CHANGE(bits, fetch_and, how(fetch_and, old &v)) \
	CHANGE(bits, fetch_or, how(fetch_or, old | v)) \
	CHANGE(bits, fetch_xor, how(fetch_xor, old ^ v)) \
	CHANGE(bits, fetch_nand, how(fetch_nand, ~(old & v)))

#define BY_NATIVE(op, new) return __atomic_##op(p, v, __ATOMIC_SEQ_CST)
#define BY_CAS(op, new) \
	for (u128 old = 0, was;;) { \
		was = old; \
		if (cas128(p, &old, new)) \
			return was; \
	}

#define COMPARE(bits, name) \
	EXPORT int __tsan_atomic##bits##_compare_exchange_##name( \
		volatile u##bits *p, u##bits *old, u##bits v, int order, \
		int failed); \
	EXPORT int __tsan_atomic##bits##_compare_exchange_##name( \
		volatile u##bits *p, u##bits *old, u##bits v, int order, \
		int failed) \
	{ \
		u##bits was = *old; \
		bool done = cas##bits(p, &was, v); \
\
		(void)order; \
		(void)failed; \
		count(p, sizeof(*p), done ? READ + WRITE : READ); \
		if (!done) \
			*old = was; \
		return done; \
	}

#define ALL(bits, by) \
	EXPORT u##bits __tsan_atomic##bits##_load(volatile u##bits *p, \
						  int order); \
	EXPORT u##bits __tsan_atomic##bits##_load(volatile u##bits *p, \
						  int order) \
	{ \
		(void)order; \
		count(p, sizeof(*p), READ); \
		return load##bits(p); \
	} \
	EXPORT void __tsan_atomic##bits##_store(volatile u##bits *p, \
						u##bits v, int order); \
	EXPORT void __tsan_atomic##bits##_store(volatile u##bits *p, \
						u##bits v, int order) \
	{ \
		count(p, sizeof(*p), WRITE); \
		store##bits(p, v, order); \
	} \
	CHANGES(bits, by) \
	COMPARE(bits, strong) \
	COMPARE(bits, weak) \
	EXPORT u##bits __tsan_atomic##bits##_compare_exchange_val( \
		volatile u##bits *p, u##bits old, u##bits v, int order, \
		int failed); \
	EXPORT u##bits __tsan_atomic##bits##_compare_exchange_val( \
		volatile u##bits *p, u##bits old, u##bits v, int order, \
		int failed) \
	{ \
		bool done = cas##bits(p, &old, v); \
\
		(void)order; \
		(void)failed; \
		count(p, sizeof(*p), done ? READ + WRITE : READ); \
		return old; \
	}

ALL(8, BY_NATIVE)
ALL(16, BY_NATIVE)
ALL(32, BY_NATIVE)
ALL(64, BY_NATIVE)
ALL(128, BY_CAS)

EXPORT void __tsan_atomic_thread_fence(int order);
EXPORT void
__tsan_atomic_thread_fence(int order)
{
	if (strict(order))
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
	else
		__atomic_thread_fence(__ATOMIC_ACQ_REL);
}

/* Enough for a signal handler of the same thread: a call. */
EXPORT void __tsan_atomic_signal_fence(int order);
EXPORT void
__tsan_atomic_signal_fence(int order)
{
	(void)order;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}
