#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Several data files, directories of them, and --file-info=list: which files are
# taken, and the message for those that can't be read.
. "${MEMMON_SRC:-.}/tests/tap.sh"
make="$MEMMON_BUILD/tests/monmake"
mpreduce="$MEMMON_BUILD/mpreduce"
"$CC" -nostdlib -static -no-pie \
	-Wl,-Ttext=0x401000,-e,main,--build-id=none -o prog \
	"$MEMMON_SRC/tests/golden/prog.s" || echo "Bail out! prog"

# data PROGRAM PID BLOCKS [LINE...]: blocks of 100 bytes, one of them freed.
data()
{
	local program=$1 pid=$2 n=$3
	shift 3
	{
		echo "run program $program"
		echo "run pid $pid"
		echo "run start 1700000000000000000"
		echo "run length 2500000000"
		echo "run end exit"
		echo "module p $program exe at 0x400000 0x500000 0"
		echo "chain red p:0x401008 p:0x401018"
		echo "alloc red 100 $n 1"
		echo "total peak $((n * 100))"
		[ $# -eq 0 ] || printf '%s\n' "$@"
	} | "$make"
}
mkdir d same empty
data "$T/prog" 71 10 >d/mon.71.out
data "$T/prog" 72 20 "run end signal" "run signal 11" >d/mon.out
data /usr/bin/other 73 40 "run end cut" >d/other.73.mon
data "$T/prog" 74 80 >d/ignored.out
data "$T/prog" 75 160 "flags 1" >d/mon.sum
mkdir d/mon.out.d
cp d/mon.71.out d/mon.out same

allocs()
{
	awk '$1 == "allocations" { print $2 }' out
}

"$mpreduce" --file-info=list d >out 2>err
is "$?" 0 "--file-info=list of a directory"
is "$(cat out)" \
"pid        started (UTC)  seconds  allocs  live bytes  peak bytes  ended                           program  file
 71  2023-11-14 22:13:20    2.500      10         900        1000  exit                            prog     d/mon.71.out
 72  2023-11-14 22:13:20    2.500      20        1900        2000  signal 11 (Segmentation fault)  prog     d/mon.out
 73  2023-11-14 22:13:20    2.500      40        3900        4000  unknown or still running        other    d/other.73.mon" \
	"a line for each data file in it"
is "$(cat err)" "" "and no message"
"$mpreduce" --file-info=list d/mon.out d/mon.sum d/mon.71.out >out
is "$(awk '{ print $1, $NF }' out)" \
"pid file
72 d/mon.out
- d/mon.sum
71 d/mon.71.out" "--file-info=list of files, in their order"
"$mpreduce" --file-info=list --units=human d/other.73.mon >out
like "$(cat out)" " 3\.81K +3\.91K " "bytes for humans"
data "$T/prog" 76 5 "no-total peak" "no-totals" >cut.mon
"$mpreduce" --file-info=list cut.mon >out 2>err
is "$?" 0 "a file cut short is no failure"
like "$(cat out)" " 5 +400 +-  exit +prog +cut\.mon, truncated" "but said"

# Those that can't be read.
echo hello >d/mon.text.out
: >d/mon.empty.out
"$mpreduce" --file-info=list d gone.mon >out 2>err
is "$?" 1 "files that can't be read: status"
is "$(wc -l <out)" 7 "each has its line"
like "$(cat out)" " - +d/mon.empty.out: the file is empty" "an empty one"
like "$(cat out)" " - +d/mon.text.out: is a text file" "a text"
like "$(cat out)" " - +gone.mon: no such file" "one that isn't there"
is "$(grep -c '^mpreduce: ' err)" 3 "and its message"
"$mpreduce" --file-info=list gone.mon >out 2>err
is "$?" 1 "one alone that isn't there"
"$mpreduce" prog d/mon.71.out d/mon.text.out d/mon.out >out 2>err
is "$?" 1 "tables without one: status"
is "$(allocs)" 30 "of the rest"
like "$(cat out)" "files         2, summed" "how many they are"
like "$(cat out)" "d/mon.text.out: left out: is a text file" "what is left out"
like "$(cat err)" "mpreduce: d/mon.text.out: is a text file" "its message"
"$mpreduce" prog d/mon.text.out d/mon.empty.out >out 2>err
is "$? $(cat out)" "1 " "none that can be read"
like "$(cat err)" "none of the 2 data files can be read" "its message"
"$mpreduce" --json prog d/mon.71.out d/mon.text.out >json 2>/dev/null
like "$(cat json)" '"path":"d/mon.text.out",.*"problem":"is a text file' "JSON"
"$mpreduce" -s d/mon.71.out d/mon.text.out d/mon.out 2>err
is "$?" 1 "-s without one: status"
like "$(cat err)" "mpreduce: d/mon.text.out: is a text file" "its message"
"$mpreduce" prog mon.sum >out 2>/dev/null
is "$(allocs)" 30 "the rest is in the sum"
rm d/mon.text.out d/mon.empty.out mon.sum

# Several programs.
"$mpreduce" d >out 2>err
is "$?" 0 "several programs: status"
like "$(cat out)" "^pid .*The files are of several programs\.  mpreduce PROGRAM DIRECTORY" "they are listed, with a hint"
"$mpreduce" d/mon.out d/other.73.mon >out 2>err
like "$(cat out)" "The files are of several programs" "files as well"
"$mpreduce" prog d >out 2>err
is "$?" 0 "one program of a directory: status"
is "$(allocs)" 30 "its files alone"
like "$(cat err)" "1 data file of other programs than prog is left out" "how many are left out"
"$mpreduce" prog d/mon.out d/other.73.mon >out 2>err
is "$(allocs)" 60 "files that are named are all meant"
cp prog nobody
"$mpreduce" ./nobody d >out 2>err
is "$? $(cat out)" "1 " "a program that none is of"
like "$(cat err)" "no data file is of a program called nobody; mpreduce --file-info=list" "its message"
"$mpreduce" -s d
"$mpreduce" prog mon.sum >out 2>/dev/null
is "$(allocs)" 70 "-s adds them all up"
rm mon.sum
"$mpreduce" -L -b d >out 2>/dev/null
like "$(cat out)" "Total bytes not freed: 6700" "so does a table that is asked for"

# One program.
"$mpreduce" same >out 2>err
is "$(allocs)" 30 "several files of one program are added up"
"$mpreduce" same/ same/mon.out >out 2>err
is "$(allocs)" 50 "a directory and a file"
"$mpreduce" -i same >out
is "$(grep -c '^same/mon.*: format' out)" 2 "-i of a directory"
"$mpreduce" empty >out 2>err
is "$? $(cat out)" "1 " "a directory without data"
like "$(cat err)" "^mpreduce: empty: the directory has no data file \(mon\.out\*, mon\.\*\.out, \*\.mon\); " "its message"

# Is the first operand the program?
echo text >mon.bad.out
"$mpreduce" mon.bad.out same/mon.out >out 2>err
is "$?" 1 "a first file that is no data, by its name"
is "$(allocs)" 20 "the others are read"
"$mpreduce" mon.nothing.out same/mon.out >out 2>err
is "$(allocs)" 20 "one that isn't there"
cp prog mon.out
"$mpreduce" ./mon.out same/mon.71.out >out 2>err
is "$(allocs)" 10 "a program that is called mon.out"
rm mon.out
"$mpreduce" prog >out 2>err
is "$?" 1 "no data file"
like "$(cat err)" "^mpreduce: mon\.out: no such file; first run the program as .memmon PROGRAM" \
	"what to do"
sed -n '/^\.It mon.out: no such file; first/,/^\.It/p' "$MEMMON_SRC/man/mpreduce.1" >page
for why in lmemmon set-user-ID static read-only chroot exec MEMMON_OUT; do
	like "$(cat page)" "$why" "what may be the cause is in the manual: $why"
done
is "$(wc -l <err)" 1 "in one line"
done_testing
