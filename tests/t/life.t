#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# At every kind of end of a process its file exists and is complete, and its
# exit status is the same as without memmon.  The figures are explained in
# tests/prog/life.c.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

ulimit -c 0
full='125 11000 125 11000'
half='125 11000 50 5000'

# ends WAY TOTALS END: linked and preloaded, status and file.
ends()
{
	local way=$1 want=$2 end=$3 s0 s1 s2
	rm -f mon.out*
	# shellcheck disable=SC2086
	{ "$PROG/life" $way; s0=$?; "$PROG/life-mm" $way; s1=$?; } 2>/dev/null
	is "$s1" "$s0" "F03: $way, linked: exit status"
	is "$(totals mon.out)" "$want" "F03: $way, linked: totals"
	like "$(end_of mon.out)" "^$end" "F03: $way, linked: how it ended"
	rm -f mon.out
	# shellcheck disable=SC2086
	{ "$MEMMON" "$PROG/life" $way; s2=$?; } 2>/dev/null
	is "$s2" "$s0" "F03: $way, preloaded: exit status"
	is "$(totals mon.out)" "$want" "F03: $way, preloaded: totals"
}

ends return "$full" exit
ends exit "$full" exit
ends _exit "$half" _exit
ends _Exit "$half" _exit
ends quick "$half" quick_exit
ends abort "$half" 'signal 6'
ends segv "$half" 'signal 11'
ends overflow "$half" 'signal 11'
ends 'kill 15' "$half" 'signal 15'
ends 'kill 1' "$half" 'signal 1 '
ends 'kill 13' "$half" 'signal 13'
ends vfork "$full" exit
ends 'exec /nonexistent' "$full" exit
ls mon.out?* >/dev/null 2>&1
ok $((! $?)) 'a failed exec leaves no second file'

# A thread's key destructor allocates and frees in all four passes, 10 blocks of
# 30 bytes each; pthread_create's allocations come on top.
"$MEMMON" -o t.out "$PROG/life" thread
"$MEMMON" -o base.out "$PROG/threads" 1 0 >/dev/null
a=$(total t.out allocations)
ok $((a < 165)) 'F08: a destructor of thread data is counted to its last pass'
is "$(total t.out 'frees unseen')" 0 'no free is unseen'

# fork: the child's file has its own counts, and no free that isn't its own.
rm -f mon.out*
"$PROG/life-mm" fork
is "$(totals mon.out)" "$full" 'F02: fork: the parent'
child=$(ls mon.out.*)
like "$child" '^mon\.out\.[0-9]+$' "fork: the child's file is FILE.PID"
is "$(totals "$child")" '7 490 3 210' 'F02: fork: the child'
is "$(total "$child" 'frees inherited')" 5 "frees of the parent's blocks"
"$MPREDUCE" -i "$child" | grep -q forked
ok $? 'fork: the file says that counts start there'

# MEMMON_OUT's pattern.
rm -f mon.out*
MEMMON_OUT='x-%e-%p%%-%h-%t.mm' "$PROG/life-mm" fork
n=$(ls x-life-mm-*%-"$(uname -n)"-*.mm | wc -l)
is "$n" 2 'with %p in the pattern each process has its file'
ok "$(ls mon.out* 2>/dev/null | wc -l)" 'and no other'

# exec: the old image's counts and the new one's.
rm -f mon.out*
"$MEMMON" "$PROG/life" exec "$PROG/widgets"
is "$(totals mon.out)" '10000 2040000 4981 1016124' 'exec: the new image'
is "$(totals mon.out.*.life)" "$half" 'exec: the old image'
is "$(ls mon.out* | wc -l)" 2 '... and no other file, which would count it again'
rm -rf mon.out* files
mkdir files
MEMMON_OUT=files/%p.x "$MEMMON" sh -c 'exec sh -c "exec \"\$0\" \"\$@\"" "$@"' \
	sh "$PROG/life" exec "$PROG/widgets"
is "$(ls files | wc -l)" 4 'four programs, one after another: four files'
is "$("$MPREDUCE" --sql="SELECT sum(allocs) FROM runs WHERE program LIKE '%life'" \
	--export=csv files/* 2>/dev/null | tr -d '\r' | tail -n 1)" \
	"${half%% *}" '... and the blocks of each are counted once'
rm -f mon.out*
is "$("$MEMMON" "$PROG/life" execl /bin/echo hello)" hello 'execl'
is "$(totals mon.out.*.life)" "$half" 'execl: the old image'

# fork and exec: the files of both programs, and no file for the time between.
rm -f mon.out*
"$MEMMON" "$PROG/life" spawn "$PROG/widgets"
is "$(totals mon.out)" "$full" 'spawn: the parent'
is "$(totals mon.out.*)" '10000 2040000 4981 1016124' 'spawn: the child'
is "$(ls mon.out* | wc -l)" 2 'spawn: two files'

# The working directory at the start counts.
mkdir -p sub
(cd sub && "$MEMMON" perl -e 'chdir "/"')
ok "$([ -s sub/mon.out ]; echo $?)" 'a program that changes directory'
done_testing
