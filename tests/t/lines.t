#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# mpreduce -l: source lines in place of functions; and --offsets, calls.  The
# programs are those of annotate.t, in which most lines are of one function.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/lines/build.sh"
perl -MJSON::PP -e 1 2>/dev/null && json=1 || json=

# agrees NAME DIR EXPECTED: functions with lines have these figures.
agrees()
{
	if [ ! "$json" ]; then
		skip 3 "no JSON::PP"
		return
	fi
	"$mpreduce" -l --json "$1" "$1.mon" >json 2>err
	is "$(cat err)" "" "$1: no messages"
	is "$(perl "$MEMMON_SRC/tests/golden/check.pl" <json 2>&1)" "" \
		"$1: JSON agrees with itself"
	perl "$lines/units.pl" "$2" <json | sort >got
	sort "$3" >want
	is_file got want "$1: figures of lines"
}

for cc in gcc clang; do
	if ! command -v $cc >/dev/null; then
		skip 18 "no $cc"
		continue
	fi
	for level in 0 2; do
		compile_shapes $cc-O$level $cc -O$level
		agrees $cc-O$level "$src" shapes.expect
		for seed in 4 5; do
			compile_random random-$cc-O$level-$seed \
				$((seed * 31 + level * 7 + ${#cc})) $cc -O$level
			agrees random-$cc-O$level-$seed "$T" random.expect
		done
	done
done
done_testing
