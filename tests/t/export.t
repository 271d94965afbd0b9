#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --export: the list of formats; the message for data that can't be exported;
# and no half-written file stays.  The formats themselves: tests/t/export-*.t.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/export.sh"
ALL="pprof otlp dhat massif heaptrack folded csv json sqlite"

# says WANT NAME ARGS...: fails with the one line WANT, and writes nothing.
says()
{
	local want=$1 name=$2
	shift 2
	rm -f x
	"$MPREDUCE" -o x "$@" >got 2>err
	is "$?: $(cat err)" "1: mpreduce: $want" "$name"
	is "$(ls x x.* 2>/dev/null; cat got)" "" "... and nothing is written"
}

cp "$PROG/widgets" .
"$MEMMON" -o widgets.out ./widgets
"$MEMMON" -o other.out "$PROG/recurse" fg
"$MPREDUCE" -s widgets.out widgets.out && mv mon.sum two.sum

is "$("$MPREDUCE" --export=list | sed '$d' | sed 's/[[ ].*//' | tr '\n' ' ')" "$ALL " "--export=list"
is "$("$MPREDUCE" --export=list nothing-there.out | wc -l)" 10 "... needs no data"
says "--export=perf: the formats are $ALL" "an unknown format" --export=perf ./widgets widgets.out
says "--export=folded:size: the metrics are $METRICS" "an unknown metric" \
	--export=folded:size ./widgets widgets.out
says "--export=pprof:kept: pprof has all figures; leave out the metric" "a metric too many" \
	--export=pprof:kept ./widgets widgets.out
for format in dhat heaptrack massif; do
	says "--export=$format: this format has one run; give one data file" "$format of several" \
		--export=$format ./widgets widgets.out widgets.out
	says "--export=$format: this format has one run; give one data file" "$format of a sum" \
		--export=$format ./widgets two.sum
done
says "$("$MPREDUCE" ./widgets nothing.out 2>&1 | sed 's/^mpreduce: //')" "no data" \
	--export=dhat ./widgets nothing.out
mkdir dir
"$MPREDUCE" --export=dhat -o dir/none/x ./widgets widgets.out 2>err
is "$?: $(cat err)" "1: mpreduce: dir/none/x: No such file or directory" "nowhere to write it"
if [ -w /dev/full ]; then
	for format in $ALL; do
		"$MPREDUCE" --export=$format -o /dev/full ./widgets widgets.out 2>err
		is "$?: $(cat err)" "1: mpreduce: /dev/full: No space left on device" "$format: a full disk"
	done
else
	skip 9 "no /dev/full"
fi


# A limit on the size of files is an error, and a signal leaves no part behind.
rm -f big big.*
(ulimit -f 16; "$MPREDUCE" --html=big ./widgets widgets.out 2>&1 | cat)>err
is "$(cat err; ls big big.* 2>/dev/null)" "mpreduce: big: File too large" \
	'the limit on the size of files'
cat >slow.c <<'C'
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int rename(const char *from, const char *to)
{
	(void)from;
	(void)to;
	mkdir("reached", 0700);
	sleep(100);
	return -1;
}
C
$CC -shared -fPIC -o slow.so slow.c
for signal in TERM HUP; do
	rm -rf big big.* reached
	LD_PRELOAD=$T/slow.so "$MPREDUCE" --html=big ./widgets widgets.out \
		2>err &
	until [ -d reached ]; do sleep 0.01; done
	kill -$signal $!
	wait $! 2>/dev/null
	is "$? $(ls big big.* 2>/dev/null)" "$((128 + $(kill -l $signal))) " \
		"SIG$signal: no part of a file stays"
done

# For formats of earlier versions the message names one that the same viewers
# read.
for old in "callgrind write pprof, and convert it by pprof -callgrind" \
	"speedscope www.speedscope.app reads pprof" \
	"firefox profiler.firefox.com reads dhat"; do
	says "--export=${old%% *}: the format is gone; ${old#* }" \
		"${old%% *} is gone" "--export=${old%% *}" ./widgets widgets.out
done

# Those of several runs add up.
for format in pprof otlp folded; do
	"$MPREDUCE" --export=$format -o two ./widgets widgets.out widgets.out
	ok $? "$format of two runs"
	"$MPREDUCE" --export=$format -o one ./widgets two.sum
	ok $? "$format of their sum"
done
is "$("$MPREDUCE" --export=folded:kept ./widgets widgets.out widgets.out)" \
	"main;make_red_widget;make_widget 2047752" "bytes of two runs"

# A filter applies to the export.
is "$("$MPREDUCE" --export=folded --focus=make_blue_widget ./widgets widgets.out)" \
	"main;make_blue_widget;make_widget 1016124" "a filter"
for format in $ALL; do
	"$MPREDUCE" --export=$format --focus=nothing_of_that_name -o none ./widgets widgets.out 2>/dev/null
	ok $? "$format of nothing"
	"$MPREDUCE" --export=$format -o part --focus=make_blue_widget --only=size:..500 \
		./widgets widgets.out
	ok $? "$format of a part"
done

# Call paths that aren't whole, and call paths that are unknown.
cat >desc <<'EOF1'
run program /tmp/prog
run pid 5
run length 5000000000
run end exit
module p /tmp/prog exe at 0x400000 0x500000 0
chain red p:0x401008 p:0x401018
node cut - - 1
node cut1 cut p 0x401018
node stop - - 2
node stop1 stop p 0x401018
chain other p:0x401018
alloc red 100 50 20
alloc cut1 10 3
alloc stop1 20 3 1
alloc other 40 2
alloc - 30 4 1
peak red 40 4000
EOF1
"$CC" -nostdlib -static -no-pie \
	-Wl,-Ttext=0x401000,-e,main,--build-id=none -o prog \
	"$MEMMON_SRC/tests/golden/prog.s"
if "$MEMMON_BUILD/tests/monmake" <desc >odd.out 2>err; then
	total=$("$MPREDUCE" --json ./prog odd.out 2>/dev/null | jq .totals.bytes)
	is "$("$MPREDUCE" --export=folded ./prog odd.out 2>/dev/null |
		awk '{ n += $NF } END { print n }')" "$total" "chains that aren't whole"
	is "$("$MPREDUCE" --export=folded ./prog odd.out 2>/dev/null |
		grep -c '^\[unknown\] 120$')" 1 "a chain that isn't known"
	"$MPREDUCE" --export=dhat ./prog odd.out 2>/dev/null >odd.dhat
	is "$(jq -r '.pps as $p | .ftbl as $f | [$p[].fs[-1] | $f[.]] | sort | .[1:] | join(" ")' odd.dhat)" \
		"[callers beyond the limit of depth] [callers that weren't found] [outside of main] [unknown]" \
		"dhat: where they stop"
	is "$(jq '.pps | length == (map(.fs) | unique | length)' odd.dhat)" true "dhat: no chain twice"
else
	diag "$(cat err)"
	ok 1 "such data"
fi

# Many call paths, and one call path of as many frames.
many=4000
! exhaustive || many=20000
perl -e '$n = shift; print "run program /tmp/prog\nrun pid 5\nrun length 5000000000\n",
	"run end exit\nmodule p /tmp/prog exe at 0x400000 0x4000000 0\n";
	for $i (1 .. $n) { printf "chain c%d p:0x%x p:0x%x p:0x401018\n", $i,
		0x500000 + 16 * $i, 0x700000 + 16 * ($i % 300);
		print "alloc c$i ", 1 + $i % 100, " 3 2\n";
		print "peak c$i 1 ", 1 + $i % 100, "\n" }' $many >many.desc
"$MEMMON_BUILD/tests/monmake" <many.desc >many.out
for format in pprof otlp folded dhat heaptrack; do
	timeout "$HANG" "$MPREDUCE" --export=$format -o many ./prog many.out 2>err
	is "$?" 0 "$many paths: $format" || diag "$(head -n 3 err)"
done
"$MEMMON" --full-chains -d 100000 -o deep.out "$PROG/recurse" self 90000 >/dev/null 2>&1
for format in pprof otlp folded dhat heaptrack; do
	timeout "$HANG" "$MPREDUCE" --export=$format -o deep "$PROG/recurse" deep.out 2>err
	is "$?" 0 "90,000 frames: $format" || diag "$(head -n 3 err)"
done
"$MEMMON" --full-chains -d 100000 -o stairs.out "$PROG/recurse" stairs 15000 >/dev/null 2>&1
for format in pprof otlp dhat folded; do
	says "the call paths have more than 100000000 frames, too many for this format; give --paths=collapsed or --focus" \
		"too much of it: $format" --export=$format "$PROG/recurse" stairs.out
done
for format in heaptrack; do
	timeout "$HANG" "$MPREDUCE" --export=$format -o stairs "$PROG/recurse" stairs.out
	ok $? "not for $format"
done
done_testing
