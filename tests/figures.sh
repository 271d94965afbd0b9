# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# For tests that look at single figures, after monitor.sh: out of the lines of
# `mpreduce --json', one of which is a function, a site, or a thread.

# json FILE [PROGRAM]: read FILE into $json.
json()
{
	json=$("$MPREDUCE" --json ${2:+"$2"} "$1" 2>/dev/null)
}

# field TEXT KEY: the number behind KEY; of an array, the sum.
field()
{
	printf '%s\n' "$1" |
		sed -n 's/^.*"'"$2"'":\(\[[0-9,]*\]\|[0-9][0-9]*\).*/\1/p' |
		tr -d '[]' | tr , '\n' | awk '{ s += $1 } END { printf "%.0f\n", s }'
}

# part LINE NAME: the object of that name in LINE, such as self or life.
part()
{
	printf '%s\n' "$1" | sed -n 's/^.*"'"$2"'":{\([^}]*\)}.*$/\1/p'
}

# sum KEY: of the line of totals.
sum()
{
	field "$(printf '%s\n' "$json" | sed -n '/^"totals":/s/"classes".*//p')" \
		"$1"
}

# sum_life KEY: what became of all blocks.
sum_life()
{
	field "$(part "$(printf '%s\n' "$json" | grep '^"totals":')" life)" "$1"
}

line_of()
{
	printf '%s\n' "$json" | grep "^{\"name\":\"$1\",\"module\""
}

# self FUNCTION KEY: of what the function allocated itself.
self()
{
	field "$(part "$(line_of "$1")" self)" "$2"
}

# total_of FUNCTION KEY: of that and of what its callees did for it.
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
