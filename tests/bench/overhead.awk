# SPDX-License-Identifier: GPL-3.0-or-later
#
# One program's figures for the table of README.md, for tests/bench/run.
#
#	awk -v name=NAME -f ratios.awk -f overhead.awk RUNS
#
# Lines of RUNS, besides those of ratios.awk:
#
#	data TOOL BYTES			size of the data file
#
# Prints a line for each tool, with tabs between: TOOL, NAME, the median ratio of
# CPU time, the median of the memory added in bytes, half the distance between the
# least and the largest ratio of CPU time as percent of the median, BYTES, the
# rounds.  In the line of plain the CPU time is in seconds, and the memory all that
# the program had.  A tool without figures has no line.

$1 == "data" { data[$2] = $3 }

END {
	for (i = 1; i <= tools; i++) {
		t = tool[i]
		how = t == "plain" ? "" : "/"
		if (!(n = take("cpu", t, how)))
			continue
		cpu = median(n)
		spread = (v[n] - v[1]) * 50 / cpu
		n = take("rss", t, t == "plain" ? "" : "-")
		printf "%s\t%s\t%.2f\t%.0f\t%.1f\t%s\t%d\n", t, name, cpu,
			median(n), spread, (t in data) ? data[t] : "-", n
	}
}
