#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A program that runs for MODULES_SECONDS, by default 600, with all modules, and
# with endless threads, children, blocks, frames and iterations, but a bounded
# heap.  The memory of the program and of the process beside it, and the size of
# files, don't grow with time.
TAP_LIMIT=$((${MODULES_SECONDS:-600} * 3 + 900))
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

seconds=${MODULES_SECONDS:-600}
compiler=$(with_plugin gcc) && [ "$compiler" ] || skip_all 'no plugin'
cat >run.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct node {
	struct node *next;
	char text[40];
	long n;
};
static struct node *table[64];
static unsigned char bytes[1 << 16];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static long
depth(long n)
{
	return n ? 1 + depth(n - 1) : 0;
}

/* A step of work: blocks come and go, bytes are stored one by one. */
static long
step(unsigned long k)
{
	struct node *n = malloc(sizeof(*n) + k * 13 % 500), **at;
	long sum = 0;

	snprintf(n->text, sizeof(n->text), "%lu", k);
	n->n = (long)k;
	pthread_mutex_lock(&lock);
	at = &table[k * 7919 % 64];
	n->next = *at;
	*at = n;
	for (int i = 0; n; i++) {
		struct node *next = n->next;

		sum += (long)strlen(n->text) + n->n;
		if (i == 9) {
			n->next = NULL;
			for (n = next; n; n = next) {
				next = n->next;
				free(n);
			}
			break;
		}
		n = next;
	}
	pthread_mutex_unlock(&lock);
	for (size_t i = k % 97; i < sizeof(bytes); i += 1 + k % 5)
		bytes[i] = (unsigned char)(bytes[i - k % 97] + k);
	return sum + depth((long)(k % 50));
}

static void *
work(void *arg)
{
	long sum = 0;

	for (unsigned long k = 0; k < 20; k++)
		sum += step((unsigned long)(size_t)arg + k);
	return (void *)sum;
}

int
main(int argc, char **argv)
{
	time_t end = time(NULL) + atoi(argv[argc - 1]);

	for (unsigned long k = 0; time(NULL) < end; k++) {
		pthread_t t;

		step(k);
		if (k % 64 == 0 && !pthread_create(&t, NULL, work, (void *)k))
			pthread_join(t, NULL);
		if (k % 4096 == 0 && fork() == 0) {
			step(k);
			_exit(0);
		}
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	}
	return 0;
}
C
set --
for m in dependence dependence_context value lifetime points_to fields \
	locality; do
	set -- "$@" "--module=$m"
done
MEMMON_CC=$compiler "$MEMMON_BUILD/memmon-cc" -O1 -g -pthread "$@" run.c -o run

# kb PID: its memory, without the part that both processes map.
kb()
{
	awk '/^RssAnon|^RssFile/ { n += $2 } END { print n + 0 }' \
		"/proc/$1/status" 2>/dev/null
}

# shared PID: the memory for its events.
shared()
{
	awk '/memfd:memmon-events/ { print $5; exit }' "/proc/$1/maps" \
		2>/dev/null
}

MEMMON_OUT=m.out ./run "$seconds" &
pid=$!
# After a third of the time all that is bounded has been there once.
sleep $((seconds / 3 + 1))
consumer=
for p in $(processes memmon-consume); do
	[ "$(shared "$p")" != "$(shared $pid)" ] || consumer=$p
done
[ "$consumer" ]
ok $? "there is a process that consumes"
early="$(kb $pid) $(kb "$consumer")"
sleep $((seconds * 6 / 10))
late="$(kb $pid) $(kb "$consumer")"
wait $pid
is $? 0 "the program runs for $seconds seconds"
read -r program consume <<<"$early"
read -r program2 consume2 <<<"$late"
ok $((program2 > program + program / 4 + 8192)) \
	"the program had $program KB, and has $program2 KB in the end"
ok $((consume2 > consume + consume / 4 + 16384)) \
	"what consumes had $consume KB, and has $consume2 KB in the end"
size=$(cat m.out.[a-z]* | wc -c)
ok $((size > 1 << 20)) "files of results have $size bytes"
done_testing
