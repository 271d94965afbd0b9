# SPDX-License-Identifier: GPL-3.0-or-later
#
# The table of one program, for tests/bench/run.
#
#	awk -v name=NAME -v allocs=N -v heap=BYTES -v bars=FILE -f ratios.awk -f table.awk RUNS
#
# Lines of RUNS, besides those of ratios.awk:
#
#	data TOOL BYTES			size of the data file
#	report TOOL SECONDS		what making the report of it took
#
# FILE gets a line with memmon's share of what heaptrack adds: NAME, wall and CPU
# of the medians, wall and CPU of the quickest runs, and what isn't within its
# bound, with tabs between.

$1 == "data" { data[$2] = $3 }
$1 == "report" { report[$2] = $3 }

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
	printf "%s\t%s\t%s\t%s\t%s\t%s\n", name, a, b, c, d,
		over == "" ? "-" : substr(over, 2) >>bars
}

# "WHAT N of MOST UNIT", and OVER if it is.
function within(what, n, most, form, unit)
{
	if (n > most)
		over = over " " what
	return sprintf("%s " form " of " form " %s%s", what, n, most, unit,
		n > most ? " OVER" : "")
}

# What is to be bounded: memory, the file, the report, time beside heaptrack's.
function bounds(	n, s, ours, theirs)
{
	n = take("rss", "memmon", "-")
	s = within("memory", median(n) / 1e6, 4 + heap / 4e6, "%.1f", "MB")
	if ("memmon" in data)
		s = s "; " within("file", data["memmon"] / 1e6, 1, "%.2f", "MB")
	if ("memmon" in report)
		s = s "; " within("report", report["memmon"], 1, "%.2f", "s")
	ours = added("cpu", "memmon", 0)
	theirs = added("cpu", "heaptrack", 0)
	if (("heaptrack" in rows) && theirs > 0)
		s = s "; " within("CPU", ours * 100 / theirs, 25, "%.0f%%",
			"of heaptrack's")
	print "bounds: " s
}

function head(	plain)
{
	printf "\n%s: %s allocations", name, allocs == "" ? "-" : allocs
	plain = plainly("plain")
	if (plain != "")
		printf "; plain %s", plain
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
	if ("memmon" in rows)
		bounds()
	if (("memmon" in rows) && ("heaptrack" in rows))
		compare()
}
