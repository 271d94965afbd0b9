/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accesses of each kind to blocks of many sizes; always the same number. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	struct node *next;
	long sum;
	char name[40];
};

static struct node *
push(struct node *list, long n)
{
	struct node *p = malloc(sizeof(*p));

	p->next = list;
	p->sum = n;
	snprintf(p->name, sizeof(p->name), "node %ld", n);
	return p;
}

int
main(void)
{
	struct node *list = NULL, *p;
	long sum = 0;
	char *a, *b;
	int *row;

	for (long i = 0; i < 500; i++)
		list = push(list, i);
	for (int k = 0; k < 7; k++)
		for (p = list; p; p = p->next)
			sum += p->sum + (long)strlen(p->name);
	for (size_t n = 64; n < 300000; n += n / 2 + 1) {
		a = calloc(1, n);
		b = malloc(n);
		memset(b, 3, n);
		memcpy(a, b, n);
		sum += memcmp(a, b, n);
		for (size_t i = 0; i < n; i += 3)
			a[i] = (char)(b[i] + 1);
		row = (int *)a;
		for (size_t i = 0; i < n / sizeof(*row); i++)
			sum += row[i]++;
		free(a);
		free(b);
	}
	while (list) {
		p = list->next;
		free(list);
		list = p;
	}
	puts(sum == 1 ? "no" : "ok");
	return 0;
}
