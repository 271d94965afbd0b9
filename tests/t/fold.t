#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Recursion that is folded as it is recorded.  A folded run must have the
# figures that the full call paths add up to, function by function, call by
# call, cycle by cycle.  Its size is bounded by the program's text, for any
# depth and order of the recursion.  The test compares with the full call paths
# of the same program, recorded in another run; tests/prog/recurse.c has random
# graphs of calls.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# Functions, arcs and cycles by name, with their counts; without the number of
# times that they called themselves.
cat >figures.pl <<'EOF'
my ($part, @name, @lines);
# The object behind a key, as it stands there: no object is in it.
sub object { return $_ =~ /"$_[0]":(\{[^{}]*\})/ ? $1 : die "no $_[0]: $_" }
while (<STDIN>) {
	if (/^"(\w+)":\[$/) {
		$part = $1;
	} elsif (/^"totals":/) {
		my $line = $_;
		push @lines, join ' ', map { $line =~ /("$_":\w+)/ or die "no $_"; $1 }
			qw(allocs bytes frees freed peak);
	} elsif (/^"\w+":/) {
		$part = '';
	} elsif ($part eq 'functions') {
		/"name":("(?:[^"\\]|\\.)*")/ or die $_;
		my $name = $1;
		/"module":(null|"(?:[^"\\]|\\.)*")/ or die $_;
		$name .= " in $1";
		/"address":(\d+)/ or die $_;
		push @name, "$name+$1";
		push @lines, "$name[-1] " . object('self') . object('total');
	} elsif ($part eq 'arcs') {
		/"caller":(\d+),"callee":(\d+)/ or die $_;
		push @lines, "$name[$1] > $name[$2] " . object('count');
	} elsif ($part eq 'cycles') {
		/"members":\[([\d,]+)\]/ or die $_;
		my @members = sort map { $name[$_] } split /,/, $1;
		push @lines, "@members " . object('total');
	}
}
print map { "$_\n" } sort @lines;
EOF

# figures FOLDED COMMAND...: the figures of a run in which recursion is folded
# (0) or not (1), except the field $without.  The variable is on the program's
# stack, so it has the same length in both runs.
figures()
{
	rm -f mon.out
	MEMMON_FULL_CHAINS=$1 setarch -R "$MEMMON" -o mon.out -- "${@:2}" \
		>/dev/null 2>&1 </dev/null
	"$MPREDUCE" --json mon.out 2>/dev/null | perl figures.pl |
		sed -E "s/${without:-^$}//g"
}
sites() { "$MPREDUCE" -i mon.out | awk '$NF == "sites" && NF == 4 { print $2; exit }'; }

# folds NAME COMMAND...
folds()
{
	local full
	figures 1 "${@:2}" >full
	full=$(sites)
	figures 0 "${@:2}" >folded
	[ -s full ] && cmp -s full folded
	ok $? "$1: the same figures of $full sites and $(sites)" ||
		diag "$(diff full folded | head -n 10)"
	like "$(total mon.out 'cycles folded')" '^[1-9]' '... by folding'
	is "$(total mon.out 'cycles joined by functions')" '' '... of which none is joined'
}

# Walks in random graphs; 10,000 of them with MEMMON_CHECK=all.
seeds=12 walks=200
exhaustive && seeds=100
bad='' less=0
for ((i = 1; i <= seeds; i++)); do
	figures 1 "$PROG/recurse" graph $i $walks >full
	n=$(sites)
	figures 0 "$PROG/recurse" graph $i $walks >folded
	cmp -s full folded || bad+=" $i"
	less=$((less + (n > $(sites))))
done
is "$bad" '' "$seeds graphs: the same figures"
ok $((less * 4 < seeds)) "fewer sites in most of them ($less)"

folds 'a parser' "$PROG/recurse" parse '(1+2)*(3+(4*5)*((6+7)*8))+(9*(1+1))'
folds 'one function, from two places' "$PROG/recurse" twins 30 20
folds 'stairs' "$PROG/recurse" stairs 40
skip_or_fold()
{
	if command -v "$2" >/dev/null; then folds "$@"; else skip 3 "no $1"; fi
}
folds sed sed -E 's/((((a|b)*(c|(d|(e|f)*)+)?)+g)?(h|(i(j|k)*l)*)+){2,3}m/x/'
PERL_HASH_SEED=0 skip_or_fold perl perl -e 'sub f { my $n = shift;
	return $n < 2 ? [$n] : [f($n - 1), f($n - 2)] } push @a, f($_) for 1 .. 14'
skip_or_fold jq jq -n '[range(20)] | map([., [., [.]]]) | [.. | numbers] | length'

# The number of calls within a cycle is at least as given, for every path of the
# cycle that is recorded.
bad='' n=0
for how in 'ladder 16' 'stairs 40' 'graph 3 200' 'graph 7 200'; do
	for full in 1 0; do
		rm -f mon.out
		# shellcheck disable=SC2086
		MEMMON_FULL_CHAINS=$full "$MEMMON" -o mon.out "$PROG/recurse" $how
		"$MPREDUCE" --json mon.out 2>/dev/null |
			perl "$MEMMON_SRC/tests/chains.pl" graph |
			sed -n 's/^often //p' >often.$full
	done
	n=$((n + $(wc -l <often.0)))
	bad+=$(paste -d' ' often.1 often.0 | awk '$1 " " $3 != $5 " " $7 ||
		$4 < $8 || $8 < 1 { print }')
done
is "$bad" '' "$n calls within cycles: at least as given"
ok $((n < 20)) '... and there are some'
"$MPREDUCE" -q mon.out >legend 2>/dev/null
like "$(cat legend)" 'are lower bounds' 'which the legend of the graph says'
MEMMON_FULL_CHAINS=1 "$MEMMON" -o mon.out "$PROG/recurse" stairs 40
"$MPREDUCE" -q mon.out >legend 2>/dev/null
is "$(grep -c 'are lower bounds' legend)" 0 '... only of what is folded'

# In a handler; in libraries that are unloaded and loaded at one address, in two
# shapes; through code without a library, at which call paths stop; in threads
# that enter the same cycles at once, whose peak has an error.
folds 'a signal handler' "$PROG/recurse" handler 9
for other in '' -DOTHER; do
	"$CC" -g -O1 -fPIC -shared $other "$MEMMON_SRC/tests/prog/libplug.c" \
		-o "lib$other.so"
done
folds 'libraries that are closed' "$PROG/recurse" plug 12 \
	"$PWD/lib.so" "$PWD/lib-DOTHER.so"
folds 'code of no module' "$PROG/recurse" jit 9
is "$(total mon.out 'call paths stopped')" 8 '... which all but one go through'
for i in 1 2 3; do
	without='"peak":[0-9]+' folds "threads, $i" "$PROG/recurse" race 8 16
done

# Under these limits memory runs out while paths are folded: each allocation is
# counted or lost, and the file says so.
short=0
for most in 340 380 420 460 500 600 800 1200 1600 2400; do
	rm -f mon.out
	MEMMON_MAXMEM=${most}k MEMMON_FULL_CHAINS=0 "$MEMMON" -o mon.out \
		"$PROG/recurse" graph 3 20000
	read -r allocs _ _ _ <<<"$(totals mon.out)"
	is "$((allocs + $(total mon.out 'allocations unrecorded')))" 20000 \
		"with ${most} KiB: $allocs allocations, others are lost"
	short=$((short + ($(total mon.out 'call paths shortened') > 0)))
	"$MPREDUCE" mon.out >/dev/null 2>errors && [ ! -s errors ]
	ok $? '... and the file is whole'
done
ok $((short == 0)) "in $short of them chains were shortened"

# When folding begins, it visits the call paths that were recorded in full once,
# and not once for each frame: that would take as long as the square of the
# depth.
frames=200000
! exhaustive || frames=500000
if (ulimit -s unlimited) 2>/dev/null; then
	rm -f mon.out
	(ulimit -s unlimited
	timeout "$HANG" "$MEMMON" --full-chains=$((frames - 1000)) -d 600000 \
		-o mon.out "$PROG/recurse" self $frames)
	is "$(totals mon.out)" '1 24 0 0' "$frames frames are folded"
	like "$(total mon.out 'cycles folded')" '^[1-9]' '... when there are many'
else
	skip 2 'the stack has a limit'
fi

# A folded path is longer than the call paths that it replaces, here up to 5
# times, and so longer than the limit of a call path.  The part that is kept
# fits nevertheless.
for limit in 21 22 24 100; do
	rm -f mon.out
	MEMMON_FULL_CHAINS=0 "$MEMMON" -d $limit -o mon.out \
		"$PROG/recurse" ladder 16
	is "$("$MPREDUCE" --export=folded mon.out |
		awk '{ n += $NF; odd += !/^main;/ } END { print n, odd + 0 }')" \
		"$((24 * 136)) 0" \
		"a limit of $limit: all bytes below main"
done

# A tree that isn't balanced, by recursive insertion: a call path for each node.
# The memory for them is bounded, and the file says that it is folded.
for n in 20000 80000; do
	rm -f mon.out
	"$MEMMON" -o mon.out "$PROG/recurse" insert $n
	size[n]=$(stat -c %s mon.out)
	own[n]=$(total mon.out "monitor's bytes")
	is "$(totals mon.out)" "$n $((24 * n)) 0 0" "a tree of $n nodes: all counted"
done
ok $((size[80000] > 100000)) "its file is small: ${size[80000]} bytes"
ok $((own[80000] > own[20000] + 24 * 60000 / 4 + (1 << 20))) \
	"four times the nodes: from ${own[20000]} to ${own[80000]} bytes of memory"
"$MPREDUCE" "$PROG/recurse" mon.out >report
like "$(cat report)" 'folded +[0-9]+ .cycles of calls' 'the prolog says that it is folded'
json() { "$MPREDUCE" --json mon.out | perl -I"$MEMMON_SRC/tests" -Mjson -0777 -ne '
	print join " ", map { $_ // "none" }
		@{decode_json($_)->{totals}}{qw(folded joined joined_ends)}'; }
like "$(json)" "^$(total mon.out 'cycles folded') [0-9]+ [0-9]+\$" \
	'so do the totals of --json'
"$MEMMON" --full-chains -o mon.out "$PROG/recurse" insert 9000
ok $(($(sites) < 8000)) "--full-chains: $(sites) call paths of 9000 nodes"
done_testing
