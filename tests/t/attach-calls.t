#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# memmon -p lets system calls go on that a stopped thread would end, and prints
# at once that the process can't write the data file.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/attach.sh"
may_attach || skip_all "nobody may attach"

# server CALL SECONDS: its first thread is in a call that takes SECONDS, and
# other threads work.  It prints the result of the call, and waits for a file.
cat >server.c <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static void *work(void *arg)
{
	for (;;) {
		free(malloc(30));
		usleep(1000);
	}
	return arg;
}
static long call(const char *how, int seconds)
{
	struct timespec t = { seconds, 0 };
	struct timeval v = { seconds, 0 };
	struct epoll_event e;
	static char large[1 << 20];
	sigset_t set;
	int fd[2];
	if (!strcmp(how, "epoll"))
		return epoll_wait(epoll_create1(0), &e, 1, seconds * 1000);
	if (!strcmp(how, "signal")) {
		sigemptyset(&set);
		sigaddset(&set, SIGUSR1);
		sigprocmask(SIG_BLOCK, &set, NULL);
		return sigtimedwait(&set, NULL, &t);
	}
	if (!strcmp(how, "recv")) {
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
			return -1;
		setsockopt(fd[0], SOL_SOCKET, SO_RCVTIMEO, &v, sizeof(v));
		return recv(fd[0], large, 1, 0);
	}
	if (pipe(fd))
		return -1;
	if (!fork()) {
		close(fd[1]);
		sleep((unsigned)seconds);
		while (read(fd[0], large, sizeof(large)) > 0)
			;
		_exit(0);
	}
	close(fd[0]);
	return write(fd[1], large, sizeof(large));
}
int main(int argc, char **argv)
{
	pthread_t t;
	long r;
	if (!strcmp(argv[1], "headless")) {
		pthread_create(&t, NULL, work, NULL);
		pthread_exit(NULL);
	}
	for (int i = 0; i < 3; i++)
		pthread_create(&t, NULL, work, NULL);
	puts("begun");
	fflush(stdout);
	r = call(argv[1], atoi(argv[2]));
	printf("%ld %s\n", r, r < 0 ? strerror(errno) : "-");
	fflush(stdout);
	/* Whoever wants to attach may come later than that. */
	while (access("leave", F_OK) != 0)
		usleep(1000);
	return argc - 3;
}
C
"$CC" -g -O0 -pthread -o server server.c
again=$(perl -e '$! = 11; print "$!"')
for how in "epoll:0 -" "signal:-1 $again" "recv:-1 $again" "write:1048576 -"; do
	# Uses a longer time if the call ends first on a slow machine.
	for seconds in 3 15 60; do
		rm -f leave
		: >out
		./server "${how%%:*}" $seconds >out &
		victim=$!
		until_said out begun
		attach -o s.mon
		recorded=$(wc -l <out)
		until_said out "${how#*:}"
		detach
		status=$?
		touch leave
		wait $victim
		status="$status $?"
		[ "$recorded" -gt 1 ] || break
	done
	is "$status" "0 0" "${how%%:*}: recorded" || diag "$(cat attach.err)"
	is "$recorded $(sed -n 2p out)" "1 ${how#*:}" "... and the call ends as alone"
done

# Not after ten minutes, but at once.
mkdir closed
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 .
	: >out
	setpriv --reuid=65534 --clear-groups "$T/server" epoll 600 >out 2>&1 &
	server=$!
	if until_said out begun; then
		"$MEMMON" -p $server --for=10m -o closed/s.mon 2>said
		like "$? $(cat said)" "^125 .*closed/s.mon: process $server can't write there: " \
			"a directory of another user"
	else
		skip 1 "another user can't run it here"
	fi
	kill $server
	wait $server 2>/dev/null
else
	skip 1 "needs root"
fi
: >out
./server epoll 600 >out &
server=$!
until_said out begun
"$MEMMON" -p $server --for=10m -o nowhere/s.mon 2>said
like "$? $(cat said)" "^125 .*nowhere/s.mon: process $server has no such directory" \
	"a directory that isn't there"
kill $server
: >out
(ulimit -d 20000 && exec ./server epoll 600 >out) &
server=$!
until_said out begun
"$MEMMON" -p $server --for=10m -o s.mon 2>said
like "$? $(cat said)" "^125 .* the monitor got no memory; .*ulimit -d" \
	"a limit of data memory"
kill $server

# The first thread has ended, the others go on.
./server headless &
victim=$!
until grep -q '^State:.Z' /proc/$victim/status; do sleep 0.05; done
attach -o h.mon && recorded h.mon 1
detach
kill $victim
like "$("$MPREDUCE" --summary h.mon)" 'work \(server.c:[0-9]+\)' \
	"a process whose first thread has ended has its program's names"
done_testing
