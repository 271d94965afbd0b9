# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# The common part of tests/bench/run and tests/bench/access.  Each of them, once
# it has read this, has
#
#	here, progs	this directory, and where its programs have been built
#	build, measure	the build directory, and the program that measures
#	rounds, size	from the environment, checked
#	dir		a directory that is removed at the end
#	failed		to be the exit status
#
# and defines a function `under TOOL COMMAND...', which runs the command.  It
# leaves standard output in $dir/out, messages in $dir/err, and measure's
# results in the variables wall, cpu (seconds), rss (bytes) and status (see
# measured).
set -u
export LC_ALL=C
top=${MEMMON_SRC:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${MEMMON_BUILD:-$top/build}
here=$top/tests/bench
progs=$build/tests/bench
measure=$progs/measure
rounds=${ROUNDS:-5} size=${SIZE:-100}
# shellcheck disable=SC2086 # one word each
unset ${!MEMMON_@} LD_PRELOAD DEBUGINFOD_URLS
if [[ ! $rounds =~ ^[1-9][0-9]*$ || ! $size =~ ^[1-9][0-9]*$ ]]; then
	echo "$0: ROUNDS and SIZE are numbers above 0" >&2
	exit 2
fi
if [ ! -x "$measure" ] || [ ! -x "$build/memmon" ]; then
	echo "$0: nothing built in $build; run make bench" >&2
	exit 2
fi
dir=$(mktemp -d "${TMPDIR:-/tmp}/memmon-bench.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' HUP INT TERM
failed=0

say()
{
	echo "$*" >&2
}

have()
{
	command -v "$1" >/dev/null 2>&1
}

# measured: the variables from the file that measure has left, if it has.
measured()
{
	wall='' cpu='' rss='' status=125
	[ ! -f "$dir/r" ] || read -r wall cpu rss status <"$dir/r"
}

# wanted NAME: does ONLY let it in?
wanted()
{
	local w
	[ -n "${ONLY:-}" ] || return 0
	for w in $ONLY; do
		[ "$w" != "${1%% *}" ] && [ "$w" != "${1// /-}" ] || return 0
	done
	return 1
}

# check TOOL: do exit status and output equal those of the first plain run?
check()
{
	if [ "$status" != "$good" ]; then
		wrong[$1]="exit status $status, not $good"
		tail -n 5 "$dir/err" >&2
	elif ! cmp -s "$dir/good" "$dir/out"; then
		differs[$1]=1
	fi
}

# verdict: the failures, as notes for the table, in place of the figures of
# those tools.  Results that change from one plain run to the next prove
# nothing.
verdict()
{
	local tool
	if [ -n "${wrong[plain]:-}" ]; then
		echo "note its exit status changes by itself: nothing checked"
		wrong=()
	elif [ -n "${differs[plain]:-}" ]; then
		echo "note its output changes by itself: not checked"
	else
		for tool in "${!differs[@]}"; do
			wrong[$tool]=${wrong[$tool]:-other output}
		done
	fi
	for tool in "${!wrong[@]}"; do
		echo "note $tool changed what the program does: ${wrong[$tool]}"
		failed=1
		without "$tool"
	done
}

# without TOOL: take its figures out.
without()
{
	grep -v "^[a-z]* $1 " "$dir/runs" >"$dir/others"
	mv "$dir/others" "$dir/runs"
}

# all_rounds NAME COMMAND...: the command under each of $tools, under those of
# $once in the first round only; lines for the table in $dir/runs.  Differences
# from the plain run are in the caller's arrays wrong and differs.  1: the
# command doesn't run at all.
all_rounds()
{
	local name=$1 round tool good
	shift
	under plain "$@" # warms up, too
	good=$status
	if [ "$good" -ge 125 ]; then
		say "$name: exit status $good: $(tail -n 1 "$dir/err")"
		failed=1
		return 1
	fi
	mv "$dir/out" "$dir/good"
	: >"$dir/runs"
	for ((round = 1; round <= rounds; round++)); do
		printf '%s: round %d of %d:' "$name" "$round" "$rounds" >&2
		for tool in $tools; do
			[[ $round == 1 || " $once " != *" $tool "* ]] || continue
			printf ' %s' "$tool" >&2
			under "$tool" "$@"
			check "$tool"
			[ -z "$rss" ] || echo "run $tool $round $wall $cpu" \
				"$rss" >>"$dir/runs"
		done
		echo >&2
	done
}

# of_last WHAT: a total of the file of memmon's last run.
of_last()
{
	"$build/mpreduce" -i "$dir/memmon.out" 2>/dev/null |
		awk -v what="$1" '{ n = $1; sub(/^ *[0-9]+ +/, "") }
			$0 == what { print n; exit }'
}

# work N: SIZE percent of N, at least 1.
work()
{
	local n=$(($1 * size / 100))
	echo $((n > 0 ? n : 1))
}

# The programs of this directory, each as victim NAME PROGRAM ARGUMENT...
ours()
{
	local b="$progs"
	victim 'storm 4' "$b/storm" 4 "$(work 30000000)"
	victim 'storm 16' "$b/storm" 16 "$(work 30000000)"
	victim 'storm 64' "$b/storm" 64 "$(work 30000000)"
	victim insert "$b/insert" "$(work 1200000)"
	victim tree "$b/tree" 14 "$(work 8000000)"
	victim parser "$b/parser" "$(work 150)"
	victim 'server 1' "$b/server" 1 "$(work 10000000)"
	victim 'server 2' "$b/server" 2 "$(work 10000000)"
	victim 'server 4' "$b/server" 4 "$(work 10000000)"
	victim 'sizes 1' "$b/sizes" 1 "$(work 2000000)" 100000
	victim 'sizes 64' "$b/sizes" 64 "$(work 50000)" 1000
	victim million "$b/million" "$(work 1000000)" "$(work 1000000)"
	victim many "$b/many" "$(work 100000)"
	victim chains "$b/chains" "$(work 300000)" "$(work 5000000)"
}
