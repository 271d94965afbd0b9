#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every figure that is told in more than one place is the same in all of them:
# tests/figures.pl takes each from the tables, JSON, CSV, the page, what is
# written for other tools, --fail-if, --where, --diff and -i, of all golden
# inputs and of runs with threads, a leak check, samples and accesses.
TAP_LIMIT=1200
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
figures=$MEMMON_SRC/tests/figures.pl
perl -MJSON::PP -MIO::Uncompress::Gunzip -e 1 2>/dev/null ||
	skip_all "no perl with JSON::PP and IO::Uncompress::Gunzip"

# agree PROGRAM FILE WHAT: no place has another figure; ./none gets where there
# is none.
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
	classes | threads | uses | widgets) ;;
	*) exhaustive || continue ;;
	esac
	"$MEMMON_BUILD/tests/monmake" <"$description" >"$name.mon"
	agree prog "$name.mon" "$name"
	[ "$name" = widgets ] || continue
	ok $(($(wc -l <none) > 60)) "an old file lacks $(wc -l <none) of them"
done

# A run of which all is known: what is left is what there is none of.
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
"$MEMMON" --sample=4K -o sampled.mon ./threads 2 20000 >/dev/null
agree ./threads sampled.mon "estimates of samples"
if exhaustive; then
	"$MEMMON" -o sizes.mon ./sizes >/dev/null
	agree ./sizes sizes.mon "blocks of many sizes"
fi

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
