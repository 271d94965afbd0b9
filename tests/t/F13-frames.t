#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# F13: malloc called from frames without information or with wrong information:
# no unwind tables, code made at run time, a frame pointer into memory that
# can't be read, stacks that end at such memory.  Nothing faults, all is
# counted, and the tables report that call paths stop.  F12: the space that
# hooks take on the program's stack.  See unwind.t and recursion.t.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
[ "$(uname -m)" = x86_64 ] || skip_all 'written for x86-64'

cat >frames.c <<'C'
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
/* f(n) with rbp as told, from a frame that no table knows. */
void *bad_bp(void *f, size_t n, void *bp);
__asm__(".text\nbad_bp: push %rbp\n mov %rdi, %rax\n mov %rsi, %rdi\n"
	" mov %rdx, %rbp\n call *%rax\n pop %rbp\n ret\n");
void *no_table(size_t n);
static ucontext_t home, there;
static void *got;
static void edge(void) { got = malloc(300); setcontext(&home); }
int main(void)
{
	size_t page = 4096;
	char *none = mmap(0, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned char *code = mmap(0, page, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *bps[] = { 0, (void *)1, none, none + page, (void *)-1ul,
		(void *)0x8000000000000000ul, (void *)0x00007ffffffff000ul, &page, none - 8, none - 1 };
	for (int i = 0; i < 10; i++)
		for (int k = 0; k < 100; k++)
			free(bad_bp((void *)malloc, 100, bps[i]));
	for (int k = 0; k < 100; k++)
		free(no_table(200));
	/* push rbx; mov rdi, rax; mov rsi, rdi; call rax; pop rbx; ret */
	memcpy(code, "\x53\x48\x89\xf8\x48\x89\xf7\xff\xd0\x5b\xc3", 11);
	for (int k = 0; k < 100; k++)
		free(((void *(*)(void *, size_t))code)((void *)malloc, 400));
	/* A stack with nothing above it, and nothing below. */
	mprotect(none + page, page, PROT_READ | PROT_WRITE);
	for (int k = 0; k < 100; k++) {
		getcontext(&there);
		there.uc_stack.ss_sp = none + page;
		there.uc_stack.ss_size = page;
		makecontext(&there, edge, 0);
		swapcontext(&home, &there);
		free(got);
	}
	/* Code that is gone, with its module. */
	munmap(code, page);
	return write(1, "done\n", 5) != 5;
}
C
cat >none.c <<'C'
#include <stdlib.h>
void *no_table(size_t n) { char *volatile p = malloc(n); return p; }
C
for cc in gcc clang; do
	command -v $cc >/dev/null || { skip 15 "no $cc"; continue; }
	for flags in -O0 -O2 '-O2 -fomit-frame-pointer' '-O1 -fno-omit-frame-pointer' \
		'-O2 -fcf-protection'; do
		# shellcheck disable=SC2086
		$cc -w -g0 -O1 -fno-asynchronous-unwind-tables -fno-unwind-tables \
			-c none.c && $cc -w -g $flags frames.c none.o -o frames
		is "$(timeout "$HANG" "$MEMMON" ./frames; echo $?)" "$(./frames; echo $?)" \
			"F13: $cc $flags: nothing faults"
		is "$(totals mon.out)" '1300 190000 1300 190000' \
			"F13: $cc $flags: all is counted"
		is "$(total mon.out 'call paths stopped')" 1300 \
			"F13: $cc $flags: all chains stop, and it is said"
	done
done

# A thread paints its stack, and looks how far down malloc and free have been.
cat >paint.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#define SIZE (256 << 10)
static char *stack;
static void *own(void *p, size_t n) { return malloc(n); }
__attribute__((noinline)) static void call(size_t n)
{
	void *volatile p = malloc(n), *volatile q = calloc(n, 2);
	p = realloc(p, 2 * n);
	free(p);
	free(q);
}
__attribute__((noinline)) static size_t depth(size_t n)
{
	char *here = __builtin_frame_address(0), *to = here - 512, *p;
	for (p = stack + 65536; p < to; p++) *(volatile char *)p = 0x5a;
	call(n);
	for (p = stack + 65536; p < to && *(volatile char *)p == 0x5a; p++);
	return here - p;
}
static void *run(void *arg)
{
	size_t most = 0, d;
	for (int i = 0; i < 3000; i++) {
		d = depth(1 + i * 37 % 5000);
		if (d > most) most = d;
	}
	printf("%zu\n", most);
	return arg;
}
int main(void)
{
	pthread_attr_t a;
	pthread_t t;
	stack = mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	free(malloc(1));
	pthread_attr_init(&a);
	pthread_attr_setstack(&a, stack, SIZE);
	pthread_create(&t, &a, run, 0);
	pthread_join(t, 0);
	return 0;
}
C
$CC -w -g -O1 paint.c -o paint -pthread -Wl,-z,now
alone=$(./paint) with=$("$MEMMON" ./paint)
ok $((with > alone + 4096)) \
	"F12: hooks take less than 4 KB of stack ($with bytes, $alone alone)"
done_testing
