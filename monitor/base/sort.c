/* SPDX-License-Identifier: MIT */
/* Sorting in place, with no memory of its own. */
#include "monitor/base/sort.h"

/* Moves item i down to its place among the first n: a heap, largest first. */
static void
sift(uint64_t *v, size_t i, size_t n, size_t words)
{
	uint64_t t;
	size_t c;

	for (; (c = 2 * i + 1) < n; i = c) {
		if (c + 1 < n && v[(c + 1) * words] > v[c * words])
			c++;
		if (v[i * words] >= v[c * words])
			return;
		for (size_t k = 0; k < words; k++) {
			t = v[i * words + k];
			v[i * words + k] = v[c * words + k];
			v[c * words + k] = t;
		}
	}
}

void
mmi_sort(void *items, size_t n, size_t words)
{
	uint64_t *v = items, t;

	for (size_t i = n / 2; i-- > 0;)
		sift(v, i, n, words);
	while (n > 1) {
		n--;
		for (size_t k = 0; k < words; k++) {
			t = v[k];
			v[k] = v[n * words + k];
			v[n * words + k] = t;
		}
		sift(v, 0, n, words);
	}
}
