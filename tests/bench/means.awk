# SPDX-License-Identifier: GPL-3.0-or-later
#
# What tests/bench/access prints at the end: the geometric means, over the
# programs, of what access.awk has left about them, and how large the largest
# data file is, in KB.  Nothing for a single one.

function add(what, x)
{
	if (x != "-" && x > 0) {
		sum[what, $1] += log(x)
		n[what, $1]++
	}
}
!($1 in programs) { tool[++tools] = $1 }
{
	programs[$1]++
	add("wall", $2)
	add("cpu", $3)
	add("rss", $4)
	if ($5 != "-" && $5 + 0 > file[$1] + 0)
		file[$1] = $5
}

# Over all that have it; "?" behind it when they aren't all programs.
function mean(what, t,	k)
{
	k = n[what, t]
	return k ? sprintf("%.2f%s", exp(sum[what, t] / k),
		k < most ? "?" : " ") : "- "
}

END {
	for (i = 1; i <= tools; i++)
		if (programs[tool[i]] > most)
			most = programs[tool[i]]
	if (most < 2)
		exit
	printf "\ngeometric means over %d programs\n%-12s%7s%9s%9s%10s%9s\n",
		most, "", "wall", "CPU", "memory", "programs", "file"
	for (i = 1; i <= tools; i++)
		printf "%-12s%8s%9s%9s%9d%9s\n", tool[i], mean("wall", tool[i]),
			mean("cpu", tool[i]), mean("rss", tool[i]),
			programs[tool[i]],
			(tool[i] in file) ? file[tool[i]] : "-"
}
