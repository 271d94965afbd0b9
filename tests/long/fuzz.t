#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A minute of libFuzzer on the reading of mon.out (MEMMON_FUZZ: seconds).
. "${MEMMON_SRC:-.}/tests/tap.sh"
seconds=${MEMMON_FUZZ:-60}

command -v clang >/dev/null || skip_all "no clang"
cd "$MEMMON_SRC" || exit 1
clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	-std=gnu11 -I. -o "$T/fuzz" tests/fuzz/load.c \
	reduce/{arena,crc32,emit,err,groups,hash,info,items,items_after}.c \
	reduce/{items_use,life,load,load_check,merge,merge_run,merge_use}.c \
	reduce/run.c \
	2>"$T/log" || skip_all "clang has no libFuzzer"
cd "$T" || exit 1
mkdir corpus
# make NAME DIRECTIVE...: a file to start from.
make()
{
	local name=$1
	shift
	printf '%s\n' "module a /a exe id 010203" "module b /b" \
		"chain x a:1 b:2 a:3" "chain y a:1 b:4" "run command a b" \
		"alloc x 204 3 1" "alloc y 5000 2" "total peak 9" "$@" |
		"$MEMMON_BUILD/tests/monmake" >"corpus/$name" || exit 1
}
# What follows the bins.
after=("peak x 2 408" "peak y 1 5000" "life x temps 1 near 1 time 100:1:8"
	"life y moved 0" "thread main flags 1 allocs 3 bytes 612 frees 1 freed 204"
	"thread w threads 2 allocs 2 bytes 10000" "run timing 64"
	"run maxmem 4096" "total peak_slack 1" "total short 1"
	"run way 1" "run step 200000" "total ticked 1"
	"use x blocks 3 bytes 612 reads 30 writes 20 span 500 cover 400 span_used\
 400 cover_used 300 useful 16777216 life 500 unused 1:204"
	"use y blocks 1 bytes 5000 reads 1 span 16 cover 16 low_cover 1:5000"
	"group x 0 0:10:20:1:20 25:0:10:1:9" "group x 0 500:0:0:1" "group y 1 5:0:9:1"
	"field x 204 2 5:5 5:5 5:5 0:0 0:0 0:0 0:0 0:0 0:0 0:0 0:0 0:0 0:5")
make plain
make after "${after[@]}"
make after_small "${after[@]}" "most 1"
make after_gaps "${after[@]}" "most 1" "drop sites 1" "drop peaks 2"
make small "most 1"
make gaps "most 1" "drop nodes 2" "drop modules 1"
make cut no-totals "extra 01"
./fuzz -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 \
	-max_len=4096 corpus >log 2>&1
ok $? "libFuzzer finds nothing" || diag "$(tail -n 40 log)"
done_testing
