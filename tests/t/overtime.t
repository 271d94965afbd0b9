#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The heap over time, in the data file: each snapshot equals the program's own
# log of its operations, in total and as the sum of all sites.
. "${MEMMON_SRC:-.}/tests/tap.sh"
memmon="$MEMMON_BUILD/memmon"
dump="$MEMMON_BUILD/tests/timedump"
prog="$MEMMON_BUILD/tests/prog/overtime"

# Compare the snapshots in `got' with the log: each is the state after some
# operation, of a time that fits, and its peak is the largest since the snapshot
# before.  The last is as the log ends.  Says "N snapshots" when all is well.
compare()
{
	awk -v slack=2000000 '
	FNR == NR {
		n++
		at[n] = $1; bytes[n] = $3; freed[n] = $5
		live[n] = $3 - $5; of[$2 " " $4] = n
		# Operations that change nothing go on with the state before.
		before[n] = state == $2 " " $4 ? before[n - 1] : at[n - 1] + 0
		state = $2 " " $4
		next
	}
	$1 == "known" && $2 != 1 { print "no snapshots"; bad = 1 }
	$1 == "differ" { print "sites: " $0; bad = 1 }
	$1 == "snapshot" {
		i = of[$4 " " $6]
		if (!i) {
			print "no such state: " $0; bad = 1; next
		}
		if ($5 != bytes[i] || $7 != freed[i]) {
			print "bytes: " $0; bad = 1
		}
		# When the run began is not known: between these two.  The
		# log has the time when an operation has returned, and the
		# state began in it, maybe long before on a busy machine.
		low = before[i] - $3 - slack
		high = (i < n ? at[i + 1] : at[n] + 1e12) - $3
		if (!count || low > least) least = low
		if (!count || high < most) most = high
		peak = live[last ? last : 1]
		for (k = last ? last : 1; k <= i; k++)
			if (live[k] > peak) peak = live[k]
		if ($8 != peak) {
			print "peak " peak ": " $0; bad = 1
		}
		last = i; count++
	}
	END {
		if (least > most) { print "times"; bad = 1 }
		if (last != n) { print "the end"; bad = 1 }
		if (!bad) print (count > 5 ? "many" : count) " snapshots"
	}' "$1" got
}

"$memmon" "$prog" log && "$dump" mon.out >got
is "$(compare log)" "many snapshots" "as the program's own log, sites add up"
is "$(grep -c '^known 1 1$' got)" 1 "by site, too"
cmp -s <(awk '$1 == "snapshot" { print $3 }' got) \
	<(awk '$1 == "snapshot" { print $3 }' got | sort -n)
ok $? "in order"
ok "$(grep '^snapshot' got | grep -qv '?$'; echo $?)" "resident memory is known"

# With more snapshots than there is room for: the monitor removes every second
# one, several times.
MEMMON_TIMELINE=2 "$memmon" "$prog" log 120000 && "$dump" mon.out >got
is "$(compare log)" "many snapshots" "thinned out: still exact"
n=$(grep -c '^snapshot' got)
ok "$([ "$n" -ge 32 ] && [ "$n" -le 1024 ]; echo $?)" "of $n snapshots"

# Marks are snapshots.
"$memmon" "$prog" log 20000 mark && "$dump" mon.out >got
is "$(compare log)" "many snapshots" "with marks"
"$MEMMON_BUILD/mpreduce" -i mon.out | awk '$NF == "tick" { print $2, $4 }' >marks
is "$(wc -l <marks)" 99 "all marks are there"
is "$(awk 'FNR == NR { there[$4 " " $6] = 1; next } !(($1 " " $2) in there)' \
	got marks | wc -l)" 0 "each is a snapshot"

# It starts again at 0.
"$memmon" "$prog" log 20000 reset && "$dump" mon.out >got
is "$(compare log)" "many snapshots" "after a reset"
rm -f mon.out*
"$memmon" "$prog" log 20000 fork && "$dump" mon.out.* >got
is "$(compare log)" "many snapshots" "in a child"

# Killed: all is in the image.
"$memmon" "$prog" log 20000 kill 2>/dev/null
"$dump" mon.out >got
is "$(compare log)" "many snapshots" "of a process that was killed"
is "$(grep -c '^known 1 1$' got)" 1 "by site, too"
MEMMON_TIMELINE=2 "$memmon" "$prog" log 120000 kill 2>/dev/null
"$dump" mon.out >got
is "$(compare log)" "many snapshots" "... thinned out"
rm -f mon.out*
"$memmon" "$prog" log 20000 child
"$dump" mon.out.* >got
is "$(compare log; grep -c '^known 1 1$' got)" "many snapshots
1" "... its child is"

# No snapshots at all; and with little memory.
MEMMON_TIMELINE=0 "$memmon" "$prog" log && "$dump" mon.out >got
is "$(cat got)" "known 0 0" "MEMMON_TIMELINE=0"
MEMMON_MAXMEM=3m MEMMON_TIMELINE=2 "$memmon" "$prog" log 120000 &&
	"$dump" mon.out >got
is "$(compare log)" "many snapshots" "MEMMON_MAXMEM"

# Sums: the sum of one file keeps the snapshots, the sum of two drops them.
"$memmon" "$prog" log && "$dump" mon.out >one
"$MEMMON_BUILD/mpreduce" -s "$prog" mon.out && "$dump" mon.sum >sum
# The numbers of sites differ.
for f in one sum; do
	sed 's/^change [0-9]*/change/' $f | sort >$f.sorted
done
is_file sum.sorted one.sorted "a sum of one file has them"
cp mon.out two.out
"$MEMMON_BUILD/mpreduce" -s "$prog" mon.out two.out && "$dump" mon.sum >sum
is "$(cat sum)" "known 0 0" "one of two doesn't"
like "$("$MEMMON_BUILD/mpreduce" -i mon.out)" "  snapshots" "-i has snapshots"
like "$("$MEMMON_BUILD/mpreduce" -i mon.out)" "  changes" "and changes"
done_testing
