#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every place prints the same number of bytes not freed.  Suppressed blocks are
# in none of these numbers: a separate figure counts them.
. "${MEMMON_SRC:-.}/tests/tap.sh"
mpreduce="$MEMMON_BUILD/mpreduce"

# reduce OPTION...: of the run that is looked at, with its suppressions.
reduce()
{
	"$mpreduce" -b "${given[@]}" "$@" "./$prog" "$prog.mon" 2>err
}
sql()
{
	reduce --sql="SELECT $1" | tail -n 1 | awk '{ $1 = $1; print }'
}
# sum_of REGEX TEXT: the sum of the numbers in the matches.
sum_of()
{
	grep -oE "$1" <<<"$2" | grep -oE '[0-9]+' |
		awk '{ n += $1 } END { print n + 0 }'
}
# total COLUMN OPTION...: that word of a table's line <TOTAL>.
total()
{
	reduce "${@:2}" | awk -F'[|]' -v at="$1" '/<TOTAL>/ {
		if (NF > 1) { split($at, w, " "); print w[1] + 0 }
		else { n = split($0, w, " "); print w[at] + 0 }
		exit }'
}
# passes LIMIT: 3 it does, 0 it doesn't.
passes()
{
	reduce --fail-if="$1" >out
	echo "$?"
}

# places: every place that prints the bytes not freed, with its number.
places()
{
	local json csv t n
	echo "-L $(reduce -L --leaks=kept | awk '/^Total bytes not freed/ { print $NF; on = 1 }
		/^Nothing leaked/ { print 0; on = 1 }')"
	echo "summary $(reduce --summary --units=bytes | grep -oE '[0-9]+ not freed' | sed 's/ .*//')"
	echo "prolog $(reduce --prolog -L -B -p | awk '/^live at exit/ { print $4 }')"
	echo "-p $(total 3 -p)"
	echo "--bins $(total 5 -B)"
	echo "--where $(total 1 --where='bytes >= 0' --columns=kept)"
	echo "--group-by $(total 1 --group-by=thread --columns=kept)"
	echo "totals $(sql 'kept FROM totals')"
	for t in sites items types bins threads; do
		echo "sum of $t $(sql "coalesce(sum(kept), 0) FROM $t")"
	done
	echo "functions $(sql 'coalesce(sum(self_kept), 0) FROM functions')"
	json=$(reduce --json)
	echo "JSON totals $(sum_of '"kept":[0-9]+' \
		"$(grep '^"totals"' <<<"$json" | sed 's/"classes".*//')")"
	echo "JSON classes $(sum_of '"kept":\[[^]]*' "$(grep '^"totals"' <<<"$json")")"
	echo "JSON sites $(sum_of '"kept":\[[^]]*' "$(sed -n \
		'/^"sites"/,/^\]/p' <<<"$json")")"
	csv=$(reduce --export=csv)
	at=$(head -n 1 <<<"$csv" | tr , '\n' | grep -nx count.kept | sed 's/:.*//')
	# Names in quotes have commas.
	echo "CSV $(sed '1d; s/"[^"]*"//g' <<<"$csv" |
		awk -F, -v at="$at" '{ n += $at } END { print n + 0 }')"
	echo "folded $(reduce --export=folded:kept |
		awk '{ n += $NF } END { print n + 0 }')"
	if command -v go >/dev/null && go tool -n pprof >/dev/null 2>&1; then
		reduce --export=pprof -o pprof.out
		echo "pprof $(go tool pprof -raw pprof.out 2>/dev/null | awk '
			/^Samples:/ { on = 2; next } /^Locations/ { on = 0 }
			on == 2 { for (i = 1; i <= NF; i++)
				if ($i ~ /^inuse_space/) at = i; on = 1; next }
			on && /^ *[0-9]/ { split($0, w, ":")
				split(w[1], v, " "); n += v[at] }
			END { print n + 0 }')"
	fi
	# The page's own arithmetic, from the numbers that it gets.
	reduce --html=page.html >/dev/null
	n=$(grep -oE '"total":\{[^}]*' page.html)
	echo "page $(($(sum_of '"bytes":[0-9]+' "$n") - $(sum_of '"freed":[0-9]+' "$n") -
		$(sum_of '"hidden":[0-9]+' "$n")))"
}
# hidden: each place that prints the suppressed bytes.
hidden()
{
	echo "-L $(reduce -L | awk '/^Suppressions used/ { on = 1 }
		on && $1 ~ /^[0-9]+$/ { n += $1 } END { print n + 0 }')"
	echo "summary $(reduce --summary --units=bytes |
		sed -n 's/^Suppressed: \([0-9]*\) .*/\1/p')"
	echo "prolog $(reduce --prolog -L -B -p | sed -n 's/.*; suppressed: \([0-9]*\) bytes in .*/\1/p')"
	echo "totals $(sql 'suppressed FROM totals')"
	echo "JSON $(reduce --json | grep '^"totals"' |
		sed 's/.*"suppressed":{"blocks":[0-9]*,"bytes":\([0-9]*\).*/\1/')"
	passes 'suppressed.bytes>0' >/dev/null
	echo "--fail-if $(sed -n 's/.*: suppressed is \([0-9]*\) bytes.*/\1/p' err)"
}
# others WANT: the lines that don't end in WANT; "few" if the figure is missing.
others()
{
	awk -v want="$1" '$NF != want { print } END { if (NR < 6) print "few" }'
}

# looked PROGRAM KEPT BLOCKS HIDDEN [OPTION]: all that.
looked()
{
	prog=$1
	given=("${@:5}")
	is "$(places | others "$2")" "" "$1 ${*:5}: not freed, everywhere"
	is "$(sql 'kept_blocks FROM totals') $(sql 'sum(kept_blocks) FROM sites')" \
		"$3 $3" "... its blocks"
	is "$(passes "kept > 0")$(passes 'any(kept > 0)')$(passes "kept.bytes > $2")" \
		"$([ "$2" = 0 ] && echo 000 || echo 330)" "... limits"
	if [ "$4" = 0 ]; then
		is "$(sql 'suppressed, suppressed_blocks FROM totals')" "0 0" \
			"... nothing is suppressed"
	else
		is "$(hidden | others "$4")" "" "... what is suppressed"
	fi
	is "$(reduce --export=dhat | grep -oE '"eb":[0-9]+' | sed 's/.*://' |
		awk '{ n += $1 } END { print n + 0 }')" "$(($2 + $4))" \
		"... dhat has what is live"
}

cat >own.c <<'EOF1'
#include <stdlib.h>

static void *known(size_t n) { return malloc(n); }
static void *other(size_t n) { return malloc(n); }
void *keep[8];

int main(void)
{
	keep[0] = known(1000);
	keep[1] = known(30);
	keep[2] = known(5000);
	free(known(77));
	keep[3] = other(200);
	keep[4] = other(3000);
	keep[5] = other(30);
	return 0;
}
EOF1
echo 'leak:known' >supp
"$CC" -g -O0 -o own own.c && "$MEMMON_BUILD/memmon" -q -o own.mon ./own
looked own 3230 3 6030 --suppressions=supp
# The graph has the figure by function, and for the functions that they called.
prog=own given=(--suppressions=supp)
is "$(sql "kept FROM functions WHERE name = 'main'") $(sql \
	"sum(kept) FROM arcs WHERE caller = 'main'")" "3230 3230" "functions and arcs"
is "$(reduce -q | awk '/ main \[0\]/ { print $4; exit }')" 3230 "the call graph: main"
is "$(reduce -A | awk '/void \*(known|other)\(/ { print $3 }')" \
	"$(printf '%s\n' 0 3230)" "source lines"

# After a leak check, too.
"$MEMMON_BUILD/memmon" -q -l -o own.mon ./own
looked own 3230 3 6030 --suppressions=supp

if ! command -v g++ >/dev/null; then
	skip 10 "no g++"
	done_testing
	exit
fi
cat >hello.cc <<'EOF1'
#include <iostream>
int main() { std::cout << "hi\n"; delete new std::string(100, 0); }
EOF1
g++ -g -O0 -o hello hello.cc && "$MEMMON_BUILD/memmon" -q -o hello.mon ./hello >out
prog=hello given=(--suppressions=none)
all=$(sql 'kept FROM totals') blocks=$(sql 'kept_blocks FROM totals')
looked hello 0 0 "$all"
looked hello "$all" "$blocks" 0 --suppressions=none

done_testing
