#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Replays the inputs that fuzzers have found, and those that they began with:
# the sanitizers report nothing.  For each data file and program mpreduce prints
# tables or one line of error.
. "${MEMMON_SRC:-.}/tests/tap.sh"

corpus=$MEMMON_SRC/tests/fuzz/corpus
asan=$MEMMON_BUILD/asan

for kind in load elf image log options; do
	files=$(ls "$corpus/$kind" | wc -l)
	if [ ! -x "$asan/tests/fuzz/$kind" ]; then
		skip 1 "no sanitizers"
		continue
	fi
	timeout "$HANG" "$asan/tests/fuzz/$kind" "$corpus/$kind"/* >out 2>err
	is "$? $(cat out)" "0 $files files" "$kind" || diag "$(tail -n 20 err)"
done

mpreduce=$asan/mpreduce
[ -x "$mpreduce" ] || mpreduce=$MEMMON_BUILD/mpreduce

# all FILE ARG...: a line for each mistake in mpreduce's output.
all()
{
	local file=$1 status
	shift
	timeout "$HANG" "$mpreduce" "$@" >out 2>err
	status=$?
	case $status in
	"$(status_of err)") [ -s out ] || echo "$file: no tables" ;;
	1) [ "$(wc -l <err)" -ge 1 ] || echo "$file: nothing said" ;;
	*) echo "$file: status $status" ;;
	esac
	grep -v '^mpreduce: ' err | sed "s|^|$file: |" | head -n 3
}

bad=$(for file in "$corpus"/load/*; do
	all "${file##*/}" "$file"
done)
is "$bad" "" "mpreduce on each data file"
printf '%s\n' "module prog /x/prog exe" "chain c prog:0x401001 prog:0x1010" \
	"chain d prog:0x401020 prog:0x401035" "alloc c 24 1" "alloc d 8 2" |
	"$MEMMON_BUILD/tests/monmake" >mon.out
bad=$(for file in "$corpus"/elf/*; do
	all "${file##*/}" -L -B -T "$file" mon.out
	all "${file##*/}" -l -p -A --verbose "$file" mon.out
done)
is "$bad" "" "mpreduce on each program"

is "$(find "$corpus" -type f -size +20k)" "" "no file is large"
[ "$(find "$corpus" -type f -printf '%s\n' |
	awk '{ n += $1 } END { print n }')" -lt 900000 ]
ok $? "nor are all together"
done_testing
