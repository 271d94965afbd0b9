/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Vectors with accesses to some elements only: loops for which gcc makes masked
 * accesses, gathers and scatters, if the CPU can do these, and builtins of the
 * CPU. Each element counts, so all flags give the same counts: plugin.t.
 */
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/access/plug_runtime.h"

#define NOINLINE __attribute__((noinline, noclone))
#define N 29

static int which[N], place[N], found[N];

NOINLINE static void
masked(int *restrict a, const int *restrict w)
{
	for (int i = 0; i < N; i++)
		if (w[i])
			a[i] = w[i] + 1;
}

NOINLINE static void
masked_load(const int *restrict a, const int *restrict w, int *restrict to)
{
	for (int i = 0; i < N; i++)
		if (w[i])
			to[i] = a[i] + 1;
}

NOINLINE static int
gathered(const int *restrict a, const int *restrict at)
{
	int x = 0;

	for (int i = 0; i < N; i++)
		x += a[at[i]];
	return x;
}

NOINLINE static void
scattered(int *restrict a, const int *restrict at)
{
	for (int i = 0; i < N; i++)
		a[at[i]] = i;
}

NOINLINE static int
builtins(char *p)
{
	__m128 half = _mm_loadh_pi(_mm_setzero_ps(), (__m64 *)(p + 8));
	unsigned long long sum;

	_mm_storel_pi((__m64 *)(p + 24), half);
	_mm_stream_si128((__m128i *)(p + 32), _mm_castps_si128(half));
	return _addcarry_u64(0, (unsigned long long)p, 1,
			     (unsigned long long *)(p + 48)) +
	       _addcarry_u64(0, (unsigned long long)p, 1, &sum);
}

__attribute__((target("avx2"))) NOINLINE static int
avx2(int *p)
{
	__m256i mask = _mm256_setr_epi32(-1, 0, 0, 0, 0, 0, 0, -1);
	__m256i v = _mm256_maskload_epi32(p + 2, mask); /* 0, 2 */

	_mm256_maskstore_epi32(p + 16, mask, v); /* 4, 5 */
	return _mm256_extract_epi32(v, 7);
}

__attribute__((target("avx512f"))) NOINLINE static void
avx512(int *p, int n)
{
	__m512i v = _mm512_set1_epi32(n);

	_mm512_mask_storeu_epi32(p, 0x8001, v);		   /* 0, 3 */
	_mm512_mask_compressstoreu_epi32(p + 18, 0x8421, v); /* 4, 5 */
}

int
main(void)
{
	int *a = aligned_alloc(64, 128);

	memset(a, 0, 128);
	plug_forget(a, 128);
	for (int i = 0; i < N; i++) {
		which[i] = i % 4 == 1 || i == 8;
		place[i] = (i * 5 % 32) & ~12;
	}
	masked(a, which);
	plug_show("masked", a, 128);
	masked_load(a, which, found);
	plug_show("masked load", a, 128);
	found[1] += gathered(a, place);
	plug_show("gathered", a, 128);
	scattered(a, place);
	plug_show("scattered", a, 128);
	found[2] = builtins((char *)a);
	plug_show("builtins", a, 128);
	if (__builtin_cpu_supports("avx2")) {
		avx2(a);
		plug_show("avx2", a, 128);
	}
	if (__builtin_cpu_supports("avx512f")) {
		avx512(a, 1);
		plug_show("avx512", a, 128);
	}
	return 0;
}
