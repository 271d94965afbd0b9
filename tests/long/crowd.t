#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 100,000 threads, a million call paths, a million sizes, ten million blocks:
# the monitor's memory and time grow with the number of different items, and no
# event is lost.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"
# A million call paths are a million sites.
export MEMMON_FULL_CHAINS=1

"$MEMMON" -o few.out "$PROG/crew" many 10000
"$MEMMON" -o m.out "$PROG/crew" many 100000
json m.out "$PROG/crew"
is "$(self make allocs) $(self make frees) $(life make by_others)" \
	'300000 300000 100000' 'F08: 100,000 short threads: all counts'
is "$(sum threads)" 100001 'all of them counted'
few=$(total few.out "monitor's bytes") many=$(total m.out "monitor's bytes")
ok $((many > few + (512 << 10))) \
	"the monitor's memory doesn't grow with them ($few, $many)"
ok $(($(wc -c <m.out) > $(wc -c <few.out) + 65536)) "nor does the file ($(wc -c <m.out) bytes)"

# The CPU time of the slowest malloc, in ns.
want=$("$PROG/paths" 1000000 50 20 2>alone)
is "$("$MEMMON" -o m.out "$PROG/paths" 1000000 50 20 2>slowest)" "$want" \
	'F16: a million chains'
is "$(totals m.out)" "$want" 'all are counted'
is "$("$MPREDUCE" -i m.out | awk '$4 == "sites" { print $2 }')" 1000000 \
	'each has a place of its own'
diag "the slowest malloc took $(cat slowest) ns of CPU time, alone $(cat alone)"
own=$(total m.out "monitor's bytes")
ok $((own > 600 << 20)) "the monitor takes $own bytes"

want=$("$PROG/sizes" 1000000)
is "$("$MEMMON" -o m.out "$PROG/sizes" 1000000)" "$want" 'a million sizes'
is "$(totals m.out)" "$want" 'all are counted'

# Ten million blocks of a few call paths, live at a time.
want=$("$PROG/paths" 10000000 1 4 2>/dev/null)
is "$("$MEMMON" -o m.out "$PROG/paths" 10000000 1 4 2>/dev/null)" "$want" \
	'F16: ten million live blocks'
is "$(totals m.out)" "$want" 'all are counted'
own=$(total m.out "monitor's bytes")
ok $((own > 200 << 20)) "the monitor takes $own bytes"
done_testing
