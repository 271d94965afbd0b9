/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Freed by another thread. */
/* EXPECT lifetime scopes site=A scope=another_thread blocks=6 bytes=144 */
#include <pthread.h>
#include <stdlib.h>
static void *v[6];
static void *
run(void *arg)
{
	for (int i = 0; i < 6; i++)
		free(v[i]);
	return arg;
}
int
main(void)
{
	pthread_t t;
	for (int i = 0; i < 6; i++)
		v[i] = malloc(24); /*A*/
	pthread_create(&t, NULL, run, NULL);
	pthread_join(t, NULL);
	return 0;
}
