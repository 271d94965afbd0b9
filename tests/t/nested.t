#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Allocators whose functions call one another, as the program would: each block
# is counted once, however memmon and the allocator were loaded.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"
. "$MEMMON_SRC/tests/raw.sh"
. "$MEMMON_SRC/tests/attach.sh"

victim=$PROG/nested
lib=$PROG/libnest.so

# counts FILE: allocations, bytes and frees; frees of unseen blocks, or of
# blocks from before; addresses that were used again.
counts()
{
	echo "$(totals "$1" | cut -d' ' -f 1-3) $(raw "$1" T_UNSEEN) $(raw "$1" T_OFF_UNSEEN) $(raw "$1" T_REUSED)"
}

# nested WHAT WANT ARGUMENT...: run memmon with them.
nested()
{
	local what=$1 want=$2
	shift 2
	rm -f n.mon
	LD_PRELOAD=$lib timeout "$HANG" "$MEMMON" -q -o n.mon "$@" >out 2>&1
	is "$? $(cat out)" '0 ' "$what: it runs as alone"
	is "$(counts n.mon)" "$want" "$what: each block is counted once"
}

once='400 10000 400 0 0 0'
nested 'preloaded' "$once" "$victim"
nested 'a sample of all' "$once" --sample=1 "$victim"
nested 'costs are measured' "$once" --allocator "$victim"
nested 'a handler in malloc()' '402 10057 402 0 0 0' "$victim" handler
nested 'a handler with a stack of its own' '402 10057 402 0 0 0' \
	"$victim" stack
nested 'a jump out of malloc()' '401 10050 401 0 0 0' "$victim" jump

# Linked, with the library after it.
# shellcheck disable=SC2086 # flags
$CC -w -g -O0 -fno-builtin -o linked "$MEMMON_SRC/tests/prog/nested.c" "$lib" &&
	rm -f n.mon && timeout "$HANG" "$MEMMON" -q -o n.mon ./linked
is "$? $(counts n.mon)" "0 $once" 'linked: each block is counted once'

# Attached.
if may_attach; then
	rm -f go gone
	LD_PRELOAD=$lib "$victim" wait >said &
	victim=$!
	until_said said ready
	attach -o a.mon || cat attach.err >&2
	touch go
	until [ "$("$MPREDUCE" --json a.mon 2>/dev/null |
		grep -o '"frees":400' | head -n 1)" ]; do
		kill -0 $victim && kill -0 $attached || break
		sleep 0.05
	done
	detach
	touch gone
	wait $victim
	is "$? $(counts a.mon)" "0 $once" 'attached: each block is counted once'
else
	skip 1 'ptrace is not allowed here'
fi

# operator new of a library, which makes its blocks from malloc()'s, calls the
# program's new handler when none are left, and throws.
cat >pool.cc <<'C'
#include <cstdlib>
#include <new>
static char *at, *end;
static int blocks;
void *operator new(std::size_t n)
{
	n = (n + 15) & ~std::size_t(15);
	if (n > 65536)
		throw std::bad_alloc();
	if (blocks == 50 && std::get_new_handler())
		std::get_new_handler()();
	blocks++;
	if (std::size_t(end - at) < n + 16) {
		at = (char *)std::malloc(65536) + 16;
		end = at + 65536 - 32;
	}
	return at += n, at - n;
}
void operator delete(void *) noexcept {}
void operator delete(void *, std::size_t) noexcept {}
C
cat >user.cc <<'C'
#include <cstdlib>
#include <cstring>
#include <new>
static void *volatile keep;
static void handler()
{
	std::free(keep = strdup("nine byte"));
}
int main()
{
	std::set_new_handler(handler);
	for (int i = 0; i < 100; i++)
		::operator delete(keep = ::operator new(1000));
	try {
		keep = ::operator new(1 << 20);
	} catch (std::bad_alloc &) {
	}
	for (int i = 0; i < 10; i++)
		std::free(keep = std::malloc(20));
	return 0;
}
C
# The exception is the C++ library's own block.
"$CXX" -g -O1 -fPIC -shared -o pool.so pool.cc &&
	"$CXX" -g -O0 -fno-builtin -o user user.cc ./pool.so &&
	rm -f n.mon && timeout "$HANG" "$MEMMON" -q -o n.mon ./user
is "$?" 0 'operator new of a library: it runs'
json n.mon ./user
# The first block shows that they aren't malloc()'s; it is counted, too.
is "$(self main allocs) $(self 'handler()' allocs)" '111 1' \
	'... its blocks, malloc()s and the new handler'"'"'s are counted once'
done_testing
