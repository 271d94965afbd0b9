#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# memmon -p: attaches to a program of threads (tests/prog/attach.c), records it
# and detaches.  The program counts its own events, and notices any change to
# it.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"
. "$MEMMON_SRC/tests/raw.sh"
. "$MEMMON_SRC/tests/attach.sh"

may_attach || skip_all 'ptrace is not allowed here'

# counts FILE: as the account's, with frees of blocks from before.
counts()
{
	echo "$(totals "$1") $(raw "$1" T_OFF_UNSEEN)"
}

start account 3
ok $? 'a program of threads runs'

fds=$(ls /proc/$victim/fd | wc -l)

# While nothing is allocated in between, both accounts are the same.
for n in 1 2 3; do
	"$PROG/attach" account pause >before
	attach -o exact.mon
	ok $? "attached, time $n"
	"$PROG/attach" account go >/dev/null
	moves
	like "$("$MPREDUCE" --summary "$PROG/attach" exact.mon | head -n 2)" \
		'since memmon attached.*still running.* allocated' \
		'it can be looked at meanwhile'
	"$PROG/attach" account pause >after
	detach
	is "$?" 0 'detached'
	less "$(cat after)" "$(cat before)" >want
	read -r allocs bytes frees freed <want
	read -r got_allocs got_bytes got_frees got_freed got_before \
		<<<"$(counts exact.mon)"
	is "$got_allocs $got_bytes" "$allocs $bytes" \
		'allocations and bytes are the program'"'"'s own'
	is $((got_frees + got_before)) "$frees" 'and frees, with those of blocks from before'
	ok $((got_before < 1 || got_freed > freed)) '... which are counted apart'
	is "$(cat attach.err)" "memmon: process $victim is being recorded; press ^C to stop
memmon: wrote $T/exact.mon" 'what it says'
	"$PROG/attach" account go >/dev/null
done
like "$("$MPREDUCE" --summary "$PROG/attach" exact.mon 2>/dev/null | head -n 1)" \
	'^[^:]*: [^,]* since memmon attached, [0-9] threads, still running$' \
	'the first line tells what it is of'
like "$("$MPREDUCE" --prolog "$PROG/attach" exact.mon 2>/dev/null)" \
	'attached  *memmon attached to the running process' '... and the prolog'
"$MPREDUCE" -L "$PROG/attach" exact.mon >leaks 2>&1
ok "$(grep -q 'worker > deep' leaks; echo $?)" 'call paths have names'

# Without a pause: not less than between, and not more than around, except one
# event of each thread, which counts it after malloc() has returned.
for n in 1 2 3; do
	outer=$("$PROG/attach" account read)
	attach -o about.mon
	inner=$("$PROG/attach" account read)
	moves
	inner=$(less "$("$PROG/attach" account read)" "$inner")
	detach
	outer=$(less "$("$PROG/attach" account read)" "$outer")
	got=$(totals about.mon)
	ok $((${got%% *} < ${inner%% *} - 3 || ${got%% *} > ${outer%% *} + 3)) \
		"as many as there were: ${inner%% *} <= ${got%% *} <= ${outer%% *}"
done

# Often, and however memmon ends.
fail=0
for n in $(seq 20); do
	timeout "$HANG" "$MEMMON" -p $victim --for=10ms -o often.mon 2>often.err || {
		fail=$((fail + 1))
		diag "$(cat often.err)"
	}
done
is $fail 0 'attached and let go 20 times'
for signal in TERM INT HUP; do
	attach -o "$signal.mon"
	kill -$signal $attached
	wait $attached
	ok $? "let go on SIG$signal, with a file: $(totals $signal.mon)"
done
for n in $(seq 20); do
	"$MEMMON" -p $victim -o killed.mon 2>/dev/null &
	attached=$!
	sleep 0.00$((n % 10))$((n * 7 % 10))
	kill -9 $attached
	wait $attached 2>/dev/null
	kill -0 $victim || break
done
# The process that memmon has made lets go of it then.
is "$(stays_stopped $victim)" '' 'memmon is killed at any time: nothing stays stopped'
kill -0 $victim
ok $? 'and it runs'
rm -f killed.mon* last.mon
attach -o killed.mon
inner=$("$PROG/attach" account read)
moves
inner=$(less "$("$PROG/attach" account read)" "$inner")
kill -9 $attached
wait $attached 2>/dev/null
attach -o last.mon && recorded last.mon 1
detach
ok $? 'it can be attached to again, and let go'
like "$(cat attach.err)" 'wrote .*/killed.mon, of a memmon -p that was killed' \
	'what the killed one recorded is written first'
set -- $(totals killed.mon) $(totals last.mon)
[ "$1" -ge $((${inner%% *} - 3)) ] && [ "$5" -gt 0 ]
ok $? '... and stays' || diag "$*, of $inner"
is "$(ls /proc/$victim/fd | wc -l)" "$fds" 'it has the descriptors that it had'
is "$("$PROG/attach" account read | cut -d' ' -f 5-)" 0 \
	'it has noticed nothing: errno, registers, system calls'
attach -o left.mon
rm account
wait $victim
is $? 0 'it ends as it would'
wait $attached
is "$("$MPREDUCE" --json "$PROG/attach" left.mon | grep -o '"attached":[a-z]*')" \
	'"attached":true' 'and leaves what was recorded'
is "$(cat victim.out)" '' 'and has printed nothing'

# A namespace of dlmopen() has a C library of its own, which is loaded and
# unloaded.
cat >spaces.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static void *opens(void *unused)
{
	for (;;) {
		void *p = dlmopen(LM_ID_NEWLM, "./space.so", RTLD_NOW);
		if (!p)
			abort();
		dlclose(p);
	}
	return unused;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, opens, NULL);
	while (access("stop", F_OK) != 0)
		sleep(1);
	return 0;
}
C
echo 'int space(void) { return 1; }' | "$CC" -shared -fPIC -x c -o space.so -
"$CC" -O1 -o spaces spaces.c -ldl -lpthread
./spaces &
victim=$!
maps $victim space.so
bad=0
for ((n = 0; n < 10; n++)); do
	timeout "$HANG" "$MEMMON" -q -p $victim --for=100ms -o space.mon \
		>space.err 2>&1 || bad=$((bad + 1))
done
is $bad 0 'a program whose thread calls dlmopen()' || diag "$(cat space.err)"
is "$(timeout "$HANG" "$MEMMON" -q -p $victim --watch=0.1,2 -o watch.mon 2>&1 |
	grep -c '^live ')" 2 '--watch shows it as often as is asked for, and ends'
like "$("$MEMMON" -p $victim --watch=2,x 2>&1)" '^memmon: --watch takes a number' \
	'... a count is a number'
touch stop
wait $victim
is $? 0 '... ends as it would'
done_testing
