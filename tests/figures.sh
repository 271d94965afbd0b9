# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# For tests that look at single figures, after monitor.sh.  jsonrows.c reads them
# from mpreduce's JSON.

# json FILE [PROGRAM]: the functions below read the figures of FILE.
json()
{
	"$MPREDUCE" --json ${2:+"$2"} "$1" >"$T/.json" 2>/dev/null
}

# figures TABLE [NAME=VALUE] MEMBER...: a line for each row, see jsonrows.c.
figures()
{
	"$MEMMON_BUILD/tests/jsonrows" "$@" <"$T/.json"
}

# added: the sums of the columns of the lines on stdin.
added()
{
	awk '{ for (i = 1; i <= NF; i++) s[i] += $i; n = NF > n ? NF : n }
		END {
			for (i = 1; i <= n; i++)
				printf "%s%.0f", (i > 1 ? " " : ""), s[i]
			print (n ? "" : "0")
		}'
}

# sum KEY: of the totals.
sum()
{
	figures totals "$1" | added
}

# sum_life KEY: the figure for the lives of all blocks.
sum_life()
{
	sum "life.$1"
}

# function_of FUNCTION KEY: all functions of that name together.
function_of()
{
	figures functions "name=$1" "$2" | added
}

# self FUNCTION KEY: the figure of the function's own allocations.
self()
{
	function_of "$1" "self.$2"
}

# total_of FUNCTION KEY: the same, with its callees' allocations.
total_of()
{
	function_of "$1" "total.$2"
}

# life FUNCTION KEY
life()
{
	function_of "$1" "life.$2"
}

# reallocs FUNCTION
reallocs()
{
	function_of "$1" reallocs
}

# thread NAME: "threads allocs bytes frees freed of_others" of its row.
thread()
{
	figures threads "name=$1" threads allocs bytes frees freed of_others
}

# histogram FUNCTION: its bins, one a line.
histogram()
{
	figures functions "name=$1" 'life.histogram[]' | tr , '\n'
}
