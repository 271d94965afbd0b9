#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Several data files are summed, in memory and as mon.sum, and -i lists a file's
# contents.  One file's sum has the same tables as the file.
. "${MEMMON_SRC:-.}/tests/tap.sh"
make="$MEMMON_BUILD/tests/monmake"
mpreduce="$MEMMON_BUILD/mpreduce"

cat >desc <<'EOF1'
module app /nonexistent/app exe id 0102030405
module lib /nonexistent/lib.so id 0a0b
chain f app:0x10 app:0x20 lib:0x30
chain g app:0x10 app:0x21
chain loop app:0x10 lib:0x40 app:0x50 lib:0x40 app:0x50
alloc f 24 10 4
alloc g 5000 3 3
alloc loop 300 7 0 2
EOF1
{ cat desc; echo "total peak 1000"; echo "run end exit"; } | "$make" >a
# The same with libraries and call paths in another order, and one call path
# more.
cat >desc2 <<'EOF1'
module lib /nonexistent/lib.so id 0a0b
module app /nonexistent/app exe id 0102030405
chain more app:0x10 app:0x20 lib:0x31
chain g app:0x10 app:0x21
chain f app:0x10 app:0x20 lib:0x30
alloc more 1 1
alloc g 5000 2 1
alloc f 24 90 6
total peak 900
run end exit
EOF1
"$make" <desc2 >b

# tables FILE...: all tables except the prolog, which names the source.
tables()
{
	"$mpreduce" -b --wrapper=none "$MEMMON_BUILD/mpreduce" "$@" 2>/dev/null |
		sed '1,/^--------- Partial/d'
}

"$mpreduce" -s "$MEMMON_BUILD/mpreduce" a
is "$?" 0 "the sum of one file"
tables a >want
tables mon.sum >got
is_file got want "has the tables of the file"
[ -s want ]
ok $? "which has some"

"$mpreduce" -s "$MEMMON_BUILD/mpreduce" a b
is "$?" 0 "the sum of two files"
tables a b >want
tables mon.sum >got
is_file got want "has the tables of both"
tables b a >got
is_file got want "in whatever order"
"$mpreduce" -s "$MEMMON_BUILD/mpreduce" mon.sum a && tables mon.sum >got
tables a a b >want
is_file got want "a sum can be summed"
minor=$(od -A n -t u2 -j 10 -N 2 a | tr -d ' ')
"$mpreduce" -i "$MEMMON_BUILD/mpreduce" a b >out
is "$?" 0 "-i"
like "$(cat out)" "a: format 1.$minor, [0-9]+ bytes, whole" "-i: format"
like "$(cat out)" "1 +8 +[0-9]+  nodes" "-i: records and items"
like "$(cat out)" " 17340  bytes" "-i: sums"
like "$(cat out)" "/nonexistent/app \(program\), 0102030405" "-i: modules"

# Rows of the peak, of lifetimes and of threads: data files contain them from
# minor 1 on.
cat >more <<'EOF1'
run timing 64
run maxmem 1048576
peak f 6 144
peak g 1 5000
life f temps 1 near 2 by_others 1 time 100:1:3 time 5000000:1
life loop moved 2 copied 600 longest 2
thread main flags 1 allocs 13 bytes 15240 frees 7 freed 15096 of_others 1
thread worker\sone threads 2 allocs 7 bytes 2100 of_others 0
total peak 5200
total peak_slack 56
total short 3
total untimed 4
EOF1
sed 's/^alloc loop .*/alloc loop 300 7 5 2/' desc | cat - more | "$make" >m
sed 's/^alloc g .*/alloc g 5000 3 3 1/' desc >desc3
{ cat desc3; cat <<'EOF1'; } | "$make" >n
run timing 64
peak g 2 10000
life g temps 3 near 3 time 80:1:2
thread - frees 5 freed 10 of_others 5
thread main flags 1 allocs 4 bytes 8
total peak 10100
total peak_slack 0
total short 1
EOF1
{ cat desc; echo "minor 0"; } | "$make" >old

# figure FILE WHAT: a number of -i by its words.
figure()
{
	"$mpreduce" -i "$MEMMON_BUILD/mpreduce" "$1" 2>/dev/null |
		awk -v what="$2" '$1 ~ /^[0-9]+$/ { n = $1; $1 = ""
			sub(/^ /, ""); if ($0 == what) { print n; exit } }'
}

# figures FILE: the figures of the tables after the bins, in the order of -i.
figures()
{
	local what
	for what in "blocks at the peak" "bytes at the peak" \
		"blocks freed before the next allocation" \
		"blocks freed before the 16th next" \
		"blocks freed by others" "blocks moved" "bytes copied" \
		"most reallocs of a block" "blocks timed" \
		"blocks that these represent" \
		"peak's slack" "call paths shortened" "blocks untimed"; do
		printf '%s ' "$(figure "$1" "$what")"
	done
}

is "$(figures m)" "7 5144 1 2 1 2 600 2 2 4 56 3 4 " "figures of one"
is "$(figures old)" "             " "none of a file of minor 0"
"$mpreduce" -i "$MEMMON_BUILD/mpreduce" m >out
like "$(cat out)" "timing     64" "-i: timing"
like "$(cat out)" "maxmem     1048576" "-i: limit on memory"
like "$(cat out)" "1 +2 +[0-9]+  peaks" "-i: peaks"
like "$(cat out)" "1 +2 +[0-9]+  lives" "-i: lives"
like "$(cat out)" "1 +2 +[0-9]+  threads" "-i: threads"
like "$(cat out)" "1 +13 +15240 +7 +15096 +1  main \(main\)" "-i: one thread"
like "$(cat out)" "2 +7 +2100 +0 +0 +0  worker one" "-i: two of one name"
"$mpreduce" -s "$MEMMON_BUILD/mpreduce" m
is "$(figures mon.sum)" "$(figures m)" "the sum of one has them all"
mv mon.sum first
"$mpreduce" -s -o other "$MEMMON_BUILD/mpreduce" m && cmp other first
ok $? "-o says where it goes"
[ ! -e mon.sum ]
ok $? "... and nowhere else"
mv first mon.sum
"$mpreduce" -i "$MEMMON_BUILD/mpreduce" mon.sum >out
like "$(cat out)" "maxmem     1048576" "and the limit"
cp mon.sum first
"$mpreduce" -s "$MEMMON_BUILD/mpreduce" first && cmp mon.sum first
ok $? "the sum of a sum is the same, byte by byte"
"$mpreduce" -s "$MEMMON_BUILD/mpreduce" m n
is "$(figures mon.sum)" "2 10000 4 5 1 2 600 2 3 6 0 4 4 " \
	"the sum of two: the peak is that of one"
cp mon.sum first
"$mpreduce" -s "$MEMMON_BUILD/mpreduce" n m
is "$(figures mon.sum)" "$(figures first)" "in whatever order"
"$mpreduce" -i "$MEMMON_BUILD/mpreduce" mon.sum >out
like "$(cat out)" "timing     64" "what they have in common"
is "$(grep -c maxmem out)" 0 "and nothing else"
like "$(cat out)" "2 +17 +15248 +7 +15096 +1  main \(main\)" "their threads"
is "$(grep -cE '^ +1 +0 +0 +5 +10 +5  $' out)" 1 "one without a name"
"$mpreduce" -s "$MEMMON_BUILD/mpreduce" m old
is "$(figures mon.sum)" "7 5144         56 3 4 " \
	"with one of minor 0, lives aren't known"
"$mpreduce" -b "$MEMMON_BUILD/mpreduce" m old 2>err >out
like "$(cat err)" "don't record the fate of blocks" "which is said"
like "$(cat err)" "don't record threads" "of threads too"
"$mpreduce" -b "$MEMMON_BUILD/mpreduce" m n 2>err >out
is "$(grep -c "don't say" err)" 0 "but not when all have them"

# Data that is missing in a file is missing in the sum.
{ cat desc; echo no-totals; } | "$make" >cut
"$mpreduce" -s "$MEMMON_BUILD/mpreduce" a cut 2>/dev/null
"$mpreduce" -b "$MEMMON_BUILD/mpreduce" mon.sum >/dev/null 2>err
like "$(cat err)" "mon.sum: .*lower bounds" "the sum of a cut file"
"$mpreduce" -s "$MEMMON_BUILD/mpreduce" a nothing 2>err
is "$?" 1 "a file that isn't there"
is "$(find . -name 'mon.sum.*')" "" "no temporary file is left"
chmod a-w . && [ "$(id -u)" -ne 0 ] && {
	"$mpreduce" -s "$MEMMON_BUILD/mpreduce" a 2>err
	is "$?" 1 "no permission"
	like "$(cat err)" "mon.sum: can't write the sum" "and it is said"
}
chmod u+w .

# How blocks were used: data files contain it from minor 2 on.
cat >uses <<'EOF1'
run length 1000000000
run way 1
run step 200000
use f blocks 10 bytes 240 reads 30 writes 20 span 200 cover 160 span_used 100 cover_used 80 useful 83886080 life 4000 unused 2:48 late 1:24
use g blocks 3 bytes 15000 reads 9 writes 8 span 96 cover 96 span_used 48 cover_used 48 life 900
group f 0 0:100:900:6:3000 20000000:0:250:4:1000
group g 0 5000:0:300:3:900
field f 24 6 20:10 3:2
total unfolded 5
total ticked 1
EOF1
cat desc uses | "$make" >u
cat desc2 uses | sed 's/blocks 10 /blocks 50 /; s/bytes 240 /bytes 1200 /
	s/^use g blocks 3 bytes 15000/use g blocks 2 bytes 10000/
	s/^group g .*/group g 0 0:0:10:2:20/; s/^run way 1/run way 2/' |
	"$make" >v
is "$("$mpreduce" -i "$MEMMON_BUILD/mpreduce" u v | grep -c 'not whole')" 0 \
	"files with uses"
used()
{
	local what
	for what in "blocks with accesses" "bytes of these" reads writes \
		"bytes between the accesses" "bytes accessed" \
		"groups of allocations" "layouts of blocks" \
		"blocks without scores, no memory"; do
		printf '%s ' "$(figure "$1" "$what")"
	done
}
is "$(used u)" "13 15240 39 28 296 256 3 1 5 " "-i: uses of one"
is "$(used old)" "         " "none of a file of minor 0"
"$mpreduce" -i "$MEMMON_BUILD/mpreduce" u >out
like "$(cat out)" "way        1" "-i: way"
like "$(cat out)" "step \(ns\)  200000" "-i: step"
like "$(cat out)" "1 +2 +[0-9]+  uses" "-i: uses"
like "$(cat out)" "1 +2 +[0-9]+  groups" "-i: groups"
like "$(cat out)" "1 +1 +[0-9]+  fields" "-i: fields"
"$mpreduce" -s "$MEMMON_BUILD/mpreduce" u v
is "$(used mon.sum)" "65 26440 78 56 592 512 6 1 10 " "the sum of two"
"$mpreduce" -i "$MEMMON_BUILD/mpreduce" mon.sum >out
like "$(cat out)" "way        3" "both ways"
# A sum doesn't know tau; all else is the same.
tables u v | sed '/^program, /d' >want
tables mon.sum | sed '/^program, /d' >got
is_file got want "has the tables of both"
# Blocks without scores, by reason if all files know the reasons.
lacks()
{
	"$mpreduce" --json "$MEMMON_BUILD/mpreduce" "$@" | tr ',{' '\n\n' |
		sed -n 's/^"\(unfolded\|unplaced\)"://p' | tr '\n' ' '
}
{ cat desc uses; echo "total unplaced 3"; } | "$make" >w
is "$(lacks w)" "5 3 " "two reasons"
is "$(lacks w w)" "10 6 " "... twice"
is "$(lacks u) $(lacks u w) $(lacks w u) $(lacks w u w)" \
	"5 null  13 null  13 null  21 null " "... with a file of both in one"
"$mpreduce" -s "$MEMMON_BUILD/mpreduce" w u && cp mon.sum wu
is "$(lacks wu w)" "21 null " "... and with a sum"
"$mpreduce" -s "$MEMMON_BUILD/mpreduce" u v
"$mpreduce" -s "$MEMMON_BUILD/mpreduce" mon.sum u && cp mon.sum first
cp u w
"$mpreduce" -s "$MEMMON_BUILD/mpreduce" u v w
cmp mon.sum first
ok $? "in two steps or in one, byte by byte"
"$mpreduce" -s "$MEMMON_BUILD/mpreduce" u a
is "$(used mon.sum)" "        5 " "not known of a sum with one that has none"
done_testing
