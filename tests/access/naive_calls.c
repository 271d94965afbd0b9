/* SPDX-License-Identifier: GPL-3.0-or-later */
/* With -fsanitize=thread the compiler calls these for each access. */
#include "tests/access/naive.h"

#define PLAIN(n) \
	void __tsan_read##n(void *p) \
	{ \
		naive_access(NAIVE_READ, p, n); \
	} \
	void __tsan_write##n(void *p) \
	{ \
		naive_access(NAIVE_WRITE, p, n); \
	} \
	void __tsan_unaligned_read##n(void *p) \
	{ \
		naive_access(NAIVE_READ, p, n); \
	} \
	void __tsan_unaligned_write##n(void *p) \
	{ \
		naive_access(NAIVE_WRITE, p, n); \
	}

PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

void
__tsan_read_range(void *p, size_t n)
{
	naive_access(NAIVE_READ, p, n);
}

void
__tsan_write_range(void *p, size_t n)
{
	naive_access(NAIVE_WRITE, p, n);
}

void
__tsan_init(void)
{
}

void
__tsan_func_entry(void *pc)
{
	(void)pc;
}

void
__tsan_func_exit(void)
{
}

/* An operation that reads and writes counts as one read and one write. */
#define BOTH(p) \
	naive_access(NAIVE_READ, (const void *)(p), sizeof(*(p))); \
	naive_access(NAIVE_WRITE, (const void *)(p), sizeof(*(p)))

#define FETCH(n, type, op) \
	type __tsan_atomic##n##_fetch_##op(volatile type *p, type v, int mo) \
	{ \
		(void)mo; \
		BOTH(p); \
		return __atomic_fetch_##op(p, v, __ATOMIC_SEQ_CST); \
	}

#define EXCHANGE(n, type, kind) \
	int __tsan_atomic##n##_compare_exchange_##kind(volatile type *p, \
						       type *c, type v, \
						       int mo, int fail) \
	{ \
		(void)mo, (void)fail; \
		BOTH(p); \
		return __atomic_compare_exchange_n(p, c, v, 0, \
						   __ATOMIC_SEQ_CST, \
						   __ATOMIC_SEQ_CST); \
	}

#define ATOMIC(n, type) \
	type __tsan_atomic##n##_load(const volatile type *p, int mo) \
	{ \
		(void)mo; \
		naive_access(NAIVE_READ, (const void *)p, sizeof(*p)); \
		return __atomic_load_n(p, __ATOMIC_SEQ_CST); \
	} \
	void __tsan_atomic##n##_store(volatile type *p, type v, int mo) \
	{ \
		(void)mo; \
		naive_access(NAIVE_WRITE, (const void *)p, sizeof(*p)); \
		__atomic_store_n(p, v, __ATOMIC_SEQ_CST); \
	} \
	type __tsan_atomic##n##_exchange(volatile type *p, type v, int mo) \
	{ \
		(void)mo; \
		BOTH(p); \
		return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); \
	} \
	FETCH(n, type, add) \
	FETCH(n, type, sub) \
	FETCH(n, type, and) \
	FETCH(n, type, or) \
	FETCH(n, type, xor) \
	FETCH(n, type, nand) EXCHANGE(n, type, strong) EXCHANGE(n, type, weak)

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
