#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --fail-if: status 3 and a message when a limit is passed or can't be checked.
. "${MEMMON_SRC:-.}/tests/tap.sh"
make="$MEMMON_BUILD/tests/monmake"
mpreduce="$MEMMON_BUILD/mpreduce"
"$CC" -nostdlib -static -no-pie \
	-Wl,-Ttext=0x401000,-e,main,--build-id=none -o prog \
	"$MEMMON_SRC/tests/golden/prog.s" || echo "Bail out! prog"

# 12 allocations of 2148 bytes, 2 frees of 200, 3 reallocs; kept 1948 in 10.
cat >desc <<'EOF1'
run program /tmp/prog
run pid 5
run length 5000000000
run end exit
module p /tmp/prog exe at 0x400000 0x500000 0
chain red p:0x401008 p:0x401018
chain f p:0x401008 p:0x401048
alloc red 100 10 2 3
alloc f 574 2
total peak 500
total lost 6
total lost_bytes 70000
total failed 4
peak red 5 500
EOF1
cat desc - >checked.in <<'EOF1'
run leakcheck 4000000000
leak red lost 3:300 indirect 2:200 interior 1:100 reachable 2:200
EOF1
"$make" <desc >data
"$make" <checked.in >checked
{ cat desc; echo 'run leak_why too\smuch'; } | "$make" >why
{ sed 's/^run end .*/run end cut/' desc; echo 'run seen 7'; } | "$make" >killed
{ cat desc; echo "no-totals"; } | "$make" >short
{ cat desc; echo "run leakcheck 4000000000"; echo "alloc red 0 1"; echo "leak red lost 1:0"; } |
	"$make" >empty

# limit STATUS LIMIT FILE...: mpreduce's status with --fail-if, and its message
# without the beginning.
limit()
{
	local want=$1 limit=$2
	shift 2
	"$mpreduce" -L -b --fail-if="$limit" prog "$@" >out 2>err
	is "$?" "$want" "$limit of $*"
	says=$(sed -n 's/^mpreduce: --fail-if=[^:]*: //p' err)
	grep -q "Total bytes not freed\|Leak check\|Nothing leaked" out
	ok $? "$limit of $*: the table is there"
}
# pass, fail FILE NAME NUMBER: the figure is this number.
figure()
{
	limit 3 "$2>=$3" "$1"
	is "$says" "$4" "its message"
	limit 0 "$2>$3" "$1"
	limit 0 "$2<$3" "$1"
	limit 3 "$2<=$3" "$1"
	limit 3 "$2=$3" "$1"
	limit 3 "$2==$3" "$1"
	limit 0 "$2!=$3" "$1"
	limit 3 "$2 > $(($3 - 1))" "$1"
	limit 3 "$2<$(($3 + 1))" "$1"
}
# A percentage needs its base.
for one in "kept bytes" "peak_blocks allocs"; do
	set -- $one
	"$mpreduce" -L -b --fail-if="$1>10%" prog checked >out 2>err
	is "$?" 2 "$1>10%"
	like "$(cat err)" "and can't be compared with 10%: write 10% \* $2" \
		"... says what to write"
	"$mpreduce" -L -b --fail-if="$1 > 10% * $2" prog checked >out 2>err
	is "$?" 3 "... and that is taken"
done
figure checked lost 300 "lost is 300 bytes in 3 blocks"
figure checked lost.blocks 3 "lost is 300 bytes in 3 blocks"
for one in "lost.bytes 300" "indirect 200" "indirect.blocks 2" "interior 100" \
	"interior.blocks 1" "reachable 200" "leaked 500" "leaked.blocks 5" \
	"kept 1948" "kept.blocks 10" "peak 500" "peak.blocks 5" "bytes 2148" \
	"allocs 12" "frees 2" "reallocs 3" "refused 4" "unrecorded 6" \
	"unrecorded.bytes 70000" "cut 0" "incomplete 0"; do
	read -r name number <<<"$one"
	limit 3 "$name=$number" checked
	limit 0 "$name>$number" checked
	limit 0 "$name<$number" checked
done
limit 3 "kept.blocks>9" checked
is "$says" "kept is 1948 bytes in 10 blocks" "message of kept"
limit 3 "peak>499" checked
is "$says" "peak is 500" "message of the peak"
limit 0 "unrecorded.bytes>69K" checked
limit 0 "unrecorded.bytes>69k" checked
limit 3 "unrecorded.bytes>68K" checked
limit 0 "peak>1M" checked
limit 0 "peak>1T" checked
limit 3 "peak<1G" checked
limit 3 "allocs>11" checked
is "$says" "allocs is 12" "message of allocs"
limit 3 "unrecorded>0" checked
is "$says" "unrecorded is 70000 bytes in 6 blocks" "message of unrecorded"

# A block of 0 bytes.
limit 3 "lost>0" empty
is "$says" "lost is 0 bytes in 1 block" "a block of no bytes is lost"
limit 0 "lost.bytes>0" empty
limit 0 "lost>1" empty
limit 3 "lost > 0 && allocs > 0" empty
limit 0 "lost.bytes > 0 && allocs > 0" empty

# Not known.
limit 3 "lost>0" data
is "$says" "lost is unknown: the run had no leak check" "no leak check"
limit 3 "lost<1" data
limit 3 "reachable>1G" data
limit 3 "lost>0" why
is "$says" "lost is unknown: too much" "no leak check, and why"
limit 0 "kept>2000" data
limit 3 "lost>1k" checked data
is "$says" "lost is unknown: some of the runs had no leak check" "of one of two"
limit 3 "lost>299" checked data
is "$says" "lost is 300 bytes in 3 blocks" "passed by one of two"
limit 3 "kept>1M" short
is "$says" "kept is unknown: a data file is truncated" "a file cut short"
limit 3 "kept>1000" short
is "$says" "kept is 1948 bytes in 10 blocks" "as much is there at least"
limit 3 "kept > 1000 && allocs > 0" short
is "$says" "kept is unknown, allocs is unknown" "and so in an expression"
limit 3 "incomplete>0" short
is "$says" "incomplete is 1" "how many files are cut short"
limit 3 "cut>0" killed
is "$says" "cut is 1" "a process that was killed"
limit 3 "kept>1M" data nothing
is "$says" "kept is unknown: a data file could not be read" "a file isn't there"

# Several files, and a sum of them.
limit 3 "kept=3896" checked checked
limit 3 "lost.blocks=6" checked checked
limit 3 "cut=1" killed data
"$mpreduce" -s killed data
limit 3 "cut>0" mon.sum
is "$says" "cut is unknown: a sum does not record how its processes ended" "of a sum"
limit 3 "kept=3896" mon.sum
rm mon.sum
"$mpreduce" -s --fail-if='kept>1' prog data data >out 2>err
is "$?" 3 "-s with a limit"
[ -s mon.sum ] && [ ! -s out ]
ok $? "writes the sum, and no tables"

# Several limits.
"$mpreduce" -L -b --fail-if='kept>1' --fail-if='kept>1M' --fail-if='allocs>1' prog data >out 2>err
is "$?" 3 "one of several"
is "$(grep -c fail-if err)" 2 "each that is passed has its line"
"$mpreduce" --json --fail-if='kept>1' prog data >out 2>err
is "$?" 3 "with JSON"
ok $(($(grep -c '"schema"' out) != 1)) "which is printed"

# Expressions: of the figures, and of rows: main > make_red_widget has kept 800
# in 8, main > F 1148 in 2.
limit 3 "kept > 1K && allocs < 13" checked
is "$says" "kept is 1948 bytes in 10 blocks, allocs is 12" \
	"all figures are said"
limit 0 "kept > 1K && allocs < 12" checked
limit 3 "kept / allocs > 162 || 1 > 2" checked
limit 0 "kept / allocs > 163 || 1 > 2" checked
limit 3 "leaked == lost + indirect" checked
limit 3 "leaked.blocks * 100 == lost + indirect" checked
limit 3 "(lost > 0 || kept > 1M)" data
is "$says" "lost is unknown: the run had no leak check" "one isn't known"
limit 3 "(lost > 0 || kept > 1)" data
is "$says" "lost is unknown, kept is 1948 bytes in 10 blocks" \
	"which doesn't matter"
limit 3 "any(kept > 1000)" checked
is "$says" "any(kept > 1000) is true (main > F)" "which row"
limit 0 "any(kept > 1948)" checked
limit 0 "all(kept > 800)" checked
limit 3 "all(allocs > 0)" checked
limit 3 "count(allocs > 0) == 2" checked
is "$says" "count(allocs > 0) is 2" "how many"
limit 0 "count(kept > 800) > 1" checked
limit 3 "sum(bytes) == bytes" checked
is "$says" "sum(bytes) is 2148, bytes is 2148" "a sum"
limit 3 "sum(bytes, function == 'F') == 1148" checked
limit 3 "min(bytes) == 1000 && max(bytes) == 1148" checked
limit 0 "sum(bytes, allocs > 99) > 0" checked
limit 3 "any(leaked >= 500 && site ~ 'red')" checked
limit 3 "any(leaked > 0)" data
is "$says" "leaked is unknown: no row has one value" \
	"what no row has"
limit 3 "any(kept > 1M)" short
is "$says" "it is unknown: a data file is truncated" "rows may be missing"
limit 3 "any(kept > 1000)" short
"$mpreduce" -b --group-by=function --where="function == 'F'" \
	--fail-if="count(allocs > 0) == 1" prog checked >out 2>err
is "$?" 3 "rows are those of the query"
grep -q "Blocks by Function" out
ok $? "which is printed"
for bad in "any(kept)" "kept + 1 && 1 > 2" "sum(bytes" "any(kep > 1)" "foo(kept > 1)" \
	"'a' == 'b' && kept" "(kept > life)"; do
	"$mpreduce" --fail-if="$bad" prog data >out 2>err
	is "$?" 2 "--fail-if=$bad"
	is "$(sed -n '1s/: [^:]*$//p; 3p' err | tr -d ' ')" "mpreduce:--fail-if
^" "a caret"
done

# Wrong ones.
"$mpreduce" --fail-if= prog data >out 2>err
is "$? $(cut -c -40 err)" "2 mpreduce: --fail-if=: no limit; give one" "--fail-if="
"$mpreduce" --fail-if='kept>1 || kept.blocks>1' prog data >out 2>err
is "$(grep -o 'kept is .*' err | grep -c ,)" 0 "bytes and blocks of a figure are said once"
for bad in lost "lost>" "lost>x" "lost > 3.5 MB" "lost>0,peak>1" "lost>0 or kept>1" "lost>-1" "lost>1Q" "lost>1kk" "lost>>1" "loss>0" \
	"lost.block>0" "allocs.blocks>0" "lost.>0" "lost>99999999999999999999" \
	"lost>99999999999999999T" ">0" "lost>1 2"; do
	"$mpreduce" --fail-if="$bad" prog data >out 2>err
	is "$?" 2 "--fail-if=$bad"
	is "$(sed -n '1s/: [^:]*$//p; 3p' err | tr -d ' ')" "mpreduce:--fail-if
^" "its message has a caret"
done
for option in -i --file-info=list; do
	"$mpreduce" $option --fail-if='lost>0' data >out 2>err
	is "$?" 2 "not with $option"
done
done_testing
