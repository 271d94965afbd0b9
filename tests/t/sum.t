#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Several data files are summed, in memory and as mon.sum, and -i says what is in
# a file.  One file's sum has the same tables as the file.
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
# The same with modules and chains in another order, and one chain more.
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

# tables FILE...: all but the prolog, which says where it comes from.
tables()
{
	"$mpreduce" -b --no-wrappers "$MEMMON_BUILD/mpreduce" "$@" 2>/dev/null |
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
"$mpreduce" -i "$MEMMON_BUILD/mpreduce" a b >out
is "$?" 0 "-i"
like "$(cat out)" "a: format 1.0, [0-9]+ bytes, whole" "-i: format"
like "$(cat out)" "1 +8 +[0-9]+  nodes" "-i: records and items"
like "$(cat out)" " 17340  bytes" "-i: sums"
like "$(cat out)" "/nonexistent/app \(program\), 0102030405" "-i: modules"

# What is missing stays missing.
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
done_testing
