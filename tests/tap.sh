# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# TAP for the tests in bash.  A test starts with
#
#	. "${MEMMON_SRC:-.}/tests/tap.sh"
#
# and finds: MEMMON_SRC, MEMMON_BUILD (absolute), CC, CXX; a directory of its
# own in $T, which is the working directory and is removed at exit; LC_ALL=C,
# TZ=UTC and no memmon variables from outside.  By hand, from the top of the
# source tree: tests/t/NAME.t, after make, or MEMMON_BUILD=dir tests/t/NAME.t.

# A test that hangs must not hang all.  After $TAP_LIMIT seconds, which the test
# may set before, it is ended together with all processes that it has started.
if [ -z "${TAP_LIMITED:-}" ] && command -v timeout >/dev/null; then
	export TAP_LIMITED=1
	[[ $0 = */long/* ]] && tap_limit=3600 || tap_limit=1200
	exec timeout -k 5 "${TAP_LIMIT:-$tap_limit}" bash "$0" "$@"
fi
unset TAP_LIMITED

# Seconds after which a program hangs that should end at once: no machine is as
# slow as that, even under load.  Use it as in `timeout "$HANG" PROGRAM'.
export HANG=250

set -u
# Paths in the kernel's form: they distinguish programs.
MEMMON_SRC=$(cd "${MEMMON_SRC:-.}" && pwd -P) || exit 1
MEMMON_BUILD=$(cd "${MEMMON_BUILD:-$MEMMON_SRC/build}" && pwd -P) || {
	echo "Bail out! no build directory: run make first"
	exit 1
}
CC=${CC:-gcc}
[[ $CC = *clang* ]] && CXX=${CXX:-clang++}
CXX=${CXX:-g++}
export MEMMON_SRC MEMMON_BUILD CC CXX LC_ALL=C TZ=UTC
unset MEMMON_OUT MEMMON_DEPTH MEMMON_OFF LD_PRELOAD MAKEFLAGS MAKELEVEL MFLAGS \
	MPREDUCE_OPTS MPREDUCE_PAGER PAGER LESS NO_COLOR COLUMNS LINES
# If the debug information of libc is compressed, mpreduce spends most of its
# time there.
[ ! -d "$MEMMON_BUILD/tests/debug" ] ||
	export MPREDUCE_OPTS=--debug-dir=$MEMMON_BUILD/tests/debug

# Descriptions of data files are words with blanks between.
[[ ${TMPDIR:-} != *[[:space:]]* ]] || export TMPDIR=/tmp
T=$(mktemp -d "${TMPDIR:-/tmp}/memmon-test.XXXXXX") || exit 1
cd -P "$T" || exit 1
T=$PWD
# Only this test uses the cache that one run keeps for the next.
export XDG_CACHE_HOME=$T/cache
unset MEMMON_REFERENCE
tap_run=0 tap_failed=0 tap_planned=

tap_exit()
{
	local status=$?
	cd / && chmod -R u+rwx "$T" 2>/dev/null
	rm -rf "$T"
	[ "$status" -eq 0 ] || exit "$status"
	[ "$tap_failed" -eq 0 ] || exit 1
	[ -z "$tap_planned" ] || [ "$tap_planned" -eq "$tap_run" ] || exit 1
	exit 0
}
trap tap_exit EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# nm that needn't guess the format: it loads all of LLVM for that, at each call.
export NM_FORMAT=elf64-x86-64
[[ $HOSTTYPE != aarch64 ]] || NM_FORMAT=elf64-littleaarch64
nm()
{
	command nm --target="$NM_FORMAT" "$@"
}

# plan N: that many assertions follow.  done_testing at the end does without it.
plan()
{
	tap_planned=$1
	echo "1..$1"
}

done_testing()
{
	[ -n "$tap_planned" ] || echo "1..$tap_run"
}

# skip_all REASON: end the test here, as passed.
skip_all()
{
	echo "1..0 # SKIP $*"
	exit 0
}

# Without it bash has no <(...), /dev/fd leads nowhere, and much else differs.
[ -e /proc/self/exe ] || skip_all 'no /proc'

# exhaustive: is this make check-all, in which a test tries all cases?
# Otherwise it tries some of each kind, so that make check takes minutes.
exhaustive()
{
	[ "${MEMMON_CHECK:-}" = all ]
}

# some: the lines of stdin; lines that begin with "+ " only in make check-all,
# and without the "+ ".
some()
{
	if exhaustive; then
		sed 's/^+ //'
	else
		sed '/^+ /d'
	fi
}

# processes NAME [PARENT]: the numbers of the processes with that name, a line
# each; with PARENT only its children.  A bare Debian has no pgrep.
processes()
{
	local file
	for file in $(grep -lsx "Name:	$1" /proc/[0-9]*/status); do
		[ -z "${2:-}" ] || grep -qsx "PPid:	$2" "$file" || continue
		file=${file#/proc/}
		echo "${file%/status}"
	done
}

# diag TEXT: prints lines on stderr, each after "# ".
diag()
{
	printf '%s\n' "$*" | sed 's/^/# /' >&2
}

# ok STATUS NAME: holds when STATUS is 0.
ok()
{
	local status=$1
	shift
	tap_run=$((tap_run + 1))
	if [ "$status" -eq 0 ]; then
		echo "ok $tap_run - $*"
		return 0
	fi
	echo "not ok $tap_run - $*"
	tap_failed=$((tap_failed + 1))
	diag "failed at ${BASH_SOURCE[1]##*/}:${BASH_LINENO[0]}, or in a caller"
	return 1
}

# is GOT WANT NAME: holds when the two strings are the same.
is()
{
	local got=$1 want=$2
	shift 2
	if [ "$got" = "$want" ]; then
		ok 0 "$@"
	else
		ok 1 "$@"
		diag " got '$got'"
		diag "want '$want'"
		return 1
	fi
}

# status_of ERR: mpreduce's exit status if it has printed tables and these
# messages: 4 if the data aren't whole.
status_of()
{
	grep -qE 'lower bounds|damaged: |no sums' "$1" && echo 4 || echo 0
}

# like GOT REGEX NAME: an extended regular expression, found anywhere in GOT.
like()
{
	local got=$1 regex=$2
	shift 2
	if [[ $got =~ $regex ]]; then
		ok 0 "$@"
	else
		ok 1 "$@"
		diag "     got '$got'"
		diag "no match '$regex'"
		return 1
	fi
}

# is_file GOTFILE WANTFILE NAME: holds when the files have the same bytes.
is_file()
{
	local got=$1 want=$2
	shift 2
	if diff -u "$want" "$got" >"$T/.diff" 2>&1; then
		ok 0 "$@"
	else
		ok 1 "$@"
		diag "$(head -n 60 "$T/.diff")"
		return 1
	fi
}

# skip N REASON: count N assertions as passed without running them.
skip()
{
	local n=$1
	shift
	while [ "$n" -gt 0 ]; do
		tap_run=$((tap_run + 1)) n=$((n - 1))
		echo "ok $tap_run # SKIP $*"
	done
}
