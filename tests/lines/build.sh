# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Programs with known allocations for each line; for tests that have read
# tap.sh.

lines=$MEMMON_SRC/tests/lines
mpreduce=$MEMMON_BUILD/mpreduce
command -v perl >/dev/null || skip_all "no perl"

# Calls stay calls, and the compiler keeps all calls of malloc and free.
line_flags=(-g -fno-optimize-sibling-calls -fno-builtin)

# The sources, as the compiler sees them.
src=$T/sources/tests/lines
mkdir -p "$T/sources/tests" && cp -r "$lines" "$T/sources/tests/"
(cd "$src" && perl "$lines/expect.pl" shapes.h shapes.c a/same.c b/same.c) \
	>"$T/shapes.expect"
(cd "$src" && perl "$lines/expect.pl" shapes.cc) >"$T/shapes-cc.expect"

# compile NAME COMPILER FLAG...: sources, to a program of that name, and run it:
# its data are in NAME.mon.
compile()
{
	local name=$1 compiler=$2
	shift 2
	# Otherwise g++ merges two functions with the same code.
	case $compiler in g*) set -- -fno-ipa-icf "$@" ;; esac
	"$compiler" "${line_flags[@]}" -o "$T/$name" "$@" 2>"$T/err" ||
		diag "$(cat "$T/err")"
	MEMMON_OUT=$T/$name.mon "$MEMMON_BUILD/memmon" "$T/$name" ||
		diag "$name ended with $?"
}

# compile_shapes NAME COMPILER FLAG...
compile_shapes()
{
	local here=$PWD
	cd "$T/sources" || return
	case $2 in
	*++) compile "$@" tests/lines/shapes.cc ;;
	*) compile "$@" -I. tests/lines/shapes.c tests/lines/a/same.c \
		tests/lines/b/same.c ;;
	esac
	cd "$here" || return
}

# compile_random NAME SEED COMPILER FLAG...: a random program; random.expect
# lists its allocations.
compile_random()
{
	local name=$1
	perl "$lines/random.pl" "$2" || diag "random.pl $2 failed"
	shift 2
	compile "$name" "$@" -w random.c
}
