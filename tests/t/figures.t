#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every figure that more than one place prints is the same in all of them.
# tests/figures.pl takes each from the tables, JSON, CSV, SQL, the page, the
# files for other tools, --fail-if, --where, --diff, -s and -i, and from the
# file itself; for all golden inputs and for runs with threads, a leak check,
# samples, accesses, and more of something than is recorded.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
figures=$MEMMON_SRC/tests/figures.pl
perl -MJSON::PP -MIO::Uncompress::Gunzip -e 1 2>/dev/null ||
	skip_all "no perl with JSON::PP and IO::Uncompress::Gunzip"

# agree PROGRAM FILE WHAT: no place prints another figure; ./none gets the
# places that lack one.
agree()
{
	is "$("$figures" "$MPREDUCE" "$1" "$2" . 2>none)" "" "$3"
}

"$CC" -nostdlib -static -no-pie \
	-Wl,-Ttext=0x401000,-e,main,--build-id=none -o prog \
	"$MEMMON_SRC/tests/golden/prog.s"
ok $? "a program with known addresses"
for description in "$MEMMON_SRC"/tests/golden/*.in; do
	name=$(basename "$description" .in)
	case $name in
	uses | widgets) ;;
	*) exhaustive || continue ;;
	esac
	"$MEMMON_BUILD/tests/monmake" <"$description" >"$name.mon"
	agree prog "$name.mon" "$name"
	[ "$name" = widgets ] || continue
	ok $(($(wc -l <none) > 60)) "an old file lacks $(wc -l <none) of them"
done

# A run about which all is known: ./none lists the figures that it doesn't have.
cp "$PROG/crew" "$PROG/threads" "$PROG/life" "$PROG/sizes" .
"$MEMMON" -l -o crew.mon ./crew names >/dev/null
agree ./crew crew.mon "threads that free what others allocate"
# Without the C library's debug information no type is known here.
[ -d /usr/lib/debug/.build-id ] || sed -i '/ none in types$/d' none
is "$(cat none)" "in use at the end: none in leaks
allocations unrecorded: none in tables
bytes unrecorded: none in tables
reads: none in prolog
writes: none in prolog" "which is known of it everywhere"
if exhaustive; then
	"$MEMMON" -l -o threads.mon ./threads 6 20000 >/dev/null
	agree ./threads threads.mon "a peak of several threads"
fi
"$MEMMON" -o threads.mon ./threads 6 20000 >/dev/null
agree ./threads threads.mon "without a leak check"
is "$(grep -c 'in use at the end: none in leaks' none)" 0 \
	"what is kept stands above the table of leaks"
MEMMON_SAMPLE_SEED=1 "$MEMMON" --sample=4K -o sampled.mon ./threads 2 20000 >/dev/null
agree ./threads sampled.mon "estimates of samples"
if exhaustive; then
	"$MEMMON" -o sizes.mon ./sizes >/dev/null
	agree ./sizes sizes.mon "blocks of many sizes"
fi

# The bounds of recording: paths that were shortened, or weren't; sizes with
# only their class known; threads that share a row; types, marks and libraries
# that were left out.  The totals are those in the comments of the programs.
cp "$PROG/chains" "$PROG/kinds-mm" "$PROG/libplug.so" .
"$MEMMON" --chain-limit=1000 -o chains.mon ./chains 5000 >/dev/null
"$MEMMON" --full-chains -o full.mon ./chains 500 >/dev/null
"$MEMMON" -o sizes.mon ./sizes 3000 >/dev/null
for kind in names:400 marks:17000 types:7000 modules:"$T/libplug.so 300"; do
	# shellcheck disable=SC2086
	MEMMON_OUT=${kind%%:*}.mon ./kinds-mm ${kind%%:*} ${kind#*:} >/dev/null
done
is "$(totals chains.mon), $(totals full.mon), $(totals sizes.mon)" \
	"5000 120000 5000 120000, 500 12000 500 12000, 9000 13495500 8625 12934500" \
	"what the programs do"
agree ./chains chains.mon "paths that were cut short"
agree ./sizes sizes.mon "sizes by class"
agree ./kinds-mm names.mon "threads that share a row"
if exhaustive; then
	agree ./chains full.mon "paths that weren't"
	agree ./kinds-mm types.mon "types that were left out"
	agree ./kinds-mm marks.mon "marks that were left out"
	agree ./kinds-mm modules.mon "libraries that were left out"
fi
# A sum of several files; and the bounds that the report names for each file.
"$MPREDUCE" -s -o kinds.sum names.mon types.mon marks.mon modules.mon 2>err
! exhaustive || agree ./kinds-mm kinds.sum "a sum of them"
is "$(for f in chains.mon full.mon sizes.mon kinds.sum; do
	"$MPREDUCE" -b --prolog $f 2>/dev/null |
		sed -En 's/^(limited|sizes|un[a-z]+) +[1-9].*/\1/p'
done | tr '\n' ' ')" "limited sizes untyped unnamed unmarked " \
	"... and the report says what is so of each"

cat >used.c <<'C'
#include <stdlib.h>
#include <string.h>
int
main(void)
{
	char *volatile p = malloc(100), *q = calloc(2, 8);

	memset(p, 1, 100);
	p = realloc(p, 4000);
	q[3] = p[5];
	free(q);
	return 0;
}
C
if "$MEMMON_BUILD/memmon-cc" -g -O0 -o used used.c 2>/dev/null; then
	MEMMON_OUT=used.mon ./used
	agree ./used used.mon "accesses"
	is "$(grep -c 'reads\|writes' none)" 0 "reads and writes are everywhere"
else
	skip 2 "no memmon-cc"
fi

# That a difference is found.
cat >other <<'SH'
#!/bin/sh
"$REAL" "$@" | sed 's/^peak  *[0-9]/&7/; s/^bytes lost  */&7/'
SH
chmod +x other
export REAL=$MPREDUCE
MPREDUCE=$PWD/other
is "$("$figures" "$MPREDUCE" ./crew crew.mon . 2>/dev/null | sed 's/:.*//' | uniq)" \
	"peak
lost" "a figure that is another one is found"
done_testing
