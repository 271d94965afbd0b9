/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A shop's orders, for the scores in memmon(7).  FIX at 1, 2 and 3 fixes one
 * more fault of the program each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef FIX
#define FIX 0
#endif

struct order {
	struct order *next;
	int id;
	int amount;
#if FIX < 1
	char note[384];
#else
	char note[];
#endif
};

struct audit {
	int id;
	char event[36];
};

static struct order *
new_order(struct order *next, int id, const char *note)
{
#if FIX < 1
	struct order *order = malloc(sizeof(*order));
#else
	struct order *order = malloc(sizeof(*order) + strlen(note) + 1);
#endif

	order->next = next;
	order->id = id;
	order->amount = id % 100;
	strcpy(order->note, note);
	return order;
}

static void *
new_audit(int id)
{
#if FIX < 3
	struct audit *audit = malloc(sizeof(*audit));

	audit->id = id;
	strcpy(audit->event, "received");
	return audit;
#else
	(void)id;
	return 0;
#endif
}

#if FIX < 2
static char *
new_statement(int orders)
{
	return malloc(orders * 100);
}
#endif

static long
total(const struct order *order)
{
	long sum = 0;

	for (; order; order = order->next)
		sum += order->amount;
	return sum;
}

int
main(void)
{
	enum { ORDERS = 4000 };
	static void *audits[ORDERS];
	struct order *orders = 0;
	long sum = 0;

#if FIX < 2
	char *statement = new_statement(ORDERS), *end = statement;
#else
	char end[100];
#endif
	for (int i = 0; i < ORDERS; i++) {
		orders = new_order(orders, i, "by mail");
		audits[i] = new_audit(i);
	}
	for (int day = 0; day < 10000; day++)
		sum += total(orders);
	for (int i = 0; i < ORDERS; i++)
		free(audits[i]);
	for (struct order *next; orders; orders = next) {
		next = orders->next;
		int n = sprintf(end, "%d: %d, %s, of %ld\n", orders->id,
				orders->amount, orders->note, sum);
#if FIX < 2
		end += n;
#else
		fwrite(end, 1, n, stdout);
#endif
		free(orders);
	}
#if FIX < 2
	fwrite(statement, 1, end - statement, stdout);
	free(statement);
#endif
	return 0;
}
