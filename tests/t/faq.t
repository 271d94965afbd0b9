#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# memmon-faq(7): 20 questions, each answered in at most 15 lines, with commands
# that print the output in the page; and the commands of mpreduce-tables(7).
# tests/transcript.pl --write man/memmon-faq.7 updates the page, in a directory
# with server.c.
. "${MEMMON_SRC:-.}/tests/tap.sh"
page=$MEMMON_SRC/man/memmon-faq.7

# The list at the top and the sections have the same questions.
sed -n '/^\.Bl -enum/,/^\.El/p' "$page" | grep -v '^\.[BE]l' | tr '\n' ' ' |
	sed 's/ *\.It */\n/g; s/ $/\n/' | sed 1d >list
sed -n 's/^\.Ss [0-9]*\. //p' "$page" | sed 's/..$//' >sections
is "$(cat sections)" "$(cat list)" "the list has the questions of the sections"
is "$(sed -n 's/^\.Ss \([0-9]*\)\. .*/\1/p' "$page" | tr '\n' ' ')" \
	"$(seq -s ' ' 20) " "... which are 20, in order"

if command -v mandoc >/dev/null; then
	is "$(mandoc -T ascii -O width=80 "$page" | sed 's/.\x08//g' |
		awk '/^   [0-9]+\. / { name = $1; n = 0; next }
			/^[^ ]/ { name = "" }
			NF && name && ++n == 16 { print name }')" "" \
		"each answer has at most 15 lines"
else
	skip 1 "no mandoc"
fi

# The least and the largest figure of each row of README.md's table.
awk -F '|' '/^\| \| perl/ { n = NF - 3 }
	/^\| `/ {
		gsub(/`/, "", $2)
		gsub(/^ |: .*| $/, "", $2)
		least = most = ""
		for (i = 3; i <= n; i++) {
			if ($i + 0 == 0)
				continue
			if (least == "" || $i + 0 < least)
				least = $i + 0
			if ($i + 0 > most)
				most = $i + 0
		}
		printf "%-22s %5.2f to %5.2f\n", $2, least, most
	}' "$MEMMON_SRC/README.md" >ranges
is "$(sed -n '/^\.Ss 8\./,/^\.Ed/p' "$page" | grep ' to [ 0-9.]*$')" \
	"$(cat ranges)" "the figures of overhead are those of README.md"

if [ "$(gcc -dumpversion 2>/dev/null)" != 12 ] || [ ! -x /usr/bin/python3 ] ||
	[ ! -e "$MEMMON_BUILD/plugin/gcc-12/memmon.so" ] ||
	! LD_PRELOAD=libjemalloc.so.2 true 2>err || [ -s err ] ||
	! command -v pkg-config >/dev/null; then
	skip 3 "the page is of gcc 12, with its plugin, python3 and jemalloc"
	done_testing
	exit
fi
export PATH=$MEMMON_BUILD:$PATH PKG_CONFIG_PATH=$MEMMON_BUILD MEMMON_CC_QUIET=1
export LIBRARY_PATH=$MEMMON_BUILD MEMMON_CC=gcc
# shown PAGE DIRECTORY: transcript.pl's messages, in ../said.
shown()
{
	mkdir "$T/$2" && cd "$T/$2" && cp "$MEMMON_SRC/tests/prog/server.c" . &&
		perl "$MEMMON_SRC/tests/transcript.pl" "$1" >../said
}

shown "$page" right
is "$? $(tail -n 1 ../said)" \
	"0 $(grep -c '^\$ ' "$page") commands, 0 different" \
	"the commands print what the page shows" || diag "$(cat ../said)"

shown "$MEMMON_SRC/man/mpreduce-tables.7" tables
is "$? $(tail -n 1 ../said)" "0 2 commands, 0 different" \
	"... and those of mpreduce-tables(7)" || diag "$(cat ../said)"

# A wrong figure is found, and a wrong name where figures vary.
sed 's/lost is 20000 bytes/lost is 20001 bytes/
	s/^\(Lost: .*\) in /\1 on /' "$page" >../page
shown "$T/page" wrong
is "$(sed 's/.*commands, //' ../said | tail -n 1)" "2 different" \
	"... and what is wrong in it is found" || diag "$(cat ../said)"
done_testing
