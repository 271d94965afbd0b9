/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A compressor of the Lempel-Ziv kind, byte by byte: pack [BYTES]. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int seen[65536];

static unsigned
hash(const unsigned char *p)
{
	unsigned v = p[0] | (unsigned)p[1] << 8 | (unsigned)p[2] << 16 |
		     (unsigned)p[3] << 24;

	return v * 2654435761u >> 16;
}

static long
same(const unsigned char *in, long a, long b, long n)
{
	long k = 0;

	while (b + k < n && k < 255 && in[a + k] == in[b + k])
		k++;
	return k;
}

static long
pack(const unsigned char *in, long n, unsigned char *out)
{
	long o = 0, i = 0;

	memset(seen, -1, sizeof(seen));
	while (i + 4 < n) {
		unsigned h = hash(in + i);
		long at = seen[h], k = 0;

		seen[h] = (int)i;
		if (at >= 0 && i - at < 65536)
			k = same(in, at, i, n);
		if (k < 4) {
			out[o++] = in[i++];
			continue;
		}
		out[o++] = 255;
		out[o++] = (unsigned char)k;
		out[o++] = (unsigned char)(i - at);
		out[o++] = (unsigned char)((i - at) >> 8);
		i += k;
	}
	return o;
}

int
main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 4000000, size = 0;
	unsigned char *in = malloc((size_t)n), *out = malloc(2 * (size_t)n);
	unsigned s = 1;

	if (!in || !out)
		return 1;
	for (long i = 0; i < n; i++) {
		in[i] = i > 1000 && s >> 28 < 9 ? in[i - 1000 + i % 7]
						: (s >> 24) & 15;
		s = s * 1103515245 + 12345;
	}
	for (int k = 0; k < 3; k++)
		size = pack(in, n, out);
	printf("%ld\n", size);
	free(in);
	free(out);
	return 0;
}
