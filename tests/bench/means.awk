# SPDX-License-Identifier: GPL-3.0-or-later
#
# The last tables of tests/bench/access, from the lines that access.awk writes: the
# geometric means over the programs, the size of the largest data file in KB, and
# the ratios of CPU time of each program.  A single program has no such tables.

function add(what, x)
{
	if (x != "-" && x > 0) {
		sum[what, $1] += log(x)
		n[what, $1]++
	}
}

# The program's name, which is the rest of the line.
function title(	i, s)
{
	s = $7
	for (i = 8; i <= NF; i++)
		s = s " " $i
	return s
}
!($1 in programs) { tool[++tools] = $1 }
{
	programs[$1]++
	add("wall", $2)
	add("cpu", $3)
	add("cpu, tuned: " $6, $3)
	if (!((name = title()) in tuned)) {
		order[++names] = name
		tuned[name] = $6
	}
	cpu[name, $1] = $3 == "-" ? "-" : sprintf("%.2f", $3)
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

# A line of the table of programs; "mean" is that of a kind, "yes" or "no".
function row(name, kind,	i, k, s, x)
{
	s = sprintf("%-14s%6s", name, kind)
	for (i = 1; i <= tools; i++) {
		x = "-"
		k = n["cpu, tuned: " kind, tool[i]]
		if (name == "mean" && k)
			x = sprintf("%.2f", exp(sum["cpu, tuned: " kind,
				tool[i]] / k))
		else if ((name, tool[i]) in cpu)
			x = cpu[name, tool[i]]
		s = s sprintf("%13s", x)
	}
	return s
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
	printf "\n%-14s%6s", "CPU time", "tuned"
	for (i = 1; i <= tools; i++)
		printf "%13s", tool[i]
	print ""
	for (i = 1; i <= names; i++)
		print row(order[i], tuned[order[i]])
	print row("mean", "yes")
	print row("mean", "no")
}
