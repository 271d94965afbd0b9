#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# F15: a program with functions that have the names of libraries that profilers
# bring along (libunwind, xxHash, LZ4, zlib, zstd), and every name that is used
# within the monitor.  The program calls its own functions, and no other code
# calls them.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# Functions and variables of the monitor, in any of its files.
nm "$MEMMON_BUILD/libmemmon.a" "$MEMMON_BUILD/libmemmon.so" 2>/dev/null |
	awk 'NF == 3 && $3 ~ /^mmi_/ { sub(/\..*/, "", $3); print $3 }' |
	sort -u >names
ours=$(wc -l <names)
ok $((ours < 100)) "F15: the monitor has names within it ($ours)"
cat >>names <<'N'
unw_init_local
unw_step
unw_getcontext
unw_backtrace
_ULx86_64_init_local
_ULx86_64_step
XXH32
XXH64
XXH3_64bits
LZ4_compress
LZ4_compress_default
LZ4_decompress_safe
inflate
inflateInit_
deflate
crc32
adler32
ZSTD_compress
ZSTD_decompress
backtrace_create_state
backtrace_full
cplus_demangle
GetStackTrace
MallocHook_AddNewHook
N
# Each function returns its number, and records that it was called.
n=0
{
	echo 'static int calls;'
	while read -r name; do
		n=$((n + 1))
		echo "int $name(void) { calls++; return $n; }"
	done <names
	echo '#include <stdlib.h>'
	echo 'static void *volatile p;'
	echo 'int main(void) { int bad = calls;'
	echo 'for (int i = 0; i < 1000; i++) { p = malloc(i); free(p); }'
	echo 'p = malloc(10); p = realloc(p, 5000); bad += calls;'
	awk '{ print "bad += " $1 "() != " NR ";" }' names
	echo "return bad ? 1 : calls != $n; }"
} >own.c
want="1002 504510 1001 499510"
$CC -w -g -O0 -rdynamic own.c -o own && ./own
ok $? 'F15: the program, by itself'
"$MEMMON" ./own
ok $? "F15: preloaded, its own $n functions are called, and by nobody else"
is "$(totals mon.out)" "$want" 'F15: and all is counted'
$CC -w -g -O0 -rdynamic own.c -o linked -L"$MEMMON_BUILD" \
	-Wl,-rpath,"$MEMMON_BUILD" -Wl,--no-as-needed -lmemmon && ./linked
ok $? 'F15: the same, linked with -lmemmon'
is "$(totals mon.out)" "$want" 'F15: and all is counted'
# The names of a library of the program come before memmon's, too.
sed 's/^int main.*/int run(void) { int bad = calls;/' own.c >lib.c
$CC -w -g -O0 -fPIC -shared lib.c -o libown.so &&
	echo 'int run(void); int main(void) { return run(); }' >uselib.c &&
	$CC -g uselib.c -o uselib -L. -lown -Wl,-rpath,"$T" && "$MEMMON" ./uselib
ok $? 'F15: the same names in a library'
is "$(totals mon.out)" "$want" 'F15: and all is counted'

# shellcheck disable=SC2046
$CC -w -g -O0 -static own.c -o static -L"$MEMMON_BUILD" -lmemmon \
	$(sed -n 's/^Libs.private: *//p' "$MEMMON_BUILD/memmon.pc") 2>err
ok $? 'F15: the names clash with nothing in a static link' ||
	diag "$(head -n 20 err)"
rm -f mon.out
./static
ok $? 'F15: static: its own are called'
"$MPREDUCE" --json ./static mon.out 2>/dev/null >json
is "$("$MEMMON_BUILD/tests/jsonrows" functions name=main self.allocs <json)" \
	1002 \
	'F15: static: and all is counted'
done_testing
