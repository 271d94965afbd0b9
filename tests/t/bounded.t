#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What recording takes is bounded by the program's text and heap, whatever the
# number of its call paths: of 10,000, 100,000 and 300,000 that recur, and that
# don't.  Figures of time are left out: they are as many as the run is long.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
export MEMMON_TIMELINE=0

items() { "$MPREDUCE" -i mon.out | awk -v of="$1" '$NF == of && NF == 4 { print $2; exit }'; }
json() { "$MPREDUCE" --json mon.out 2>/dev/null | perl -MJSON::PP -0777 -ne "$1"; }

# bounded NAME BYTES COMMAND...: N is behind it; BYTES, as each block holds at most.
bounded()
{
	local n heap
	for n in 10000 100000 300000; do
		rm -f mon.out
		"$MEMMON" -o mon.out "$PROG/$3" "${@:4}" $n >/dev/null
		nodes[n]=$(items nodes) sites[n]=$(items sites)
		file[n]=$(stat -c %s mon.out)
		own[n]=$(total mon.out "monitor's bytes")
		is "$(totals mon.out | cut -d' ' -f1)" $n "$1: all of $n"
	done
	ok $((!(nodes[300000] <= 65536))) "... ${nodes[300000]} frames at most"
	ok $((!(nodes[300000] - nodes[100000] <= nodes[100000] / 100 &&
		sites[300000] - sites[100000] <= sites[100000] / 100))) \
		"F16: ... which don't grow: ${nodes[*]}; nor sites: ${sites[*]}"
	ok $((!(file[300000] <= 1 << 20 &&
		file[300000] - file[100000] <= file[100000] / 4))) \
		"... nor does the file: ${file[*]}"
	heap=$(($2 * 200000))
	ok $((!(own[300000] <= own[100000] + heap / 4 + (3 << 20)))) \
		"... nor the memory, but with the heap: ${own[*]}"
	ok $((!(own[300000] <= (12 << 20) + heap / 4))) '... and it is little'
}
bounded 'paths that recur' 24 recurse insert
bounded 'random ones' 40 recurse graph 1
bounded "paths that don't recur" 0 chains

# Of the last run.
json 'my $p = decode_json($_); my $t = $p->{totals};
	print join " ", @$t{qw(limited limited_bytes limited_kept)}' >limited
read -r blocks bytes kept <limited
is "$bytes $kept" "$((blocks * 24)) 0" "JSON tells of which bytes"
ok $((!(blocks > 250000 && blocks < 290000))) "... and blocks ($blocks)"
"$MPREDUCE" "$PROG/chains" mon.out >report
like "$(cat report)" "limited +$blocks .allocations of $bytes bytes, 0 kept" \
	'the prolog says of how many allocations'

# What is inside of the innermost four is exact, what is outside at least.
functions()
{
	json 'my $p = decode_json($_);
		print map { "$_->{name} $_->{total}{allocs}[0]\n" }
			grep { $_->{name} =~ /^(at\d+|leaf|main)$/ } @{$p->{functions}}' | sort
}
functions >limited
rm -f mon.out
"$MEMMON" --full-chains -o mon.out "$PROG/chains" 300000
functions >full
ok $((!($(items nodes) > 800000))) '--full-chains has no limit'
is "$(grep -cE '^(leaf|at19|at18|at17) 300000$' limited)" 4 \
	'the innermost functions have all'
is "$(join full limited | awk '$2 < $3' | wc -l) $(join full limited | wc -l)" \
	"0 22" 'no function has more than it has'
rm -f mon.out
"$MEMMON" --full-chains --chain-limit=1000 -o mon.out "$PROG/chains" 10000
ok $((!($(items nodes) <= 1000))) "--chain-limit: $(items nodes) frames"
is "$(totals mon.out)" '10000 240000 10000 240000' '... and all is counted'
done_testing
