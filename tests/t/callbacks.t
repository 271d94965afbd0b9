#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Recorded functions that libc calls back, for example in qsort(): the library's
# wrapper is a frame on the stack, but in no call path; and allocations there
# cost about as much as elsewhere.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

cc=$MEMMON_BUILD/memmon-cc
[ -e "$MEMMON_BUILD/libmemmon-access.so" ] ||
	skip_all 'no libmemmon-access.so'
command -v valgrind >/dev/null || skip_all 'no valgrind'

cat >back.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static int rounds;
static void *volatile kept;
__attribute__((noinline)) static void fresh(void)
{
	for (int i = 0; i < rounds; i++) {
		free(kept);
		kept = malloc(64);
	}
}
__attribute__((noinline)) static void down(int n)
{
	n ? down(n - 1) : fresh();
	__asm__ volatile("");
}
static int compare(const void *a, const void *b)
{
	down(40);
	return *(const int *)a - *(const int *)b;
}
static void once(void) { down(40); }
__attribute__((noinline)) static void sort(void)
{
	int two[2] = { 2, 1 };
	qsort(two, 2, sizeof(two[0]), compare);
}
__attribute__((noinline)) static void ready(void)
{
	static pthread_once_t o;
	pthread_once(&o, once);
}
__attribute__((noinline)) static void straight(void) { fresh(); }
int main(int argc, char **argv)
{
	rounds = atoi(argv[argc - 1]);
	switch (argv[1][0]) {
	case 's':
		sort();
		break;
	case 'r':
		ready();
		break;
	default:
		straight();
	}
	return 0;
}
C
# counted WHAT ROUNDS: the number of instructions of this run.
counted()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null ./back "$@" \
		2>&1 | sed -n 's/.*Collected : //p'
}

# deepest COMMAND...: the number of frames of the longest call path in this run.
deepest()
{
	rm -f mon.out
	"$@"
	total mon.out 'deepest call path'
}
gcc -O1 -g -fno-optimize-sibling-calls back.c -o plain -pthread

declare -A callee=([sort]=compare [ready]=once)
export MEMMON_TIMELINE=0
for way in '' calls; do
	MEMMON_WAY=$way MEMMON_CC_QUIET=1 "$cc" -O1 -g \
		-fno-optimize-sibling-calls back.c -o back -pthread
	ok $? "${way:-plugin}: compiled"
	usual=$(($(counted n 2000) - $(counted n 1000)))
	for what in sort ready; do
		n=$(($(counted $what 2000) - $(counted $what 1000)))
		[ "$n" -gt 0 ] && [ "$n" -lt $((2 * usual)) ]
		ok $? "${way:-plugin}: a thousand more blocks, $what" \
			"$n instructions; $usual"
		# Functions of libc's own have other names elsewhere.
		is "$("$MPREDUCE" -bL --depth=9 back | sed -n 's/.*|| //p' |
			sed 's/> [^>]*\(qsort\|msort\|once_\)[^>]*//g')" \
			"> main > $what > ${callee[$what]} > <cycle: down> > fresh" \
			"${way:-plugin}: the chain, $what"
		is "$(deepest ./back $what 1)" \
			"$(deepest "$MEMMON" ./plain $what 1)" \
			"${way:-plugin}: its frames are as many as of the plain program"
	done
done
done_testing
