#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# mpreduce with bad files: an error that says what to do (status 1), or a
# warning and the readable part; never a crash.
. "${MEMMON_SRC:-.}/tests/tap.sh"

make="$MEMMON_BUILD/tests/monmake"
mpreduce="$MEMMON_BUILD/asan/mpreduce"
if [ ! -x "$mpreduce" ]; then
	mpreduce=$T/mpreduce
	(cd "$MEMMON_SRC" && $CC -std=gnu11 -I. -DMEMMON_VERSION='"test"' -O1 \
		-g -fsanitize=address,undefined -fno-sanitize-recover=all \
		-o "$mpreduce" reduce/*/*.c display/*/*.c -lbfd -liberty -ldw \
		-lelf -lcapstone -ldeflate -lzstd -llzma -lz -lm) || skip_all "no sanitizers"
fi

# A program whose file is missing: mpreduce spends no time on symbols.
cat >desc <<'EOF1'
run program /nonexistent/prog
run command ./prog one\stwo
run pid 4711
run end exit
module exe /nonexistent/prog exe id 0102030405
module lib /nonexistent/lib.so id 0a0b0c0d0e
chain red exe:0x1100 exe:0x1200 lib:0x20
chain blue exe:0x1110 exe:0x1200
alloc red 204 5019
alloc blue 204 4981 4981
alloc blue 5000 2 1
total peak 1050000
EOF1
"$make" <desc >good || echo "Bail out! monmake"

# run ARG...: mpreduce with standard output in out, messages in err.
run()
{
	"$mpreduce" "$@" >out 2>err
}

run -b /dev/null good
is $? 1 "F17: a device for a program"
run -b "$MEMMON_BUILD/mpreduce" good
is $? 0 "another program: status"
like "$(cat err)" "isn't the program that made the data" "another program"
like "$(cat out)" '\[mpreduce\+0x1100\] > \[mpreduce\+0x1200\]' \
	"another program gives no names"

# wrong NAME REGEX FILE: an error of one line that begins with the file's name.
wrong()
{
	# Its own recorded program is missing: only the data can be the error.
	run -b "$MEMMON_BUILD/mpreduce" "$3"
	is $? 1 "$1: status"
	is "$(wc -l <err)" 1 "$1: one line"
	like "$(cat err)" "^mpreduce: $3: .*$2" "$1: message"
	is "$(cat out)" "" "$1: no tables"
}

wrong "no such file" "no such file; give the data file that memmon wrote" nothing
run ./neither
is "$? $(cat err)" "1 mpreduce: ./neither: no such file; give the program that \
was run, or its data file" "neither a program nor data: the name that was given"
mkdir dir
wrong "a directory" "directory" dir
: >empty
wrong "an empty file" "is empty.*run the program again" empty
printf 'gmon\1\0\0\0\0\0' >gmon.out
wrong "a gmon.out" "gprof" gmon.out
echo "hello" >text
wrong "a text file" "text file" text
printf '\0\0\0\0\20\0\0\0\0\1\0\0' >prof.out
wrong "prof's mon.out" "is not a data file of memmon \(of prof" prof.out
wrong "a program" "give the program first" /bin/sh
head -c 20 good >short
wrong "half a header" "truncated after 20 bytes" short
echo "major 2" | cat desc - | "$make" >newer
wrong "a newer format" "newer memmon.*mpreduce of that version" newer
echo "major 0" | cat desc - | "$make" >older
wrong "an older format" "older memmon" older
echo "order 0x04030201" | cat desc - | "$make" >foreign
wrong "another byte order" "byte order" foreign
echo "bad-header" | cat desc - | "$make" >header
wrong "a damaged header" "header is damaged" header
run -b nothing.exe good
is $? 1 "no such program: status"
like "$(cat err)" "nothing.exe: .*give the program.*/nonexistent/prog" \
	"no such program: message"
run -b text good
like "$(cat err)" "text: .*ELF" "a text file for a program"
if [ "$(id -u)" -ne 0 ]; then
	cp good secret
	chmod 0 secret
	wrong "no permission" "permission denied" secret
else
	skip 4 "root may read everything"
fi

# partly NAME REGEX DIRECTIVE...: a warning, and the tables.
partly()
{
	local name=$1 regex=$2
	shift 2
	{ cat desc; printf '%s\n' "$@"; } | "$make" >part
	run -b "$MEMMON_BUILD/mpreduce" part
	is $? "$(status_of err)" "$name: status"
	like "$(cat err)" "part: $regex" "$name: warning"
	is "$(grep -c 'part: ' err)" 1 "$name: one line"
	like "$(cat out)" "<TOTAL>" "$name: tables"
}

bounds="totals are lower bounds"
partly "no totals" "truncated after ([0-9]+) of \1 bytes.*$bounds" no-totals
partly "a lost node" \
	"1 damaged record left out; read 2 modules, 4 of 5 nodes.*$bounds" \
	"most 1" "bad-crc nodes 2"
like "$(cat out)" "  +10002 .*TOTAL" "a lost node: all sites are there"
partly "a lost module" "parts are missing; read 1 of 2 modules.*$bounds" "most 1" "drop modules 2"
like "$(cat out)" "lost module 2\+0x20" "a lost module: its addresses"
is "$(grep -c 'lost module' err)" 0 "a lost module: no file is missed"
partly "a lost site" "parts are missing; read 2 modules, 5 nodes, 1 of 2 sites.*$bounds" "most 1" \
	"drop sites 1"
partly "more frees than allocations" "1 impossible" "site red 0 s 1 8 2 16"
partly "sums beyond 64 bits" "1 impossible" \
	"site red 0 x 1 18446744073709551615 0 0"
partly "wrong totals" "damaged: the call paths add up" "total bytes 7"
partly "no sums" "the file has no sums" "no-total allocs"
partly "bins that don't match" "the sizes add up" "bin 8 1 0"
partly "junk at the end" "4 bytes after the end" "extra 6a756e6b"

# The tables that follow the bins.
after=("peak red 5000 1020000" "peak blue 1 204"
	"life blue temps 9 near 9 by_others 2 time 100:2:3"
	"thread main flags 1 allocs 9" "thread w allocs 1")
partly "an impossible peak" \
	"1 impossible peak left out; read .*, 2 of 3 peaks, 1 lives, 2 threads: $bounds" \
	"${after[@]}" "peak red 1 1"
partly "an impossible life" \
	"1 impossible life left out; .*, 2 peaks, 1 of 2 lives, 2 threads: $bounds" \
	"${after[@]}" "life red temps 1"
partly "an impossible thread" \
	"1 impossible thread left out; .*, 2 peaks, 1 lives, 2 of 3 threads: $bounds" \
	"${after[@]}" "thread none threads 0"
partly "a peak of no site" \
	"parts are missing; .*, 2 of 3 peaks, 1 lives, 2 threads: $bounds" \
	"${after[@]}" "peak @7 1 1"
partly "a life of no site" \
	"parts are missing; .*, 2 peaks, 1 of 2 lives, 2 threads: $bounds" \
	"${after[@]}" "life @18446744073709551615 temps 1 near 1"
partly "a lost site, and its peak" \
	"1 damaged record left out; .*1 of 2 sites, 2 bins, 1 of 2 peaks, 1 lives, 2 threads: $bounds" \
	"${after[@]}" "most 1" "bad-crc sites 1"
partly "damaged peaks" \
	"1 damaged record left out; .*, 0 of 2 peaks, 1 lives, 2 threads: $bounds" \
	"${after[@]}" "bad-crc peaks 1"
partly "lost lives" \
	"parts are missing; .*, 2 peaks, 0 of 1 lives, 2 threads: $bounds" \
	"${after[@]}" "drop lives 1"
partly "lost threads" \
	"parts are missing; .*, 2 peaks, 1 lives, 1 of 2 threads: $bounds" \
	"${after[@]}" "most 1" "drop threads 2"
partly "another sum of the peak" \
	"damaged: the call paths at the peak add up to 5001 blocks of 1020204 bytes, the totals say 5001 of 1020205" \
	"${after[@]}" "total peak_bytes 1020205"
echo unknown | cat desc - | "$make" >part
run -b "$MEMMON_BUILD/mpreduce" part
is "$(grep -c 'part: ' err)" 0 "unknown records and keys are nothing"

# A small file that is truncated after each byte, and one with each bit changed.
rare=("run leakcheck 9" "leak red lost 3:612 reachable 1:204"
	"mark m 7 allocs 5 bytes 900" "run off_time 3" "total pool_allocs 2")
{ sed '/^alloc.*5000/d' desc; printf '%s\n' "${after[@]}" "${rare[@]}"; } |
	"$make" >small
size=$(stat -c %s small)
step=5
! exhaustive || step=1
for kind in "cut $size" "bits $((size * 8))"; do
	"$MEMMON_BUILD/asan/tests/damage" "${kind% *}" small \
		"$MEMMON_BUILD/tests/prog/widgets" $step >bad 2>&1
	is "$? $(head -n 5 bad)" "0 $(((${kind#* } + step - 1) / step)) tried" \
		"everywhere, or at each ${step}th place: ${kind% *}"
done
# Some of them by mpreduce itself.
for ((i = 0; i < size; i += 29)); do
	head -c "$i" small >part
	run -b "$MEMMON_BUILD/tests/prog/widgets" part
	echo "$? $(grep -c '^mpreduce: part: ' err)" >>statuses
done
is "$(grep -vcE '^[14] 1$' statuses) $(sort -u statuses | wc -l)" '0 2' \
	"cut: an error or a warning, and the status says which"

# A program that is named where a file to write belongs.
cp "$MEMMON_BUILD/tests/prog/widgets" prog
for option in --html '--export=folded -o' '-s -o'; do
	# shellcheck disable=SC2086
	run $option prog small
	is "$? $(grep -c '^mpreduce: prog: is a program' err)" '1 1' \
		"$option: a program isn't replaced"
	cmp -s prog "$MEMMON_BUILD/tests/prog/widgets"
	ok $? "... it is as it was"
done

# A file that no memory has room for, alone and beside others.
mkdir large
cp small large/mon.out
cp small large/mon.out.5
truncate -s 10T large/mon.out.5
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}allocator_may_return_null=1
run -b large/mon.out.5
is "$? $(grep -v WARNING err)" "1 mpreduce: large/mon.out.5: out of memory for so large a file" \
	"a file of 10 TB"
run --summary large/mon.out
is "$? $(grep -c 'out of memory' err)" "0 0" "... beside another, which is printed"
run --summary large/mon.out large/mon.out.5
like "$? $(grep -c allocated out) $(grep -v WARNING err)" "^[14] 1 mpreduce: large/mon.out.5: out of memory" \
	"... with another, which is printed"
done_testing
