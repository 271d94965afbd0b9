#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Recording takes memory that is bounded by the program's text and heap, for any
# number of call paths: 10,000, 100,000 and 300,000 paths that recur, and that
# don't; sizes; and all other kinds of rows that may be many (kinds.c).  Figures
# of time are left out: their number grows with the length of the run.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/raw.sh"
export MEMMON_TIMELINE=0

items() { "$MPREDUCE" -i mon.out | awk -v of="$1" '$NF == of && NF == 4 { print $2; exit }'; }
json() { "$MPREDUCE" --json mon.out 2>/dev/null | perl -I"$MEMMON_SRC/tests" -Mjson -0777 -ne "$1"; }

# bounded NAME BYTES COMMAND...: runs COMMAND with N as its last argument; BYTES
# is the most that each block holds.
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

# The totals of the last run.
json 'my $p = decode_json($_); my $t = $p->{totals};
	print join " ", @$t{qw(limited limited_bytes limited_kept)}' >limited
read -r blocks bytes kept <limited
is "$bytes $kept" "$((blocks * 24)) 0" "JSON tells of which bytes"
ok $((!(blocks > 250000 && blocks < 290000))) "... and blocks ($blocks)"
"$MPREDUCE" "$PROG/chains" mon.out >report
like "$(cat report)" "limited +$blocks .allocations of $bytes bytes, 0 of them not freed" \
	'the prolog says of how many allocations'

# Figures of the innermost four functions are exact; figures of the functions
# outside are lower bounds.
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

# made NAMES: the number of allocations by the functions with such names, and
# the largest number of one function.
made()
{
	"$MPREDUCE" --json mon.out 2>/dev/null | perl -I"$MEMMON_SRC/tests" -Mjson -0777 -e '
		my ($names, $n, $most) = (shift, 0, 0);
		for (@{decode_json(<STDIN>)->{functions}}) {
			next if $_->{name} !~ /^(?:$names)/;
			my $k = 0;
			$k += $_ for @{$_->{self}{allocs}};
			$n += $k;
			$most = $k if $k > $most;
		}
		print "$n $most"' "$1"
}

# many NAMES N BYTES PROGRAM ARGUMENT...: 2 N and 4 N things; for each thing
# functions with such names allocate a block.  At the end each thing has BYTES
# of the heap.  The data file of 4 N stays.
many()
{
	local n k heap=$((4 * $2 * $3)) got
	for k in 2 4; do
		n=$((k * $2))
		rm -f mon.out
		timeout "$HANG" "$PROG/$4-mm" "${@:5}" $n >/dev/null
		file[k]=$(stat -c %s mon.out)
		own[k]=$(total mon.out "monitor's bytes")
	done
	got=$(made "$1")
	is "${got% *}" $n "F16: $n ${*:4}: all are counted"
	ok $((!(own[4] <= (4 << 20) + heap / 4 &&
		own[4] - own[2] <= (256 << 10) + heap / 8))) \
		"... in memory that doesn't grow: ${own[2]} ${own[4]}"
	ok $((!(file[4] <= 1 << 20 && file[4] - file[2] <= file[2] / 8))) \
		"... nor does the file: ${file[2]} ${file[4]}"
}
many 'thing$' 1000 0 kinds threads
many 'thing$' 1000 0 kinds names
is "$("$MPREDUCE" --json mon.out | grep -c '^{"name":"no[.] ')" 255 \
	'of those that ended 255 names are known'
# One block in eight stays, nearly all of them larger than 480 bytes.
many 'two$' 20000 60 sizes
many 'thing$' 20 0 kinds forks
rm -f mon.out.*
many 'thing$' 20 0 kinds dumps
many 'thing$' 10 0 kinds checks
many 'thing$' 5000 0 kinds stops
# The memory of the counts from before a reset is used again.
resets=4000
! exhaustive || resets=20000
for n in 100 $resets; do
	"$PROG/kinds-mm" resets $n >/dev/null
	own[n]=$(total mon.out "monitor's bytes")
done
ok $((!(own[resets] - own[100] <= 65536))) \
	"$resets resets take no more than 100: ${own[100]} ${own[resets]}"
many 'thing$' 5000 0 kinds pools
many 'thing$' 5000 0 kinds ignores
many 'thing$' 20000 32 kinds tables
many 'thing$' 10000 32 kinds lost
many 'thing$' 8200 0 kinds marks
is "$(raw mon.out T_MARKS) $(raw mon.out T_UNMARKED)" '16383 16417' \
	'marks for which there is no room are counted'
like "$("$MPREDUCE" mon.out)" 'unmarked +16417 ' '... and the prolog says so'
many 'thing$' 3300 0 kinds types
is "$(raw mon.out T_TYPES) $(raw mon.out T_UNTYPED)" '6553 6647' \
	'so are blocks that get no type'
like "$("$MPREDUCE" mon.out)" 'untyped +6647 ' '... and the prolog says so'
cp "$PROG/libplug.so" plug.so
many '\[number|\[0x' 250 0 kinds modules "$T/plug.so"
is "$(made '\[number' | cut -d' ' -f2)" 1 'no library has the blocks of another'
ok $((!($(raw mon.out T_UNNAMED) > 250))) 'those that have no name are counted'
like "$("$MPREDUCE" mon.out 2>/dev/null)" 'unnamed +[0-9]+ ' '... and the prolog says so'

# Each piece of code is a call path: the monitor has room for a fixed number,
# and records no more.
for n in 100000 200000 400000; do
	"$PROG/kinds-mm" code $n
	own[n / 100000]=$(total mon.out "monitor's bytes")
	file[n / 100000]=$(stat -c %s mon.out)
done
is "$(total mon.out allocations) $(($(items nodes) <= 65536))" "$n 1" \
	"$n pieces of code: all are counted"
ok $((!(own[4] - own[2] <= 256 << 10 && file[4] - file[2] <= 1 << 16))) \
	"... in memory and a file that don't grow: ${own[2]} ${own[4]}, ${file[2]} ${file[4]}"

# The number of snapshots of the heap over time is bounded, also if marks ask
# for more.
rm -f mon.out
MEMMON_TIMELINE=1 "$PROG/kinds-mm" marks 16000
ok $((!($(items snapshots) > 100 && $(items snapshots) <= 1024 &&
	$(stat -c %s mon.out) <= 1 << 20))) "$(items snapshots) snapshots at 16000 marks"

# Threads that run at the same time have a struct each, see libmemmon(3).
"$PROG/kinds-mm" crowd 200
is "$(made 'thing$')" '200 200' '200 threads at a time: all are counted'
ok $((!($(total mon.out "monitor's bytes") <= (4 << 20) + 200 * (120 << 10)))) \
	'... in the memory that they may take'
done_testing
