#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Accesses by functions that headers check, and by others: the counts of each
# call path are the same for every way to compile the program: by each compiler,
# by the plugin or by calls, optimized or not, with the options that
# distributions use.
. "${MEMMON_SRC:-.}/tests/tap.sh"
mm=$MEMMON_BUILD/memmon-cc
src=$MEMMON_SRC/tests/access/calls_fortified.c

# counts COMPILER WAY OPTION...: the reads and writes of the test's functions.
counts()
{
	local cc=$1 way=$2
	shift 2
	MEMMON_CC=$cc MEMMON_WAY=$way "$mm" -g -w "$@" -o prog "$src" \
		>err 2>&1 && ./prog || {
		cat err
		return
	}
	"$MEMMON_BUILD/mpreduce" --export=csv \
		--sql='SELECT function, reads, writes FROM sites' \
		./prog mon.out 2>&1 | tr -d '\r' | sed 's/(unsigned long)//' |
		grep '^do_\|^unknown_' | sort -u
}

if ! command -v gcc >/dev/null; then
	skip 1 'no gcc'
	done_testing
	exit
fi
counts gcc calls -O0 -U_FORTIFY_SOURCE >want
is "$(awk -F, '{ r += $2; w += $3 } END { print NR, r, w }' want)" \
	'68 6 1306' 'calls, not optimized: granules read and written'

options='-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
-O2 -U_FORTIFY_SOURCE
+ -O1 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=1
+ -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3
+ -O3 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -march=native
+ -Os -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
+ -Og -fno-plt -fstack-protector-all -fcf-protection
+ -O2 -flto -fPIC -fno-omit-frame-pointer -fstack-clash-protection
+ -Ofast -funroll-loops -fno-builtin'
ways='gcc calls
+ gcc plugin
+ clang calls
+ clang plugin'
while read -r cc way; do
	if ! command -v "$cc" >/dev/null ||
	   [ $way = plugin ] && ! ls "$MEMMON_BUILD"/plugin/$cc-*/memmon.so \
			>/dev/null 2>&1; then
		skip 1 "no $cc, or no plugin for it"
		continue
	fi
	while read -r flags; do
		# shellcheck disable=SC2086 # several words
		is "$(counts "$cc" "$way" $flags)" "$(cat want)" \
			"$cc by $way, $flags: the same counts"
	done < <(some <<<"$options")
done < <(some <<<"$ways")
done_testing
