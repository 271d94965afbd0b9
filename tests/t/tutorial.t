#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The tutorial in memmon(7) and the scores in memmon-reading(7): their commands
# print the output in the page.  tests/transcript.pl --write updates the page.
. "${MEMMON_SRC:-.}/tests/tap.sh"
page=$MEMMON_SRC/man/memmon.7
reading=$MEMMON_SRC/man/memmon-reading.7
scores='THE SCORES, LINE BY LINE'

if [ "$(g++ -dumpversion 2>/dev/null)" != 12 ] || ! command -v gcc >/dev/null; then
	skip 1 "the page is of gcc 12"
	done_testing
	exit
fi
cp "$MEMMON_SRC"/tests/prog/{pages.cc,mill.cc,config.c,orders.c} .
cp "$MEMMON_SRC"/tests/prog/{assets,timers,backlog}.cc .
export PATH=$MEMMON_BUILD:$PATH MEMMON_CC_QUIET=1 MEMMON_CC=gcc

# shown PAGE SECTION WANT: runs transcript.pl until its last line is WANT, at
# most six times, because the figures of mill.cc's peak have an error.
shown()
{
	local i status
	for i in 1 2 3 4 5 6; do
		perl "$MEMMON_SRC/tests/transcript.pl" "$1" "$2" >said
		status=$?
		[ "$(tail -n 1 said)" != "$3" ] || break
	done
	return $status
}

shown "$page" TUTORIAL '15 commands, 0 different'
is "$? $(tail -n 1 said)" "0 15 commands, 0 different" \
	"the tutorial's commands print what it shows" || diag "$(cat said)"

shown "$page" 'WHO HOLDS WHAT' '10 commands, 0 different'
is "$? $(tail -n 1 said)" "0 10 commands, 0 different" \
	"... and those on who holds what" || diag "$(cat said)"

# The test really compares the figures: it finds one that is wrong.
sed 's/2048000/2048001/' "$page" >page
shown page TUTORIAL '15 commands, 1 different'
is "$(tail -n 1 said)" "15 commands, 1 different" "a wrong figure is found" ||
	diag "$(cat said)"

if [ -e "$MEMMON_BUILD/plugin/gcc-12/memmon.so" ]; then
	shown "$reading" "$scores" '8 commands, 0 different'
	is "$? $(tail -n 1 said)" "0 8 commands, 0 different" \
		"the scores are those of the program" || diag "$(cat said)"
	sed 's/^peak          2160000/peak          2160001/
		s/ 0[.]32  \(.*main\)/ 0.33  \1/' "$reading" >page
	shown page "$scores" '8 commands, 2 different'
	is "$(tail -n 1 said)" "8 commands, 2 different" "... and wrong ones are found"
else
	skip 2 "no plugin for gcc 12"
fi
done_testing
