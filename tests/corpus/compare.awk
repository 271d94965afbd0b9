# SPDX-License-Identifier: GPL-3.0-or-later
#
# awk -v corpus=DIR/ -f compare.awk SOURCE... SITES: SITES are the output of
# sitetypes.  A site belongs to the innermost of its lines that stands in the
# corpus and says what is allocated there, behind "//= ", or in "/*= ... */",
# types that are right separated by "|".
# Prints "right", "wrong" or "unknown", FILE:LINE, rung, the type, the truth; or
# "nobody" for sites of lines in the corpus without any truth.

BEGIN { FS = "\t" }

function basename(path)
{
	sub(/.*\//, "", path)
	return path
}

# A source.
FILENAME ~ /\.(c|cc|h)$/ {
	if (match($0, /\/\/= .*$/))
		truth[basename(FILENAME) ":" FNR] = substr($0, RSTART + 4)
	else if (match($0, /\/\*= .* \*\//))
		truth[basename(FILENAME) ":" FNR] = \
			substr($0, RSTART + 4, RLENGTH - 7)
	next
}

{
	n = split($5, at, " ")
	where = ""
	seen = 0
	for (i = 1; i <= n && where == ""; i++) {
		if (index(at[i], corpus) != 1)
			continue
		first = seen ? first : basename(at[i])
		seen = 1
		if (basename(at[i]) in truth)
			where = basename(at[i])
	}
	if (!seen)
		next
	verdict = "nobody"
	if (where == "") {
		where = first
	} else {
		verdict = $4 == "?" ? "unknown" : "wrong"
		m = split(truth[where], right, "|")
		for (k = 1; k <= m; k++)
			if (right[k] == $4)
				verdict = "right"
	}
	print verdict "\t" where "\t" $1 "\t" $4 "\t" (where in truth ? truth[where] : "") "\t" $3
}
