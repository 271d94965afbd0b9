#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Names of generated code, which its maker writes for perf(1): a map and a
# jitdump.  Code that replaces other code has its own name.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
[ "$(uname -m)" = x86_64 ] || skip_all 'written for x86-64'

# Twice: code at one address, described by `map' or `dump'; the first allocates
# 10 blocks of 100 bytes, the second 20; code that was moved elsewhere allocates
# 5.
cat >maker.c <<'C'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
static FILE *file;
static int dump;
static unsigned char *code;
static void *volatile sink;
static void put(const void *p, size_t n) { fwrite(p, n, 1, file); }
struct head { uint32_t id, size; uint64_t time; };
static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}
static void tell(const char *name, unsigned char *at, size_t n)
{
	uint64_t f[4] = { (uintptr_t)at, (uintptr_t)at, n, 1 };
	struct head h = { 0, sizeof h + 8 + sizeof f + strlen(name) + 1 + n, now() };
	uint32_t ids[2] = { getpid(), getpid() };
	if (!dump) {
		fprintf(file, "%lx %zx %s\n", (long)at, n, name);
	} else {
		put(&h, sizeof h); put(ids, 8); put(f, sizeof f);
		put(name, strlen(name) + 1); put(at, n);
	}
	fflush(file);
}
static void moved(unsigned char *from, unsigned char *to, size_t n)
{
	uint64_t f[5] = { (uintptr_t)to, (uintptr_t)from, (uintptr_t)to, n, 2 };
	struct head h = { 1, sizeof h + 8 + sizeof f, now() };
	uint32_t ids[2] = { getpid(), getpid() };
	put(&h, sizeof h); put(ids, 8); put(f, sizeof f);
	fflush(file);
}
static __attribute__((noinline)) void helper(void) { sink = malloc(100); }
/* push rbp; mov rbp, rsp; mov rax, helper; call rax; pop rbp; ret */
static void make(unsigned char *at)
{
	void (*f)(void) = helper;
	memcpy(at, "\x55\x48\x89\xe5\x48\xb8", 6);
	memcpy(at + 6, &f, 8);
	memcpy(at + 14, "\xff\xd0\x5d\xc3", 4);
}
static __attribute__((noinline)) void run(unsigned char *at, int n)
{
	for (int i = 0; i < n; i++) ((void (*)(void))at)();
}
int main(int argc, char **argv)
{
	char name[64];
	uint32_t head[10] = { 0x4a695444, 1, 40, 62, 0, getpid() };
	code = mmap(0, 8192, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	dump = argc > 1 && !strcmp(argv[1], "dump");
	snprintf(name, sizeof name, dump ? "jit-%d.dump" : "/tmp/perf-%d.map", getpid());
	file = fopen(name, "w+");
	/* What is no line of a map does no harm. */
	if (!dump) fprintf(file, "rubbish\nzz 10 x\n%070000d\n10 20\n\n", 0);
	if (dump) {
		put(head, sizeof head);
		fflush(file);
		mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(file), 0);
	}
	make(code);
	tell("first(int)", code, 18);
	run(code, 10);
	tell("second <script.js:10>", code, 18);
	usleep(100000);
	run(code, 20);
	make(code + 4096);
	if (dump) moved(code, code + 4096, 18);
	else tell("second <script.js:10>", code + 4096, 18);
	usleep(100000);
	run(code + 4096, 5);
	if (argc > 2) unlink(name);
	printf("%s\n", name);
	return 0;
}
C
$CC -w -g -O1 maker.c -o maker || exit 1

# allocs FILE: the allocations of each call path.
allocs()
{
	"$MPREDUCE" --export=folded:allocs -o - ./maker "$1" 2>err | grep helper
}

for way in map dump; do
	file=$("$MEMMON" ./maker $way)
	allocs mon.out | sed 's/.*;main;/main;/; s/ (\[gen[^)]*)//' | LC_ALL=C sort >got
	is "$(cat got)" "main;run;first(int);helper 10
main;run;second <script.js:10>;helper 20
main;run;second <script.js:10>;helper 5" "$way: each has the name of its time" ||
		diag "$(cat err)"
	rm -f "$file"
	is "$(allocs mon.out | wc -l)" 3 '... though it is gone now'
	like "$("$MPREDUCE" -i mon.out)" 'code +second <script.js:10>=\[generated code of [0-9]+, 2\], ' \
		'mpreduce -i has the names'
	"$MPREDUCE" -s mon.out mon.out -o sum 2>err
	is "$(allocs sum | sed 's/.* //' | tr '\n' ' ')" "20 40 10 " '... and so has a sum' ||
		diag "$(allocs sum; cat err)"
done
# bridge() has no unwind tables, and generated code calls it only after it has
# written its map.
cat >late.c <<'C'
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static void *volatile sink;
__attribute__((noinline)) void helper(void) { sink = malloc(100); }
void bridge(void (*f)(void));
__asm__(".text; .globl bridge; .type bridge, @function; bridge: push %rbp; "
	"mov %rsp, %rbp; call *%rdi; pop %rbp; ret; .size bridge, . - bridge");
int main(int argc, char **argv)
{
	void (*f)(void (*)(void)) = bridge;
	char name[64];
	FILE *file;
	unsigned char *code = mmap(0, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < 3; i++) bridge(helper);
	memcpy(code, "\x55\x48\x89\xe5\x48\xb8", 6);
	memcpy(code + 6, &f, 8);
	memcpy(code + 14, "\xff\xd0\x5d\xc3", 4);
	snprintf(name, sizeof name, "/tmp/perf-%d.map", getpid());
	file = fopen(name, "w");
	fprintf(file, "%lx 12 made\n", (long)code);
	fclose(file);
	/* A chain that is new. */
	sleep(1);
	memset(alloca(argc * 256), 1, 1);
	((void (*)(void (*)(void)))code)(helper);
	unlink(name);
	return 0;
}
C
$CC -w -g -O1 -no-pie late.c -o late && "$MEMMON" ./late
is "$("$MPREDUCE" --export=folded:allocs -o - ./late mon.out 2>err | grep -c 'main;.*made.*;bridge;helper')" 1 \
	'generated code is found, too, behind code without tables' ||
	diag "$("$MPREDUCE" --export=folded:allocs -o - ./late mon.out)"

# most: of the lines of stdin, the one whose last word is the largest number.
most()
{
	awk '$NF + 0 >= n { n = $NF + 0; line = $0 } END { print line }'
}

if command -v node >/dev/null 2>&1; then
	cat >blocks.js <<'J'
function keepMany(n) { const all = []; for (let i = 0; i < n; i++) all.push(Buffer.alloc(300000)); return all; }
function outerMost() { return keepMany(50); }
let x; for (let i = 0; i < 30; i++) x = outerMost();
console.log(process.pid);
J
	timeout "$HANG" "$MEMMON" -o node.out node --perf-basic-prof \
		--interpreted-frames-native-stack blocks.js >out 2>&1
	"$MPREDUCE" --export=folded:bytes -o - "$(command -v node)" node.out 2>/dev/null >folded
	like "$(grep 'outerMost.*keepMany.*NodeArrayBuffer' folded | most)" \
		'outerMost .*keepMany .* [0-9]{7,}$' \
		"node: functions of the script are in the chains" ||
		diag "$(head -c 2000 folded; cat out)"
	rm -f "/tmp/perf-$(tail -n 1 out).map"
else
	skip 1 'no node'
fi
# Writes the whole map at the end; frames of the runtime itself have no names.
if command -v javac >/dev/null 2>&1; then
	cat >Blocks.java <<'J'
public class Blocks {
	static java.nio.ByteBuffer[] all = new java.nio.ByteBuffer[100];
	public static void main(String[] a) {
		for (int i = 0; i < 40000; i++) all[i % 100] = java.nio.ByteBuffer.allocateDirect(1000);
		System.out.println(ProcessHandle.current().pid());
	}
}
J
	javac Blocks.java >err 2>&1 && timeout "$HANG" "$MEMMON" -o java.out java \
		-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit Blocks >out 2>&1
	"$MPREDUCE" --export=folded:bytes -o - "$(readlink -f "$(command -v java)")" \
		java.out 2>/dev/null >folded
	if grep -qi 'unrecognized\|error' out; then
		skip 1 'this java writes no map'
	else
		like "$(grep 'Unsafe_AllocateMemory0' folded | most)" \
			'(Unsafe.allocateMemory0|Interpreter).*;Unsafe_AllocateMemory0' \
			'java: compiled methods have names' || diag "$(cat out err)"
	fi
	rm -f "/tmp/perf-$(tail -n 1 out).map"
else
	skip 1 'no javac'
fi
done_testing
