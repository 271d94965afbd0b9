#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The tables of the peak, of lifetimes and of threads when the data files lack
# something: files of older monitors beside new ones, truncated files, threads
# that don't add up.  A figure that isn't known is marked as unknown, and never
# printed as 0.
. "${MEMMON_SRC:-.}/tests/tap.sh"
golden=$MEMMON_SRC/tests/golden
mpreduce=$MEMMON_BUILD/mpreduce
# With sanitizers, if such a build exists.
[ -x "$MEMMON_BUILD/asan/mpreduce" ] && mpreduce=$MEMMON_BUILD/asan/mpreduce
export ASAN_OPTIONS=detect_leaks=0

"$CC" -nostdlib -static -no-pie \
	-Wl,-Ttext=0x401000,-e,main,--build-id=none -o prog "$golden/prog.s"
for name in widgets half pool empty; do
	"$MEMMON_BUILD/tests/monmake" <"$golden/$name.in" >"$name.mon"
done
# pool without the last of its threads.
grep -v '^thread -' "$golden/pool.in" | "$MEMMON_BUILD/tests/monmake" >two.mon

# run OPTION...: its output is in out, its messages in err.
run()
{
	"$mpreduce" -b "$@" >out 2>err
	is "$?" "$(status_of err)" "status of mpreduce $*"
}

# prints REGEX NAME: a line of out matches.
prints()
{
	grep -qE -- "$1" out
	ok $? "$2" || diag "$(cat out)"
}

# none REGEX NAME: no line of out matches.
none()
{
	! grep -E -- "$1" out >found
	ok $? "$2" || diag "$(cat found)"
}

# A file from before: only how large the peak was.
run --threads --peak --lifetimes prog half.mon
prints '^Peak: 512244 bytes, 1\.499 s after the start$' \
	"the peak is known"
prints '^Who held it is not known: the data file has no record of it\.$' \
	"but not who held it"
prints '^How long blocks lived is not known: the data file has' "no lives"
prints '^Which thread did what is not known: the data file has no' "no threads"
none '%' "and no tables"
run -p -q prog half.mon
none 'at peak' "no column of the peak in the others"

# A run without allocations isn't the same as unknown figures.
run --threads --peak --lifetimes prog empty.mon
is "$(grep -c '^Nothing was allocated\.$' out)" 2 "an empty program"
prints '^No memory was live at any time\.$' "without a peak"

# With a file of an older monitor, lives and threads aren't known.  The peak is
# that of the run with the larger one: 1024080, of widgets, and not 512244, of
# half.
run --threads --peak --lifetimes prog widgets.mon half.mon
prints '^Peak: 1024080 bytes in 5020 blocks, .* with the largest$' \
	"the larger peak of two"
prints ' 1023876 +5019 +\|\| > main > make_red_widget > make_widget$' \
	"and who held it"
prints '^How long blocks lived is not known: the data files have no full' \
	"lives of one of two"
prints '^Which thread did what is not known: the data files have no full' \
	"threads of one of two"
# The larger peak may be in the file without its holders: 512244 of half, and
# 67500 of pool.
run --peak prog pool.mon half.mon
prints '^Peak: 512244 bytes, ' "the largest isn't known in full"
prints '^Who held it is not known: the data files have' "and that is said"

# Two complete files, so all is known: pool and two have the same counts.
run --threads --peak --lifetimes prog pool.mon two.mon
prints ' 2108 +46696 +51820 +50000 +3239600   server \(main\)$' "main threads"
prints ' 2 +1000 +64000 +780 +30 +48480   \(no name\)$' "threads of one file"
prints ' - +1000 +64000 +780 +- +48480   \(not known\)$|  2 +1000 .*not known' \
	"what the threads lack"
prints '^ +202108 +201880 .* 50060 +5080 .* <TOTAL>$' "the lives of both"
prints '^      2000      1800      45      50 .* node_new$' "of a path of both"
prints '^ +94\.8 +94\.8 +64000 +1000 ' "the peak is that of one of them"

# Cut files: TAG of the record that is the first to be missing.
cut_at()
{
	head -c "$(grep -obUa "$1" pool.mon | sed -n '1s/:.*//p')" pool.mon
}
cut_at PEAK >cut.mon
run --peak prog cut.mon
prints '^Peak: - bytes$' "cut before the peak: it isn't 0"
prints '^Who held it is not known: a data file is truncated before it\.$' \
	"who held it was cut off"
cut_at LIFE >cut.mon
run --peak --lifetimes --threads prog cut.mon
prints '^Peak: - bytes in 1135 blocks$' "cut before the totals"
prints '^The rows add up to 67488 bytes\.$' "what is there of the peak"
prints ' 64000 +1000 ' "its rows are"
prints '^How long blocks lived is not known: a data file is truncated' "no lives"
prints '^Which thread did what is not known: a data file is truncated' "no threads"
is "$(grep -c '^incomplete: ' out)" 3 "all three tables say why"
cut_at THRD >cut.mon
run --lifetimes --threads prog cut.mon
prints '^    100000    100000 ' "lives before the cut"
prints '^Which thread did what is not known: a data file is truncated' \
	"threads behind it"
"$mpreduce" -b prog cut.mon >out 2>err
prints '^peak          - bytes$' "the prolog doesn't make up a peak"
prints '^monitor       - bytes' "nor the monitor's memory"
"$mpreduce" --json prog cut.mon >out 2>err
prints '"peak":null,"peak_at_ns":null,"peak_known":true' "nor does JSON"

# The largest possible figures.
big=9223372036854775807
"$MEMMON_BUILD/tests/monmake" >big.mon <<EOF
run program /tmp/big
run command big
run length $big
run end exit
run timing 1
module w /tmp/big exe at 0x400000 0x500000 0
chain a w:0x401008
site a $big x $big $big $big $big
peak a $big $big
life a time $big:1 timed $big weight $big sum 0xffffffffffffffff bin0 $big moved $big copied $big longest 4000000000
thread - allocs $big bytes $big frees $big freed $big of_others $big threads $big
total peak $big
total peak_at $big
total big_allocs $big
total big_bytes $big
total big_frees $big
total big_freed $big
EOF
run --threads --peak --lifetimes --verbose prog big.mon
prints "^ +100\\.0 +$big .* $big   \\(no name\\)\$" "a thread of very many"
prints "^ +100\\.0 +100\\.0 +$big +$big   \\|\\| > main\$" "a very high peak"
prints "^ *$big +$big .* 9223372037s +- +9223372037s \\| .* \\* +\\|" \
	"lifetimes of centuries, of unknown mean"
is "$(grep -c 'runtime error\|AddressSanitizer' err)" 0 "and no overflow"
done_testing
