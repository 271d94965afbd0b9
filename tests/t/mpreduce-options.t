#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The command line of mpreduce: each option does what mpreduce(1) says, wrong
# ones end with status 2, bad input with 1, and mpreduce notices output that
# can't be written.
. "${MEMMON_SRC:-.}/tests/tap.sh"
golden=$MEMMON_SRC/tests/golden
mpreduce=$MEMMON_BUILD/mpreduce

"$CC" -nostdlib -static -no-pie \
	-Wl,-Ttext=0x401000,-e,main,--build-id=none -o prog "$golden/prog.s"
for name in widgets half threads classes pool; do
	"$MEMMON_BUILD/tests/monmake" <"$golden/$name.in" >"$name.mon"
done

# run STATUS OPTION...: its output is in out, its messages in err.
run()
{
	local status=$1
	shift
	"$mpreduce" "$@" >out 2>err
	is "$?" "$status" "status of mpreduce $*"
}

# same NAME WANT OPTION...: the command lines WANT and OPTION... have the same
# output.
same()
{
	local name=$1 want=$2
	shift 2
	# shellcheck disable=SC2086
	"$mpreduce" $want >want 2>/dev/null
	"$mpreduce" "$@" >out 2>/dev/null
	[ -s out ] && cmp -s out want
	ok $? "$name"
}

# The rest of --help is compared with the manual by man.t.
"$mpreduce" --help >help
ok $? "--help"
is "$(awk 'length > 80' help)" "" "--help fits 80 columns"
[ "$(wc -l <help)" -le 96 ]
ok $? "and is two screens"
is "$("$mpreduce" -h)" "$(cat help)" "-h"
[ "$("$mpreduce" --help=list | wc -l)" -le 63 ]
ok $? "at most 63 options"
"$mpreduce" --peaks >out 2>err
is "$? $(sed -n 2p err)" "2 mpreduce: do you mean --peak?" "an option that is none"
"$mpreduce" --zzzzz >out 2>err
is "$(grep -c 'do you mean' err)" 0 "... and one that is like none"
run 0 --version
like "$(cat out)" '^mpreduce .* [0-9]+\.[0-9]+\.[0-9]+$' "--version"
same "-v" --version -v

# Which tables.
tables()
{
	grep -oE '^--.* (Profile|Leaks|types|Types|Allocation Table|Threads|Peak|Path|Function) |^index' \
		out | awk '{ print $(NF) }' | tr '\n' ' '
}
run 0 prog widgets.mon
is "$(tables)" "Profile Leaks Types Table index " "all tables, in order"
is "$(grep -c $'^\f$' out)" 4 "form feeds between them"
is "$(awk '/^\f$/ && last == "" { n++ } { last = $0 } END { print n }' out)" 4 \
	"blank lines before these"
is "$(grep -cE ' +$' out)" 0 "no blanks at the ends of lines"
run 0 -L prog widgets.mon
is "$(tables)" "Leaks " "-L"
run 0 -LB prog widgets.mon
is "$(tables)" "Leaks Types " "-L and -B"
run 0 --prolog --leaks prog widgets.mon
is "$(tables)" "Profile Leaks " "--prolog and another"
run 0 -p -q prog widgets.mon
is "$(tables)" "Table index " "-p and -q"
run 0 --peak prog pool.mon
is "$(tables)" "Peak " "--peak"
run 0 --lifetimes prog pool.mon
is "$(tables)" "Path Function " "--lifetimes"
run 0 --threads prog pool.mon
is "$(tables)" "Threads " "--threads"
run 0 -q -p -B --lifetimes --peak -L --threads prog pool.mon
is "$(tables)" "Threads Leaks Peak Path Function Types Table index " \
	"all of them, in order"
run 0 prog pool.mon
is "$(tables)" "Profile Leaks Types Table index " "none of these by default"
same "--peak before -L" "-L --peak prog pool.mon" --peak -L prog pool.mon
same "the last --peak counts" "--peak=2 prog pool.mon" --peak=3 --peak=2 \
	prog pool.mon
same "--leaks" "-L prog widgets.mon" --leaks prog widgets.mon
same "--bins" "-B prog widgets.mon" --bins prog widgets.mon
same "--flat-profile" "-p prog widgets.mon" --flat-profile prog widgets.mon
same "--graph" "-q prog widgets.mon" --graph prog widgets.mon
same "--brief" "-b prog widgets.mon" --brief prog widgets.mon
same "short for a long option" "--verbose prog classes.mon" \
	--verb prog classes.mon
same "--verbose=usual is the default" "prog classes.mon" \
	--verbose=usual prog classes.mon
same "the last of them counts" "--verbose=no prog classes.mon" \
	--verbose --verbose=no prog classes.mon
same "--names=mangled" "--names=mangled prog widgets.mon" \
	--names=mangled prog widgets.mon
same "options after operands" "-L prog widgets.mon" prog -L widgets.mon
same "--wrapper twice" "--wrapper=make* -p prog widgets.mon" \
	-p --wrapper='make_w*' --wrapper='make_[br]*' prog widgets.mon
same "--wrapper=none" "-p prog widgets.mon" --wrapper=none -p prog widgets.mon
COLUMNS=40 run 0 -b -q prog widgets.mon
is "$(sed -n '/^Index/,$p' out | wc -l)" 6 "fewer COLUMNS make one column of three"
run 0 -b -L --depth=1 prog widgets.mon
like "$(cat out)" '\.\.\.> make_widget$' "--depth=1"
run 0 -b -L --depth=all prog widgets.mon
like "$(cat out)" '\|\| > main > make_red_widget > make_widget$' "--depth=all"
run 0 -b -L --paths=offsets prog widgets.mon
like "$(cat out)" '> make_red_widget\+0x8' "--paths=offsets"

run 0 -b --peak=1 prog pool.mon
is "$(grep -c '> ' out)" 1 "--peak=1"
like "$(cat out)" '1 +\(5 others\)|135 +\(5 others\)$' "... and what is left"
run 0 -b --peak=6 prog pool.mon
is "$(grep -c '> ' out)" 6 "--peak=6: all"
run 0 -b --peak prog pool.mon
is "$(grep -c '> ' out)" 4 "--peak: those that held 0.5 %"
run 0 -b --peak --verbose=no prog pool.mon
is "$(grep -c '> ' out)" 3 "--verbose=no: those that held 1 %"
run 0 -b --peak --verbose prog pool.mon
is "$(grep -c '> ' out)" 6 "--verbose: all"
run 0 -b --peak --depth=1 prog pool.mon
like "$(cat out)" ' 2080 +130 +\.\.\.> node_new' "--depth=1 at the peak"
run 0 -b --peak --paths=offsets prog pool.mon
like "$(cat out)" ' 64000 +1000 +\|\| > worker\+0x8 > make_widget\+0x8' \
	"--paths=offsets at the peak"
run 0 -b --lifetimes=1 prog pool.mon
is "$(grep -c '> ' out)" 1 "--lifetimes=1: a path"
is "$(grep -c '[0-9] * make_widget$' out)" 1 "... and a function"
run 0 -b --lifetimes --depth=2 --verbose prog pool.mon
like "$(cat out)" ' 1040 +930 +43 .*\.\.\.> list_add > node_new' \
	"--depth=2 of the lifetimes"
run 0 -b --threads --names=8 prog pool.mon
like "$(cat out)" ' po\.\.\.ker' "--name-width of threads"

# Symbols.
run 0 -b -pmake_widget prog widgets.mon
is "$(grep -c ' make_' out)" 1 "-pmake_widget"
run 0 -b -qmake_widget prog widgets.mon
is "$(grep -c '^\[' out)" 1 "-qmake_widget"
for option in -p -q --flat-profile= --graph=; do
	run 1 "${option}nobody" prog widgets.mon
	like "$(cat err)" "^mpreduce: .*nobody" "$option: a message"
done

# Operands.
cp prog a.out
cp widgets.mon mon.out
same "a.out and mon.out" "-L prog widgets.mon" -L
same "mon.out" "-L prog widgets.mon" -L prog
rm a.out
run 0 -L widgets.mon
like "$(cat out)" '> \[widgets\+0x401038\]' "data files alone: the program recorded"
run 0 -L widgets.mon half.mon
like "$(cat out)" ' 1535916 ' "several of them"
run 0 -L
like "$(cat out)" '> \[widgets\+0x401038\]' "no a.out: the program recorded"

# Sums.
run 0 -s prog widgets.mon half.mon
is "$(cat out)" "" "-s prints no table"
same "mon.sum has the sum" "-LBbp -q prog widgets.mon half.mon" \
	-LBbp -q prog mon.sum
run 0 -s prog pool.mon pool.mon
is "$(cat out)" "" "-s of files with all there is"
same "mon.sum has all of that, too" \
	"--threads --peak=3 --lifetimes -LBp -q prog pool.mon pool.mon" \
	--threads --peak=3 --lifetimes -LBp -q prog mon.sum
run 0 -s --peak prog pool.mon
is "$(tables)" "Peak " "-s with --peak prints the peak"
run 0 -s -L prog widgets.mon
is "$(tables)" "Leaks " "-s with -L prints the leaks"
rm mon.sum
run 0 --sum prog widgets.mon
[ -s mon.sum ]
ok $? "--sum"
run 0 -i prog widgets.mon
[ -s out ]
ok $? "-i"
same "--file-info" "-i prog widgets.mon" --file-info prog widgets.mon

# Wrong options and values.
for bad in -X --nothing --depth=0 --depth=x --depth= --depth=-1 -w0 -wx \
	--names=7 --bins=some --names=klingon --peak=0 --peak=x --peak= \
	--lifetimes=0 --lifetimes=-1 --threads=1 --depth; do
	run 2 $bad prog widgets.mon
	is "$(cat out)" "" "$bad: nothing on standard output"
	like "$(cat err)" 'mpreduce: .*usage: mpreduce' "$bad: messages"
done
run 1 prog nosuch.mon
like "$(cat err)" '^mpreduce: .*nosuch\.mon' "no such data file"
for bad in nosuch.mon prog /dev/null; do
	"$mpreduce" prog $bad --at=x --only=size:1 -pnobody
	"$mpreduce" -pnobody prog widgets.mon
	"$mpreduce" --fail-if=kept prog $bad
	"$mpreduce" --at=1y prog widgets.mon
	"$mpreduce" --diff
done >out 2>err
[ "$(grep -c '^mpreduce: ' err)" -ge 15 ]
ok $? "messages of several kinds"
is "$(awk 'length > 120' err)" "" "... of at most 120 columns"
run 1 prog prog
like "$(cat err)" '^mpreduce: ' "no data file at all"
: >empty
run 1 prog empty
like "$(cat err)" '^mpreduce: .*empty' "an empty data file"
if [ -c /dev/full ]; then
	for option in -b --json -i --help; do
		"$mpreduce" $option prog widgets.mon 2>err >/dev/full
		is "$?" 1 "status with a full disk and $option"
		like "$(cat err)" 'standard output: No space left' \
			"message with a full disk and $option"
	done
else
	skip 8 "no /dev/full"
fi
for option in -b --json; do
	# A pipe that had a reader.
	[ -p fifo ] || mkfifo fifo
	(trap '' PIPE; "$mpreduce" $option prog widgets.mon 2>err >&4) \
		3<>fifo 4>fifo 3<&-
	is "$?" 1 "status when nobody reads $option"
	is "$(grep -v 'no debug information' err)" "" "and no message"
done
# Options that can't apply to the output get a message, and aren't dropped.
# apart "NAME" "MODE" OPTION...
apart()
{
	local name=$1 mode=$2
	shift 2
	run 2 "$@" prog widgets.mon threads.mon
	is "$(head -n 1 err)$(cat out)" \
		"mpreduce: $name doesn't go with $mode; leave one of them out" "$*"
}
query="a query (--where, --group-by, --columns)"
apart "$query" --diff --diff --where='size > 1'
apart --export --diff --diff --export=pprof
apart "a table" --diff --diff --timeline
apart "a table" --watch --watch --leaks
apart "another time" --watch --watch --at=peak
apart --html --watch --watch --html=x.html
apart --html "$query" --group-by=type --html=x.html
apart "a table" "$query" --group-by=type --timeline
apart "a table" --export --export=folded -B
apart --fail-if --diff --diff --fail-if='kept>0'
apart --fail-if --file-info=list --file-info=list --fail-if='kept>0'
is "$(ls x.html 2>/dev/null)" "" "and nothing is written"
run 0 -b -L --top=1 prog classes.mon
is "$(grep -c '> ' out) $(grep -c '^left out: .*(--top)$' out)" "1 1" "-L --top=1"
same "--peak=2 as --top" "--peak=2 prog pool.mon" --peak --top=2 prog pool.mon
# Names and letters of options of 0.1: one line says which option to type
# instead.
for name in flat=main no-graph normal terse human name-width=40 leak-kinds=all \
	chunks type=node tau=3; do
	run 2 "--$name" prog widgets.mon
	like "$(head -n 1 err)" "^mpreduce: --$name: the option is (now -|gone; )" \
		"--$name"
done
for name in -P -Qmain -w80 -z; do
	run 2 $name prog widgets.mon
	like "$(head -n 1 err)" "^mpreduce: ${name:0:2}: the option is (now -|gone; )" \
		"$name"
done
# A value of one option is a row of its own.
run 2 --only=colour:red prog widgets.mon
like "$(cat err)" 'the values are type, thread, size and library' "--only=colour"
run 2 --only=size prog widgets.mon
like "$(cat err)" 'as in --only=size:A[.][.]B' "--only=size"
run 2 --units=human:1 prog widgets.mon
like "$(cat err)" 'nothing can follow' "--units=human:1"
same "several values" "--paths=frames --paths=offsets -L prog widgets.mon" \
	--paths=frames,offsets -L prog widgets.mon
same "words of mprof 3.0" "--verbose=no prog classes.mon" -terse prog classes.mon

done_testing
