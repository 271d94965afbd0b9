#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Threads that write to the same granules at once: counts are never above the
# true ones, and lost accesses cause no verdict.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

[ -e "$MEMMON_BUILD/libmemmon-access.so" ] || skip_all 'no libmemmon-access.so'
cat >at.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#define THREADS 4
#define TIMES 200000L
#define MAKE __attribute__((noinline)) static
static volatile int *same, *own, *apart, *count;
static atomic_int *swapped;
MAKE volatile int *make_same(void) { return malloc(64); }
MAKE volatile int *make_own(void) { return malloc(64); }
MAKE volatile int *make_apart(void) { return malloc(512); }
MAKE volatile int *make_count(void) { return calloc(4, sizeof(int)); }
MAKE atomic_int *make_swapped(void) { return malloc(64); }
static void *run(void *arg)
{
	long id = (long)arg;

	for (long i = 0; i < TIMES; i++) {
		same[0] = (int)i;
		own[id] = (int)i;
		apart[32 * id] = (int)i;
		count[id] += 1;
		atomic_fetch_add(swapped, 1);
	}
	return NULL;
}
int main(void)
{
	pthread_t t[THREADS];

	same = make_same();
	own = make_own();
	apart = make_apart();
	count = make_count();
	swapped = make_swapped();
	for (long i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, run, (void *)i);
	for (long i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
C

# of NAME: reads, writes and write-only blocks of its own allocations.
of()
{
	"$MPREDUCE" --json at mon.out 2>/dev/null | perl -I"$MEMMON_SRC/tests" -Mjson -0777 -ne '
		for my $f (@{decode_json($_)->{functions}}) {
			my $u = $f->{use} or next;
			print "$u->{reads} $u->{writes} ",
				$u->{flags}{write_only}{blocks} // 0
				if $f->{name} =~ /^'"$1"'\b/;
		}'
}

all=$((4 * 200000))
ways=calls
for plugin in "$MEMMON_BUILD"/plugin/gcc-*/memmon.so; do
	[ -e "$plugin" ] && command -v gcc >/dev/null && ways='plugin calls'
done
for way in $ways; do
	MEMMON_WAY=$way "$MEMMON_BUILD/memmon-cc" -g -O1 -o at at.c -pthread \
		2>err
	ok $? "$way: it is compiled" || diag "$(cat err)"
	for run in 1 2 3; do
		./at
		for name in same own; do
			read -r reads writes only < <(of make_$name)
			is "$reads $only" '0 1' "$way, $run: $name is only written"
			[ "$writes" -gt 0 ] && [ "$writes" -le $all ]
			ok $? "... no more often than it was ($writes)"
		done
		is "$(of make_apart)" "0 $all 1" "$way, $run: apart: exact"
		for name in count swapped; do
			read -r reads writes only < <(of make_$name)
			[ "$reads" -gt 0 ] && [ "$reads" -le $all ] &&
				[ "$writes" -gt 0 ] && [ "$writes" -le $((all + 1)) ]
			ok $? "$name: no more than there was ($reads, $writes)"
		done
	done
done
done_testing
