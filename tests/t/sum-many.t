#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sums of many data files, as a parallel job writes them.  The bytes are the
# same for any order, for any number of threads, from files or from pipes; files
# that can't be read are named; and memory doesn't grow with the files.
. "${MEMMON_SRC:-.}/tests/tap.sh"
mpreduce="$MEMMON_BUILD/mpreduce"
mkdir job
"$MEMMON_BUILD/tests/jobmake" job 60 100 300 || echo "Bail out! jobmake"

# sum OUT ARG...
sum()
{
	local out=$1
	shift
	"$mpreduce" -s -o "$out" "$@"
}

# same NAME: the file sum equals that of all.
same()
{
	cmp -s sum whole
	ok $? "$1"
}

sum whole -j 1 job
is "$?" 0 "a sum of 60 files"
for j in 2 3 7; do
	sum sum -j $j job
	same "the same by $j threads"
done
sum sum job
same "... and by as many as there are processors"
# All orders and groupings.
ls job/*.mon | sort -r | head -n 20 | xargs "$mpreduce" -s -o zz.mon
ls job/*.mon | sort -r | sed -n 21,33p | xargs "$mpreduce" -s -o mm.mon
ls job/*.mon | sort -r | tail -n +34 | xargs "$mpreduce" -s -o aa.mon
sum sum aa.mon mm.mon zz.mon
same "in three groups, in the reverse order"
sum half zz.mon aa.mon && sum sum mm.mon half
same "... which are put together otherwise"
ls job/*.mon | xargs -I{} sh -c \
	'"$0" -s -o "one.$(basename "$1")" "$1"' "$mpreduce" {}
sum sum one.*
same "each file by itself first"
cat job/*.mon | sum - - >sum
same "from a pipe to a pipe"
ls job/*.mon | sort -r | xargs cat | "$mpreduce" -s -o - - >sum
same "in the reverse order"
{
	cat job/0000*.mon | "$mpreduce" -s -o - -
	cat job/0001*.mon job/0002*.mon | "$mpreduce" -s -o - -
	cat job/000[345]*.mon
} | sum sum -
same "sums from pipes, and files behind them"
sum sum whole
same "the sum of the sum"
"$mpreduce" -b --wrapper=none job 2>/dev/null | sed '1,/^--------- Leak/d' >want
"$mpreduce" -b --wrapper=none -j 1 job 2>/dev/null |
	sed '1,/^--------- Leak/d' >got
is_file got want "tables by one thread and by several"
"$mpreduce" -b --wrapper=none - <whole 2>/dev/null |
	sed '1,/^--------- Leak/d' >got
"$mpreduce" -b --wrapper=none whole 2>/dev/null |
	sed '1,/^--------- Leak/d' >want
[ -s want ] && is_file got want "tables of what comes by a pipe"
"$mpreduce" -i whole >info
is "$(awk '/data files in it/ { print $1 }' info)" 60 "of how many files it is"

# Peaks that are as large, in other places.
make="$MEMMON_BUILD/tests/monmake"
for f in a b c d; do
	{
		echo "module p /p exe"
		echo "run why because $f"
		for k in a b c d; do
			echo "node $k - p 0x1$k"
			echo "alloc $k 16 $((10 + ${#f}))"
		done
		echo "peak $f 4 64"
		echo "total peak 64"
		echo "module lost$f $([ $f = c ] && echo /c || echo /lib$f)"
	} | "$make" >tie.$f
done
sum whole tie.a tie.b tie.c tie.d
for order in "d c b a" "b d a c" "c a d b"; do
	set -- $order
	sum one tie.$1 tie.$2 && mv one 1.$1
	sum two tie.$3 tie.$4 && mv two 0.$3
	sum sum 1.$1 0.$3
	same "four with the same peak, as $order"
	rm -f 1.* 0.*
done

# Samples: estimates, whose errors add up exactly, too.
prog="$MEMMON_BUILD/tests/prog/sampled"
for n in 1 2 3 4 5; do
	MEMMON_SAMPLE_SEED=$n "$MEMMON_BUILD/memmon" -q --sample=$((n / 3 + 4))K \
		-o s$n.out "$prog" >/dev/null
done
sum whole s1.out s2.out s3.out s4.out s5.out
sum a.sum s4.out s2.out
sum b.sum s5.out s1.out s3.out
sum sum b.sum a.sum
same "of samples"
"$mpreduce" -b -p whole 2>/dev/null | grep -q -- '+-'
ok $? "... with errors"

# A file that can't be read is named, and the sum says how many there are.
cp job/00007.mon save
head -c 30000 /dev/zero | tr '\0' 'x' >job/00007.mon
echo 'no data of ours' >job/00011.mon
sum sum job 2>err
is "$?" 1 "with two that are none"
is "$(grep -c '^mpreduce: job/000\(07\|11\)\.mon: ' err)" 2 "both are named"
"$mpreduce" -i sum >info
is "$(awk '/data files (in it|left out)/ { print $1 }' info | tr '\n' ' ')" \
	"58 2 " "the sum says how many it has, and has not"
"$mpreduce" -b sum >/dev/null 2>err
is "$?" 0 "it is whole"
like "$(cat err)" \
	"sum: 2 data files that could not be read are not in this sum" "... and says so"
sum again -j 5 job 2>/dev/null
cmp -s sum again
ok $? "the same by several threads"
cat job/*.mon | sum again - 2>err
is "$?" 1 "from a pipe"
is "$(grep -c '^mpreduce: standard input, file ' err)" 2 "they are named, too"
cmp -s sum again
ok $? "... and the sum is the same"
# Sanitizers find nothing wrong with any input by a pipe.
if [ -x "$MEMMON_BUILD/asan/mpreduce" ]; then
	cat save job/0000[0-3].mon >stream
	is "$(perl -e '
		local $/;
		open my $f, "<", "stream";
		my ($good, $bad, $n) = (<$f>, 0, $ARGV[1]);
		srand 7;
		for (1 .. $n) {
			my $s = $good;
			for (0 .. rand 5) {
				my ($at, $how) = (int rand length $s, int rand 4);
				substr($s, $at, 1) = chr rand 256 if $how == 0;
				substr($s, $at, rand 3000) = "" if $how == 1;
				substr($s, $at, 0) = chr(rand 256) x rand 200
					if $how == 2;
				$s = substr $s, 0, $at if $how == 3 && rand() < .3;
			}
			open my $to, "|-", "\"$ARGV[0]\" -s -o damaged - 2>log";
			print $to $s;
			close $to;
			$bad++ if $? & 127 || $? >> 8 > 4;
		}
		print $bad' "$MEMMON_BUILD/asan/mpreduce" \
		"$(exhaustive && echo 200 || echo 10)")" 0 "damaged streams"
	rm -f stream
else
	skip 1 "no build with sanitizers"
fi
cut=$(($(stat -c %s save) / 2))
head -c "$cut" save >job/00007.mon
rm job/00011.mon
sum sum job 2>err
is "$?" 4 "with one that is cut"
like "$(cat err)" "job/00007\.mon: .*lower bounds" "it is named"
cat job/*.mon | sum again - 2>err
is "$?" 4 "from a pipe"
cmp -s sum again
ok $? "... the sum is the same"
: >nothing
"$mpreduce" -s -o sum - <nothing 2>err
is "$?" 1 "nothing from a pipe"
like "$(cat err)" "standard input, file 1: the file is empty" "... it says so"
rm -r job

# Memory depends on the sum, not on the files.
mkdir few many
"$MEMMON_BUILD/tests/jobmake" few 40 300 900
"$MEMMON_BUILD/tests/jobmake" many 400 300 900
measure="$MEMMON_BUILD/tests/bench/measure"
for n in few many; do
	"$measure" -r $n.is "$mpreduce" -s -j 2 -o $n.sum $n
done
read -r _ _ few _ <few.is
read -r _ _ many _ <many.is
[ "$many" -lt $((few + few / 4)) ]
ok $? "ten times the files, as much memory: $few, $many bytes"
cat many/*.mon >stream
"$measure" -r stream.is bash -c '"$0" -s -o - - <stream >sum' "$mpreduce"
read -r _ _ stream _ <stream.is
[ "$stream" -lt $((few + few / 4)) ]
ok $? "from a pipe, too: $stream bytes"
cmp -s sum many.sum
ok $? "... the same sum"
# Files with call paths that no other file has: each costs what it costs alone.
# instructions FILES: of a sum of FILES files
instructions()
{
	mkdir own$1
	"$MEMMON_BUILD/tests/jobmake" own$1 "$1" 130 65536
	valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		"$mpreduce" -s -j 1 -o own.mon own$1 2>&1 |
		sed -n 's/.*Collected : //p'
}
if command -v valgrind >/dev/null; then
	few=$(instructions 40) many=$(instructions 160)
	ok $((many >= 5 * few)) \
		"160 files of different paths cost no more than 5 times 40 files" ||
		diag "$many, $few"
else
	skip 1 'no valgrind'
fi
done_testing
