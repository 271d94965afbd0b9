#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Long runs, and runs with many call paths or sizes: the file stays small, no
# allocation waits long, all counts are exact (tests/prog/events.c, paths.c,
# sizes.c).
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"

# Ten million events from 343 call paths; the test below looks at the heap over
# time.
want=$("$PROG/events" 5000000)
export MEMMON_TIMELINE=0
is "$("$MEMMON" -o m.out "$PROG/events" 5000000)" "$want" 'ten million events'
is "$(totals m.out)" "$want" 'all are counted'
size=$(wc -c <m.out)
ok $((size >= 100000)) "the file takes $size bytes"
"$MEMMON" -o short.out "$PROG/events" 100000 >/dev/null
ok $((size > $(wc -c <short.out) + 20000)) \
	"hardly more than that of a fiftieth of them ($(wc -c <short.out))"
json m.out "$PROG/events"
is "$(figures sites start | wc -l)" 343 'of 343 chains'
own=$(total m.out "monitor's bytes")
few=$(total short.out "monitor's bytes")
ok $((own > few + 65536)) "the monitor takes no more memory ($few, $own)"

# The record of the time is bounded: 1024 snapshots, 1 MB and a sixteenth.
unset MEMMON_TIMELINE
is "$("$MEMMON" -o time.out "$PROG/events" 5000000)" "$want" 'with the time'
is "$(totals time.out)" "$want" 'all are counted'
ok $(($(total time.out "monitor's bytes") > own + (1 << 20) + own / 16 + 65536)) \
	"time takes $(($(total time.out "monitor's bytes") - own)) bytes more"
ok $(($(wc -c <time.out) > size + (1 << 20))) \
	"and the file, of $(wc -c <time.out) bytes, no more than that"
snapshots=$("$MPREDUCE" -i time.out | awk '$4 == "snapshots" { print $2 }')
ok $((snapshots < 20 || snapshots > 1024)) "$snapshots snapshots"

# Very many call paths, none of them folded.
chains=100000 sizes=60000
! exhaustive || chains=300000 sizes=200000
export MEMMON_FULL_CHAINS=1
want=$("$PROG/paths" $chains 100 2>alone)
is "$("$MEMMON" -o m.out "$PROG/paths" $chains 100 2>slowest)" "$want" \
	"$chains chains"
is "$(totals m.out)" "$want" 'all are counted'
is "$(total m.out 'allocations unrecorded') $(total m.out 'call paths shortened')" '0 0' \
	'none was lost, no chain shortened'
is "$("$MPREDUCE" -i m.out | awk '$4 == "sites" { print $2 }')" $chains \
	'each has a place of its own'
diag "the slowest malloc took $(cat slowest) ns of CPU time, alone $(cat alone)"

# More sizes than get counts of their own.
want=$("$PROG/sizes" $sizes)
is "$("$MEMMON" -o m.out "$PROG/sizes" $sizes)" "$want" "$sizes sizes"
is "$(totals m.out)" "$want" 'all are counted'
json m.out "$PROG/sizes"
# Each three times, from 0 on; all are freed except one of every eighth.
all=$(figures bins size allocs bytes frees)
is "$(awk '$2 != 3 || $4 != 2 + ($1 % 8 > 0) || $3 != 3 * $1 { n++ }
	END { print n + 0 }' <<<"$all")" 0 'each bin has its blocks'
bins=$(awk '{ a += $2; b += $3; f += $4 }
	END { printf "%.0f %.0f %.0f", a, b, f }' <<<"$all")
read -r allocs bytes frees freed kept < <(figures big allocs bytes frees freed kept)
read -r a b f <<<"$bins"
sum=$((sizes * (sizes - 1) / 2)) stays=$((sizes / 8 * (sizes - 8) / 2))
is "$((a + allocs)) $((b + bytes)) $((f + frees))" \
	"$((3 * sizes)) $((3 * sum)) $((3 * sizes - sizes / 8))" 'bins and the rest add up'
is "$freed" "$((bytes - kept))" \
	'the rest in itself, too'
is "$(self one allocs) $(self one bytes) $(self one frees) $(self one kept)" \
	"$((2 * sizes)) $((2 * sum)) $((2 * sizes)) 0" 'by function'
is "$(self two allocs) $(self two bytes) $(self two frees) $(self two kept)" \
	"$sizes $sum $((sizes - sizes / 8)) $stays" 'by the other'
is "$(sum peak) $(self one peak) $(self two peak) $(sum peak_blocks)" \
	"$((stays + 2 * (sizes - 1))) $((2 * (sizes - 1))) $stays $((sizes / 8 + 2))" \
	'and what was at the peak'
is "$(life one temps) $(life one near)" "$sizes $((2 * sizes))" 'all of these freed soon'
own=$(total m.out "monitor's bytes")
ok $((own > 40 << 20)) "the monitor takes $own bytes"
done_testing
