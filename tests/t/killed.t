#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# F03: after kill -9 the file has all events that were counted.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/kills.sh"

kills=3
! exhaustive || kills=15
kill_many $kills 4 200000
is "$bad" 0 \
	"F03: $kills kills of four busy threads: each file has all ($kept had)"
kill_many $kills 1 100000
is "$bad" 0 "F03: $kills kills of one: each file has all ($kept had)"

# The child of a process with several threads; the child has only one of them.
cat >threaded.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *
waits(void *unused)
{
	pause();
	return unused;
}

int
main(void)
{
	pthread_t t;
	pid_t pid;
	int status;

	pthread_create(&t, NULL, waits, NULL);
	pid = fork();
	if (pid == 0) {
		for (int i = 0; i < 50; i++)
			if (!malloc(100))
				return 1;
		raise(SIGKILL);
	}
	return waitpid(pid, &status, 0) != pid || status != SIGKILL;
}
C
"$CC" -g -O0 -o threaded threaded.c -lpthread
rm -f mon.out*
"$MEMMON" ./threaded
is "$? $(cat mon.out.* | wc -c | grep -c '^[1-9]') $(for f in mon.out.*; do
	"$MPREDUCE" ./threaded "$f" 2>/dev/null | sed -n 's/^allocations  *//p'
done | grep -c '^50$')" '0 1 1' 'a child that has one of its threads'

# The figures are those at the last instruction, not at an earlier time.
cat >self.c <<'C'
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	void *p[1000];

	for (int i = 0; i < 1000; i++)
		p[i] = malloc(100);
	for (int i = 0; i < 400; i++)
		free(p[i]);
	if (argc > 1)
		kill(getpid(), atoi(argv[1]));
	return 0;
}
C
"$CC" -g -O1 -o self self.c
rm -f mon.out*
{ "$MEMMON" ./self 9; } 2>/dev/null
is $? 137 'the exit status is that of SIGKILL'
"$MPREDUCE" ./self mon.out >killed.txt 2>killed.err
is $? 0 'mpreduce reads it'
rm mon.out
"$MEMMON" ./self
"$MPREDUCE" ./self mon.out >whole.txt
for what in allocations frees bytes 'live at exit'; do
	is "$(grep "^$what " killed.txt | sed 's/ *$//')" \
		"$(grep "^$what " whole.txt | sed 's/ *$//')" "F03: $what"
done
# Also for the monitor's own memory: its tables grow as the program's blocks do.
cat >grows.c <<'C'
#include <signal.h>
#include <stdlib.h>

int
main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 100000; i++)
		if (!malloc(200))
			return 1;
	return argc > 1 ? raise(SIGKILL) : 0;
}
C
"$CC" -g -O0 -o grows grows.c
{ MEMMON_OUT=grows.k "$MEMMON" ./grows kill; } 2>/dev/null
MEMMON_OUT=grows.w "$MEMMON" ./grows
own=$(total grows.k "monitor's bytes") whole=$(total grows.w "monitor's bytes")
[ "$whole" -gt 1000000 ] && [ "$own" -gt $((whole - 50000)) ] &&
	[ "$own" -lt $((whole + 50000)) ]
ok $? "F03: the monitor's own memory ($own, of a run that ends $whole)"

# From the first table of figures on, both have the same text.
tables()
{
	sed '1,/^Total bytes/d; /^unknown: \|^killed: \|^$/d' "$1"
}
is "$(tables killed.txt)" "$(tables whole.txt)" 'F03: the tables are the same'
ok $(($(grep -c '' killed.txt) < 40)) 'and there are tables'
like "$(sed -n 's/^ended  *//p' killed.txt)" '.' 'the report says how it ended'

# The image is removed once the data file exists.
ls mon.out* >names
is "$(cat names)" mon.out 'after an ordinary end there is one file'

# Without an image.
rm -f mon.out*
{ MEMMON_IMAGE=0 "$MEMMON" ./self 9; } 2>/dev/null
ls mon.out* >/dev/null 2>&1
ok $((! $?)) 'MEMMON_IMAGE=0: nothing while it runs'
MEMMON_IMAGE=0 "$MEMMON" ./self
"$MPREDUCE" ./self mon.out >plain.txt
is "$(tables plain.txt)" "$(tables whole.txt)" 'and the same file at the end'

# While it runs: a dump; memmon_dump() puts the image aside.
rm -f mon.out*
"$PROG/busy" counts 0 >/dev/null
"$MEMMON" "$PROG/busy" counts 2 3600 &
pid=$!
# Wait until the program has begun.  The test kills it after the test has looked
# at its file.
some=0
until [ "$some" -gt 1000 ]; do
	sleep 0.05
	some=$("$PROG/busy" counts | sed -n '1s/ .*//p')
done
"$MPREDUCE" "$PROG/busy" mon.out >running.txt 2>/dev/null
is $? 0 'a program that runs can be looked at'
now=$("$PROG/busy" counts | sed -n '1s/ .*//p')
until [ "$some" -gt $((now + 1000)) ]; do
	sleep 0.05
	some=$("$PROG/busy" counts | sed -n '1s/ .*//p')
done
kill $pid
wait $pid
got=$(sed -n 's/^allocations  *//p' running.txt)
all=$("$MPREDUCE" "$PROG/busy" mon.out | sed -n 's/^allocations  *//p')
ok $((!(got > 0 && got < all))) "part of what there was at its end ($got, $all)"
done_testing
