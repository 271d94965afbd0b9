/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that take turns at an instruction: the steps of each are its own, so
 * 297 of 300 stores have a step; 294 steps equal the one before.
 */
/*
 * EXPECT value values instruction=A count=300 values=- steady=0.993243
 * regular=1.000000
 */
#include <pthread.h>
static volatile long a;
static void *
run(void *arg)
{
	long by = (long)arg;

	for (long i = 0; i < 100; i++)
		a = by * i; /*A*/
	return NULL;
}
int
main(void)
{
	for (long by = 1; by < 4; by++) {
		pthread_t t;

		pthread_create(&t, NULL, run, (void *)by);
		pthread_join(t, NULL);
	}
	return 0;
}
