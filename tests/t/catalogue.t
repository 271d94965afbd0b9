#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The table of failures in tests/README and the tests agree: each file that a
# line names has an assertion with its number, and no assertion has a number
# that the table doesn't send to its file.  tests/rooms has tests of each room.
. "${MEMMON_SRC:-.}/tests/tap.sh"
cd "$MEMMON_SRC/tests" || exit 1

# "F01 t/early.t", for each file of each line; a line that begins with a tab
# continues the line before.
awk '/^F[0-9][0-9]\t/ {
	split($0, part, "\t")
	n = split(part[2], file, " ")
	for (i = 1; i <= n; i++)
		print part[1], (file[i] ~ /\// ? "" : "t/") file[i] ".t"
	if (n == 0) print part[1], "-"
}' README | sort >"$T/table"

# The same for the tests: the messages of checks that hold, not comments.
for f in t/*.t long/*.t; do
	[ "$f" = t/catalogue.t ] && continue
	{
		sed '/^#/d' "$f"
		grep -q 'tests/soak.sh' "$f" && sed '/^#/d' soak.sh
		# A test that runs another test, for longer.
		sed -n 's|^exec .*/tests/\(t/.*\.t\)".*|\1|p' "$f" |
			while read -r other; do sed '/^#/d' "$other"; done
	} | grep -o "[\"']F[0-9][0-9]\(, F[0-9][0-9]\)*[: ]" | grep -o 'F[0-9][0-9]' |
		sort -u | sed "s|\$| $f|"
done | sort >"$T/tests"

ok $(($(wc -l <"$T/table") < 20)) 'the table is there'
is "$(comm -23 "$T/table" "$T/tests")" '' \
	'each file that the table names has an assertion with the number'
is "$(comm -13 "$T/table" "$T/tests")" '' \
	'each number in a test is in the table, with the file'
is "$(cut -d' ' -f1 "$T/table" | grep -v '^F\(0[1-9]\|1[0-9]\|2[0-8]\)$')" '' \
	'numbers are F01 to F28'
is "$(sed -n 's/^\(F[0-9][0-9]\)\t.*/\1/p' README | sort | uniq -d)" '' \
	'each has one line'

is "$(sed -n 's/^\([a-z].*\) .*/\1/p' rooms | cut -d' ' -f1 | sort)" \
	"$(cd .. && find reduce display -mindepth 1 -maxdepth 1 -type d | sort)" \
	'tests/rooms has each room of reduce/ and display/, once'
is "$(sed '/^#/d' rooms | cut -d' ' -f2- | tr ' ' '\n' | sed '/^$/d
	s,^t_.*,unit/&.c,; t
	s,.*,t/&.t,' | sort -u | xargs ls 2>&1 >"$T/of_rooms")" '' \
	'its tests exist'
# Tests of the monitor aside, no unit test is missing.
is "$(grep -lE '"(reduce/[^b]|display/)' unit/t_*.c | grep -vxFf "$T/of_rooms")" '' \
	'each unit test of their files is there'
done_testing
