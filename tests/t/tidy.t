#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# clang-tidy with the checks of .clang-tidy finds nothing.
. "${MEMMON_SRC:-.}/tests/tap.sh"
exhaustive || skip_all "clang-tidy takes a minute: make check-all"
command -v clang-tidy >/dev/null || skip_all "no clang-tidy"
cd "$MEMMON_SRC" || exit 1

# The analyzer gives up on a function after a number of steps: a tenth of the
# usual number takes a tenth of the time.  make tidy uses the full number.
steps="-Xclang -analyzer-config -Xclang max-nodes=20000"
rooms=$(find monitor -mindepth 1 -maxdepth 1 -type d \
	! -name shadow ! -name use ! -name access ! -name wrap \
	! -name zip ! -name plugin)
access=$(echo monitor/{shadow,use,access,wrap} monitor/file/accesses.c)
for dir in "$rooms" "$access" reduce display; do
	define=
	not=monitor/file/accesses.c
	[ "$dir" != "$access" ] || define=-DMEMMON_ACCESS not=
	# shellcheck disable=SC2086 # several
	# mpi.h isn't memmon's, and may be missing.
	find $dir -name '*.c' ! -path "$not" ! -path 'display/mpi/*' | sort |
		STEPS="$steps $define" xargs -P 2 -n 3 sh -c '
		clang-tidy --quiet "$@" -- -std=gnu11 -I. -D_GNU_SOURCE= \
			-DMEMMON_VERSION=\"0\" -DMEMMON_LIBDIR=\"/lib\" \
			$STEPS 2>/dev/null' tidy >"$T/log"
	found=$(grep -E '(warning|error):' "$T/log" | sort -u)
	is "$found" "" "$(echo $dir)"
done
done_testing
