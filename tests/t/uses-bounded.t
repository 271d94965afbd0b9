#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Files record the use of blocks for partial call paths.  The memory for it, and
# its size in the file, are bounded for any number of call paths, sizes and
# threads.  A statement about a partial path is true for all of its call paths
# together, and appears once.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
mmcc=$MEMMON_BUILD/memmon-cc
export MEMMON_CC_QUIET=1 MEMMON_TIMELINE=0
cd "$T" || exit 1

items() { "$MPREDUCE" -i "$1" | awk -v of="$2" '$NF == of && NF == 4 { print $2; exit }'; }
json() { "$MPREDUCE" --json "${@:2}" 2>err | perl -I"$MEMMON_SRC/tests" -Mjson -0777 -ne "$1"; }
used='for (@{decode_json($_)->{sites}}) {
	my ($u, @c) = ($_->{use}, map { $_->{function} } @{$_->{chain}});
	print join(" ", $u ? @$u{qw(blocks reads writes)} : "-"), "\n";
}'

# ---- two call paths, which differ in the tenth function ----

cat >deep.c <<'C'
#include <stdlib.h>
#define F(name, next) \
	static __attribute__((noinline)) char *name(void) \
	{ char *p = next; __asm__ volatile("" : : "r"(p)); return p; }
F(f1, malloc(20))
F(f2, f1())
F(f3, f2())
F(f4, f3())
F(f5, f4())
F(f6, f5())
F(f7, f6())
F(f8, f7())
static __attribute__((noinline)) void a(void)
{ volatile char *p = f8(); p[0] = 1; free((void *)p); }
static __attribute__((noinline)) void b(void)
{ volatile char *p = f8(); p[0] = p[1]; free((void *)p); }
int main(void) { a(); a(); b(); return 0; }
C
"$mmcc" -g -O1 deep.c -o deep
MEMMON_OUT=deep.out ./deep
MEMMON_FULL_CHAINS=1 MEMMON_OUT=full.out ./deep
is "$(json "$used" ./deep deep.out | sort)" $'3 1 3\n3 1 3' \
	'two chains of a path have their use together'
is "$(json "$used" ./deep full.out | sort)" $'1 1 1\n2 0 2' '--full-chains: each its own'
is "$(items deep.out sites) $(items deep.out paths) $(items deep.out uses)" '3 2 1' \
	'one item of three sites'
is "$("$MPREDUCE" -S -b --depth=5 ./deep deep.out | grep -cE ' 3 +60 +\.\.\.')" 1 \
	'a row for it'
is "$("$MPREDUCE" -S -b --depth=all ./deep deep.out | grep -cE ' 3 +60 +\|\|')" 2 \
	'each of the whole paths has it all'
json 'print join " ", @{decode_json($_)->{totals}{uses}}{qw(reads writes)}' ./deep deep.out >sums
is "$(cat sums)" '1 3' 'the sums have it once'
is "$(json "$used" --focus=a ./deep deep.out)" - 'of one of them alone nothing is known'
like "$(cat err)" 'share their inner functions with paths outside of the filter' '... which is said'
is "$(json "$used" --focus=f3 ./deep deep.out | sort)" $'3 1 3\n3 1 3' 'of both it is'
"$MPREDUCE" -s -o sum.out deep.out deep.out
is "$(json "$used" ./deep sum.out | sort)" $'6 2 6\n6 2 6' 'of two runs'
"$MPREDUCE" -s -o sum.out deep.out full.out
is "$(json "$used" ./deep sum.out | sort)" $'6 2 6\n6 2 6' \
	'... of which one has told them apart'

# ---- many of them ----

cat >many.c <<'C'
/* many PATHS SIZES: two threads make a block of each size, 1 to SIZES, on each of
 * PATHS ways through 6 functions, which call the next from 8 places each, and
 * write to it once. */
#include <pthread.h>
#include <stdlib.h>
static unsigned paths, sizes;
#define C(k, next) case k: p = next(n, size + 0 * k); break;
#define F(name, next, bit) \
	static __attribute__((noinline)) char *name(unsigned n, unsigned size) \
	{ \
		char *p = NULL; \
		switch (n >> (bit)&7) { \
			C(0, next) C(1, next) C(2, next) C(3, next) \
			C(4, next) C(5, next) C(6, next) C(7, next) \
		} \
		__asm__ volatile("" : : "r"(p) : "memory"); \
		return p; \
	}
static __attribute__((noinline)) char *leaf(unsigned n, unsigned size)
{
	char *p = malloc(size);
	__asm__ volatile("" : : "r"(p), "r"(n) : "memory");
	return p;
}
F(f0, leaf, 0) F(f1, f0, 3) F(f2, f1, 6) F(f3, f2, 9) F(f4, f3, 12) F(f5, f4, 15)
static void *work(void *unused)
{
	for (unsigned n = 0; n < paths; n++)
		for (unsigned size = 1; size <= sizes; size++) {
			volatile char *p = f5(n, size);
			p[0] = 1;
			free((void *)p);
		}
	return unused;
}
int main(int argc, char **argv)
{
	pthread_t t[2];
	paths = atoi(argv[argc - 2]);
	sizes = atoi(argv[argc - 1]);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
C
"$mmcc" -g -O0 many.c -o many -pthread
# many WHAT PATHS SIZES: and twice as many of one of them.
many()
{
	local n
	MEMMON_OUT=many.out ./many "$2" "$3"
	own=$(total many.out "monitor's bytes")
	file=$("$MPREDUCE" -i many.out | awk 'NF == 4 && $4 ~ /^(paths|uses|groups|fields|handed)$/ {
		n += $3 } END { print n }')
	uses=$(items many.out uses)
	n=$(json 'print decode_json($_)->{totals}{uses}{writes}' ./many many.out)
	ok $((!(n >= 2 * $2 * $3 && n <= 2 * $2 * $3 + 1000))) "$1: $n writes are counted"
	ok $((!(file <= 1 << 20))) "... in $file bytes, of $uses paths"
}
many 'few paths' 8 500
was=$own
many 'more sizes' 8 4000
ok $((!(own <= was + (4 << 20)))) "... whose sums take no more memory ($was, $own)"
many 'many paths' 10000 1
last=$uses
many 'three times as many' 30000 1
ok $((!(uses <= last + last / 2))) "F16: ... which are hardly more ($last, $uses)"

# ---- of more sizes than have sums of their own, touched here and there ----

cat >parts.c <<'C'
/* Twice a block of each size from 129 to 600: written at the start, every third
 * at the end, every second is read there.  What that adds up to is printed. */
#include <stdio.h>
#include <stdlib.h>
static volatile char *keep;
static __attribute__((noinline)) void part(unsigned size, unsigned long *sum)
{
	unsigned n = (size + 15) / 16, rest = n * 16 - size, end = size % 3 == 0;
	unsigned cover = end ? 32 - rest : 16, span = end ? size : 16;
	keep = malloc(size);
	keep[0] = 1;
	if (end)
		keep[size - 1] = 1;
	if (size % 2)
		(void)keep[1];
	free((void *)keep);
	unsigned long more[] = { 1, size, size % 2, 1 + end, span, cover,
				 size % 2 ? span : 0, size % 2 ? cover : 0,
				 size % 2 == 0, size % 2 ? 0 : size, 1, size };
	for (unsigned i = 0; i < 12; i++)
		sum[i] += more[i];
}
int main(void)
{
	unsigned long sum[12] = { 0 };
	for (unsigned k = 0; k < 2; k++)
		for (unsigned size = 129; size <= 600; size++)
			part(size, sum);
	for (unsigned i = 0; i < 12; i++)
		printf(i < 11 ? "%lu " : "%lu\n", sum[i]);
	return 0;
}
C
"$mmcc" -g -O1 parts.c -o parts
MEMMON_OUT=parts.out ./parts >parts.want
is "$(json 'for (@{decode_json($_)->{sites}}) {
	my $u = $_->{use};
	next if !$u || $u->{blocks} != 944;
	print join(" ", @$u{qw(blocks bytes reads writes span cover span_used
		cover_used)}, map { @{$u->{flags}{$_}}{qw(blocks bytes)} }
		qw(write_only low_cover)), "\n" }' ./parts parts.out)" \
	"$(cat parts.want)" 'sums of all sizes are exact'

# ---- a block that grows by a granule at a time ----

cat >grown.c <<'C'
#include <stdlib.h>
int main(int argc, char **argv)
{
	size_t n = argc > 1 ? strtoul(argv[1], NULL, 0) : 0;
	volatile char *p = NULL;
	for (size_t i = 0; i < n; i++) {
		p = realloc((void *)p, 16 * (i + 1));
		p[16 * i] = 1;
	}
	free((void *)p);
	return 0;
}
C
"$mmcc" -g -O1 grown.c -o grown
MEMMON_OUT=grown.out ./grown 5000
is "$(json "$used" ./grown grown.out | grep -v -)" '1 0 5000' 'one block, with all accesses'
if command -v valgrind >/dev/null; then
	for n in 4000 8000 16000; do
		MEMMON_OUT=grown.out valgrind --tool=callgrind \
			--callgrind-out-file=/dev/null ./grown $n 2>&1 |
			sed -n 's/.*Collected : //p'
	done | paste -sd' ' >cost
	# Growing by the same number costs the same, although the block is
	# larger.
	awk '{ exit !($3 - $2 < 2.5 * ($2 - $1)) }' cost
	ok $? 'growing costs as much whatever the size' || diag "$(cat cost)"
else
	skip 1 'no valgrind'
fi
done_testing
