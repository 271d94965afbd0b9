#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The monitor's own needs do not harm the program: stacks, file size limits,
# working directories that were removed, unloaded C++ libraries, daemon(3),
# blocks that are freed twice.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# same WAY: as without memmon.
same()
{
	local s0 s1
	{ timeout "$HANG" "$PROG/hard" "$1" >o0; s0=$?; } 2>/dev/null
	{ timeout "$HANG" "$MEMMON" "$PROG/hard" "$1" >o1; s1=$?; } 2>/dev/null
	is "$s1 $(cat o1)" "$s0 $(cat o0)" "$2"
}

ulimit -c 0
same smallstack 'a fatal signal on an alternate stack of 8 KiB'
like "$(end_of mon.out)" '^signal 15' 'leaves a file'
same bighandler 'F06: a handler that needs 300 KB'
same coroutine 'F06: a coroutine near the stack of a thread'
same nothrow 'an allocation that fails'
is "$(total mon.out 'allocations failed')" 1 'is counted once'

rm -f mon.out*
(
	ulimit -f 0
	exec "$MEMMON" "$PROG/hard" nothing
)
is $? 0 'no file may grow: the program ends as it does'
is "$(ls mon.out* 2>/dev/null)" '' 'and nothing is left lying about'

mkdir gone
(cd gone && rmdir ../gone && exec "$MEMMON" "$PROG/widgets")
is $? 0 'a working directory that is gone'
ok "$([ ! -e /mon.out ]; echo $?)" 'nothing is written to the root directory'

rm -f mon.out*
"$MEMMON" "$PROG/life" daemon
for _ in $(seq $((10 * HANG))); do
	# Not the file that it writes while it runs.
	[ "$(ls 2>/dev/null | grep -cx 'mon[.]out[.][0-9]*')" = 1 ] && break
	sleep 0.1
done
is "$(totals mon.out)" '125 11000 50 5000' 'daemon(): what the parent counted'
is "$(total "$(ls mon.out.* | head -n 1)" 'frees inherited')" 75 \
	"and the daemon's own file"

# A plug-in whose operator new is unloaded with it, and loaded again at another
# address.
cat >plug.cc <<'C'
#include <cstdlib>
#include <new>
__attribute__((noinline)) void *operator new(std::size_t n) { return std::malloc(n); }
void operator delete(void *p) noexcept { std::free(p); }
void operator delete(void *p, std::size_t) noexcept { std::free(p); }
extern "C" void run(void) { int *volatile p = new int(1); delete p; }
C
cat >host.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <sys/mman.h>
int main(void)
{
	for (int i = 0; i < 3; i++) {
		void *h = dlopen("./plug.so", RTLD_NOW | RTLD_LOCAL);
		void (*run)(void);
		if (!h) return 2;
		run = (void (*)(void))dlsym(h, "run");
		run();
		dlclose(h);
		/* Take its place. */
		for (int k = 0; k < 100; k++)
			mmap(0, 16384, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	}
	puts("fine");
	return 0;
}
C
if g++ -O1 -fPIC -shared plug.cc -o plug.so 2>/dev/null && $CC host.c -o host -ldl; then
	is "$(timeout "$HANG" "$MEMMON" ./host; echo $?)" "$(./host; echo $?)" \
		"F22: a plug-in's operator new comes and goes"
else
	skip 1 'no g++'
fi

if command -v g++ >/dev/null 2>&1; then
	printf '%s\n' '#include <new>' 'int main() {' \
		'char *volatile p = new (std::nothrow) char[1ul << 60];' \
		'return p != nullptr; }' >nothrow.cc
	g++ -w nothrow.cc -o nothrow && "$MEMMON" ./nothrow
	is "$(total mon.out 'allocations failed')" 1 \
		'new (std::nothrow) that fails is counted once'
fi

# malloc works with a stack that isn't aligned as the ABI requires; so must the
# hooks.
if [ "$(uname -m)" = x86_64 ]; then
	cat >askew.c <<'C'
#include <stdio.h>
#include <stdlib.h>
/* Call f with the stack as it is, or 8 bytes lower. */
#define CALL(how) \
static __attribute__((noinline)) void *call##how(void *f, void *p, size_t n) \
{ \
	register void *r __asm__("rax"); \
	__asm__ volatile("sub $" #how ", %%rsp\n\tcall *%1\n\tadd $" #how ", %%rsp" \
		: "=r"(r), "+r"(f), "+D"(p), "+S"(n) : : "rdx", "rcx", "r8", \
		"r9", "r10", "r11", "memory", "cc", "xmm0", "xmm1"); \
	return r; \
}
CALL(0)
CALL(8)
int main(void)
{
	for (size_t i = 1; i < 3000; i++) {
		void *p = call0(malloc, (void *)i, 0), *q = call8(malloc, (void *)i, 0);

		call0(free, call0(realloc, p, 2 * i), 0);
		call8(free, call8(realloc, q, 2 * i), 0);
	}
	puts("fine");
	return 0;
}
C
	$CC -w -O1 -fno-omit-frame-pointer -mno-red-zone askew.c -o askew
	is "$(timeout "$HANG" "$MEMMON" ./askew; echo $?)" "$(./askew; echo $?)" \
		'calls with a stack that is not aligned'
	is "$(total mon.out allocations)" "$(($(total mon.out frees) + 1))" \
		'are counted, and but for the buffer of stdout freed'
fi
# A block at the end of the heap is freed twice.  In the freed memory there, no
# size is right.
cat >twice.c <<'C'
#include <stdlib.h>
int main(void)
{
	void *volatile p = malloc(2000);
	free(p);
	free(p);
	return 0;
}
C
$CC -fno-builtin -w twice.c -o twice
{ timeout "$HANG" ./twice 2>want; was=$?; } 2>/dev/null
for mode in --quiet --leak-check --allocator --sample=100; do
	{ timeout "$HANG" "$MEMMON" $mode ./twice 2>got; is=$?; } 2>/dev/null
	is "$is $(cat got)" "$was $(cat want)" "a second free(), $mode: as alone"
done
done_testing
