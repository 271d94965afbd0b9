/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records are sorted, as wholes: records [N]. */
#include <stdio.h>
#include <stdlib.h>

struct record {
	int key;
	char name[20];
	double weight;
};

static void
swap(struct record *a, struct record *b)
{
	struct record t = *a;

	*a = *b;
	*b = t;
}

static void
sort(struct record *v, long n)
{
	int middle = v[n / 2].key;
	long i = 0, j = n - 1;

	while (i <= j) {
		while (v[i].key < middle)
			i++;
		while (v[j].key > middle)
			j--;
		if (i <= j)
			swap(&v[i++], &v[j--]);
	}
	if (j > 0)
		sort(v, j + 1);
	if (n - i > 1)
		sort(v + i, n - i);
}

int
main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1000000, wrong = 0;
	struct record *v = calloc((size_t)n + 1, sizeof(*v));
	unsigned s = 1;

	if (!v || n < 1)
		return 1;
	for (long i = 0; i < n; i++) {
		s = s * 1103515245 + 12345;
		v[i].key = (int)(s >> 8);
		v[i].weight = (double)i;
		snprintf(v[i].name, sizeof(v[i].name), "%u", s & 0xffff);
	}
	sort(v, n);
	for (long i = 1; i < n; i++)
		wrong += v[i].key < v[i - 1].key;
	printf("%ld\n", wrong);
	free(v);
	return 0;
}
