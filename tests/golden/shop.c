/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A shop that takes orders, for the questions of mpreduce(1), with libcache.c.
 * It marks the time `open' after it has loaded 40 customers.
 *
 *	function	blocks	bytes each	of these
 *	load_customer	40	48		kept, reachable
 *	take_order	100	64		70 freed by the clerk, a thread;
 *						30 lost
 *	add_item	300	32		210 freed by the clerk; the 90
 *						of lost orders are indirect
 *	print_label	1000	24		freed at once
 *	cache_put	50	120		in libcache.so, kept, reachable
 *	open_ledger	1	4096		kept, reachable
 */
#define _GNU_SOURCE
#define MEMMON_WEAK
#include "monitor/memmon.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct customer {
	struct customer *next;
	char name[40];
};

struct item {
	struct item *next;
	char what[24];
};

struct order {
	struct order *next;
	struct item *items;
	const struct customer *by;
	char place[40];
};

struct ledger {
	char page[4096];
};

void cache_put(const char *text);

static struct customer *customers;
static struct order *to_send;
static pthread_barrier_t meet;
static struct ledger *ledger;

static void
load_customer(int i)
{
	struct customer *c = malloc(sizeof *c);

	snprintf(c->name, sizeof c->name, "customer %d", i);
	c->next = customers;
	customers = c;
}

static void
add_item(struct order *o, int i)
{
	struct item *item = malloc(sizeof *item);

	snprintf(item->what, sizeof item->what, "item %d", i);
	item->next = o->items;
	o->items = item;
}

static struct order *
take_order(int i)
{
	struct order *o = malloc(sizeof *o);

	memset(o, 0, sizeof *o);
	o->by = customers;
	snprintf(o->place, sizeof o->place, "street %d", i);
	return o;
}

static int
print_label(int i)
{
	char *label = malloc(24);
	int n = snprintf(label, 24, "label %d", i);

	free(label);
	return n;
}

static void
open_ledger(void)
{
	ledger = malloc(sizeof *ledger);
	memset(ledger, 0, sizeof *ledger);
}

static void *
clerk(void *arg)
{
	struct order *o, *next;
	struct item *item;

	(void)arg;
	pthread_setname_np(pthread_self(), "clerk");
	pthread_barrier_wait(&meet);
	pthread_barrier_wait(&meet);
	o = to_send;
	to_send = NULL;
	for (; o; o = next) {
		next = o->next;
		while ((item = o->items) != NULL) {
			o->items = item->next;
			free(item);
		}
		free(o);
	}
	return NULL;
}

/* Deeper than any stale pointer on the stack. */
static void
take_orders(int n)
{
	for (int i = 0; i < n; i++) {
		struct order *o = take_order(i);

		for (int k = 0; k < 3; k++)
			add_item(o, k);
		/* Three of ten are forgotten. */
		if (i % 10 >= 7)
			continue;
		o->next = to_send;
		to_send = o;
	}
}

int
main(void)
{
	pthread_t thread;
	int n = 0;

	for (int i = 0; i < 40; i++)
		load_customer(i);
	memmon_mark("open");
	take_orders(100);
	for (int i = 0; i < 1000; i++)
		n += print_label(i);
	for (int i = 0; i < 50; i++)
		cache_put("what somebody looked for");
	open_ledger();
	/* The libc's allocations for a thread aren't counted. */
	memmon_stop();
	pthread_barrier_init(&meet, NULL, 2);
	if (pthread_create(&thread, NULL, clerk, NULL))
		return 1;
	pthread_barrier_wait(&meet);
	memmon_start();
	pthread_barrier_wait(&meet);
	pthread_join(thread, NULL);
	return n < 0;
}
