#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Heap scores and flags of programs whose figures were computed by hand: the
# naive recorder finds the figures in the comments of tests/access/ex_*.c, and
# so does memmon in each of its ways, in the data file and by mpreduce.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/access/naive.sh"

naive_build || skip_all 'no gcc, or no perl with JSON::PP'
ways="naive $(naive_ways | grep -v clang |
	if exhaustive; then cat; else head -n 1; fi | tr "\n" " ")"
examples=$(cd "$NAIVE_SRC" && echo ex_*.c)
examples=${examples//.c/}

# timed NAME: some of its figures are times, by its own clock (ticks.h).
timed()
{
	grep -q '\<tick()' "$NAIVE_SRC/$1.c"
}

run()
{
	local prog=$1.$2
	NAIVE_OUT=$prog.log MEMMON_OUT=$prog.log MEMMON_TIMING=1 \
		timeout "$HANG" "./$prog" >"$prog.out" 2>"$prog.err"
	echo "$?" >"$prog.status"
}

for name in $examples; do
	for way in $ways; do
		naive_compile "$name" "$way" -O0 >"$name.$way.messages" 2>&1 &&
			run "$name" "$way"
	done
done

# holds NAME ACCOUNT WAY [WORD]: the account equals the lines of the example.
holds()
{
	local got
	got=$("$NAIVE_SRC/naive.pl" expect "$NAIVE_SRC/$1.c" "$1.$3" "$2" \
		"${4:-expect}" 2>compared)
	is "$got, $(grep -c '^[1-9][0-9]*$' compared)" ', 1' \
		"$1, $3: $(cat compared) figures of ${2%%:*}"
}

# agree NAME WAY: all figures equal the naive recorder's; also those of time if
# the example knows them.
agree()
{
	local timed=
	timed "$1" && timed=timed
	is "$("$NAIVE_SRC/naive.pl" same "$1.naive" "naive:$1.naive.log" \
		"$1.$2" "mon:$1.$2.log" $timed 2>&1 | grep -v '^[1-9][0-9]*$')" '' \
		"$1, $2: as the naive recorder has it${timed:+, times too}"
}

for name in $examples; do
	for way in $ways; do
		# A store to a bit-field counts as a read, too, by clang.
		[ "$name.$way" != ex_kinds.pass ] || continue
		if [ "$(cat "$name.$way.status" 2>/dev/null)" != 0 ]; then
			ok 1 "$name, $way: status $(cat "$name.$way.status")"
			diag "$(cat "$name.$way.messages" "$name.$way.err")"
		elif [ "$way" = naive ]; then
			holds "$name" "naive:$name.$way.log" "$way"
		else
			holds "$name" "mon:$name.$way.log" "$way"
			"$MPREDUCE" --json "$name.$way" "$name.$way.log" \
				>"$name.$way.json" 2>messages
			is "$(cat messages)" '' "$name, $way: no complaints"
			holds "$name" "json:$name.$way.json" "$way"
			[ "$name" = ex_kinds ] || agree "$name" "$way"
		fi
	done
done

# Where the kernel has no page of zeros, memory that is only read is taken, too.
cat >zeros.c <<'C'
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define SIZE (32 << 20)

int
main(void)
{
	volatile char *p = mmap(NULL, SIZE, PROT_READ, MAP_PRIVATE |
				MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct rusage before, after;

	getrusage(RUSAGE_SELF, &before);
	for (int i = 0; i < SIZE; i += 4096)
		(void)p[i];
	getrusage(RUSAGE_SELF, &after);
	printf("%ld\n", after.ru_maxrss - before.ru_maxrss);
	return 0;
}
C
"${CC:-cc}" -o zeros zeros.c
most=$((16384 + $(./zeros)))

[[ $ways =~ plugin ]] && holds ex_kinds mon:ex_kinds.plugin.log plugin plugin
holds ex_usage exact:ex_usage.naive.log naive exact
for way in $ways; do
	account=mon
	[ "$way" = naive ] && account=naive
	child=$(ls ex_fork."$way".log.*)
	holds ex_fork "$account:$child" "$way" child
	[ "$way" = naive ] && continue
	rss=$(cat "ex_large.$way.out")
	ok $((rss > most)) "ex_large, $way: no more than $most kB ($rss kB)"
done
done_testing
