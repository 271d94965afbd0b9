# SPDX-License-Identifier: GPL-3.0-or-later
#
# The table of one program, for tests/bench/access.
#
#	awk -v name=NAME -v tuned=WHETHER -v allocs=N -v means=FILE \
#		-f ratios.awk -f access.awk RUNS
#
# Lines of RUNS, besides those of ratios.awk:
#
#	count TOOL N			accesses that it has counted
#	file TOOL BYTES			the size of its data file
#
# Each tool has the number of runs behind its ratios.  FILE gets a line for each:
# TOOL, its three medians, the file's KB ("-" where not known), WHETHER the program
# was here when recording was tuned, and NAME.

$1 == "count" { count[$2] = $3 }
$1 == "file" { file[$2] = sprintf("%.0f", $3 / 1000) }

function head(	s)
{
	printf "\n%s: %s allocations\n", name, allocs == "" ? "-" : allocs
	s = plainly("plain")
	if (s != "")
		printf "plain by gcc: %s\n", s
	s = plainly("plain-clang")
	if (s != "")
		printf "plain by clang: %s\n", s
	printf "%-12s%7s%7s%7s%8s%7s%7s%8s%7s%7s%8s%6s%5s%14s\n", "", "wall",
		"min", "max", "CPU", "min", "max", "memory", "min", "max",
		"MB more", "file", "runs", "accesses"
}

function middle(what, t,	n)
{
	n = take(what, t, "/")
	return n ? median(n) : "-"
}

# MB above the plain runs.
function more(t,	n)
{
	n = take("rss", t, "-")
	return n ? sprintf("%.1f", median(n) / 1e6) : "-"
}

END {
	head()
	for (i = 1; i <= tools; i++) {
		t = tool[i]
		if (t ~ /^plain/)
			continue
		kb = (t in file) ? file[t] : "-"
		printf "%-12s%s %s %s%8s%6s%5d%14s\n", t, ratios("wall", t),
			ratios("cpu", t), ratios("rss", t), more(t), kb,
			take("wall", t, "/"), (t in count) ? count[t] : "-"
		print t, middle("wall", t), middle("cpu", t), middle("rss", t),
			kb, tuned, name >>means
	}
	for (i = 1; i <= notes; i++)
		print note[i]
}
