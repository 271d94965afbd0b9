#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The man pages: mandoc finds no mistake, all options are there, and no others.
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
# "--only=size:" with a value, "--peak[=" with an optional value.
documented()
{
	sed -n '/^\.It Fl/{ s/\\-/-/g; s/\\&//g; p; }' "$1" |
		sed -E 's/ Ns O[op] = /[= /g; s/ Ns = /= /g' |
		grep -oE 'Fl -?[A-Za-z][A-Za-z0-9-]*(\[?=)?' |
		sed 's/^Fl /-/' | sort -u
}

# offered: the same for --help on stdin, which mpreduce and memmon generate from
# their tables of options.
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

# memmon's options are in its synopsis, and the environment variable of each is
# listed below.
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

# The bytes of memory for each purpose.
cat >sizes.c <<'C'
#include "monitor/base/thread.h"
#include "monitor/chain/node.h"
#include "monitor/counts/cells.h"
#include "monitor/counts/timed.h"
#include <stdio.h>
int main(void)
{
	printf("size %zu bytes, and up\n", sizeof(struct mmi_cell));
	printf("share one, %zu more;\n", sizeof(struct mmi_extra));
	printf("up to %zu.\n", sizeof(struct mmi_fate) + sizeof(struct mmi_lives));
	printf("call paths %zu bytes, and\n", sizeof(struct mmi_node));
	printf("%zu bytes more;\n", sizeof(struct mmi_timed));
	struct mmi_thread *t = 0;
	printf("thread has %zu bytes of addresses\n",
	       sizeof(*t->frames) + sizeof(*t->odds) + sizeof(*t->last) +
		       sizeof(*t->fresh) + sizeof(*t->chain));
	/* With some pages of its pool; to tens. */
	printf("about %zu KiB, as\n",
	       (sizeof(struct mmi_thread) + 4 * 4096 + 5120) / 10240 * 10);
	return 0;
}
C
"$CC" -std=gnu11 -D_GNU_SOURCE= -I"$MEMMON_SRC" -o sizes sizes.c && ./sizes >said
sed -n '/^\.Ss Memory/,/^\.Ss/p; /^\.It Ev MEMMON_DEPTH/,/^\.It/p' \
	"$man/libmemmon.3" >memory
is "$(wc -l <said) $(while read -r text; do
	grep -qF "$text" memory || echo "$text"
done <said)" "7 " "libmemmon(3) has the sizes of what it remembers"

# And with accesses recorded.
cat >uses.c <<'C'
#include "monitor/base/thread.h"
#include "monitor/counts/cells.h"
#include "monitor/use/use.h"
#include <stdio.h>
int main(void)
{
	printf("%zu bytes more, and %zu bytes for how its blocks were used.",
	       sizeof(struct mmi_cell) - CELL, sizeof(struct mmi_use));
	return 0;
}
C
cell=$(sed -n 's/^size \([0-9]*\) .*/\1/p' said)
"$CC" -std=gnu11 -D_GNU_SOURCE= -DMEMMON_ACCESS "-DCELL=$cell" \
	-I"$MEMMON_SRC" -o uses uses.c
tr '\n' ' ' <"$man/memmon-access.7" | grep -qF "$(./uses)"
ok $? "memmon-access(7): $(./uses)"

# The largest number of each kind of item.
cat >limits.c <<'C'
#include "monitor/chain/fold.h"
#include "monitor/chain/node.h"
#include "monitor/counts/live.h"
#include "monitor/file/marks.h"
#include "monitor/monlog.h"
#include <stdio.h>
int main(void)
{
	printf("There may be %u marks\n", MMI_MARKS_MAX - 1);
	printf("longer name the first %u bytes\n", MMI_MARK_NAME - 1);
	printf("longer name the first %u bytes\n", MONOUT_TYPE_NAME_MAX);
	printf("There may be %u combinations\n", MMI_SITES_LIMIT / 10);
	printf("and %u types\n", MONOUT_TYPE_MAX);
	printf("by a number from 1 to %u, which\n", MMI_LIVE_NOBODY - 1);
	printf("once there are %u frames of different\n", MMI_FOLD_FROM);
	printf("From %u frames on\n", MMI_SITES_LIMIT / 8 * 7);
	printf("never more than %u frames\n", MMI_SITES_LIMIT);
	printf("default %u; 0: no limit\n", MMI_SITES_LIMIT);
	printf("from 1 to %u, default %u.\n", MMI_DEPTH_MAX,
	       MMI_DEPTH_DEFAULT);
	printf("there are up to %u of them.\n", MMI_SNAPSHOTS);
	printf("a buffer for %u blocks\n", MONLOG_BLOCKS_MAX);
	return 0;
}
C
"$CC" -std=gnu11 -D_GNU_SOURCE= -I"$MEMMON_SRC" -o limits limits.c && ./limits >said
tr '\n' ' ' <"$man/libmemmon.3" | sed 's/\([0-9]\),\([0-9]\)/\1\2/g' >flat
is "$(wc -l <said) $(while read -r text; do
	grep -qF "$text" flat || echo "$text"
done <said)" "13 " "libmemmon(3) has the limits"

# The memory that the library maps, to a tenth.
if command -v size >/dev/null; then
	read -r code data zero _ < <(size "$MEMMON_BUILD/libmemmon.so" | tail -n 1)
	# near PAGE TEXT BYTES: the number of MB before the text.
	near()
	{
		sed -n "s/.*\\<\\([0-9]*\\) MB $2.*/\\1/p" "$man/$1" |
			awk -v bytes="$3" '{ d = ($1 * 1e6 - bytes) / bytes
				ok = d * d < .01 } END { exit !ok }'
		ok $? "$1: MB $2: $(($3 / 1000000))"
	}
	# Tables may be a part of their own: monitor/base/table.h.
	tables=$(($(readelf -SW "$MEMMON_BUILD/libmemmon.so" | sed -n \
		's/.*[.]mmi_tables *[A-Z]* *[0-9a-f]* [0-9a-f]* \([0-9a-f]*\) .*/0x\1/p')))
	near libmemmon.3 "of addresses" "$((zero + tables))"
	near memmon-circumstances.7 "of address space" "$((code + data + zero))"
else
	skip 2 "no size"
fi

# The disk space of the image at first, to a third: a program measures its own.
"$MEMMON_BUILD/memmon" -q --no-children -o first sh -c 'du -B1 first' \
	2>/dev/null | cut -f1 >taken
ok "$(sed -n 's/^The file takes \([0-9]*\) kB at first.*/\1/p' "$man/libmemmon.3" |
	awk -v bytes="$(cat taken)" '{ of = $1 * 1000 / bytes }
		END { print !(of > .67 && of < 1.5) }')" \
	"libmemmon(3): the image takes $(cat taken) bytes at first"

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

# The lines that man -k memmon searches.
is "$(for page in "$man"/*.[1-8]; do
	grep -E '^[.]N[dm] ' "$page" | grep -q memmon || echo "${page##*/}"
done)" "" "man -k memmon finds each page"

# Pages of our own that are referred to exist.
bad=$(grep -ohE '^\.Xr (memmon[-_a-z]*|mpreduce[-a-z]*|libmemmon|mon\.out) [0-9]' "$man"/* |
	sort -u | while read -r _ name section; do
		[ -f "$man/$name.$section" ] || echo "$name.$section"
	done)
is "$bad" "" "references between the pages"
# A section that is named before a page: ".Sx X", "in", ".Xr PAGE N".
bad=$(for page in "$man"/*.[1-8]; do
	awk -v man="$man" '/^[.]Sx / { name = substr($0, 5); sub(/ [.,;:)]+$/, "", name)
			at = NR }
		/^[.]Xr / && NR == at + 2 && last == "in" {
			print man "/" $2 "." $3 "\t" name }
		{ last = $0 }' "$page"
done | while IFS=$'\t' read -r file name; do
	[ ! -f "$file" ] || grep -qixE "[.]S[sh] $name" "$file" ||
		echo "${file##*/}: $name"
done)
is "$bad" "" "sections of other pages"
done_testing
