#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A thousand million allocations and frees (a few minutes): all are counted, and
# the file is small.  MEMMON_EVENTS: another number, a multiple of five.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"
n=${MEMMON_EVENTS:-1000000000}
TIMEFORMAT=%R

# By construction, as in tests/prog/events.c: 8 + i % 5 * 24 bytes.
bytes()
{
	local rest=$(($1 % 5))
	echo $(($1 * 8 + 24 * (($1 - rest) * 2 + rest * (rest - 1) / 2)))
}
want="$n $(bytes "$n") $((n - 100)) $(bytes $((n - 100)))"
is "$("$MEMMON" -o m.out "$PROG/events" "$n")" "$want" "F16: $n allocations"
is "$(totals m.out)" "$want" 'all are counted'
# The heap over time has up to 1024 snapshots, for any number of blocks, and
# takes at most 4 MiB in the file and in the monitor.
ok $(($(wc -c <m.out) >= 4 << 20)) "the file takes $(wc -c <m.out) bytes"
diag "the tables take $({ time "$MPREDUCE" "$PROG/events" m.out >tables; } 2>&1) s"
json m.out "$PROG/events"
is "$(figures sites start | wc -l)" 343 'of 343 chains'
is "$(figures bins allocs | sort -u)" $((n / 5)) \
	'each of five sizes is a fifth'
is "$(sum_life near)" 0 'none was freed soon'
weight=$(sum_life weight) percent=$((n < 100000000 ? 5 : 1))
ok $((weight < n - n * percent / 100 || weight > n + n * percent / 100)) \
	"timed ones stand for all of them to $percent% ($weight)"
own=$(total m.out "monitor's bytes")
ok $((own > 9 << 20)) "the monitor takes $own bytes"
done_testing
