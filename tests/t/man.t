#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The man pages: no complaint of mandoc, no option left out or made up.
. "${MEMMON_SRC:-.}/tests/tap.sh"
man=$MEMMON_SRC/man

if command -v mandoc >/dev/null; then
	for page in "$man"/*.[1-8]; do
		mandoc -Tlint -Wwarning "$page" >lint 2>&1
		is "$(cat lint)" "" "${page##*/} is clean"
	done
else
	skip 1 "no mandoc"
fi

# documented PAGE: the options that have an entry in the page: "-L", "--leaks",
# "--size=" with a value, "--peak[=" with one or none.
documented()
{
	sed -n '/^\.It Fl/{ s/\\-/-/g; s/\\&//g; p; }' "$1" |
		sed -E 's/ Ns O[op] = /[= /g; s/ Ns = /= /g' |
		grep -oE 'Fl -?[A-Za-z][A-Za-z0-9-]*(\[?=)?' |
		sed 's/^Fl /-/' | sort -u
}

# offered: the same of --help on stdin, which mpreduce and memmon make of their
# tables of options.
offered()
{
	grep -E '^ *-' |
		grep -oE -- '(^|[ ,])--?[A-Za-z][A-Za-z0-9-]*(\[?=)?' |
		sed -E 's/^[^-]*//' | sort -u
}

for program in memmon mpreduce; do
	documented "$man/$program.1" >page
	"$MEMMON_BUILD/$program" --help >help 2>&1
	is "$?" 0 "$program --help succeeds"
	offered <help >offered
	[ "$(wc -l <offered)" -gt 9 ]
	ok $? "$program --help names options"
	is "$(comm -13 page offered)" "" \
		"each option of $program --help has its entry in $program(1)"
	is "$(comm -23 page offered)" "" \
		"each entry in $program(1) is an option of $program --help"
	is "$(expand help | awk 'length > 80')" "" \
		"$program --help has 80 columns"
done

# Each letter is in the synopsis of mpreduce(1).
sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/s/^\.Op Fl \([A-Za-z]*\).*/\1/p' \
	"$man/mpreduce.1" | grep -o . | sort >letters
is "$(cat letters)" "$("$MEMMON_BUILD/mpreduce" --help=list |
	awk -F '\t' '$3 != "" { print $3 }' | sort)" \
	"mpreduce(1)'s synopsis has all letters"

# What memmon takes is in its synopsis, and the variable that says so below.
sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/p' "$man/memmon.1" |
	sed 's/ | //g' | grep -oE 'Fl -?[a-z][a-z-]*' | sed 's/^Fl //' |
	sort -u >synopsis
"$MEMMON_BUILD/memmon" --help | sed -nE 's/^ +(-(.), )?--([a-z-]+).*/\2 \3/p' |
	while read -r letter name; do
		[ -n "$name" ] || name=-$letter letter=
		grep -qe "^-*${name#-}\$" ${letter:+-e "^[hv]*$letter[hv]*\$"} \
			synopsis || echo "$name"
	done >missing
is "$(cat missing)" "" "memmon(1)'s synopsis has all options"
sed -n '/^\.Sh ENVIRONMENT/,/^\.Sh FILES/p' "$man/memmon.1" >environment
is "$(grep -ohE '"MEMMON_[A-Z_]+"' "$MEMMON_SRC/monitor/launch/launcher.c" |
	tr -d '"' | sort -u | while read -r name; do
		grep -q "^\.It Ev $name\$" environment || echo "$name"
	done)" "" "memmon(1) has the variables that memmon sets"

# Every variable that the monitor reads is described, and no other.
find "$MEMMON_SRC/monitor" -name '*.c' ! -path "$MEMMON_SRC/monitor/access/*" \
	! -path "$MEMMON_SRC/monitor/fault/*" \
	-exec grep -ohE '"MEMMON_[A-Z]+[A-Z_]*' {} + |
	tr -d '"' | sort -u >vars
grep -ohE '^\.It Ev MEMMON_[A-Z_]+' "$man/libmemmon.3" | sed 's/.* //' |
	sort -u >page
is "$(cat page)" "$(cat vars)" "libmemmon(3) has the environment variables"

# What memory is for, in bytes.
cat >sizes.c <<'C'
#include "monitor/chain/node.h"
#include "monitor/counts/cells.h"
#include "monitor/counts/timed.h"
#include <stdio.h>
int main(void)
{
	printf("size %zu bytes, and up\n", sizeof(struct mmi_cell));
	printf("share one, %zu more;\n", sizeof(struct mmi_extra));
	printf("up to %zu.\n", sizeof(struct mmi_fate) + sizeof(struct mmi_lives));
	printf("chains %zu bytes, and\n", sizeof(struct mmi_node));
	printf("%zu bytes more;\n", sizeof(struct mmi_timed));
	return 0;
}
C
"$CC" -std=gnu11 -D_GNU_SOURCE= -I"$MEMMON_SRC" -o sizes sizes.c && ./sizes >said
sed -n '/^\.Ss Memory/,/^\.Ss/p' "$man/libmemmon.3" >memory
is "$(wc -l <said) $(while read -r text; do
	grep -qF "$text" memory || echo "$text"
done <said)" "5 " "libmemmon(3) has the sizes of what it remembers"

for name in $(sed -n 's/^[a-z].*[ *]\(memmon_[a-z_]*\)(.*/\1/p' \
	"$MEMMON_SRC/monitor/memmon.h"); do
	grep -q "^\.Fn $name\|^\.Fo $name" "$man/libmemmon.3"
	ok $? "libmemmon(3) describes $name"
	grep -q "^\.Nm $name" "$man/libmemmon.3"
	ok $? "... and has it among its names"
done
for field in $(sed -n '/^struct memmon_totals/,/^}/s/.*[ ]\([a-z]*\);.*/\1/p' \
	"$MEMMON_SRC/monitor/memmon.h"); do
	grep -q "^\.It Va $field\|uint64_t $field;" "$man/libmemmon.3"
	ok $? "libmemmon(3) has the field $field"
done

# Pages of our own that are referred to are there.
bad=$(grep -ohE '^\.Xr (memmon|mpreduce|libmemmon|mon\.out) [0-9]' "$man"/* |
	sort -u | while read -r _ name section; do
		[ -f "$man/$name.$section" ] || echo "$name.$section"
	done)
is "$bad" "" "references between the pages"
done_testing
