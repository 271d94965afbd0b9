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

# naive_build: the recorder's objects, in the working directory.  False: tools
# for it are missing.
naive_build()
{
	have gcc && have perl && have nm && perl -MJSON::PP -e 1 2>/dev/null &&
		gcc "${NAIVE_FLAGS[@]}" -O1 -fno-omit-frame-pointer -fno-builtin \
			-fno-tree-loop-distribute-patterns -c "$NAIVE_SRC"/naive.c \
			"$NAIVE_SRC"/naive_calls.c "$NAIVE_SRC"/naive_sums.c \
			"$NAIVE_SRC"/ticks.c
}

# naive_ways: memmon's ways that there are: gcc's plugin, the pass for clang's
# LLVM, calls, calls of clang.
naive_ways()
{
	local to=$MEMMON_BUILD/plugin
	[ -e "$to/gcc-$(gcc -dumpversion)/memmon.so" ] && echo plugin
	have clang && [ -e "$to/clang-$(clang -dumpversion |
		sed 's/[.].*//')/memmon.so" ] && echo pass
	echo calls
	have clang && echo clang
	true
}

# naive_by WAY: makes memmon-cc use WAY.
naive_by()
{
	case $1 in
	pass | clang) export MEMMON_CC=clang MEMMON_CXX=clang++ ;;
	*) export MEMMON_CC=gcc MEMMON_CXX=g++ ;;
	esac
	case $1 in
	pass | plugin) export MEMMON_WAY=plugin ;;
	*) export MEMMON_WAY=calls ;;
	esac
}

# naive_compile NAME WAY FLAG...: NAME.c of tests/access as NAME.WAY, with
# ticks.c if it uses that clock.  Call paths equal those in the source.
naive_compile()
{
	local name=$1 way=$2 ticks=
	shift 2
	! grep -q '"tests/access/ticks.h"' "$NAIVE_SRC/$name.c" || ticks=ticks.o
	if [ "$way" = naive ]; then
		gcc "${NAIVE_FLAGS[@]}" "$@" -fno-omit-frame-pointer \
			-fno-builtin -fsanitize=thread -c -o "$name.o" "$NAIVE_SRC/$name.c" &&
			gcc -o "$name.$way" "$name.o" naive.o naive_calls.o naive_sums.o $ticks -pthread
		return
	fi
	(naive_by "$way" && exec "$MEMMON_BUILD/memmon-cc" "${NAIVE_FLAGS[@]}" \
		"$@" -o "$name.$way" "$NAIVE_SRC/$name.c" $ticks -pthread)
}
