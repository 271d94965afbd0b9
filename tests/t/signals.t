#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Signal handlers that allocate and free while the program does: all counts are
# exact (tests/prog/alarms.c).
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"

# alarms NAME US N [threads]
alarms()
{
	local name=$1 out
	shift
	out=$(LD_PRELOAD=$PROG/libbump.so timeout "$HANG" "$MEMMON" -o m.out \
		"$PROG/alarms" "$@")
	json m.out "$PROG/alarms"
	want=$(head -n 1 <<<"$out") handler=$(tail -n 1 <<<"$out")
	is "$(sum unrecorded) $(sum unseen) $(sum reused)" '0 0 0' "F07: $name: none lost"
	is "$(self struck allocs) $(self struck bytes)" "$handler" \
		"F07: $name: allocations of the handlers"
	# shellcheck disable=SC2086
	set -- $want
	is "$(($(self plain allocs) + $(self struck allocs))) $(($(self plain bytes) + $(self struck bytes)))" \
		"$1 $2" "F07: $name: all allocations"
	is "$(($(self plain frees) + $(self struck frees))) $(($(self plain freed) + $(self struck freed)))" \
		"$3 $4" "F07: $name: all frees"
}

# rows KEY: of the table of threads, together.
rows()
{
	figures threads "$1" | added
}

alarms '1,000 a second' 1000 1000
is "$(totals m.out)" "$want" 'nothing else was there'
is "$(thread alarms)" "1 $want 0" "all of it is the thread's own doing"
is "$(sum threads)" 1 'of which there is one'
# The first handler usually runs while the thread becomes known.
bad=0 n=20
! exhaustive || n=200
for ((i = 0; i < n; i++)); do
	out=$(LD_PRELOAD=$PROG/libbump.so timeout "$HANG" "$MEMMON" -o m.out \
		"$PROG/alarms" 20 10)
	want=$(head -n 1 <<<"$out")
	got=$("$MPREDUCE" -i m.out | awk '$2 == "allocations" && NF == 2 { print $1 }')
	[ "$got" = "${want%% *}" ] || bad=$((bad + 1))
done
is "$bad" 0 "F07: handlers from the start: all allocations in each of $n runs"
alarms '20,000 a second' 50 5000
is "$(totals m.out)" "$want" 'nothing else was there'
MEMMON_TIMING=1 alarms 'all timed' 100 3000
is "$(sum_life timed)" "$(sum frees)" 'all frees have been timed'
alarms 'three threads' 100 5000 threads
for key in allocs bytes frees freed; do
	is "$(rows $key)" "$(sum $key)" "the rows of the threads add up: $key"
done
is "$(sum threads)" 3 'three threads'
done_testing
