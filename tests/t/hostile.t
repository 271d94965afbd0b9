#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Libraries that replace functions of libc and allocate in them: the monitor
# calls none of these from within malloc() or free().
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/attach.sh"

# 2 threads of 500 blocks; with an argument, as long as standard input is open.
cat >p.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static void *thread(void *arg)
{
	struct timespec t;
	char text[40];
	for (int i = 0; i < 250; i++) {
		char *p = malloc(30 + i), *q = calloc(1, 600);
		memset(text, 'a' + i % 26, sizeof(text) - 1);
		text[39] = 0;
		memcpy(p, text, 30);
		q = realloc(q, 900 + i * 16);
		clock_gettime(CLOCK_REALTIME, &t);
		if (strlen(text) != 39 || !getenv("PATH")) abort();
		free(p);
		if (i % 2) free(q);
	}
	return arg;
}
int main(int c, char **v)
{
	pthread_t t[2];
	char b[1];
	(void)v;
	if (c > 1 && read(0, b, 1)) return 2;
	for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, thread, NULL);
	for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
	return c > 1 ? 0 : 7;
}
C
$CC -g -O1 -fno-builtin -pthread p.c -o p
$CC -g -O0 -fno-builtin -fPIC -shared -Wall -Wextra -o hostile.so \
	"$MEMMON_SRC/tests/prog/libhostile.c" -pthread 2>err
is "$? $(cat err)" '0 ' 'the library is made'
hostile=$T/hostile.so

# under NAME COMMAND...: status 7 and nothing printed, all blocks recorded.
under()
{
	local name=$1
	shift
	rm -f mon.out*
	timeout "$HANG" "$@" >out 2>&1 </dev/null
	is "$? $(cat out)" '7 ' "$name: as alone"
	is "$(total mon.out 'allocations unrecorded')" 0 "$name: all recorded"
}

LD_PRELOAD=$hostile timeout "$HANG" ./p >out 2>&1
is "$? $(cat out)" '7 ' 'alone'
for option in '' -l --log --every=20ms --sample=1K --allocator; do
	under "memmon $option" env LD_PRELOAD="$hostile" \
		"$MEMMON" -q ${option:+"$option"} ./p
done
under 'before the monitor' env LD_PRELOAD="$hostile $LIBMEMMON" ./p

# The functions that recording the program's accesses calls.
if [ -n "$(with_plugin "$CC")" ]; then
	"$MEMMON_BUILD/memmon-cc" -g -O1 -fno-builtin -pthread p.c -o recorded
	under 'memmon-cc' env LD_PRELOAD="$hostile" ./recorded
	under 'memmon-cc --log' env LD_PRELOAD="$hostile" "$MEMMON" -q --log \
		./recorded
else
	skip 4 'no plugin for the compiler'
fi

# A process that runs already.
mkfifo wait
$CC -g -O0 -fno-builtin -fPIC -shared -DNOT_FIRST -o other.so \
	"$MEMMON_SRC/tests/prog/libhostile.c" -pthread
LD_PRELOAD=$T/other.so timeout "$HANG" ./p wait <wait >out 2>&1 &
pid=$!
exec 3>wait
for _ in $(seq $((HANG * 10))); do
	victim=$(processes p $pid)
	[ ! "$victim" ] || break
	sleep 0.1
done
rm -f mon.out*
attach -o mon.out 3>&-
exec 3>&-
wait $pid
status=$?
wait $attached
if grep -qi 'ptrace\|permitted' attach.err && [ ! -e mon.out ]; then
	skip 2 'this system allows no attaching'
else
	is "$status $(cat out)" '0 ' '-p: the process goes on as alone'
	ok "$([ "$(total mon.out allocations)" -ge 1000 ]; echo $?)" \
		'and is recorded'
fi

# libfaketime: each look at the clock may open a file and allocate.
fake=$(ls /usr/lib/*/faketime/libfaketime.so.1 2>/dev/null | head -n 1)
if [ -n "$fake" ]; then
	echo -3d >offset
	days=$(date +%Y-%m-%d)
	export FAKETIME_TIMESTAMP_FILE=$T/offset FAKETIME_NO_CACHE=1
	under 'libfaketime' env LD_PRELOAD="$fake" "$MEMMON" -q ./p
	seconds=$("$MPREDUCE" --prolog mon.out |
		awk '/^seconds/ { print $2 < 1000 }
		     /^peak/ { print $4 < 1000 }' | tr '\n' ' ')
	is "$seconds" '1 1 ' 'the run and its peak are by one clock, the real one'
	days="$days|$(date +%Y-%m-%d)"
	ok "$("$MPREDUCE" -i mon.out | grep -qE "$days"; echo $?)" \
		'and so is the date'
	unset FAKETIME_TIMESTAMP_FILE FAKETIME_NO_CACHE
else
	skip 4 'no libfaketime'
fi
done_testing
