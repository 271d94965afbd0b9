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
 *	answered	h	by ioctl; its pointer is on the stack, as below
 *	converted	h	by iconv
 *	widened		h	by mbsrtowcs
 *	spliced		h	by vmsplice
 *	copied		h	by process_vm_readv
 *	requested	h	by lio_listio
 *	filter		h	by setsockopt
 *	option		h	by getopt
 *	argument	h	by posix_spawn
 *	sized		-	malloc_usable_size, pthread_setspecific
 *	unused		-
 */
#define _GNU_SOURCE
#include <aio.h>
#include <fcntl.h>
#include <iconv.h>
#include <linux/filter.h>
#include <malloc.h>
#include <net/if.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

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
BLOCK(answered, char, 400)
BLOCK(converted, char, 8)
BLOCK(widened, char, 8)
BLOCK(spliced, char, 64)
BLOCK(copied, char, 64)
BLOCK(requested, char, 64)
BLOCK(filter, struct sock_filter, 1)
BLOCK(option, char, 4)
BLOCK(argument, char, 8)
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
run_texts(void)
{
	char *from = strcpy(converted(), "letters"), *to, room[64];
	char *words[] = { "program", strcpy(option(), "-x"), NULL };
	char *arguments[] = { "true", strcpy(argument(), "unused"), NULL };
	const char *bytes = strcpy(widened(), "letters");
	size_t left = 8, space = sizeof(room);
	wchar_t wide[16];
	mbstate_t state = { 0 };
	iconv_t c = iconv_open("UTF-16", "UTF-8");
	pid_t p;

	to = room;
	if (c == (iconv_t)-1 || iconv(c, &from, &left, &to, &space) ||
	    mbsrtowcs(wide, &bytes, 16, &state) != 7 ||
	    getopt(2, words, "x") != 'x' ||
	    posix_spawn(&p, "/bin/true", NULL, NULL, arguments, NULL) ||
	    waitpid(p, NULL, 0) != p)
		exit(1);
	iconv_close(c);
}

static void
run_kernel(void)
{
	char byte = 0;
	struct iovec v = { spliced(), 64 }, w = { copied(), 1 },
		     from = { &byte, 1 };
	struct ifconf i = { .ifc_len = 400, .ifc_buf = answered() };
	struct sock_fprog f = { 1, filter() };
	int s = socket(AF_INET, SOCK_DGRAM, 0), fd[2];
	struct aiocb a = { .aio_fildes = open("/dev/zero", O_RDONLY),
			   .aio_lio_opcode = LIO_READ,
			   .aio_buf = requested(),
			   .aio_nbytes = 64 };
	struct aiocb *list[] = { &a, NULL };

	memset(v.iov_base, 1, 64);
	f.filter[0] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, 100);
	if (s < 0 || pipe(fd) || vmsplice(fd[1], &v, 1, 0) != 64 ||
	    process_vm_readv(getpid(), &w, 1, &from, 1, 0) != 1 ||
	    ioctl(s, SIOCGIFCONF, &i) || lio_listio(LIO_WAIT, list, 2, NULL) ||
	    setsockopt(s, SOL_SOCKET, SO_ATTACH_FILTER, &f, sizeof(f)))
		exit(1);
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
	run_texts();
	run_kernel();
	run_sized();
	sigaction(SIGUSR1, NULL, a);
	memcpy(s, "a word", 7);
	sscanf("word and more", "%31s", t);
	time(now);
	localtime_r(now, &tm);
	printf("%s of %p\n", s, (void *)unused());
	return 0;
}
