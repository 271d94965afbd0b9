/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What another thread stored before it ended. */
/*
 * EXPECT dependence dependences kind=flow source=S sink=U loop=-
 * from=another_thread count=50
 */
#include <pthread.h>
static int a[50];
int x;
static void *
run(void *arg)
{
	int *v = arg;
	for (int i = 0; i < 50; i++)
		v[i] = i; /*S*/
	return NULL;
}
int
main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, run, a);
	pthread_join(t, NULL);
	for (int i = 0; i < 50; i++)
		x += a[i]; /*U*/
	return 0;
}
