/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Few blocks, and almost only accesses to them: the hardest case for a recorder
 * of accesses.
 *
 *	dense [rounds]				(20)
 *
 * A round multiplies two matrices (loops over rows, which a compiler may
 * vectorize), sorts an array of structs, counts keys in a hash table and words
 * in a text (byte by byte), and walks a list that lies in random order.
 *
 * By construction: 7 allocations a round, all freed.
 */
#include <stdbool.h>

#include "bench.h"

#define SIDE 160	/* rows and columns of a matrix */
#define ITEMS 50000	/* to be sorted, and of the list */
#define TABLE 65536	/* slots; half of them are in use */
#define TEXT 1000000	/* bytes */

FRAME uint64_t
matrices(uint64_t *seed)
{
	uint32_t(*a)[SIDE] = must(malloc(sizeof(*a) * SIDE));
	uint32_t(*b)[SIDE] = must(malloc(sizeof(*b) * SIDE));
	uint32_t(*c)[SIDE] = must(calloc(SIDE, sizeof(*c)));
	uint64_t sum = 0;

	for (unsigned i = 0; i < SIDE * SIDE; i++) {
		a[i / SIDE][i % SIDE] = (uint32_t)rnd(seed);
		b[i / SIDE][i % SIDE] = (uint32_t)rnd(seed);
	}
	for (unsigned i = 0; i < SIDE; i++)
		for (unsigned k = 0; k < SIDE; k++)
			for (unsigned j = 0; j < SIDE; j++)
				c[i][j] += a[i][k] * b[k][j];
	for (unsigned i = 0; i < SIDE; i++)
		sum = mix(sum, c[i][i]);
	free(a);
	free(b);
	free(c);
	return sum;
}

struct item {
	uint64_t key;
	uint32_t at;
	uint16_t kind;
};

static bool
before(const struct item *x, const struct item *y)
{
	return x->key != y->key ? x->key < y->key : x->at < y->at;
}

FRAME void
sort(struct item *v, size_t n)
{
	while (n > 1) {
		struct item pivot = v[n / 2], t;
		size_t i = 0, j = n - 1;

		for (;; i++, j--) {
			while (before(&v[i], &pivot))
				i++;
			while (before(&pivot, &v[j]))
				j--;
			if (i >= j)
				break;
			t = v[i];
			v[i] = v[j];
			v[j] = t;
		}
		sort(v, i);
		v += i;
		n -= i;
	}
}

FRAME uint64_t
sorted(uint64_t *seed)
{
	struct item *v = must(malloc(ITEMS * sizeof(*v)));
	uint64_t sum = 0;

	for (unsigned i = 0; i < ITEMS; i++)
		v[i] = (struct item){ rnd(seed) >> 44, i, (uint16_t)(i & 3) };
	sort(v, ITEMS);
	for (unsigned i = 0; i < ITEMS; i++)
		sum = mix(sum, v[i].at + v[i].kind);
	free(v);
	return sum;
}

struct slot {
	uint32_t key, n;
};

FRAME uint64_t
counted(uint64_t *seed)
{
	struct slot *v = must(calloc(TABLE, sizeof(*v)));
	uint64_t sum = 0;

	for (unsigned i = 0; i < 10 * ITEMS; i++) {
		uint32_t key = 1 + (uint32_t)(rnd(seed) >> 33) % (TABLE / 2);
		uint32_t at = key * 2654435761u >> 16;

		while (v[at].key && v[at].key != key)
			at = (at + 1) % TABLE;
		v[at].key = key;
		v[at].n++;
	}
	for (unsigned i = 0; i < TABLE; i++)
		if (v[i].n > 20)
			sum = mix(sum, v[i].key + v[i].n);
	free(v);
	return sum;
}

FRAME uint64_t
words(uint64_t *seed)
{
	char *text = must(malloc(TEXT)), last = ' ';
	uint64_t sum = 0, n = 0;

	for (unsigned i = 0; i < TEXT; i++)
		text[i] = "aeinorst bdlm \n"[rnd(seed) >> 40 & 7 ? i % 13 : 8];
	for (unsigned i = 0; i < TEXT; i++) {
		if (text[i] == ' ' && last != ' ')
			sum = mix(sum, ++n);
		last = text[i];
	}
	free(text);
	return sum;
}

struct link {
	struct link *next;
	uint64_t value[3];
};

/* The links are in steps of 7919, a prime. */
FRAME uint64_t
list(uint64_t *seed)
{
	struct link *v = must(malloc(ITEMS * sizeof(*v))), *l;
	uint64_t sum = 0;

	for (unsigned i = 0; i < ITEMS; i++) {
		v[i].next = &v[(i + 7919u) % ITEMS];
		v[i].value[0] = rnd(seed);
		v[i].value[1] = i;
	}
	for (unsigned turn = 0; turn < 10; turn++) {
		l = v;
		do {
			l->value[2] = l->value[0] ^ sum;
			sum += l->value[1] + (l->value[2] & 1);
			l = l->next;
		} while (l != v);
	}
	free(v);
	return sum;
}

int
main(int argc, char **argv)
{
	unsigned long rounds = arg(argc, argv, 1, 20);
	uint64_t seed = 1, sum = 0;

	for (unsigned long i = 0; i < rounds; i++) {
		sum = mix(sum, matrices(&seed));
		sum = mix(sum, sorted(&seed));
		sum = mix(sum, counted(&seed));
		sum = mix(sum, words(&seed));
		sum = mix(sum, list(&seed));
	}
	printf("dense %lu %016" PRIx64 "\n", rounds, sum);
	return 0;
}
