#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The allocation API, function by function, on every installed allocator: the
# results are the allocator's own, and the counts are right (tests/prog/api.c).
# Also C++'s operators, from any library.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

"$PROG/api-mm" >linked
ok $? 'F11: linked with -lmemmon: all results and counts' ||
	diag "$(grep -v '^ok' linked)"
"$MEMMON" "$PROG/api" >preloaded
ok $? 'F11: preloaded: all results and counts' ||
	diag "$(grep -v '^ok' preloaded)"

cat >cxx.cc <<'C'
// 40 blocks by every form of new, 6000 bytes, 20 freed by every form of delete.
#include <cstddef>
#include <cstdio>
#include <new>
struct alignas(64) Wide { char c[64]; };
static void *p[16];
__attribute__((noinline)) void *make(int form, std::size_t n)
{
	std::align_val_t a{64};
	switch (form) {
	case 0: return ::operator new(n);
	case 1: return ::operator new[](n);
	case 2: return ::operator new(n, std::nothrow);
	case 3: return ::operator new[](n, std::nothrow);
	case 4: return ::operator new(n, a);
	case 5: return ::operator new[](n, a);
	case 6: return ::operator new(n, a, std::nothrow);
	default: return ::operator new[](n, a, std::nothrow);
	}
}
__attribute__((noinline)) void drop(int form, void *q, std::size_t n)
{
	std::align_val_t a{64};
	switch (form) {
	case 0: ::operator delete(q); break;
	case 1: ::operator delete[](q); break;
	case 2: ::operator delete(q, std::nothrow); break;
	case 3: ::operator delete[](q, n); break;
	case 4: ::operator delete(q, a); break;
	case 5: ::operator delete[](q, n, a); break;
	case 6: ::operator delete(q, a, std::nothrow); break;
	default: ::operator delete[](q, a); break;
	}
}
int main()
{
	for (int round = 0; round < 5; round++)
		for (int f = 0; f < 8; f++) {
			void *q = make(f, 128 + 32 * (f & 1) + 8 * round);
			if (round & 1) p[f] = q;
			else drop(f, q, 128 + 32 * (f & 1) + 8 * round);
		}
	try {
		(void)make(0, static_cast<std::size_t>(-1) / 4);
	} catch (const std::bad_alloc &) {
		std::puts("bad_alloc");
	}
	return 0;
}
C
# By construction: sizes 128 or 160 (four each) plus 0, 8, 16, 24, 32.
allocs=40 bytes=$((5 * (4 * 128 + 4 * 160) + 8 * (0 + 8 + 16 + 24 + 32)))
frees=24 freed=$((3 * (4 * 128 + 4 * 160) + 8 * (0 + 16 + 32)))

own()
{
	"$MPREDUCE" --json ./cxx m.out 2>/dev/null | sed -n \
	's/^{"name":"make(.*"self":{"allocs":\[\([^]]*\)\],"bytes":\[\([^]]*\)\],"frees":\[\([^]]*\)\],"freed":\[\([^]]*\)\].*/\1 \2 \3 \4/p' |
	awk '{ for (i = 1; i <= 4; i++) { n = split($i, v, ","); s = 0
		for (k = 1; k <= n; k++) s += v[k]; printf "%s ", s } print "" }'
}
cxx()
{
	local out want
	want=$(LD_PRELOAD=$2 ./cxx 2>/dev/null; echo " $?")
	out=$(LD_PRELOAD=$2 "$MEMMON" -o m.out ./cxx 2>/dev/null; echo " $?")
	is "$out" "$want" "$1: a failing new ends as without memmon"
	is "$(own)" "$allocs $bytes $frees $freed " "F11, F22: $1: every new and delete"
	is "$(total m.out 'blocks reused')" 0 "$1: no free of delete is missed"
}

have_cxx=1
g++ -g -O1 cxx.cc -o cxx -fsized-deallocation 2>err || have_cxx=0
[ $have_cxx = 1 ] && cxx 'libstdc++ on glibc' ''
for lib in libjemalloc.so.2 libmimalloc.so.2 libtcmalloc_minimal.so.4; do
	path=$(ldconfig -p 2>/dev/null | awk -v l=$lib '$1 == l { print $NF; exit }')
	if [ -z "$path" ]; then
		skip 4 "no $lib"
		continue
	fi
	LD_PRELOAD=$path "$PROG/api" >alone
	LD_PRELOAD=$path "$MEMMON" "$PROG/api" >with
	is_file with alone "F11, F22: $lib: results as without memmon, counts right"
	[ $have_cxx = 1 ] && cxx "$lib" "$path"
done
# The program asks for the file: if that fails, it learns why.
cat >dump.c <<'C'
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "monitor/memmon.h"

int
main(int argc, char **argv)
{
	int r;

	errno = 77;
	if (argc > 1)
		r = memmon_dump_to(argv[1]);
	else
		r = memmon_dump();
	printf("%d %s\n", r, errno == 77 ? "77" : strerrorname_np(errno));
	return 0;
}
C
"$CC" -D_GNU_SOURCE -I"$MEMMON_SRC" -o dump dump.c -L"$MEMMON_BUILD" \
	-l:libmemmon.so.0 -Wl,-rpath,"$MEMMON_BUILD" 2>dump.err
ok $? 'a program that writes its file' || diag "$(cat dump.err)"
is "$(./dump good.mon)" '0 77' 'memmon_dump_to(): errno stays'
is "$(./dump no/such/file)" '-1 ENOENT' 'memmon_dump_to(): no such directory'
is "$(./dump dump.c/file)" '-1 ENOTDIR' 'memmon_dump_to(): not a directory'
is "$(./dump '')" '-1 ENOENT' 'memmon_dump_to(): no name'
mkdir there
is "$(./dump there)" '-1 EISDIR' 'memmon_dump_to(): a directory'
is "$(ulimit -f 0; trap '' XFSZ; ./dump large.mon)" '-1 EFBIG' \
	'memmon_dump_to(): no room'
is "$(MEMMON_OUT=no/such/file ./dump)" '-1 ENOENT' 'memmon_dump(): likewise'
is "$(MEMMON_OUT=whole.mon ./dump)" '0 77' 'memmon_dump(): errno stays'

done_testing
