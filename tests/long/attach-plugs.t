#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# memmon -p, ATTACHES times (2000), with two processes that open and close a
# plug-in all the time, in one thread and in four: each time they are recorded,
# and let go, within LIMIT ms (1000) each; they go on, also where memmon is
# killed.
#
# LIMIT is for an idle machine: as root, the test and its programs run at a
# higher priority than others (nice), so that it measures memmon, not the load.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/attach.sh"

may_attach || skip_all 'ptrace is not allowed here'
ATTACHES=${ATTACHES:-2000} LIMIT=${LIMIT:-1000}

renice -n -15 $$ >/dev/null 2>&1 || diag 'not root: other programs cost time, too'

# shellcheck disable=SC2086 # flags
"$CC" -shared -fPIC -O1 -o plug.so "$MEMMON_SRC/tests/prog/libplug.c"
for n in 1 2 3; do cp plug.so "plug$n.so"; done

# ms: of the clock.
ms()
{
	echo $(($(date +%s%N) / 1000000))
}

# The first thread waits for the other one.  To run it is to wait for nothing.
if command -v strace >/dev/null; then
	"$PROG/plugs" ./plug.so &
	pid=$!
	maps $pid plug
	ran=0 calls=0
	for _ in 1 2 3 4 5; do
		strace -f -e trace=ptrace -o trace "$MEMMON" -p $pid \
			-o x.mon --for=1ms 2>/dev/null
		! grep -q "PTRACE_CONT, $pid," trace || ran=$((ran + 1))
		n=$(grep -c PTRACE_PEEK trace)
		[ "$n" -le "$calls" ] || calls=$n
	done
	touch end
	wait $pid
	ok $((ran > 1)) "a thread that waits for others isn't run" ||
		diag "it was in $ran of 5 attaches"
	is "$calls" 0 'no memory is read word by word'
else
	skip 2 'no strace'
fi

for libs in ./plug.so './plug.so ./plug1.so ./plug2.so ./plug3.so'; do
	rm -f end
	# shellcheck disable=SC2086 # words
	"$PROG/plugs" $libs &
	pid=$!
	maps $pid plug
	: >failed
	most=0 sum=0
	for i in $(seq $((ATTACHES / 2))); do
		"$MEMMON" -p $pid -o x.mon 2>err &
		memmon=$!
		from=$(ms)
		until grep -q "is being recorded" err || ! kill -0 $memmon 2>/dev/null; do
			sleep 0.005
		done
		begun=$(($(ms) - from))
		from=$(ms)
		kill -INT $memmon
		wait $memmon || echo "$i: $(cat err)" >>failed
		ended=$(($(ms) - from))
		sum=$((sum + begun + ended))
		for t in $begun $ended; do
			[ $t -le "$most" ] || most=$t
			[ $t -le "$LIMIT" ] || echo "$i: $t ms" >>failed
		done
		kill -0 $pid || break
	done
	is "$(head -n 5 failed)" '' "$((ATTACHES / 2)) times, ${libs// /, }"
	diag "at most $most ms, $((sum / ATTACHES)) on average; the load is $(cut -d' ' -f 1 /proc/loadavg)"
	for i in $(seq $((ATTACHES / 40 + 1))); do
		"$MEMMON" -p $pid -o x.mon 2>/dev/null &
		memmon=$!
		sleep 0.0$((i * 7 % 100))
		kill -9 $memmon
		wait $memmon 2>/dev/null
	done
	# The process that attaches outlives the memmon that was killed.
	is "$(stays_stopped $pid)" '' '... memmon is killed at any time: nothing stays stopped'
	touch end
	wait $pid
	is $? 7 '... and it ends as it would'
done
done_testing
