#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --export=folded: the input of flame graphs adds up, and has the form that its
# readers need.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/export.sh"
runs

# flames FILE: reads it in flamegraph.pl's way: the number follows the last
# blank, semicolons separate the frames.  Prints the sum, and the sum below each
# root.
flames()
{
	perl -ne '
		chomp;
		my ($stack, $n) = /^(.*)\s+?(\d+(?:\.\d*)?)$/ or die "line: $_\n";
		die "two numbers: $_\n" if $stack =~ /\s\d+(\.\d*)?$/;
		my @frames = split /;/, $stack, -1;
		die "empty frame: $_\n" if !@frames || grep { !length } @frames;
		$all += $n; $root{$frames[0]} += $n;
		END { print "all $all\n";
		      print "$_ $root{$_}\n" for sort keys %root }' "$@"
}

what()
{
	"$MPREDUCE" --export=list | sed -n 's/^METRIC is one of: //p'
}
is "$(what)" "$METRICS" "the metrics, as --export=list has them"

for run in $RUNS; do
	figures "$run"
	for metric in $METRICS; do
		if ! knows $metric; then
			export_to folded:$metric "$run" 2>err
			is "$?" 1 "$run: $metric isn't known"
			like "$(cat err)" "^mpreduce: --export=folded:$metric: (accesses|mpreduce --memory=pins) " "... why"
			[ ! -e "$run.folded" ]
			ok $? "... and there is no file"
			continue
		fi
		export_to folded:$metric "$run"
		flames "$run.folded" >got
		is "$(sed -n 's/^all //p' got | sed 's/^$/0/')" \
			"$(want $metric)" "$run: folded: $metric"
		rm -f "$run.folded"
	done
done

is "$("$MPREDUCE" --export=folded ./widgets widgets.out)" \
"main;make_red_widget;make_widget 1023876
main;make_blue_widget;make_widget 1016124" "folded, as a whole"
is "$("$MPREDUCE" --export=folded ./parse parse.out | flames | sed -n 's/^main //p')" 360 \
	"recursion: all below main"
is "$("$MPREDUCE" --export=folded ./crew crew.out | grep '^hand;make ')" "hand;make 910000" \
	"threads have no main"
# Names that would be something else there.
cat >odd.c <<'C'
#include <stdlib.h>
void *one(void) __asm__("semi;colon 12");
__attribute__((noinline)) void *one(void) { return malloc(77); }
int main(void) { static void *volatile p; p = one(); return !p; }
C
if "$CC" -g -O0 odd.c -o odd 2>/dev/null && "$MEMMON" -o odd.out ./odd; then
	is "$("$MPREDUCE" --export=folded ./odd odd.out)" "main;semi:colon_12 77" \
		"a semicolon and a number in a name" ||
		"$MPREDUCE" --export=folded ./odd odd.out | flames
else
	skip 1 "such names can't be"
fi
# Lines, when they are asked for.
like "$("$MPREDUCE" -l --export=folded ./widgets widgets.out)" \
	"^main [(]widgets.c:[0-9]+[)];make_red_widget [(]widgets.c:[0-9]+[)];make_widget [(]widgets.c:[0-9]+[)] 1023876" "-l"
done_testing
