#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --export=heaptrack, read by heaptrack_print: allocations, peak, leaked bytes
# and temporary allocations are mpreduce's, in all and by call path.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/export.sh"
command -v heaptrack_print >/dev/null || skip_all "no heaptrack_print"
runs

# summary FILE: the lines at the end of heaptrack_print's output.
summary()
{
	heaptrack_print -p 0 -a 0 -T 0 -f "$1" 2>>err | sed -n '/^total runtime/,$p'
}

# stacks FILE COST: folded stacks of that.
stacks()
{
	heaptrack_print -p 0 -a 0 -T 0 -F folded.txt --flamegraph-cost-type "$2" \
		-f "$1" >/dev/null 2>>err
	cat folded.txt
}

# short BYTES: as heaptrack prints them.
short()
{
	awk -v n="$1" 'BEGIN {
		split("B K M G", unit, " ")
		i = 1
		while (n >= 1000 && i < 4) { n /= 1000; i++ }
		printf i == 1 ? "%dB" : "%.2f%s", n, unit[i] }'
}

for run in $RUNS; do
	figures "$run"
	export_to heaptrack "$run" || ok 1 "$run: written"
	summary "$run.heaptrack" >got
	like "$(cat got)" "calls to allocation functions: $(want allocs) " "$run: allocations"
	like "$(cat got)" "peak heap memory consumption: $(short "$(want peak)")"$'\n' "$run: peak"
	like "$(cat got)" "total memory leaked: $(short "$(want live)")"$ "$run: leaked"
	like "$(cat got)" "temporary memory allocations: $(want temps) " "$run: temporary ones"
	for pair in allocations:allocs leaked:live peak:peak temporary:temps; do
		is "$(stacks "$run.heaptrack" "${pair%:*}" |
			awk '{ n += $NF } END { printf "%d", n }')" \
			"$(want "${pair#*:}")" "$run: paths add up: ${pair%:*}"
	done
done
is "$(cat err)" "" "no line that heaptrack_print can't read"

# By path.
is "$(stacks widgets.heaptrack leaked | grep -v ' 0$')" \
	"main (widgets.c);make_red_widget (widgets.c);make_widget (widgets.c); 1023876" \
	"a leak's path"
is "$(stacks widgets.heaptrack peak | grep -c 'make_blue_widget.* 204$')" 1 \
	"what a path held at the peak"
heaptrack_print -l 1 -f widgets.heaptrack >text 2>/dev/null
line=$(grep -n 'make_widget(RED)' "$MEMMON_SRC/tests/prog/widgets.c" | cut -d: -f1)
like "$(cat text)" "make_red_widget"$'\n'" +at [^ ]*widgets.c:$line"$'\n'" +in [^ ]*widgets"$'\n' "lines and modules"
case $RUNS in
*boxes*)
	heaptrack_print -f boxes.heaptrack >text 2>/dev/null
	like "$(tr -s ' \n' '  ' <text)" "make<> at [^ ]*boxes.cc:[0-9]+ in [^ ]*boxes main at [^ ]*boxes.cc:[0-9]+ 500 calls" \
		"an inlined function"
	# The sizes are true where the data file contains sizes.
	heaptrack_print -H sizes.txt -f boxes.heaptrack >/dev/null 2>&1
	is "$(awk '$1 == 100 { print $2 }' sizes.txt)" 20 "the histogram of sizes" ||
		diag "$(cat sizes.txt)"
	;;
*) skip 2 "no accesses" ;;
esac

# A log has a line for each allocation: too many are refused at once.
"$MPREDUCE" -s widgets.out
"$MPREDUCE" --export=heaptrack -o sum.txt ./widgets mon.sum 2>err
is "$?: $(cat err)" "1: mpreduce: --export=heaptrack: this format has one run; give one data file" "of a sum"
[ ! -e sum.txt ]
ok $? "... nothing is written"
done_testing
