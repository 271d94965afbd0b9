# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# For the tests that run tests/prog/soak.c, after figures.sh.

# soak HOW N: each of the program's processes writes its own account to a file;
# the parent's totals also equal those of tests/prog/liboracle.c. $early and
# $late are the KB that it used.
soak()
{
	local pid want got n=0 bad='' parent file k name="F10: soak, $2 $1"
	local -A times
	rm -f m.* o.* told
	timeout $(($2 + 300)) env ORACLE_OUT="$T/o" \
		LD_PRELOAD="$PROG/liboracle.so" "$MEMMON" -o m.out \
		"$PROG/soak" "$1" "$2" "$PROG/libplug.so" 3>told >rss
	is "$?" 0 "$name: it comes to its end" || return
	read -r early late <rss
	parent=$(tail -n 1 told)
	sed -i '$d' told
	while read -r pid want; do
		n=$((n + 1))
		# In a long run process numbers are used again.
		file=m.out.$pid
		k=${times[$pid]:-0}
		[ "$k" -eq 0 ] || file=$file.$k
		times[$pid]=$((k + 1))
		got="$(totals "$file") $(total "$file" 'frees inherited')"
		[ "$got" = "$want" ] || bad="$bad$file: $got, not $want;"
		rm -f "$file"
	done <told
	is "$bad" '' "$name: $n children, each with its own figures"
	[ "$n" -gt 0 ]
	ok $? "$name: some there are"
	is "$(ls m.*)" m.out "$name: and no other files"
	json m.out "$PROG/soak"
	got=
	for n in allocs bytes frees freed; do
		got="$got $(($(self make $n) + $(self resize $n)))"
	done
	read -r pid want <<<"$parent"
	is "${got# } 0" "$want" "$name: the program's own account"
	is "$(totals m.out)" "$(awk '{ print $1, $2, $3, $4 }' "o.$pid")" \
		"$name: and of all in the process"
	is "$(sum unrecorded) $(sum unseen) $(sum reused)" '0 0 0' \
		"$name: nothing is missed"
}
