#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# mpreduce prints exactly the text in tests/golden for data files with known
# content.  NAME.in describes a data file and states its figures.
. "${MEMMON_SRC:-.}/tests/tap.sh"
golden=$MEMMON_SRC/tests/golden
mpreduce=$MEMMON_BUILD/mpreduce

"$CC" -nostdlib -static -no-pie \
	-Wl,-Ttext=0x401000,-e,main,--build-id=none -o prog "$golden/prog.s"
ok $? "a program with known addresses"
for description in "$golden"/*.in; do
	name=$(basename "$description" .in)
	"$MEMMON_BUILD/tests/monmake" <"$description" >"$name.mon"
	ok $? "$name.mon"
done

# prints WANT FILES OPTION...: all that mpreduce prints is in golden/WANT.txt.
prints()
{
	local want=$1.txt files=$2
	shift 2
	# shellcheck disable=SC2086
	"$mpreduce" "$@" prog $files >got 2>messages
	is "$?" 0 "$want: status of mpreduce $*"
	is_file got "$golden/$want" "$want: mpreduce $* prog $files"
	is "$(grep -v 'no debug information' messages)" "" "$want: no message"
}

prints widgets widgets.mon
prints half half.mon -b
prints recursion recursion.mon -b
prints threads threads.mon -b
prints threads-offsets threads.mon -L -b --paths=offsets --verbose
prints classes classes.mon -b
prints classes-verbose classes.mon -L -B -b --bins=all --verbose
prints classes-terse classes.mon -L -B -b --verbose=no
prints classes-human classes.mon -b --units=human
prints empty empty.mon -b
prints wrappers wrappers.mon -b -p -q
prints wrappers-none wrappers.mon -b -p -q --wrapper=none
prints wrappers-more wrappers.mon -b -p -q --wrapper='look*'
prints pool pool.mon -b -L -q -p
prints pool-tables pool.mon -b --threads --peak --lifetimes
prints pool-more pool.mon -b --verbose --depth=2 --units=human --peak --lifetimes
prints pool-less pool.mon -b --peak=2 --lifetimes=2 --paths=offsets
prints uses uses.mon -b
is "$("$mpreduce" --group-by=function --columns=save --sort=save --export=csv prog \
	uses.mon 2>/dev/null | tr -d '\r' | sed -n '2,4p' | paste -sd' ')" \
	"4286,make_widget 1321,F 0,list_add" "save is the same in queries"
prints uses-more uses.mon -b -S --fields --units=human --verbose --scores=gap:20 --sort=lifetime
prints several "widgets.mon half.mon" -b --prolog -L -B -p

# The same files in another order give the same tables.
"$mpreduce" -b -L -B -p -q prog half.mon widgets.mon >got 2>/dev/null
"$mpreduce" -b -L -B -p -q prog widgets.mon half.mon >want 2>/dev/null
is_file got want "the order of data files doesn't matter"

# JSON: valid, complete, and consistent: all sums are worked out again.
perl -MJSON::PP -e 1 2>/dev/null && perl=1 || perl=
for name in *.mon; do
	"$mpreduce" --json prog "$name" >json 2>/dev/null
	if [ "$perl" ]; then
		is "$(perl "$golden/check.pl" <json 2>&1)" "" \
			"JSON of $name agrees with itself"
	else
		skip 1 "no JSON::PP"
	fi
done
"$mpreduce" --json prog recursion.mon 2>/dev/null |
	sed -e 's/"generator":"[^"]*"/"generator":""/' -e '/^"warnings"/d' \
		-e 's/"size":[0-9]*,"modules"/"modules"/' >got
is_file got "$golden/recursion.json" "recursion.json"
done_testing
