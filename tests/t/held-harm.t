#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Leak checks and graphs in a program with signal handlers, system calls of
# other threads and many call paths: they don't change the program, and the file
# has all of its events.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

cat >amid.c <<'C'
#include "memmon.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static pthread_t first;
static void *keep[20000];
static size_t kept;
static volatile int stop;

static void reset(int sig) { (void)sig; memmon_reset(); }
static void leave(int sig) { (void)sig; exit(4); }
static void *sender(void *arg)
{
	int once = arg != NULL;

	if (once)
		usleep(200000);
	do {
		pthread_kill(first, SIGUSR2);
		usleep(500);
	} while (!stop && !once);
	return NULL;
}
static void begin(void (*f)(int), void *arg)
{
	pthread_t t;

	first = pthread_self();
	signal(SIGUSR2, f);
	if (pthread_create(&t, NULL, sender, arg) != 0)
		exit(9);
}

static void say(const char *what, long r)
{
	char text[80];
	int n = snprintf(text, sizeof text, "%s: %ld, %d\n", what, r, errno);

	if (write(1, text, (size_t)n) != n)
		_exit(8);
}
static void *in_poll(void *a) { say("poll", poll(NULL, 0, 20000)); return a; }
static void *in_usleep(void *a) { say("usleep", usleep(20000000)); return a; }
static void *in_recv(void *a)
{
	int f[2];
	struct timeval t = { 20, 0 };
	char c;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, f) ||
	    setsockopt(f[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t))
		exit(9);
	say("recv", recv(f[0], &c, 1, 0));
	return a;
}
static void wait_a_little(void) { usleep(200000); }

/* As many call paths as there are numbers of so many bits. */
__attribute__((noinline)) static void path(int bits, unsigned n)
{
	if (!bits) {
		keep[kept++] = malloc(16);
	} else if (n & 1) {
		path(bits - 1, n >> 1);
		__asm__ volatile("nop");
	} else {
		path(bits - 1, n >> 1);
		__asm__ volatile("nop;nop");
	}
}

int main(int argc, char **argv)
{
	void *(*const calls[])(void *) = { in_poll, in_usleep, in_recv };
	const char *how = argc > 1 ? argv[1] : "";
	pthread_t t;

	if (!strcmp(how, "reset")) {
		begin(reset, NULL);
		for (int i = 0; i < 100; i++)
			memmon_leak_check();
		stop = 1;
	} else if (!strcmp(how, "leave")) {
		for (; kept < 100; kept++)
			keep[kept] = malloc(1000);
		begin(leave, keep);
		for (;;)
			memmon_graph();
	} else if (!strcmp(how, "calls")) {
		atexit(wait_a_little);
		for (int i = 0; i < 3; i++)
			pthread_create(&t, NULL, calls[i], NULL);
		usleep(100000);
	} else {
		for (unsigned n = 0; n < 1u << 13; n++)
			path(13, n);
	}
	puts("end");
	return 3;
}
C
"$CC" -g -O1 -fno-optimize-sibling-calls -I"$MEMMON_SRC/monitor" -DMEMMON_WEAK -o amid \
	amid.c -lpthread || exit 1

timeout "$HANG" "$MEMMON" -q -o reset.mon ./amid reset >out 2>&1
is "$? $(cat out)" '3 end' 'a handler resets counts amid leak checks'

timeout "$HANG" "$MEMMON" -q --graph -o leave.mon ./amid leave >out 2>&1
is "$? $(cat out)" '4 ' 'a handler calls exit() amid graphs'
is "$("$MPREDUCE" --export=csv --sql="select blocks from roots where root = 'keep'" \
	./amid leave.mon 2>>err | tail -n 1 | tr -d '\r')" 100 '... the end has its graph'
is "$("$MPREDUCE" --full ./amid leave.mon 2>&1 | grep -c 'another leak check')" 0 \
	'... and its leak check'

timeout "$HANG" "$MEMMON" -q --graph -o calls.mon ./amid calls >out 2>&1
is "$? $(cat out)" '3 end' 'system calls with a timeout go on when exit() begins'

timeout "$HANG" "$MEMMON" -q --full-chains=4M --graph -o paths.mon ./amid >out 2>&1
is "$? $(cat out)" '3 end' 'thousands of call paths'
"$MPREDUCE" --retained ./amid paths.mon >out 2>&1
is "$(grep -c 'parts are missing\|truncated' out)" 0 '... no part is missing' ||
	diag "$(head -3 out)"
is "$("$MPREDUCE" --export=csv --sql='select max(blocks) from retained' \
	./amid paths.mon 2>>err | tail -n 1 | tr -d '\r')" 8192 '... all blocks are retained'
done_testing
