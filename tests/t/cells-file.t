#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# mpreduce's tables of counts by thread and size, of types and of the first word
# of blocks: parts that add up, impossible counts, sums of several files.
. "${MEMMON_SRC:-.}/tests/tap.sh"
make=$MEMMON_BUILD/tests/monmake
dump=$MEMMON_BUILD/tests/celldump
mpreduce=$MEMMON_BUILD/mpreduce

cat >base <<'E'
module app /nonexistent/app exe id 0102
module lib /nonexistent/lib.so id 0a
chain a app:0x10 app:0x20
chain b app:0x10 app:0x30
chain t app:0x10 app:0x20 -:0x4000000000000001
alloc a 16 10 4
alloc a 24 3 1
alloc a 3000 2 1
alloc b 40 7 7
alloc t 16 2 1
peak a 3 48
peak t 1 16
thread one flags 1 threads 1 allocs 20 bytes 100
thread two threads 1 allocs 20 bytes 100
type foo 16
E
cat >cells <<'E'
cell b 2 40 7 3
cell b 0 40 0 4
cell a 1 16 6 2 peak 5
cell a 2 16 4 2 peak -3 looked 2 slack 16
cell a 0 24 3 1 peak -1
cell a 1 24 0 0 peak 2
cell a 2 x 2 1 bytes 6000 freed 3000 peak 0 peak_bytes -8
cell t 1 16 1 1 peak 1
cell t 1 16 1 0
E
cat >vtables <<'E'
vtable b lib 0x10 1 40
vtable a app 0x4000 2 32
vtable a app 0x4000 1 16
vtable a lib 0x20 1 24
E

# made NAME LINES...: makes the file NAME of base and more lines; prints
# mpreduce's reading of it.
made()
{
	local name=$1
	shift
	printf '%s\n' "$@" | cat base - | "$make" >"$name" || return 1
	"$dump" "$name" 2>"$name.err"
}

is "$(made whole "$(cat cells vtables)" | grep -v differ)" "known 1 0 1
cell 0 one 16 6 96 2 32 5 80 0 0
cell 0 two 16 4 64 2 32 -3 -48 2 16
cell 0 ? 24 3 72 1 24 -1 -24 0 0
cell 0 one 24 0 0 0 0 2 48 0 0
cell 0 two x 2 6000 1 3000 0 -8 0 0
cell 1 ? 40 7 280 7 280 0 0 0 0
cell 2 one 16 2 32 1 16 1 16 0 0
vtable 0 app 4000 3 48
vtable 0 lib.so 20 1 24
vtable 1 lib.so 10 1 40
type 2 16 foo" "in order, each once; what can't be a thread's is nobody's"
is "$(cat whole.err)" "" "... nothing is wrong with it"
is "$(made again "$(sort -r cells)" | grep cell)" \
	"$("$dump" whole | grep cell)" "... in whatever order they come"

"$mpreduce" -i whole >info
for line in "14 allocations by call path and thread" \
	"22 allocations by call path and size" "2 blocks with usable size known" \
	"16 bytes rounded up in these" "5 blocks begun with an address" \
	"1 types given by the program"; do
	grep -qx " *${line/ /  }" info
	ok $? "-i: $line"
done
is "$(sed -n 's/^ *1  *\([0-9]*\) .*  \(types\|cells\|vtables\)$/\1 \2/p' info |
	tr '\n' ' ')" "1 types 9 cells 4 vtables " "... records"

# Frees that were counted with any size, as there was no cell for theirs.
is "$(made cancel 'cell a 1 16 10 4 peak 3' 'cell a 1 24 3 1' \
	'cell a 0 24 0 -1' 'cell a 0 s 0 1 bytes 0 freed 24' \
	'cell a 1 3000 2 1' 'cell b 1 40 7 7' 'cell t 2 16 2 1 peak 1' |
	grep '^cell 0\|known')" "known 1 1 0
cell 0 one 16 10 160 4 64 3 48 0 0
cell 0 one 24 3 72 1 24 0 0 0 0
cell 0 one 3000 2 6000 1 3000 0 0 0 0" "frees of one size counted with any"
# A file that was written while threads ran: by size the counts differ, together
# they agree, by chance.  No free goes to another size.
is "$(made chance 'chain c app:0x10 app:0x40' 'alloc c 12 10 5' \
	'alloc c 13 10 5' 'alloc c 14 10 5' "$(cat cells)" 'cell c 1 12 10 3' \
	'cell c 0 12 0 2' 'cell c 1 13 10 9' 'cell c 0 13 0 -4' \
	'cell c 1 14 10 3' 'cell c 0 14 0 2' | grep '^cell 3\|known\|differ')" \
	"known 1 0 0
cell 3 ? 12 10 120 5 60 0 0 0 0
cell 3 ? 13 10 130 5 65 0 0 0 0
cell 3 ? 14 10 140 5 70 0 0 0 0" "sizes whose differences add up to nothing"
is "$(made other 'cell a 1 16 10 6 peak 3' 'cell a 1 24 3 0' \
	'cell a 0 24 0 -1' 'cell a 2 3000 2 1' 'cell b 1 40 7 7' \
	'cell t 2 16 2 1 peak 1' | grep '^cell 0\|known')" "known 0 0 0" \
	"another sum: none of the table"
like "$(cat other.err)" "don't add up" "... and a warning"
is "$(made class 'cell a 1 16 10 6 peak 3' 'cell a 1 24 3 0' \
	'cell a 0 24 0 -2' 'cell a 0 s 0 1 bytes 0 freed 40' \
	'cell a 2 3000 2 1' 'cell b 1 40 7 7' 'cell t 2 16 2 1 peak 1' |
	grep '^cell 0\|known')" "known 1 0 0
cell 0 ? s 13 232 5 88 3 48 0 0
cell 0 two 3000 2 6000 1 3000 0 0 0 0" "sizes that make no sense: their class"

# Counts that are impossible.
bad()
{
	local name=$1
	shift
	is "$(made bad "$@" | grep 'known\|cell')" "known 0 0 0" "$name"
	is "$("$mpreduce" -i bad | sed -n 's/^ *\([0-9]*\)  allocations$/\1/p')" 24 \
		"... and the rest is as it is"
}
less=$(sed '1,2d' cells)
bad "a site without cells" "$less"
bad "one that has too much" "$(cat cells)" 'cell b 1 40 1 0'
bad "less than nothing" "$less" 'cell b 1 40 8 7' 'cell b 2 48 -1 0'
bad "bytes beyond 64 bits" "$less" 'cell b 1 5000000000000000000 7 7'
bad "counts that wrap" "$less" 'cell b 1 40 7 7' \
	'cell b 2 48 9223372036854775807 0' 'cell b 2 56 9223372036854775807 0' \
	'cell b 1 64 2 0'
bad "another peak" "$(cat cells)" 'cell b 1 40 0 0 peak 1'
bad "peaks beyond 64 bits" "$(cat cells)" \
	'cell a 1 25 0 0 peak 4611686018427387904' \
	'cell a 1 26 0 0 peak -4611686018427387904'
bad "slack beyond 64 bits" "$(cat cells)" \
	'cell b 2 40 0 0 looked 1 slack 9223372036854775807' \
	'cell a 2 16 0 0 looked 1 slack 9223372036854775807'
made lost "$(cat cells)" 'cell @9 1 16 1 1' 'vtable @9 app 1 1 8' >out
is "$(head -n 1 out)" "known 1 0 0" "of sites that aren't there"
like "$(cat lost.err)" "9 of 10 cells, 0 of 1 vtables" "... missing"
made nobody "$(awk '{ $3 = $3 ? $3 + 8 : 0; print }' cells)" >out
is "$(head -n 1 out) $(grep -vc ' ? \|known\|type\|differ' out)" "known 1 0 0 0" \
	"of threads that aren't there: nobody's"
# THREADS loses an item: the other items keep their threads.
{
	sed 's/^thread one.*/thread one threads 0/' base
	cat cells
} | "$make" >lost
is "$("$dump" lost 2>/dev/null | sed -n 2,3p)" "cell 0 ? 16 6 96 2 32 5 80 0 0
cell 0 two 16 4 64 2 32 -3 -48 2 16" "an item of threads is left out"
for v in 'vtable a app 0 16 200' 'vtable a app 0 0 8' 'vtable a app 0 9 8' \
	'vtable a - 0 1 8'; do
	made bad "$(cat cells)" "$v" >out
	is "$(grep -c '^vtable\|known 1' out) $(grep -c impossible bad.err)" \
		"1 1" "impossible: $v"
done
made bad "$(cat cells)" 'vtable a app 0 10 6000' 'vtable a lib 0 8 100' >out
is "$(grep -c '^vtable' out) $(grep -c impossible bad.err)" "1 1" \
	"more than the site has, together"
{ sed '/^type/d' base; cat cells; } | "$make" >none
is "$("$dump" none 2>&1 | grep -c '^type\|known 1')" 1 "a type that isn't there"
"$mpreduce" none >out 2>err
is $? 0 "... is read"
for f in "drop cells 1" "bad-crc cells 1" "no-total cells"; do
	made cut "$(cat cells vtables)" "$f" >out
	echo "$f: $(head -n 1 out) $(wc -l <cut.err)"
done >got
is "$(cat got)" "drop cells 1: known 0 0 1 1
bad-crc cells 1: known 0 0 1 1
no-total cells: known 1 0 1 0" "records that are lost"
{ cat base cells; echo "minor 3"; } | "$make" >minor
is "$("$dump" minor | head -n 1)" "known 1 0 0" "minor versions don't matter"

# A type's node isn't a frame.
"$mpreduce" --json whole 2>/dev/null >json
is "$(grep -c 4000000000000001 json) $(grep -c 0x20 json)" "0 $(grep -c 0x20 json)" \
	"a type isn't a function"

# Sums.
sed 's/^thread one flags 1/thread two/; t
	s/^thread two/thread three/; s/type foo 16/type bar 8/; s/^peak t .*//' \
	base >base2
sed 's/^cell t 1 16 1 1 peak 1/cell t 1 16 1 1 looked 1 slack 1/' cells >cells2
{
	cat base2 cells2 vtables
	echo "peak b 1 40"
	echo "cell b 1 40 0 0 peak 1"
	echo "total peak 5000"
} | "$make" >second
is "$("$dump" second 2>&1 | head -n 1)" "known 1 0 1" "another file"
"$mpreduce" -s whole second >out 2>err
is "$("$dump" mon.sum | grep -v differ)" "known 1 0 1
cell 0 one 16 6 96 2 32 0 0 0 0
cell 0 three 16 4 64 2 32 -3 -48 2 16
cell 0 two 16 10 160 4 64 5 80 2 16
cell 0 ? 24 6 144 2 48 -1 -24 0 0
cell 0 two 24 0 0 0 0 2 48 0 0
cell 0 three x 2 6000 1 3000 0 -8 0 0
cell 0 two x 2 6000 1 3000 0 0 0 0
cell 1 two 16 2 32 1 16 0 0 1 1
cell 2 one 16 2 32 1 16 0 0 0 0
cell 3 ? 40 14 560 14 560 1 40 0 0
vtable 0 app 4000 6 96
vtable 0 lib.so 20 2 48
vtable 3 lib.so 10 2 80
type 1 8 bar
type 2 16 foo" "two files: threads by name, types by name, the larger peak"
cp mon.sum first.sum
"$mpreduce" -s first.sum >out 2>err
cmp -s mon.sum first.sum
ok $? "... read and written once more it is the same"
"$make" <base >without
"$mpreduce" -s whole without >out 2>err
is "$("$dump" mon.sum | head -n 1)" "known 0 0 1" \
	"with a file that has none they aren't known"
done_testing
