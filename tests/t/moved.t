#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What realloc does: blocks moved, bytes copied and added, by call path.  The program
# counts them itself; without sampling both agree, with it the estimates are
# within five standard errors, also in a sum and after kill -9.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# Arrays of 64 to 64K bytes grow, with blocks between them; "k": it is killed.
cat >grow.c <<'E'
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static unsigned long moved, copied, enlarged;
static void *grow(void *p, size_t from, size_t to)
{
	uintptr_t was = (uintptr_t)p;
	void *q = realloc(p, to);

	enlarged += to > from ? to - from : 0;
	if ((uintptr_t)q != was) {
		moved++;
		copied += from;
	}
	return q;
}
int main(int argc, char **argv)
{
	static void *keep[4096];

	for (int i = 0; i < 5000; i++) {
		size_t n = 64;
		void *p = malloc(n);

		for (int k = 0; n < 65536; k++, n *= 2) {
			void **at = &keep[(i * 7 + k) % 4096];

			p = grow(p, n, n * 2);
			free(*at);
			*at = malloc(100 + (size_t)k * 37);
		}
		free(p);
	}
	printf("%lu %lu %lu\n", moved, copied, enlarged);
	fflush(stdout);
	if (argc > 1 && *argv[1] == 'k')
		raise(SIGKILL);
	return 0;
}
E
$CC -O0 -g grow.c -o grow
ok $? 'a program'

# of FILE...: moved, copied, enlarged of grow()
of()
{
	"$MPREDUCE" --export=csv --sql="SELECT sum(moved), sum(copied),
		sum(enlarged) FROM sites WHERE site LIKE '%grow'" "$@" | tail -n +2 | tr -d '\r'
}
"$MEMMON" -o exact.mon -- ./grow >told
is "$(of grow exact.mon)" "$(tr ' ' , <told)" 'the program counts the same'

# near NAME TIMES FILE...: each figure is TIMES what the program counted.
near()
{
	local name=$1 times=$2
	shift 2
	"$MPREDUCE" --json grow "$@" >out.json
	perl -MJSON::PP -e '
		local $/;
		open my $f, "<", "told" or die;
		my %want;
		@want{"moved", "copied", "enlarged"} = split " ", <$f>;
		my $j = decode_json(<STDIN>);
		my ($site) = grep {
			$j->{functions}[$_->{chain}[-1]]{name} eq "grow"
		} @{$j->{sites}};
		for (sort keys %want) {
			my $n = $site->{life}{$_};
			my $e = $site->{life}{errors}{$_} or die "no error";
			my $off = abs($n - $ARGV[0] * $want{$_});
			# Usable sizes are up to 8 bytes larger.
			my $more = /copied/ ? .02 * $n : 0;
			print "$_: $n, not $ARGV[0] * $want{$_}, error $e\n"
				if $off > 5 * $e + $more || $e > $n / 5;
		}' "$times" <out.json >bad 2>&1
	is "$(cat bad)" '' "$name"
}
for seed in 1 2; do
	MEMMON_SAMPLE_SEED=$seed "$MEMMON" --sample=64K -o s$seed.mon -- \
		./grow >told
	near "samples, seed $seed" 1 s$seed.mon
done
near 'two files' 2 s1.mon s2.mon
"$MPREDUCE" --sum grow s1.mon s2.mon >/dev/null 2>err
near 'a sum' 2 mon.sum
is "$(of grow mon.sum)" "$(of grow s1.mon s2.mon)" '  has the same figures'
# A file of minor version 20 has no `enlarged'; nor has a sum with it.
perl -MCompress::Zlib -0777 -pe 'substr($_, 10, 2) = pack "v", 20;
	substr($_, 20, 4) = pack "V", crc32(substr $_, 0, 20)' s1.mon >old.mon
"$MPREDUCE" --sum grow old.mon s2.mon >/dev/null 2>err
is "$(of grow mon.sum)" "$(of grow s1.mon s2.mon | sed 's/,[0-9]*$/,/')" \
	'a sum with an older file has the others'
near 'behind a filter' 1 s1.mon --focus=grow
"$MPREDUCE" --lifetimes grow s1.mon >out
grep -q 'moved  *+-  *copied  *+-' out
ok $? 'the table has errors'
MEMMON_SAMPLE_SEED=3 "$MEMMON" --sample=64K -o k.mon -- ./grow k >told 2>err
near 'after kill -9' 1 k.mon
"$MEMMON" -o k.mon -- ./grow k >told 2>err
is "$(of grow k.mon)" "$(tr ' ' , <told)" '  without samples, exact'
done_testing
