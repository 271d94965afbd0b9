#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The tutorial in memmon(7): its commands print what it shows.
# tests/transcript.pl --write brings the page up to date.
. "${MEMMON_SRC:-.}/tests/tap.sh"

if [ "$(g++ -dumpversion 2>/dev/null)" != 12 ] || ! command -v gcc >/dev/null; then
	skip 1 "the page is of gcc 12"
	done_testing
	exit
fi
cp "$MEMMON_SRC"/tests/prog/{pages.cc,mill.cc,config.c} .
PATH=$MEMMON_BUILD:$PATH perl "$MEMMON_SRC/tests/transcript.pl" \
	"$MEMMON_SRC/man/memmon.7" TUTORIAL >said
is "$? $(tail -n 1 said)" "0 16 commands, 0 different" \
	"the tutorial's commands print what it shows" || diag "$(cat said)"

# What is compared is what is there: a figure that is wrong is found.
sed 's/2048000/2048001/' "$MEMMON_SRC/man/memmon.7" >page
PATH=$MEMMON_BUILD:$PATH perl "$MEMMON_SRC/tests/transcript.pl" \
	page TUTORIAL >said
is "$(tail -n 1 said)" "16 commands, 1 different" "a wrong figure is found"
done_testing
