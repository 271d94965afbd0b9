#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Blocks of calloc, and the bytes that it clears, by call path: exact, and with
# their errors if blocks are sampled, against what the program counts itself.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

cat >clear.c <<'E'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static unsigned long blocks, bytes;
static void *zeros(size_t n)
{
	__atomic_fetch_add(&blocks, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&bytes, n, __ATOMIC_RELAXED);
	return calloc(n / 4, 4);
}
static void *some(void *arg)
{
	for (size_t i = 0; i < 20000; i++) {
		free(zeros(i % 3000 * 4));
		free(malloc(500));
	}
	return arg;
}
int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, some, NULL);
	some(NULL);
	pthread_join(t, NULL);
	printf("%lu %lu\n", blocks, bytes);
	return 0;
}
E
$CC -O0 -g clear.c -pthread -o clear
ok $? 'a program'
sql()
{
	"$MPREDUCE" --export=csv --sql="$1" clear "$2" | tail -n +2 | tr -d '\r'
}
sum="SELECT sum(cleared_blocks), sum(cleared) FROM sites"
"$MEMMON" -o exact.mon -- ./clear >told
is "$(sql "$sum WHERE site LIKE '%zeros'" exact.mon)" "$(tr ' ' , <told)" \
	'the program counts the same'
is "$(sql "$sum WHERE function = 'some'" exact.mon)" '0,0' 'malloc clears none'
MEMMON_SAMPLE_SEED=1 "$MEMMON" --sample=64K -o s.mon -- ./clear >told
"$MPREDUCE" --json clear s.mon | perl -MJSON::PP -e '
	local $/;
	open my $f, "<", "told" or die;
	my ($blocks, $bytes) = split " ", <$f>;
	my $j = decode_json(<STDIN>);
	my @sites = grep { $j->{functions}[$_->{chain}[-1]]{name} eq "zeros" }
		@{$j->{sites}};
	my %want = (cleared_blocks => $blocks, cleared => $bytes);
	for (sort keys %want) {
		my ($n, $e) = (0, 0);
		for my $s (@sites) {
			$n += $s->{life}{$_};
			$e += $s->{life}{errors}{$_} ** 2;
		}
		$e = sqrt $e;
		print "$_: $n, not $want{$_}, error $e\n"
			if !$e || abs($n - $want{$_}) > 5 * $e || $e > $n / 5;
	}' >bad 2>&1
is "$(cat bad)" '' 'samples: within five standard errors'
done_testing
