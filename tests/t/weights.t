#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sums of several data files: weighed, with rows that add up to the totals and
# blocks that are off by less than one; the same byte for byte in whatever order
# the files are given; of a few hundred, too.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# a: 10 x 100, 4 of them freed, in take(); b: 5 x 100, 1 freed, and 3 x 40 freed
# in other(); c: nothing but 1 x 100.
cat >prog.c <<'END'
#include <stdlib.h>
#include <string.h>
static void *volatile kept;
static __attribute__((noinline)) void take(int n, int frees)
{
	for (int i = 0; i < n; i++) {
		kept = malloc(100);
		if (i < frees)
			free(kept);
	}
}
static __attribute__((noinline)) void other(int n)
{
	for (int i = 0; i < n; i++) {
		kept = malloc(40);
		free(kept);
	}
}
int main(int argc, char **argv)
{
	take(atoi(argv[1]), atoi(argv[2]));
	other(atoi(argv[argc - 1]));
	return 0;
}
END
$CC -g -O1 -o prog prog.c || skip_all "can't compile"
MEMMON_OUT=$T/a.mon "$MEMMON" ./prog 10 4 0
MEMMON_OUT=$T/b.mon "$MEMMON" ./prog 5 1 3
MEMMON_OUT=$T/c.mon "$MEMMON" ./prog 1 0 0

# weighed WEIGHTS FILE...: totals of the weighted sum, by way of mon.sum.
weighed()
{
	local w=$1
	shift
	rm -f mon.sum
	"$MPREDUCE" -s --weights="$w" "$@" 2>err && totals mon.sum
}
is "$(totals a.mon) $(totals b.mon)" "10 1000 4 400 8 620 4 220" "the files"
is "$(weighed 1,1 a.mon b.mon)" "18 1620 8 620" "weights of 1"
is "$(weighed 2,1 a.mon b.mon)" "28 2620 12 1020" "a whole number"
is "$(weighed 3,2,7 a.mon b.mon c.mon)" "53 4940 20 1640" "three of them"
is "$(weighed 0.5,1/2 a.mon a.mon)" "10 1000 4 400" "two halves"
is "$(weighed mean a.mon a.mon a.mon)" "10 1000 4 400" "the mean of the same"
is "$(weighed 0.5 a.mon)" "5 500 2 200" "half of one"
is "$(weighed .5,1.5 a.mon c.mon)" "7 700 2 200" "rounded once, as a sum"
is "$(weighed 1/3,2/3 a.mon a.mon)" "10 1000 4 400" "thirds"
is "$(weighed mean a.mon b.mon)" "9 840 4 340" "the mean of two"
is "$(weighed 0.1 c.mon)" "0 0 0 0" "next to nothing"
is "$(weighed 1000000 a.mon)" "10000000 1000000000 4000000 400000000" "a million"

# What is written is read as it was printed; and is whole.
"$MPREDUCE" -b --weights=1.5,0.25 -B -p -L -q --threads --lifetimes -T \
	./prog a.mon b.mon >want 2>err
"$MPREDUCE" -s --weights=1.5,0.25 a.mon b.mon 2>err2
"$MPREDUCE" -b -B -p -L -q --threads --lifetimes -T ./prog mon.sum >got 2>err3
is_file got want "the sum that is written has the same tables"
is "$(cat err2 err3)" "" "and nothing is amiss with it"
"$MPREDUCE" -b --weights=mean ./prog a.mon b.mon >out 2>err
like "$(cat out)" "files +2, summed by weights" "it says so"
like "$(cat out)" "mean of a.mon: " "and of each file"
"$MPREDUCE" -b --weights=2,1 --peak ./prog a.mon b.mon >out 2>err
like "$(cat out)" "not known" "who held the peak isn't known"

# The same files, and their weights, in another order.
orders="a.mon,b.mon,c.mon,a.mon a.mon,a.mon,c.mon,b.mon c.mon,b.mon,a.mon,a.mon"
for how in "-b" "--json" "-b -S -T --threads --lifetimes --peak"; do
	rm -f want
	for order in $orders; do
		# shellcheck disable=SC2086
		"$MPREDUCE" $how ./prog ${order//,/ } >got 2>err
		[ -f want ] || cp got want
		cmp got want || break
	done >diff 2>&1
	is "$(cat diff)" "" "the order makes no difference: $how"
done
"$MPREDUCE" -s --weights=2,1/3,5 a.mon b.mon c.mon && mv mon.sum want
"$MPREDUCE" -s --weights=5,2,1/3 c.mon a.mon b.mon
cmp mon.sum want
ok $? "nor with weights, byte by byte"
"$MPREDUCE" --weights=2,1/3,5 ./prog a.mon b.mon c.mon >want 2>err
"$MPREDUCE" --weights=1/3,5,2 ./prog b.mon c.mon a.mon >got 2>err
is_file got want "and in tables"

# Every table adds up.
if perl -MJSON::PP -e 1 2>/dev/null; then
	cat >sums.pl <<'END'
use lib "$ENV{MEMMON_SRC}/tests";
use json;
use List::Util qw(sum0);
local $/;
my $d = decode_json(<STDIN>);
my @bad;
for my $k (qw(allocs bytes frees freed)) {
	my $all = $d->{totals}{$k};
	my $n = sum0 map { sum0 @{ $_->{count}{$k} } } @{ $d->{sites} };
	push @bad, "sites: $k $n, not $all" if $n != $all;
	$n = sum0 map { $_->{$k} } @{ $d->{types} };
	push @bad, "types: $k $n, not $all" if $n != $all;
	$n = sum0 map { $_->{$k} } @{ $d->{threads} };
	push @bad, "threads: $k $n, not $all"
		if $n != $all && @{ $d->{threads} };
	next unless $k =~ /^(allocs|frees)$/;
	$n = sum0(map { $_->{$k} } @{ $d->{bins} }) + $d->{big}{$k};
	push @bad, "bins: $k $n, not $all" if $n != $all;
}
for my $s (@{ $d->{sites} }) {
	for my $c (0 .. 3) {
		push @bad, "more frees than allocations"
			if $s->{count}{frees}[$c] > $s->{count}{allocs}[$c] or
			   $s->{count}{freed}[$c] > $s->{count}{bytes}[$c];
	}
}
print join(", ", @bad) || "fine";
END
	# Of 3000 sizes at one place most are counted by class; a file of old
	# (made by hand) has no counts by size and thread at all.
	while read -r p args; do
		# shellcheck disable=SC2086
		MEMMON_OUT=$p.mon "$PROG/${p%%.*}-mm" $args >/dev/null 2>&1
	done <<'END'
widgets
sizes.few 200
sizes.many 3000
threads 3 2000
lives
END
	"$MEMMON_BUILD/tests/monmake" <\
		"$MEMMON_SRC/tests/golden/classes.in" >classes.mon
	for w in $(some <<<$'0.37,1/7\n1/1000,1/300\n+ 0.999,0.6'); do
		for p in widgets sizes.few sizes.many threads lives classes; do
			mm=$PROG/${p%%.*}-mm
			[ $p = classes ] && mm=$PROG/widgets-mm
			"$MPREDUCE" --json --weights=$w "$mm" $p.mon $p.mon \
				2>err >json
			is "$(perl sums.pl <json)" fine "$p adds up: $w" ||
				cat err >&2
			rm -f mon.sum
			"$MPREDUCE" -s --weights=$w $p.mon $p.mon 2>err
			"$MPREDUCE" --json "$mm" mon.sum 2>>err >json
			is "$(perl sums.pl <json)" fine "and when it was written"
			is "$(grep -E 'damaged|incomplete|add up|agree|left out' \
				err)" "" "and is whole"
		done
	done

	# What a thread allocated is the sum of what it did by path and size.
	MEMMON_OUT=relay.mon "$PROG/relay-mm" >/dev/null
	for w in 0.37 1/7 0.013; do
		"$MPREDUCE" -b --weights=$w --sql "select t.n, t.a, i.a from
		(select name || case main when 1 then ' (main)' else '' end n,
		sum(allocs) a from threads group by n) t join
		(select thread n, sum(allocs) a from items group by n) i
		on t.n = i.n" "$PROG/relay-mm" relay.mon
	done >out 2>err
	is "$(awk '/[0-9]$/ { n++; bad += $(NF - 1) != $NF }
		END { print (n > 15), bad + 0 }' out)" "1 0" \
		"threads have what their items have" || cat out err >&2
	# 8625 and 375 blocks of 3000 sizes; bytes are off by less than one of
	# the largest.
	is "$(weighed 1/2 sizes.many.mon | awk '{
		b = $2 - 13495500 / 2; f = $4 - 12934500 / 2
		print $1, $3, b * b < 3000 * 3000, f * f < 3000 * 3000
	}')" "4501 4313 1 1" "half of many sizes"
	"$MPREDUCE" -b --weights=0.5 "$PROG/sizes-mm" sizes.many.mon >out 2>err
	like "$(head -n 5 out)" "; sizes of 296[0-9] blocks are averages" \
		"it says of how many they are"
	"$MPREDUCE" -b --weights=3 "$PROG/sizes-mm" sizes.many.mon >out 2>err
	is "$(grep -c averages out)" 0 "and whole numbers need none"
	is "$(weighed 3 sizes.many.mon)" "27000 40486500 25875 38803500" \
		"they are exact"
else
	skip 59 "no perl with JSON::PP"
fi

# What is no weight.
while IFS='|' read -r weights files; do
	# shellcheck disable=SC2086
	"$MPREDUCE" --weights="$weights" ./prog $files >out 2>err
	is "$? $(wc -c <out) $(grep -c '^mpreduce: --weights' err)" "1 0 1" \
		"no weights: '$weights'"
done <<'END'
1|a.mon b.mon
1,2,3|a.mon b.mon
0,1|a.mon b.mon
-1,1|a.mon b.mon
1,|a.mon b.mon
,1|a.mon b.mon
|a.mon
x,y|a.mon b.mon
1e3,1|a.mon b.mon
1/0,1|a.mon b.mon
1/2/3,1|a.mon b.mon
0.12345678901,1|a.mon b.mon
1000000000000,1|a.mon b.mon
1/999999999989,1/999999999961|a.mon b.mon
.,1|a.mon b.mon
END
"$MPREDUCE" --weights=999999999999 ./prog b.mon >out 2>err
is "$?" 0 "large ones"
echo kept >mon.sum
MEMMON_OUT=$T/big.mon "$MEMMON" ./prog 100000 0 100000
"$MPREDUCE" -s --weights=999999999999 big.mon >out 2>err
is "$? $(cat mon.sum)" "1 kept" "too large: nothing is written"
like "$(cat err)" "too large for these weights" "and that is said"

# Many.
mkdir many
for i in $(seq 200); do cp a.mon many/mon.$i.out; done
timeout "$HANG" "$MPREDUCE" -s --weights=mean many 2>err
is "$(totals mon.sum)" "10 1000 4 400" "the mean of 200"
done_testing
