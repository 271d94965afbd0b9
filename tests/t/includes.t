#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Data flows monitor -> reduce -> display, so includes go the other way only,
# and through one header each.  Each header compiles alone.
. "${MEMMON_SRC:-.}/tests/tap.sh"
cd "$MEMMON_SRC" || exit 1

# included DIR: lines "file: header" for every #include "header" below DIR.
included()
{
	find "$1" -name '*.[ch]' -exec grep -H '^[[:blank:]]*#[[:blank:]]*include[[:blank:]]*"' {} + |
		sed 's/^\([^:]*\):[^"]*"\([^"]*\)".*/\1: \2/'
}

# only DIR REGEX NAME: all that DIR includes matches REGEX.
only()
{
	local bad
	bad=$(included "$1" | grep -v '^monitor/plugin/gcc[.]h: ' |
		grep -Ev ": ($2)\$")
	is "$bad" "" "$3"
}

# The plugin includes gcc's headers, too, but in one place.
only monitor 'monitor/.*\.h' "monitor/ includes nothing but monitor/"
only reduce 'reduce/.*\.h|monitor/mon(out|rec|item|keys|img|log)\.h' \
	"reduce/ includes reduce/, monitor/monout.h, monrec.h, monitem.h, monkeys.h, monimg.h, monlog.h"
is "$(included reduce | grep ': monitor/monlog\.h$' |
	grep -v '^reduce/log/')" "" \
	"only reduce/log knows the log's layout"
is "$(included reduce | grep ': monitor/monimg\.h$' |
	grep -v '^reduce/image/')" "" \
	"only reduce/image knows the image's layout"
only display \
	'display/.*\.h|reduce/profile/profile\.h|reduce/base/(arena|clean|names|replace|sort|str|units)\.h' \
	"display/ includes display/, reduce/profile/profile.h, base: arena, clean, names, replace, sort, str, units"

# rooms TOP ROOM...: files of a room include no file of a later room.
rooms()
{
	local top=$1
	shift
	is "$(ls -d "$top"/*/ | sed "s,^$top/,,; s,/$,," | LC_ALL=C sort)" \
		"$(printf '%s\n' "$@" | LC_ALL=C sort)" "$top/ has these rooms: $*"
	is "$(included "$top" | awk -v top="$top" -v order="$*" '
		BEGIN {
			n = split(order, room, " ")
			for (i = 1; i <= n; i++)
				rank[room[i]] = i
		}
		{
			split($1, from, "/")
			split($2, to, "/")
			if (to[1] == top && rank[to[2]] > rank[from[2]])
				print
		}')" "" "... in this order: none includes one behind it"
}

# circles TOP: of files of one name (.c and .h, and _parts.h, which is part of
# a file'"'"'s text), that include each other.
circles()
{
	included "$1" | sed 's/_parts[.]h/.h/; s/_parts$//; s/[.][ch]: / /; s/[.][ch]$//' |
		awk '$1 != $2' | sort -u | tsort 2>&1 >/dev/null
}

# monitor/README has its order.
mapfile -t of_monitor < <(sed -n 's/^    \([a-z][a-z]*\)  .*/\1/p' monitor/README)
rooms monitor "${of_monitor[@]}"
rooms reduce base model monout image estimate log module_results elf dwo binaries dwarf symbols \
	infer types callgraph profile
rooms display settings text schema grid tables timeline annotate blocks query diff export html watch cli mpi
is "$(circles monitor)" "" "no circle of includes in monitor/"
is "$(circles reduce)" "" "no circle of includes in reduce/"
is "$(circles display)" "" "no circle of includes in display/"
is "$(printf 'a/b.c: a/c.h\na/c.c: a/b.h\n' |
	sed 's/[.][ch]: / /; s/[.][ch]$//' | tsort 2>&1 >/dev/null | head -n 1)" \
	"tsort: -: input contains a loop:" "... which tsort would tell"
is "$(grep -l '#include <\(bfd\|dwarf\|elfutils\|libelf\|gelf\)' monitor/*/*.[ch] \
	display/*/*.[ch] 2>/dev/null)" "" "only reduce/ reads ELF and DWARF"

# Those that a file includes first compile with it.
find monitor reduce display tests -name '*.c' -exec awk '
	FNR == 1 { done = 0 }
	!done && /^#[ \t]*include/ {
		done = 1
		if (match($0, /"[^"]*"/)) print substr($0, RSTART + 1, RLENGTH - 2)
	}' {} + >"$T/first"
compilers=$CC
! exhaustive || compilers='gcc clang'
for cc in $compilers; do
	if ! command -v $cc >/dev/null; then
		skip 1 "no $cc"
		continue
	fi
	find monitor reduce display tests -name '*.h' \
		! -path 'monitor/plugin/*' ! -path 'monitor/pass/*' | sort |
		if exhaustive; then cat; else grep -vxF -f "$T/first"; fi |
	while read -r header; do
		access=
		case $header in monitor/shadow/* | monitor/use/* | \
			monitor/access/* | monitor/wrap/*) access=-DMEMMON_ACCESS ;; esac
		$cc -x c -std=gnu11 -Wall -Wextra -Werror -I. -D_GNU_SOURCE= \
			$access -fsyntax-only -include "$header" /dev/null || echo "$header"
	done >"$T/bad" 2>"$T/log"
	cat "$T/log" >&2
	is "$(cat "$T/bad")" "" "each header compiles alone with $cc"
done

echo '#include "monitor/memmon.h"' >"$T/a.cc"
cp "$T/a.cc" "$T/a.c"
if command -v g++ >/dev/null; then
	g++ -std=c++11 -Wall -Wextra -pedantic -Werror -I. -fsyntax-only "$T/a.cc"
	ok $? "memmon.h is C++"
else
	skip 1 "no g++"
fi
"$CC" -std=c99 -Wall -Wextra -pedantic -Werror -I. -fsyntax-only "$T/a.c"
ok $? "memmon.h is C99"
done_testing
