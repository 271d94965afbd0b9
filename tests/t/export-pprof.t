#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --export=pprof, read by go tool pprof: each sample type has mpreduce's sum,
# functions have mpreduce's bytes, and pprof looks up no names again.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/export.sh"
export HOME=$T PPROF_TMPDIR=$T GOFLAGS= GOPATH=$T/go GOCACHE=$T/cache
go tool -n pprof >/dev/null 2>&1 || skip_all "no go tool pprof"
pprof()
{
	go tool pprof "$@" 2>err
}
runs

# values FILE: a line "TYPE SUM" for each sample type.
values()
{
	pprof -raw "$1" | awk '
		/^Samples:/ { head = 1; next }
		head == 1 { n = split($0, type, " "); head = 2; next }
		/^Locations/ { exit }
		head == 2 && /^ *[0-9][0-9 ]*:/ {
			split($0, v, " ")
			for (i = 1; i <= n; i++) {
				sub(/:.*/, "", v[i])
				sum[i] += v[i]
			}
		}
		END { for (i = 1; i <= n; i++) {
			sub(/\/.*/, "", type[i]); printf "%s %d\n", type[i], sum[i] } }'
}

for run in $RUNS; do
	figures "$run"
	export_to pprof "$run" || ok 1 "$run: written"
	mv "$run" gone # its names must be in the profile
	values "$run.pprof" >got
	mv gone "$run"
	: >want
	for pair in allocs:alloc_objects bytes:alloc_space \
		kept-blocks:inuse_objects kept:inuse_space \
		peak-blocks:peak_objects peak:peak_space reads:reads writes:writes; do
		knows "${pair%:*}" || continue
		echo "${pair#*:} $(want "${pair%:*}")" >>want
	done
	is_file got want "$run: sums of the samples"
	export_to pprof "$run" && cp "$run.pprof" first && export_to pprof "$run"
	is_file "$run.pprof" first "$run: the same each time"
done
is "$(echo "$RUNS" | grep -c boxes)" 1 "accesses were among these" ||
	diag "no plugin for $CXX"

# pprof's own table.
mv widgets gone
pprof -top -unit=bytes -sample_index=alloc_space widgets.pprof >top
mv gone widgets
like "$(cat top)" "100% of 2040000B total" "-top: all"
like "$(cat top)" "2040000B +100% +100% +2040000B +100% +make_widget" "-top: make_widget"
like "$(cat top)" "0 +0% +100% +1016124B 49[.]81% +make_blue_widget" "-top: make_blue_widget"
like "$(cat top)" "^File: widgets"$'\n'"Build ID: [0-9a-f]{40}" "-top: program and build-id"
like "$(pprof -top widgets.pprof)" "Type: inuse_space" "inuse_space is what is shown first"
pprof -peek make_widget -sample_index=alloc_objects widgets.pprof >peek
like "$(cat peek)" "5019 50[.]19% +[|] +make_red_widget" "-peek: a caller"
like "$(cat peek)" "4981 49[.]81% +[|] +make_blue_widget" "-peek: and the other"
pprof -traces -sample_index=alloc_space -unit=bytes widgets.pprof |
	tr -s ' \n' '  ' >traces
like "$(cat traces)" "type: struct widget thread: widgets bytes: 204B 1023876B make_widget make_red_widget main" "-traces"
line=$(grep -n 'make_widget(RED)' "$MEMMON_SRC/tests/prog/widgets.c" | cut -d: -f1)
like "$(pprof -raw widgets.pprof)" "make_red_widget [^ ]*widgets[.]c:$line " "lines are those of the calls"
pprof -tags -unit=bytes -sample_index=alloc_space crew.pprof >tags
for n in 1 2 3 4 5 6; do
	like "$(tr -s '\n' ';' <tags)" " $((n * n * 10000))[.]0B [^;]*: hand $n;" "thread hand $n"
done
case $RUNS in
*boxes*)
	pprof -traces -sample_index=alloc_objects boxes.pprof >traces
	like "$(tr -s ' \n' '  ' <traces)" " 500 make (<box> )?[(]inline[)] main " \
		"inlined functions are lines of one place"
	;;
*) skip 1 "no accesses" ;;
esac
like "$(pprof -top -sample_index=alloc_space stairs.pprof)" "100% +[^ ]+ +100% +stair"$'\n' "recursion"

# Not on a terminal.
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
	script -qec "'$MPREDUCE' --export=pprof ./widgets widgets.out" /dev/null \
		</dev/null >tty.txt
	like "$(cat tty.txt)" "this format is binary; write it to a file with -o" "refused on a terminal"
	is "$(grep -c make_widget tty.txt)" 0 "... without a byte of it"
else
	skip 2 "no script that makes terminals"
fi
done_testing
