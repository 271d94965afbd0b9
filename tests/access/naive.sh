# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# For tests that compare memmon with the naive recorder, after tap.sh.

NAIVE_SRC=$MEMMON_SRC/tests/access
NAIVE_FLAGS=(-std=gnu11 -D_GNU_SOURCE -I"$MEMMON_SRC" -Wall -Wextra -Werror -g
	-fno-optimize-sibling-calls)

have()
{
	command -v "$1" >/dev/null 2>&1
}

# naive_build: the recorder's objects, in the working directory.  False: the
# tools for it aren't there.
naive_build()
{
	have gcc && have perl && have nm && perl -MJSON::PP -e 1 2>/dev/null &&
		gcc "${NAIVE_FLAGS[@]}" -O1 -fno-omit-frame-pointer -fno-builtin \
			-fno-tree-loop-distribute-patterns -c "$NAIVE_SRC"/naive.c \
			"$NAIVE_SRC"/naive_calls.c "$NAIVE_SRC"/naive_sums.c \
			"$NAIVE_SRC"/ticks.c
}

# naive_ways: memmon's ways that there are: the plugin, calls, calls of clang.
naive_ways()
{
	[ -e "$MEMMON_BUILD/plugin/gcc-$(gcc -dumpversion)/memmon-access.so" ] &&
		echo plugin
	echo calls
	have clang && echo clang
	true
}

# naive_compile NAME WAY FLAG...: NAME.c of tests/access as NAME.WAY, with ticks.c
# if it has its clock.  Chains are as they are in the source.
naive_compile()
{
	local name=$1 way=$2 cc=gcc ticks=
	shift 2
	! grep -q '"tests/access/ticks.h"' "$NAIVE_SRC/$name.c" || ticks=ticks.o
	if [ "$way" = naive ]; then
		gcc "${NAIVE_FLAGS[@]}" "$@" -fno-omit-frame-pointer \
			-fno-builtin -fsanitize=thread -c -o "$name.o" "$NAIVE_SRC/$name.c" &&
			gcc -o "$name.$way" "$name.o" naive.o naive_calls.o naive_sums.o $ticks -pthread
		return
	fi
	[ "$way" = clang ] && cc=clang way=calls
	MEMMON_CC=$cc MEMMON_WAY=$way "$MEMMON_BUILD/memmon-cc" \
		"${NAIVE_FLAGS[@]}" "$@" -o "$name.${cc/gcc/$way}" \
		"$NAIVE_SRC/$name.c" $ticks -pthread
}
