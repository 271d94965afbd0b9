# SPDX-License-Identifier: GPL-3.0-or-later
#
# The table of README.md, from lines of overhead.awk; for tests/bench/run.

BEGIN {
	FS = "\t"
	label["plain"] = "plain program"
	label["memmon"] = "`memmon`"
	label["sample"] = "`memmon --sample=512K`"
	label["leaks"] = "`memmon -l`"
	label["memmon-log"] = "`memmon --log`: each block"
	label["allocator"] = "`memmon --allocator`: its cost"
	label["accesses"] = "`memmon-cc`"
	label["accesses-sample"] = "`memmon-cc`, sampled"
	label["heaptrack"] = "`heaptrack --raw`"
	order = "plain memmon sample leaks memmon-log allocator accesses " \
		"accesses-sample heaptrack"
}

{
	if (!($2 in seen)) {
		seen[$2] = 1
		program[++programs] = $2
	}
	cpu[$1, $2] = $3
	if (!($1 in least) || $4 + 0 < least[$1])
		least[$1] = $4 + 0
	if (!($1 in most) || $4 + 0 > most[$1])
		most[$1] = $4 + 0
	if ($6 != "-" && (!($1 in small) || $6 + 0 < small[$1]))
		small[$1] = $6 + 0
	if ($6 != "-" && $6 + 0 > large[$1])
		large[$1] = $6 + 0
	if ($1 != "plain")
		spread[++cells] = $5
	if (!rounds || $7 < rounds)
		rounds = $7
}

function size(n)
{
	return n < 1e6 ? sprintf("%.0f KB", n / 1e3) : \
		sprintf(n < 1e7 ? "%.1f MB" : "%.0f MB", n / 1e6)
}

# "A to B", or one of them if both are alike.
function range(a, b)
{
	return a == b ? a : a " to " b
}

function row(t,	k, unit)
{
	unit = t == "plain" ? " s" : ""
	printf "| %s", label[t]
	for (k = 1; k <= programs; k++)
		printf " | %s", (t, program[k]) in cpu ? \
			cpu[t, program[k]] unit : ""
	printf " | %s | %s |\n", range(size(least[t]), size(most[t])), \
		(t in small) ? range(size(small[t]), size(large[t])) : ""
}

END {
	printf "| "
	for (i = 1; i <= programs; i++)
		printf " | %s", program[i]
	printf " | memory added | data file |\n|---"
	for (i = 0; i < programs + 2; i++)
		printf "|---"
	print "|"
	n = split(order, tool, " ")
	for (i = 1; i <= n; i++)
		if (tool[i] in least)
			row(tool[i])
	for (i = 2; i <= cells; i++) {
		x = spread[i]
		for (k = i - 1; k > 0 && spread[k] > x; k--)
			spread[k + 1] = spread[k]
		spread[k + 1] = x
	}
	printf "\nEach figure is the median of %d rounds.  Half of the CPU " \
		"figures vary by at most %.1f%% from round to round, all by at " \
		"most %.1f%%.\n", rounds, spread[int((cells + 1) / 2)], \
		spread[cells]
}
