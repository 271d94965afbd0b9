# SPDX-License-Identifier: GPL-3.0-or-later
#
# What table.awk and access.awk, one of which comes after it, share: lines of the
# runs of one program, in their order, and ratios of them.
#
#	run TOOL ROUND WALL CPU BYTES	seconds, seconds, largest resident set
#	base TOOL PLAIN			compared with the runs of PLAIN ("plain")
#	note TEXT...			printed below the table
#
# Ratios and differences are to the plain run of the same round; a round without
# both doesn't count.  "-" stands for what isn't known.

$1 == "run" {
	if (!($2 in rows)) {
		rows[$2] = 1
		tool[++tools] = $2
	}
	value["wall", $2, $3] = $4
	value["cpu", $2, $3] = $5
	value["rss", $2, $3] = $6
	if ($3 > rounds)
		rounds = $3
}
$1 == "base" { base[$2] = $3 }
$1 == "note" {
	sub(/^note /, "")
	note[++notes] = $0
}

# Sorts v[1] to v[n]; n is also what it returns.
function sort(n,	i, j, x)
{
	for (i = 2; i <= n; i++) {
		x = v[i]
		for (j = i - 1; j > 0 && v[j] > x; j--)
			v[j + 1] = v[j]
		v[j + 1] = x
	}
	return n
}

function median(n)
{
	return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
}

# v: the values of tool t, over (how = "/") or above ("-") those of its plain
# runs, or by themselves (""); sorted.  How many there are.
function take(what, t, how,	r, n, x, p, plain)
{
	n = 0
	plain = (t in base) ? base[t] : "plain"
	for (r = 1; r <= rounds; r++) {
		if (!((what, t, r) in value) || !((what, plain, r) in value))
			continue
		x = value[what, t, r]
		p = value[what, plain, r]
		if (how == "/" && p <= 0)
			continue
		v[++n] = how == "/" ? x / p : how == "-" ? x - p : x
	}
	return sort(n)
}

# "median  least  most" of the ratios.
function ratios(what, t,	n)
{
	n = take(what, t, "/")
	if (n == 0)
		return sprintf("%7s%14s", "-", "-")
	return sprintf(" %6.2f %6.2f %6.2f", median(n), v[1], v[n])
}

function memory(t,	n)
{
	n = take("rss", t, "/")
	return n ? sprintf("%.2f", median(n)) : "-"
}

# The plain runs of tool t, in words; nothing when there are none.
function plainly(t,	n, s)
{
	n = take("wall", t, "")
	if (n == 0)
		return ""
	s = sprintf("%.3f s wall (%.3f to %.3f)", median(n), v[1], v[n])
	n = take("cpu", t, "")
	s = s sprintf(", %.3f s CPU", median(n))
	n = take("rss", t, "")
	return s sprintf(", %.1f MB", median(n) / 1e6)
}
