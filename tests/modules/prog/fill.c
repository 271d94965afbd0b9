/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that store values of their own; steps are those within a thread. */
/* EXPECT value values instruction=A count=400 stride=4 pattern=varied */
/* EXPECT value values instruction=B count=4 values=4 pattern=few */
#include <pthread.h>
static volatile int a[4][100];
static volatile long ids[4];
static void *
run(void *arg)
{
	long id = (long)arg;
	for (int i = 0; i < 100; i++)
		a[id][i] = i * (int)(id + 1); /*A*/
	ids[id] = id; /*B*/
	return NULL;
}
int
main(void)
{
	pthread_t t[4];
	for (long i = 0; i < 4; i++) {
		pthread_create(&t[i], NULL, run, (void *)i);
		pthread_join(t[i], NULL);
	}
	return 0;
}
