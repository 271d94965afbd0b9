/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plugs LIBRARY...: a thread for each opens it, calls its plug_alloc() and
 * closes it, again and again until there is a file "end".  Status 7 then; 1:
 * one of them couldn't be opened.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 8 };

static void *
work(void *library)
{
	void *(*f)(void), *h;

	while (access("end", F_OK) != 0) {
		h = dlopen(library, RTLD_NOW);
		f = h ? (void *(*)(void))dlsym(h, "plug_alloc") : NULL;
		if (!f)
			exit(1);
		free(f());
		dlclose(h);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t t[MOST];

	for (int i = 1; i < argc && i < MOST; i++)
		pthread_create(&t[i], NULL, work, argv[i]);
	for (int i = 1; i < argc && i < MOST; i++)
		pthread_join(t[i], NULL);
	return 7;
}
