#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# F17: truncated and damaged data files, those of other versions.  mpreduce
# reads all that is whole in them, and reports what is missing.  (badinput.t has
# each kind of damage by itself; bounds.t, files that are made to do harm.)
. "${MEMMON_SRC:-.}/tests/tap.sh"

make="$MEMMON_BUILD/tests/monmake"
mpreduce="$MEMMON_BUILD/mpreduce"

cat >desc <<'EOF1'
module exe /x/prog exe id 0102
chain red exe:0x1100 exe:0x1200 exe:0x20
chain blue exe:0x1110 exe:0x1200
alloc red 204 50 3
alloc blue 204 40 40
alloc blue 5000 2 1
peak red 50 10200
life blue temps 9 near 9 time 100:2:3
thread main flags 1 allocs 9
total peak 20000
most 1
EOF1
"$make" <desc >whole || echo "Bail out! monmake"
size=$(stat -c %s whole)

# Where the records end, and their tags: "OFFSET TAG", by perl.
perl -e 'local $/; $_ = <>; my $at = 24;
	while ($at + 24 <= length) {
		my ($tag, $n) = (substr($_, $at, 4), unpack "V", substr $_, $at + 16, 4);
		$at += 24 + $n; print "$at ", $tag =~ s/ //r, "\n" }' whole >ends
is "$(tail -n 1 ends)" "$size TOTL" "the file is as the format says"

bad=
while read -r end tag; do
	# Cut in the middle of this record, and directly after it: mpreduce
	# reads the part before the cut, and invents nothing for the rest.
	for cut in $((end - 1)) $end; do
		head -c "$cut" whole >part
		"$mpreduce" part >out 2>err
		status=$?
		want=$(awk -v c="$cut" '$1 <= c && $2 == "SITE" { n++ }
			END { print n + 0 }' ends)
		"$mpreduce" --json part >json 2>/dev/null
		have=$(grep -c '"chain":' json)
		[ "$cut" -eq "$size" ] && cut_status=0 || cut_status=4
		[ "$status" -eq $cut_status ] && [ "$have" -eq "$want" ] ||
			bad+="cut $cut: status $status, $have of $want sites;"
		[ "$cut" -eq "$size" ] || grep -q "lower bounds" err ||
			bad+="cut $cut: not said;"
	done
done <ends
is "$bad" "" "F17: a file cut anywhere gives all sites before the cut"
is "$(wc -l <err)" "$(grep -vc 'part:' err)" "the whole file has no warning"

# Each bit changed: an error, or a warning, that names the file.
damage=$MEMMON_BUILD/tests/damage
! exhaustive || damage=$MEMMON_BUILD/asan/tests/damage
"$damage" bits whole "$MEMMON_BUILD/tests/prog/widgets" \
	>bad 2>&1
is "$? $(head -n 5 bad)" "0 $((size * 8)) tried" \
	"F17: every bit changed: it is noticed"

# Other versions: mpreduce ignores additions of the same major silently.
{ cat desc; echo unknown; echo "minor 99"; } | "$make" >minor
"$mpreduce" minor >out 2>err
is "$? $(grep -c 'minor:' err)" "0 0" "a later minor version, records unknown"
"$mpreduce" whole >out2 2>err
is "$(sed 1,20d out)" "$(sed 1,20d out2)" "has the same tables"
for major in 0 2 65535; do
	{ cat desc; echo "major $major"; } | "$make" >major
	"$mpreduce" major >out 2>err
	is "$? $(wc -c <out) $(wc -l <err)" "1 0 1" "major version $major"
	like "$(cat err)" 'major: written by (an older|a newer) memmon' \
		"major version $major: message"
done
done_testing
