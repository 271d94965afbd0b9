# SPDX-License-Identifier: GPL-3.0-or-later
#
# The commands in a manual page's examples and sentences, a line
# each: of displays, all lines after "$ " or that begin with a command; of .Dl
# and .Ql, all that begin with one; of .Dl, also what follows "$ ".
function is_command(s)
{
	return s ~ ("^([A-Z_]+=[^ ]* )*(\\./[a-z]|(memmon|memmon-cc|memmon-c\\+\\+|" \
		"mpreduce|mpreduce-mpi|mpirun|srun|gcc|g\\+\\+|cc|make|cmake|kill|sleep|" \
		"ls|gdb|pkg-config|curl|parca-push) [^=])")
}
function text(s)
{
	gsub(/\\e/, "\\", s); gsub(/\\&/, "", s)
	return s
}
# more S: it goes on in the next line.
function more(s, quotes, single)
{
	quotes = single = s
	gsub(/"[^"]*"/, "", single)
	return s ~ /\\$/ || s ~ /\|$/ || gsub(/"/, "", quotes) % 2 ||
		gsub(/'/, "", single) % 2
}
/^\.Bd -literal|^\.Bd -unfilled/ { inside = 1; shown = 0; next }
/^\.Ed/ { inside = 0; next }
inside {
	s = text($0)
	if (part != "") {
		sub(/\\$/, "", part); sub(/^[ \t]+/, "", s)
		s = part " " s; part = ""
	} else if (s ~ /^\$ /) {
		shown = 1; s = substr(s, 3)
	} else if (shown || !is_command(s))
		next
	if (more(s))
		part = s
	else
		print s
	next
}
/^\.Dl \$ / {
	print substr(text($0), 7)
	next
}
/^\.(Dl|Ql|It Ql|It Li) / {
	s = text($0)
	sub(/^\.(It )?(Dl|Ql|Li) /, "", s)
	sub(/ [.,;:)]+$/, "", s)
	if (s ~ /^\$ / || s ~ / N[so] | Ar | Cm /)
		next
	if (is_command(s)) print s
}
