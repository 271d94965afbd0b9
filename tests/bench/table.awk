# SPDX-License-Identifier: GPL-3.0-or-later
#
# The table of one program, for tests/bench/run.
#
#	awk -v name=NAME -v allocs=N -v bars=FILE -f table.awk RUNS
#
# Lines of RUNS, in the order of the runs:
#
#	run TOOL ROUND WALL CPU BYTES	seconds, seconds, largest resident set
#	data TOOL BYTES			size of the data file
#	report TOOL SECONDS		what making the report of it took
#	note TEXT...			printed below
#
# Ratios and differences are to the plain run of the same round; a round without
# both doesn't count.  "-" stands for what isn't known.  FILE gets a line with
# memmon's share of what heaptrack adds: NAME, wall and CPU of the medians, wall
# and CPU of the quickest runs, with tabs between.

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
$1 == "data" { data[$2] = $3 }
$1 == "report" { report[$2] = $3 }
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

# v: the values of tool t, over (how = "/") or above ("-") those of the plain
# runs, or by themselves (""); sorted.  How many there are.
function take(what, t, how,	r, n, x, p)
{
	n = 0
	for (r = 1; r <= rounds; r++) {
		if (!((what, t, r) in value) || !((what, "plain", r) in value))
			continue
		x = value[what, t, r]
		p = value[what, "plain", r]
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
	return sprintf("%7.2f%7.2f%7.2f", median(n), v[1], v[n])
}

# A number in 8 columns, or more when it needs them.
function short(x)
{
	return sprintf(x >= 1000 || x <= -1000 ? " %7.0f" : " %7.1f", x)
}

function each(what, t,	n)
{
	n = take(what, t, "-")
	if (n == 0 || allocs + 0 == 0)
		return sprintf("%8s", "-")
	return short(median(n) * 1e9 / allocs)
}

function memory(t,	n)
{
	n = take("rss", t, "/")
	return n ? sprintf("%.2f", median(n)) : "-"
}

# What tool t adds, in seconds, by the median or by the quickest runs.
function added(what, t, quickest,	n, x)
{
	if (!quickest) {
		n = take(what, t, "-")
		return median(n)
	}
	take(what, t, "")
	x = v[1]
	take(what, "plain", "")
	return x - v[1]
}

# memmon's share of what heaptrack adds; "-" where the machine's noise is more
# than what either of them adds, "?" behind it when the plain runs differ by more
# than half of that.
function share(what, quickest,	ours, theirs, n)
{
	ours = added(what, "memmon", quickest)
	theirs = added(what, "heaptrack", quickest)
	if (ours <= 0 || theirs <= 0)
		return "-"
	n = take(what, "plain", "")
	return sprintf("%.0f%%%s", ours * 100 / theirs,
		v[n] - v[1] > theirs / 2 ? "?" : "")
}

function compare(	a, b, c, d)
{
	a = share("wall", 0)
	b = share("cpu", 0)
	c = share("wall", 1)
	d = share("cpu", 1)
	printf "memmon adds %s of the wall time and %s of the CPU that " \
		"heaptrack adds\n(%s and %s by the quickest runs)\n", a, b, c, d
	printf "%s\t%s\t%s\t%s\t%s\n", name, a, b, c, d >>bars
}

function head(	n)
{
	printf "\n%s: %s allocations", name, allocs == "" ? "-" : allocs
	n = take("wall", "plain", "")
	if (n) {
		printf "; plain %.3f s wall (%.3f to %.3f)", median(n), v[1],
			v[n]
		n = take("cpu", "plain", "")
		printf ", %.3f s CPU", median(n)
		n = take("rss", "plain", "")
		printf ", %.1f MB", median(n) / 1e6
	}
	printf "\n%-10s%7s%7s%7s%8s%7s%7s%8s%8s%7s%12s%7s\n", "", "wall",
		"min", "max", "CPU", "min", "max", "ns wall", "ns CPU",
		"memory", "bytes", "report"
}

END {
	head()
	for (i = 1; i <= tools; i++) {
		t = tool[i]
		if (t != "plain")
			printf "%-10s%s %s%s%s%7s%12s%7s\n", t,
				ratios("wall", t), ratios("cpu", t),
				each("wall", t), each("cpu", t), memory(t),
				(t in data) ? data[t] : "-",
				(t in report) ? sprintf("%.2f", report[t]) : "-"
	}
	for (i = 1; i <= notes; i++)
		print note[i]
	if (("memmon" in rows) && ("heaptrack" in rows))
		compare()
}
