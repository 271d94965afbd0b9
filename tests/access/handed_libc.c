/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks that functions of libc, and the kernel, read and write.  Each is
 * allocated by its own function.  The list says how they count: r, as read; w,
 * as written; h, as passed to unrecorded code; -, none of these.
 *
 *	threads		rw	by pthread_create, main
 *	mutexes		rw	by pthread_mutex_*
 *	semaphores	rw	by sem_*
 *	actions		h	sigaction
 *	vectors		rw	iovec, by main and readv
 *	parts		w	its buffers
 *	polled		rw	by poll
 *	stats		w	by stat
 *	streamed	h	setvbuf
 *	printed		rw	by memcpy, printf
 *	scanned		w	by sscanf
 *	times		rw	by time, localtime_r
 *	asked		h	by ioctl
 *	sized		-	malloc_usable_size, pthread_setspecific
 *	unused		-
 */
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
#define BLOCK(name, type, n) \
	NOINLINE type *name(void) \
	{ \
		return malloc((n) * sizeof(type)); \
	}
BLOCK(threads, pthread_t, 4)
BLOCK(mutexes, pthread_mutex_t, 4)
BLOCK(semaphores, sem_t, 2)
BLOCK(actions, struct sigaction, 1)
BLOCK(vectors, struct iovec, 2)
BLOCK(parts, char, 64)
BLOCK(polled, struct pollfd, 2)
BLOCK(stats, struct stat, 1)
BLOCK(streamed, char, 4096)
BLOCK(printed, char, 32)
BLOCK(scanned, char, 32)
BLOCK(times, time_t, 4)
BLOCK(asked, int, 4)
BLOCK(sized, char, 32)
BLOCK(unused, char, 32)

static void *
lock(void *m)
{
	pthread_mutex_lock(m);
	pthread_mutex_unlock(m);
	return NULL;
}

static void
run_threads(void)
{
	pthread_t *t = threads();
	pthread_mutex_t *m = mutexes();
	sem_t *s = semaphores();

	for (int i = 0; i < 4; i++) {
		pthread_mutex_init(&m[i], NULL);
		if (pthread_create(&t[i], NULL, lock, &m[i]))
			exit(1);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	sem_init(&s[0], 0, 0);
	sem_post(&s[0]);
	sem_wait(&s[0]);
}

static void
run_files(void)
{
	struct iovec *v = vectors();
	struct pollfd *p = polled();
	FILE *f = fopen("/dev/null", "w");
	int fd[2];

	if (!f || pipe(fd))
		exit(1);
	if (write(fd[1], "some text for two parts", 20) != 20)
		exit(1);
	v[0].iov_base = parts();
	v[0].iov_len = v[1].iov_len = 10;
	v[1].iov_base = parts();
	p[0].fd = p[1].fd = fd[0];
	p[0].events = p[1].events = POLLIN;
	if (poll(p, 2, 0) < 0 || readv(fd[0], v, 2) != 20 || stat("/", stats()))
		exit(1);
	setvbuf(f, streamed(), _IOFBF, 4096);
	fputs("to the buffer", f);
	ioctl(fd[0], FIONREAD, asked());
	fclose(f);
}

static void
run_sized(void)
{
	size_t (*volatile size)(void *) = malloc_usable_size;
	char *s = sized();
	pthread_key_t key;

	if (malloc_usable_size(s) < 32 || size(s) < 32 ||
	    pthread_key_create(&key, NULL) || pthread_setspecific(key, s))
		exit(1);
}

int
main(void)
{
	char *s = printed(), *t = scanned();
	struct sigaction *a = actions();
	time_t *now = times();
	struct tm tm;

	run_threads();
	run_files();
	run_sized();
	sigaction(SIGUSR1, NULL, a);
	memcpy(s, "a word", 7);
	sscanf("word and more", "%31s", t);
	time(now);
	localtime_r(now, &tm);
	printf("%s of %p\n", s, (void *)unused());
	return 0;
}
