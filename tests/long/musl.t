#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The library for programs of musl, built by musl-gcc from the same source:
# preloaded, linked with, and in a static link.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

command -v musl-gcc >/dev/null || skip_all 'no musl-gcc'
# musl doesn't come with the kernel's headers.
mkdir include
for dir in linux asm asm-generic; do
	for from in /usr/include /usr/include/"$(gcc -dumpmachine)"; do
		[ ! -d "$from/$dir" ] || ln -sfn "$from/$dir" include/$dir
	done
done
make -C "$MEMMON_SRC" -s -j2 O="$T/build" CC=musl-gcc WERROR=-Werror \
	CFLAGS="-O2 -g -idirafter $T/include" monitor >log 2>&1 </dev/null
ok $? 'musl-gcc builds the library and the launcher' || {
	diag "$(tail -n 30 log)"
	done_testing
	exit
}
is "$(grep -v 'no libzstd' log)" '' '... without a warning'

compile()
{
	local out=$1 name=$2
	shift 2
	musl-gcc -Wl,--eh-frame-hdr -std=gnu11 -g -w -I"$MEMMON_SRC" -idirafter include -o "$out" \
		"$MEMMON_SRC/tests/prog/$name.c" "$@" -pthread 2>err ||
		{ diag "$(cat err)"; return 1; }
}

# says NAME PROGRAM...: its totals equal those that it prints.
says()
{
	local name=$1
	shift
	rm -f mon.out
	timeout "$HANG" "$@" >out 2>err </dev/null
	is "$(totals mon.out)" "$(head -n 1 out)" "$name" || diag "$(cat err)"
}

while read -r name arguments; do
	compile "$name" "$name" && compile "$name-mm" "$name" -DWITH_MEMMON \
		-Lbuild -Wl,-rpath,"$T/build" -Wl,--no-as-needed -lmemmon
	# shellcheck disable=SC2046
	compile "$name-static" "$name" -static -Lbuild -lmemmon \
		$(sed -n 's/^Libs.private: *//p' build/memmon.pc)
	# shellcheck disable=SC2086
	{
		says "memmon $name $arguments" build/memmon "./$name" $arguments
		says "$name $arguments, linked with it" "./$name-mm" $arguments
		says "$name $arguments, static" "./$name-static" $arguments
	}
done <<'L'
events 20000
paths 3000 7 10
sizes 304
L

# Functions that call one another in musl count once.
cat >calls.c <<'X'
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int
main(void)
{
	char line[100];
	void *p, *q;

	for (int i = 0; i < 100; i++) {
		p = calloc(10, 10);
		if (posix_memalign(&q, 64, 200))
			return 1;
		free(p);
		free(q);
		free(memalign(32, 50));
		p = realloc(aligned_alloc(64, 64), 300);
		free(p);
		free(valloc(10));
	}
	return write(1, line, snprintf(line, 100, "600 72400 600 72400\n")) < 0;
}
X
musl-gcc -Wl,--eh-frame-hdr -g -w -o calls calls.c &&
	says 'each function counts once' build/memmon ./calls
# shellcheck disable=SC2046
musl-gcc -Wl,--eh-frame-hdr -g -w -static -o calls-static calls.c -Lbuild \
	-lmemmon $(sed -n 's/^Libs.private: *//p' build/memmon.pc) &&
	says '... in a static link' ./calls-static
# Programs that don't exist for musl print a line that says so, and the user's
# program runs.
printf 'int main(void) { return 0; }\n' >nothing.c
MEMMON_CC=musl-gcc "$MEMMON_BUILD/memmon-cc" -o nothing nothing.c >err 2>&1 &&
	./nothing
is "$?: $(cat err)" "0: memmon-cc: accesses aren't recorded: the library is for \
glibc, not for musl" 'memmon-cc'
build/memmon -p $$ >err 2>&1
is "$?: $(cat err)" "125: memmon: -p isn't available: memmon was built \
without libunwind-ptrace; start the program by memmon" 'memmon -p'
build/memmon /bin/true 2>err
is "$?" 125 'a program of glibc is refused'
like "$(cat err)" 'is linked with glibc, .* is for musl' '... in a line'
done_testing
