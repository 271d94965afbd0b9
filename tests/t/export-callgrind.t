#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --export=callgrind, read by callgrind_annotate: the totals are mpreduce's, and
# so are those of each function by itself and with all it calls, recursion or not.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/export.sh"
command -v callgrind_annotate >/dev/null || skip_all "no callgrind_annotate"
runs

# rows FILE INCLUSIVE: "FUNCTION bytes allocs kept peak", those of recursion
# under names of their own.  Not from here, for it would cut names of files in
# some lines and not in others.
rows()
(
	cd / && callgrind_annotate --auto=no --show-percs=no --threshold=100 \
		--show=bytes,allocs,kept,peak --inclusive="$2" "$T/$1" \
		2>>"$T/err" |
		sed 's/ \[[^][]*\]$//; s/ \[[^ ]*\]$//' | awk '
		/PROGRAM TOTALS/ { gsub(/,/, ""); print "TOTAL", $1, $2, $3, $4 }
		/:/ && $1 ~ /^[0-9][0-9,]*$/ {
			for (i = 1; i <= 4; i++) { gsub(/,/, "", $i); n[i] = $i }
			name = $0
			sub(/^ *([0-9.]+ +)+[^:]*:/, "", name)
			gsub(/ /, "_", name)
			print name, n[1], n[2], n[3], n[4] }'
)

# figures_of WHAT: the same of mpreduce, WHAT being self or total.
figures_of()
{
	jq -r --arg what "$1" '.functions[] | .[$what] as $c | [
		(.name | gsub(" "; "_")), ($c.bytes | add), ($c.allocs | add),
		($c.kept | add), $c.peak] | @tsv' figures.json | tr '\t' ' '
}

for run in $RUNS; do
	figures "$run"
	export_to callgrind "$run" || ok 1 "$run: written"
	rows "$run.callgrind" no >self
	rows "$run.callgrind" yes >inclusive
	is "$(grep '^TOTAL' self)" \
		"TOTAL $(want bytes) $(want allocs) $(want kept) $(want peak)" \
		"$run: totals"
	figures_of self | awk '$2 + $3 + $4 + $5' | sort >want
	# What a function does at any depth of its recursion is its own.
	grep -v '^TOTAL' self | awk '{ sub(/\x27[0-9]+$/, "", $1)
		for (i = 2; i <= 5; i++) v[$1, i] += $i; seen[$1] = 1 }
		END { for (f in seen) print f, v[f, 2], v[f, 3], v[f, 4], v[f, 5] }' |
		awk '$2 + $3 + $4 + $5' | sort >got
	is_file got want "$run: functions by themselves"
	figures_of total | sort >want
	grep -Ev "^TOTAL|'[0-9]+ |below_main" inclusive | sort >got
	is_file got want "$run: functions with all they call"
done
is "$(grep -c WARNING err)" 0 "no line that callgrind_annotate doesn't know" ||
	diag "$(cat err)"

# Lines, callers and callees.
callgrind_annotate --auto=yes --show-percs=no widgets.callgrind >text
like "$(tr -s ' ' <text)" "2,040,000 10,000 1,023,876 1,024,080 "$'\t'"struct widget [*]w = malloc[(]sizeof [*]w[)];" \
	"a line of source"
callgrind_annotate --tree=caller --inclusive=yes --show-percs=no --auto=no \
	widgets.callgrind >text
like "$(tr -s ' ' <text)" "1,016,124 4,981 0 204 < [^ ]*:make_blue_widget [(]4,981x[)]" "a caller"

# Deep recursion stays one line a level, and not more than some levels.
"$MEMMON" -o deep.out "$PROG/recurse" stairs 3000 >/dev/null
"$MPREDUCE" --export=callgrind -o deep.callgrind "$PROG/recurse" deep.out
figures_deep=$("$MPREDUCE" --json "$PROG/recurse" deep.out 2>/dev/null |
	jq '.totals.bytes')
is "$(rows deep.callgrind yes | sed -n 's/^stair \([0-9]*\) .*/\1/p')" \
	"$figures_deep" "3000 deep: each block once"
is "$(grep -c "^c*fn=.* stair'" deep.callgrind)" 63 "... and 64 levels"
done_testing
