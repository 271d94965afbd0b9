#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# memmon_type() and memmon.hpp: blocks of types are counted apart, exactly.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"
dump=$MEMMON_BUILD/tests/celldump

# rows FILE: type, size, allocations, bytes, frees, freed of each typed site.
rows()
{
	"$dump" "$1" | awk '
		$1 == "type" { name[$2] = $4 }
		$1 == "cell" { k = $2 " " $4; site[k] = $2; size[k] = $4
			if (!(k in a)) order[n++] = k
			a[k] += $5; b[k] += $6; f[k] += $7; g[k] += $8 }
		END { for (i = 0; i < n; i++) { k = order[i]
			if (site[k] in name && a[k])
				print name[site[k]], size[k], a[k], b[k], f[k],
					g[k] } }'
}

want="node 32 100 3200 40 1280
edge 32 20 640 5 160
grown 16 1 16 1 16
grown 64 1 64 1 64
grown 4000 1 4000 0 0
other 56 1 56 0 0
theirs 48 10 480 4 192
item 24 6 144 2 48"

for lib in mm libmemmon libmemmon-access; do
	rm -f mon.out
	if [ $lib = mm ]; then
		"$PROG/typed-mm" 2>err
	else
		LD_PRELOAD=$MEMMON_BUILD/$lib.so "$PROG/typed" 2>err
	fi
	is "$(cat err)" 0 "$lib: each call returns what it should"
	is "$(rows mon.out)" "$want" "$lib: by type"
	is "$("$dump" mon.out | grep -c 'differ\|known 1')" 1 \
		"$lib: all adds up"
	is "$("$dump" mon.out | awk '$4 == 32 { n += $5 } END { print n }')" \
		123 "$lib: three blocks of that place have none"
	is "$("$dump" mon.out | awk '$4 == 48 && $3 == "?" { print $5 }')" 10 \
		"$lib: another thread's: nobody's"
	is "$(total mon.out reallocations) $(total mon.out "blocks reused")" \
		"2 0" "$lib: reallocs are there"
done
is "$("$PROG/typed" 2>&1)" 139 "without memmon: -1"

# Types and call paths: the type is not a frame; lives, the peak.
"$PROG/typed-mm" 2>/dev/null
"$MPREDUCE" --json "$PROG/typed-mm" mon.out >json 2>/dev/null
is "$(grep -c '"name":"make"' json)" 1 "one function, whatever the types"
like "$("$MPREDUCE" --leaks "$PROG/typed-mm" mon.out 2>/dev/null)" \
	'2496 .* 123 .*> make' "all types of a place together"

# At the peak, when types are given at once or all together.
cat >peak.c <<'E'
#include <stdlib.h>
#include "monitor/memmon.h"
static void *p[60], *q;
int
main(void)
{
	int i;

	for (i = 0; i < 60; i++)
		p[i] = malloc(100);
	for (i = 0; i < 60; i++)
		memmon_type(p[i], i % 3 ? "often" : "seldom", 100);
	for (i = 0; i < 30; i++)
		free(p[i]);
	q = malloc(100);
	memmon_type(q, "late", 100);
	return 0;
}
E
"$CC" -O0 -w -I "$MEMMON_SRC" -o peak peak.c -L "$MEMMON_BUILD" -lmemmon \
	-Wl,-rpath,"$MEMMON_BUILD" && ./peak
is "$("$dump" mon.out | awk '$1 == "cell" { p[$2] = $9 }
	$1 == "type" { print $4, p[$2] }' | sort)" "late 0
often 40
seldom 20" "who held the peak"

# Forks, resets, ends without warning.
rm -f mon.out*
"$PROG/typed-mm" reset 2>err
is "$(cat err) $(rows mon.out | head -n 1)" "0 node 32 100 3200 40 1280" \
	"after a reset"
rm -f mon.out*
"$PROG/typed-mm" fork 2>err
is "$(cat err) $(rows mon.out)" "0 before 8 1 8 0 0" "a parent"
is "$(rows mon.out.*)" "$want" "... and its child"
rm -f mon.out*
"$PROG/typed-mm" kill 2>/dev/null
like "$("$MPREDUCE" -i mon.out)" "image.*, 1 types" "an image has types"
is "$(rows mon.out)" "$want" "... by site and size"
"$MPREDUCE" -s mon.out 2>/dev/null
is "$(rows mon.sum | sort)" "$(sort <<<"$want")" "... and so has what is made of it"

# More types than the limit, with any number of call paths and types, from
# several threads; the rest of the blocks are without a type.
cat >many.c <<'E'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "monitor/memmon.h"
static int failed[4];
static void *
work(void *arg)
{
	int *bad = arg, i;
	char name[400];

	for (i = 0; i < 40000; i++) {
		void *p = malloc(24);
		snprintf(name, sizeof(name), "type %d", i * 2 + (bad > failed));
		*bad += memmon_type(p, name, 24) != 0;
	}
	return NULL;
}
int
main(int argc, char **argv)
{
	pthread_t t[4];
	char name[400];
	int i;

	(void)argc;
	(void)argv;
	for (i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, &failed[i]);
	for (i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	memset(name, 'n', sizeof(name) - 1);
	name[399] = 0;
	memmon_type(malloc(48), name, 1);
	printf("%d\n", failed[0] + failed[1]);
	return 0;
}
E
"$CC" -O0 -w -I "$MEMMON_SRC" -o many many.c -L "$MEMMON_BUILD" -lmemmon \
	-lpthread -Wl,-rpath,"$MEMMON_BUILD" && MEMMON_CHAIN_LIMIT=0 ./many >out
is "$(cat out)" $((80000 - 65535)) "65,535 types"
is "$("$dump" mon.out | grep -c '^type')" 65535 "... all in the file"
is "$("$dump" mon.out | awk '$1 == "cell" && $4 == 24 { n += $5 }
	$1 == "known" { print $2 } END { print n }' | tr '\n' ' ')" "1 80000 " \
	"... and all blocks"

# C++, by either compiler and several standards; with no memmon, too.
for cxx in g++ clang++; do
	if ! command -v $cxx >/dev/null; then
		skip 3 "no $cxx"
		continue
	fi
	for std in 11 20; do
		$cxx -std=c++$std -O1 -Wall -Wextra -Wpedantic -Werror \
			-I "$MEMMON_SRC" -o typedxx \
			"$MEMMON_SRC/tests/prog/typedxx.cc" 2>err && ./typedxx
	done >out 2>&1
	is "$(cat out)$(cat err)" "0 0
0 0" "$cxx: no warning, and the names that gcc has"
	LD_PRELOAD=$LIBMEMMON ./typedxx >/dev/null
	is "$("$dump" mon.out | awk '
		$1 == "cell" { s[$2] = s[$2] " " $4 ":" $5 "/" $7 }
		$1 == "type" { n = $2; t = $3; $1 = $2 = $3 = ""
			print t $0 s[n] }' | tr -s ' ' | sort)" \
"100 {anonymous}::own 100:1/0
24 ns::pair<char*, 3> 24:4/0
40 ns::thing 40:3/0
40 ns::thing 40:7/2
56 std::_List_node<ns::thing> 56:5/0
8 long unsigned int 128:1/1
8 long unsigned int 256:1/0" "$cxx: blocks by type"
	printf '%s\n' '#include "monitor/memmon.hpp"' \
		'int main() { return memmon::new_<int>(0) == nullptr; }' >weak.cc
	$cxx -O2 -Wall -Werror -fno-exceptions -fno-rtti -I "$MEMMON_SRC" \
		-o weak weak.cc 2>err && ./weak
	is "$? $(cat err)" "0 " "$cxx: without exceptions and memmon"
done

# The same in C where recording is off, and with little memory.
MEMMON_OFF=1 "$PROG/typed-mm" 2>err
is "$(total mon.out allocations)" 0 "off: nothing"
for limit in 1m 2m 3m; do
	MEMMON_MAXMEM=$limit ./many >/dev/null
	"$dump" mon.out 2>&1 | grep differ
	"$MPREDUCE" -i mon.out 2>&1 | grep 'not whole'
done >bad
is "$(cat bad)" "" "with little memory what is there adds up"
done_testing
