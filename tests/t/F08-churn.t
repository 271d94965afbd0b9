#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# F08: threads that come and go, on stacks of 16 KB, with frees in destructors
# after ours (tests/prog/churn.c).  CHURN: how many.  See threads.t, life.t, and
# long/crowd.t for a hundred thousand with names.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"
n=${CHURN:-10000}

out=$(timeout "$HANG" "$MEMMON" -o m.out "$PROG/churn" "$n")
is "$?" 0 "F08: $n threads on small stacks"
json m.out "$PROG/churn"
is "$(self make allocs) $(self make bytes) $(self make frees) $(self make freed)" \
	"$((7 * n)) $((360 * n)) $((7 * n)) $((360 * n))" \
	'F08: each block of each destructor is counted'
is "$(sum unseen) $(sum reused) $(sum unrecorded)" '0 0 0' 'F08: nothing is missed'
is "$(sum threads)" $((n + 1)) 'F08: and each thread'
read -r early late <<<"$out"
ok $((late > early + 1024)) \
	"F08: memory doesn't grow: $early KB after a tenth, $late KB at the end"
done_testing
