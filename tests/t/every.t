#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A file at each interval (memmon --every); the oldest are removed by number or
# size (--keep).  The events between two files are exact.
. "${MEMMON_SRC:-.}/tests/tap.sh"
memmon="$MEMMON_BUILD/memmon" mpreduce="$MEMMON_BUILD/mpreduce"
busy="$MEMMON_BUILD/tests/prog/killed"

# record N OPTION...: the program runs until the Nth file has been there.
record()
{
	local n=$1 pid i
	shift
	rm -f run*
	"$memmon" -q -o run "$@" "$busy" busy >/dev/null 2>&1 &
	pid=$!
	for ((i = 0; i < HANG * 20; i++)); do
		[ "$(last)" -lt "$n" ] || break
		sleep .05
	done
	kill $pid
	wait $pid 2>/dev/null
}

# numbers: those of the files that exist; last: the highest.
numbers()
{
	ls run.*.* 2>/dev/null | sed -n 's/^run\.[0-9]*\.\([0-9]*\)$/\1/p' |
		sort -n
}
last()
{
	local n
	n=$(numbers | tail -n 1)
	echo "${n:-0}"
}

record 4 --every=20ms
ok $((! $(numbers | wc -l) >= 4)) "files as time goes by"
is "$(numbers | head -n 4 | tr '\n' ' ')" "1 2 3 4 " "... from 1 on"
bad=
for f in run.*.*; do
	"$mpreduce" -i "$f" >info 2>&1
	grep -q ', whole$' info && grep -q 'end  *still running' info ||
		bad="$bad $f"
done
is "$bad" "" "each is whole, of a program that still ran"
[ -s run ]
ok $? "and the last one is there, too"

# The allocations in the second file that the first lacks.
amount()
{
	"$mpreduce" --sql='select sum(allocs), sum(bytes) from sites' \
		--export=csv "$@" 2>/dev/null | tr -d '\r' | sed 1d
}
a=$(ls run.*.1) b=$(ls run.*.3)
IFS=, read -r allocs_a bytes_a < <(amount "$a")
IFS=, read -r allocs_b bytes_b < <(amount "$b")
is "$(amount --between="file:$a,end" "$b")" \
	"$((allocs_b - allocs_a)),$((bytes_b - bytes_a))" \
	"what came between two files, exactly"
"$mpreduce" --between="file:$a,end" -p "$b" >out 2>/dev/null
like "$(cat out)" "allocated since the data file $a was written" "... it is said"
"$mpreduce" --export=pprof -o delta.gz --between="file:$a,end" "$b" &&
	[ "$(gzip -dc delta.gz | wc -c)" -gt 100 ]
ok $? "... as pprof"
if go tool -n pprof >/dev/null 2>&1; then
	is "$(go tool pprof -raw delta.gz 2>/dev/null | awk '
		/^Locations/ { on = 0 }
		on && /:/ { n += $1; bytes += $2 }
		/^alloc_objects\/count alloc_space\/bytes/ { on = 1 }
		END { print n "," bytes }')" \
		"$((allocs_b - allocs_a)),$((bytes_b - bytes_a))" \
		"... which go tool pprof reads"
else
	skip 1 "no go tool pprof"
fi
# Only one of the two files knows whose blocks were freed, or their sizes.
for f in first second; do
	{
		cat <<-'X'
		run program /nonexistent/app
		run pid 7
		run start 1000
		module app /nonexistent/app exe id 0102
		chain a app:0x10 app:0x20
		chain b app:0x10 app:0x30
		thread one flags 1 threads 1
		thread two threads 1
		X
		[ $f = first ] && cat <<-'X' || cat <<-'X2'
		run length 100
		alloc a 16 10 4
		alloc b 40 7 3
		alloc b 48 1 1
		cell a 1 16 6 4
		cell a 2 16 4 0
		cell b 0 m 8 4 bytes 328 freed 168
		X
		run length 200
		alloc a 16 20 14
		alloc b 40 9 4
		alloc b 48 2 2
		cell a 0 16 20 14
		cell b 1 40 9 4
		cell b 2 48 2 2
		X2
	} | "$MEMMON_BUILD/tests/monmake" >$f
done
is "$(amount --between=file:first,end second)" 13,288 \
	"of threads and sizes that aren't known in both"
"$mpreduce" --between="file:$b,end" "$a" >/dev/null 2>err
is "$?" 1 "the wrong way round"
like "$(cat err)" "not an earlier data file of this run" "... it is said"
"$mpreduce" --between=file:nothing,end "$a" >/dev/null 2>err
is "$? $(grep -c 'no such file; give one that memmon --every' err)" "1 1" \
	"no such file"
"$memmon" -q -o other "$MEMMON_BUILD/tests/prog/widgets" >/dev/null 2>&1
"$mpreduce" --between=file:other,end "$b" >/dev/null 2>err
is "$?" 1 "of another process"

record 6 --every=20ms --keep=3
# memmon may be killed between the last file and the removal of the oldest.
n=$(numbers | wc -l)
ok $((n != 3 && n != 4)) "three of them are kept"
is "$(numbers | tr '\n' ' ')" "$(seq $(($(last) - n + 1)) "$(last)" |
	tr '\n' ' ')" "... the last ones"
record 6 --every=20ms --keep=1K
[ "$(numbers | wc -l)" -le 2 ]
ok $? "by size: the last one stays"
record 2 --every=20ms --sample=64
[ "$(last)" -ge 2 ]
ok $? "of samples"
MEMMON_TIMELINE=0 record 2 --every=20ms
[ "$(last)" -ge 2 ]
ok $? "without snapshots"

# A file of this heap takes far longer than a millisecond.
cat >heap.c <<'C'
#include <stdlib.h>
static void *p[200000];
int main(void)
{
	for (int i = 0; i < 2000000; i++) {
		free(p[i % 200000]);
		p[i % 200000] = malloc(16 + i % 50);
	}
	return 0;
}
C
"${CC:-cc}" -O0 -o heap heap.c
rm -f run*
timeout "$HANG" "$memmon" -q -o run --every=1ms ./heap
is $? 0 'the program goes on, though a file takes longer than the interval'

# As it is asked for.
for bad in 0 x 10y -5 10mm; do
	"$memmon" --every=$bad true 2>err
	is "$?" 125 "--every=$bad"
done
like "$(cat err)" "takes a time, as 30s" "... says what it takes"
done_testing
