#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The library built by each compiler that is here, without a warning, and some
# of the tests with it, their programs compiled by that compiler too; and the
# plugin for gcc, and the pass, for each of them.  COMPILERS="gcc-11 clang-16":
# these.
TAP_LIMIT=${TAP_LIMIT:-7200}
. "${MEMMON_SRC:-.}/tests/tap.sh"

# passes NAME TEST VARIABLE=VALUE...: the test passes with these variables.
passes()
{
	local name=$1 test=$2
	shift 2
	env -u TAP_LIMITED "$@" bash "$MEMMON_SRC/tests/$test.t" >log 2>&1
	ok $? "$name: $test.t: $(tail -n 1 log)" ||
		diag "$(grep -A 12 '^not ok' log | head -n 60)"
}

# The first number of its version.
major()
{
	"$1" -dumpversion | sed 's/[.].*//'
}

for cc in ${COMPILERS:-gcc-11 gcc-12 gcc-13 gcc-14 gcc-15 clang-14 clang-15 \
	clang-16 clang-17 clang-18 clang-19 clang-20 clang-21 clang-22}; do
	case $cc in
	gcc*) cxx=g++${cc#gcc} kind=gcc ;;
	*) cxx=clang++${cc#clang} kind=clang ;;
	esac
	build=$T/$cc
	if ! command -v "$cc" >/dev/null || ! command -v "$cxx" >/dev/null; then
		skip 8 "no $cc"
		continue
	fi
	make -C "$MEMMON_SRC" -s -j2 O="$build" CC="$cc" CXX="$cxx" \
		WERROR=-Werror CFLAGS='-O2 -g' monitor progs \
		"$build"/{libmemmon-access.so,libmemmon-access.so.0,memmon-cc} \
		"$build"/plugin/calls.{specs,o} >log 2>&1 </dev/null
	ok $? "$cc: builds the library and the programs" || {
		diag "$(tail -n 30 log)"
		skip 7 "no library"
		continue
	}
	is "$(cat log)" '' '... without a warning'
	ln -s "$MEMMON_BUILD/mpreduce" "$build/"
	[ ! -d "$MEMMON_BUILD/tests/debug" ] ||
		ln -s "$MEMMON_BUILD/tests/debug" "$build/tests/debug"
	for test in api threads signals F06-jumps static calls; do
		passes "$cc" "t/$test" CC="$cc" CXX="$cxx" MEMMON_BUILD="$build" \
			MEMMON_CC="$cc" MEMMON_CXX="$cxx"
	done
	rm -rf "$build"

	plugin=$MEMMON_BUILD/plugin/$kind-$(major "$cc")/memmon.so
	if [ ! -e "$plugin" ]; then
		skip 1 "no plugin for $cc"
	elif [ $kind = gcc ]; then
		passes "$cc" t/plugin MEMMON_GCC="$cc" MEMMON_GXX="$cxx"
	else
		passes "$cc" t/pass MEMMON_CLANG="$cc" MEMMON_CLANGXX="$cxx"
	fi
done
done_testing
