#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# F14: the innermost frame of the program is the function that calls malloc,
# however it is compiled and linked; nothing of the monitor is on top of it.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

cat >top.c <<'C'
#include <stdlib.h>
#include <string.h>
static void *volatile keep[8];
#define APART __attribute__((noinline, noclone, noipa))
#ifdef __clang__
#undef APART
#define APART __attribute__((noinline))
#endif
APART static void by_malloc(void) { keep[0] = malloc(1001); }
APART static void by_calloc(void) { keep[1] = calloc(1, 1002); }
APART static void by_realloc(void) { keep[2] = realloc(NULL, 1003); }
APART static void by_memalign(void) { void *p = 0; if (posix_memalign(&p, 64, 1004)) abort(); keep[3] = p; }
APART static void by_aligned(void) { keep[4] = aligned_alloc(16, 1024); }
APART static void by_array(void) { keep[5] = reallocarray(NULL, 5, 201); }
int main(void)
{
	by_malloc(); by_calloc(); by_realloc();
	by_memalign(); by_aligned(); by_array();
	return keep[0] == keep[1];
}
C
want='1001 main > by_malloc
1002 main > by_calloc
1003 main > by_realloc
1004 main > by_memalign
1005 main > by_array
1024 main > by_aligned'
static="-L$MEMMON_BUILD -lmemmon \
$(sed -n 's/^Libs.private: *//p' "$MEMMON_BUILD/memmon.pc")"

# top NAME LIBRARIES COMPILER...
top()
{
	local name=$1 libs=$2
	shift 2
	# shellcheck disable=SC2086
	if ! command -v "$1" >/dev/null || ! "$@" -w -g -D_GNU_SOURCE top.c -o top $libs 2>err; then
		skip 1 "$name does not work here: $(head -n 1 err)"
		return
	fi
	rm -f mon.out
	if [ -n "$libs" ]; then ./top; else "$MEMMON" ./top; fi
	is "$("$MPREDUCE" -b -L --depth=all ./top mon.out 2>/dev/null |
		sed -n 's/^ *\(10[0-9][0-9]\) .*|| > \(main > .*\)$/\1 \2/p' |
		sort)" "$want" "F14: $name"
}
for cc in gcc clang; do
	while read -r flags; do
		# shellcheck disable=SC2086
		top "$cc $flags, preloaded" '' $cc -fno-optimize-sibling-calls $flags
	done < <(some <<'E2'
-O0
+ -O1
+ -O2
-O3
+ -Os
-O2 -flto
+ -O2 -fomit-frame-pointer
-O2 -fno-omit-frame-pointer -fcf-protection
-O2 -fno-plt
-O2 -no-pie -fno-pie
+ -O2 -fstack-protector-all
+ -O2 -D_FORTIFY_SOURCE=2 -Wl,-z,now
E2
	)
	while read -r flags; do
		# shellcheck disable=SC2086
		top "$cc $flags" "$static" $cc -fno-optimize-sibling-calls $flags
	done < <(some <<'E2'
-O0 -static
+ -O2 -static
-O2 -static-pie -fPIE
+ -O2 -flto -static
E2
	)
	top "$cc -O2, linked" \
		"-L$MEMMON_BUILD -Wl,-rpath,$MEMMON_BUILD -Wl,--no-as-needed -lmemmon" \
		$cc -fno-optimize-sibling-calls -O2
done
done_testing
