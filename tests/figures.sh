# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# For tests that look at single figures, after monitor.sh: they come from the
# lines of `mpreduce --json', each a function, a site, or a thread.

# json FILE [PROGRAM]: reads FILE into $json, its functions' lines into
# $functions, and the line of totals into $totals: no process for each figure.
json()
{
	json=$("$MPREDUCE" --json ${2:+"$2"} "$1" 2>/dev/null)
	functions=$(grep '^{"name":"[^"]*","module"' <<<"$json")
	totals=$(grep '^"totals":' <<<"$json")
}

# field TEXT KEY: the number after KEY; for an array, or for several lines, the
# sum.
field()
{
	local line n=0 re='.*"'$2'":(\[[0-9,]*\]|[0-9]+)'
	while IFS= read -r line; do
		[[ $line =~ $re ]] || continue
		line=${BASH_REMATCH[1]//[][]/}
		line=${line//,/+}
		n=$((n + ${line:-0}))
	done <<<"$1"
	echo $n
}

# part LINE NAME: the object with that name in LINE, such as self or life.
part()
{
	local line rest
	while IFS= read -r line; do
		rest=${line##*\"$2\":\{}
		[ "$rest" = "$line" ] || printf '%s\n' "${rest%%\}*}"
	done <<<"$1"
}

# sum KEY: of the line of totals.
sum()
{
	field "${totals%%\"classes\"*}" "$1"
}

# sum_life KEY: the figure for the lives of all blocks.
sum_life()
{
	field "$(part "$totals" life)" "$1"
}

line_of()
{
	local line
	while IFS= read -r line; do
		[[ $line != '{"name":"'"$1"'","module"'* ]] || printf '%s\n' "$line"
	done <<<"$functions"
}

# self FUNCTION KEY: the figure of the function's own allocations.
self()
{
	field "$(part "$(line_of "$1")" self)" "$2"
}

# total_of FUNCTION KEY: the same, with its callees' allocations.
total_of()
{
	field "$(part "$(line_of "$1")" total)" "$2"
}

# life FUNCTION KEY
life()
{
	field "$(part "$(line_of "$1")" life)" "$2"
}

# reallocs FUNCTION
reallocs()
{
	field "$(line_of "$1" | sed 's/"life".*//')" reallocs
}

# thread NAME: "threads allocs bytes frees freed of_others" of its row.
thread()
{
	printf '%s\n' "$json" | sed -n 's/^{"name":"'"$1"'","main":[a-z]*,"threads":\([0-9]*\),"allocs":\([0-9]*\),"bytes":\([0-9]*\),"frees":\([0-9]*\),"freed":\([0-9]*\),"of_others":\([0-9]*\),.*/\1 \2 \3 \4 \5 \6/p'
}

# histogram FUNCTION: its bins, one a line.
histogram()
{
	part "$(line_of "$1")" life |
		sed -n 's/.*"histogram":\[\([0-9,]*\)\].*/\1/p' | tr , '\n'
}
