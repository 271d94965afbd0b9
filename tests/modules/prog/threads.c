/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two threads, each with its own loop and its own array. */
/*
 * EXPECT dependence dependences kind=flow source=A sink=A loop=L
 * count=1996 least=1 most=1
 */
/* EXPECT dependence loops loop=L entered=2 iterations=1998 */
#include <pthread.h>
static int a[2][1024] __attribute__((aligned(4096)));
static void *
run(void *arg)
{
	int *v = arg;
	for (int i = 1; i < 1000; i++) /*L*/
		v[i] = v[i - 1] + 1; /*A*/
	return NULL;
}
int
main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, run, a[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
