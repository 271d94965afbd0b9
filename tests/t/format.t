#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# mon.out(5) and monitor/mon{out,rec,keys}.h agree: the page lists every tag,
# key, flag, limit, offset and field of an item, with its number, in the same
# order, and lists no other.
. "${MEMMON_SRC:-.}/tests/tap.sh"
header=$MEMMON_SRC/monitor/monout.h
table=$MEMMON_SRC/monitor/monrec.h rows=$MEMMON_SRC/monitor/monkeys.h
page=$MEMMON_SRC/man/mon.out.5

# The header's names, without those that aren't in files.
tags=$(sed -n 's/^\tR(\([A-Z_]*\), .*/\1/p' "$table")
keys=$(awk '/^#define MONREC_RUN_KEYS/ { kind = "R_" }
	/^#define MONREC_TOTAL_KEYS/ { kind = "T_" }
	match($0, /^\tK\([A-Z_]+/) { print kind substr($0, 4, RLENGTH - 3) }' "$rows")
{
	grep -oE '\<MONOUT_[A-Z_0-9]+\>' "$header"
	printf 'MONOUT_%s\n' $tags $keys
} | sort -u |
	grep -vxE 'MONOUT_(TAG|H|NCLASS|NFIGURE|[RT]_(MAX|NO_KEY)|COUNTERS?|IS_(RARE|PC))|MONOUT_.*_' >names
sed '/^\.[A-Z]/!d' "$page" | grep -oE '\<MONOUT_[A-Z_0-9]+\>' | sort -u >paged
is "$(comm -23 names paged)" "" "each name of the header is in the page"
is "$(comm -13 names paged)" "" "each name in the page is of the header"

# A program that prints the rows that the page must have.
{
	echo '#include "monitor/monout.h"'
	echo '#include <stdio.h>'
	echo 'int main(void) {'
	grep -vxE "MONOUT_(MAGIC|${tags//$'\n'/|})" names |
		while read -r name; do
			echo "printf(\"$name %lld\\n\", (long long)$name);"
		done
	echo '#define R(name, item, items, form, a, b, c, d, first, since) {' \
		'unsigned t = MONOUT_##name;' \
		'printf("MONOUT_" #name " \"%.4s\" 0x%08x Ta " #since "\n",' \
		'(char *)&t, t); }'
	echo 'MONREC_RECORDS(R)'
	echo "for (const char *p = MONOUT_MAGIC; *p; p++)" \
		"printf(\" %02x\", *p & 255); puts(\"\");"
	for s in header record; do
		sed -n "/^struct monout_$s {/,/^}/s/^.[a-z0-9_]* \([a-z]*\).*;.*/\1/p" \
			"$header" | while read -r field; do
			echo "printf(\".It %zu Ta %zu Ta Va $field :\\n\"," \
				"offsetof(struct monout_$s, $field)," \
				"sizeof ((struct monout_$s *)0)->$field);"
		done
	done
	echo 'return 0; }'
} >print.c
"$CC" -std=gnu11 -w -I "$MEMMON_SRC" -o print print.c && ./print >values
ok $? "the header's numbers"

# has NAME LINE: the page has this line, as a fixed string at its start.
has()
{
	want=$2 awk 'index($0, ENVIRON["want"]) == 1 { found = 1 }
		END { exit !found }' "$page"
	ok $? "$1"
}

while read -r name value rest; do
	case $name in
	.It)
		has "offset: ${rest#*Va }" "$name $value $rest" ;;
	89)
		grep -qx "\.Li $name $value $rest" "$page"
		ok $? "the magic" ;;
	MONOUT_MINOR)
		grep -q '^\.Pq Dv MONOUT_MINOR' "$page"
		ok $? "$name" ;;
	MONOUT_MAJOR)
		grep -B 1 "^\.Pq Dv $name" "$page" |
			grep -qE "(^|[ ,])$value\$"
		ok $? "$name is $value" ;;
	MONOUT_PACKED)
		has "$name" ".It Dv $name Ta \\(dqPACK\\(dq Ta $(printf '0x%08x' \
			"$value") Ta 13 Ta any Ta " ;;
	MONOUT_ORDER)
		grep -B 1 "^\.Pq Dv $name" "$page" |
			grep -qx "$(printf '0x%08x' "$value")"
		ok $? "$name" ;;
	MONOUT_PAYLOAD_MAX|MONOUT_BIN_MAX|MONOUT_NEAR|MONOUT_LIFE_BINS|\
	MONOUT_COST_BINS|\
	MONOUT_FIELDS_MAX)
		grep -B 1 "^\.Pq Dv $name" "$page" | grep -qE " $value\$"
		ok $? "$name is $value" ;;
	MONOUT_*_MAX)
		grep -q "to $value Pq Dv $name\$" "$page"
		ok $? "$name is $value" ;;
	*)
		case $value in
		\"*)
			row="$value $rest"
			tag=${row%\"*} tag=${tag#\"}
			has "$name" ".It Dv $name Ta \\(dq${tag// /\\~}\\(dq Ta${row##*\"} " ;;
		*)
			has "$name is $value" ".It Dv $name Ta $value Ta " ;;
		esac ;;
	esac
done <values
[ "$(wc -l <values)" -gt 85 ]
ok $? "all of them were looked at"

# The kinds of the values.
bad=$(sed -n 's/^\tK(\([A-Z_]*\), \(TEXT\|NUMBER\),.*/\1 \2/p' "$rows" |
	while read -r name kind; do
		[ "$kind" = TEXT ] && kind=string || kind=number
		grep -qE "^\.It Dv MONOUT_R_$name Ta [0-9]+ Ta $kind Ta" "$page" ||
			echo "$name: $kind"
	done)
is "$bad" "" "strings and numbers"

# The fields of each table, printed by a program: in the page each item of the
# table's list begins with one.
cat >fields.c <<'EOF'
#include "monitor/monout.h"
#include <stdio.h>
#define NAME_FIELD(kind, sum, name) " " #name
#define NAME_IF(name, ...) __VA_ARGS__
#define NAME_BITS(n, name, ...) " mask" __VA_ARGS__
#define NAME_EACH(n, name, ...) __VA_ARGS__
#define NAME_LIST(name, ...) " n" __VA_ARGS__
#define R(name, ...) puts(#name MONREC_##name(NAME));
int main(void) { MONREC_TABLES(R) return 0; }
EOF
"$CC" -std=gnu11 -w -I "$MEMMON_SRC" -o fields fields.c && ./fields >table.fields
awk '/^\.Ss/ { if (row) print row; row = "" }
	/^\.Ss MONOUT_/ { row = substr($2, 8) }
	row && last == ".It" && $1 == ".Va" && $3 { row = row " " $2 }
	{ last = $0 }' "$page" >page.fields
is "$(sort page.fields)" "$(sort table.fields)" "the fields of items, in this order"
is "$(wc -l <table.fields)" "$(($(wc -w <<<"$tags") - 2))" "of all tables"
# The example begins as any file's first record does.
"$MEMMON_BUILD/memmon" true >/dev/null 2>&1
is "$(od -A n -t x1 -j 24 -N 4 mon.out)" \
	"$(sed -n 's/^0000024\(\( ..\)\{4\}\).*/\1/p' "$page")" \
	"the first bytes of the example"

# Long tables are packed; the file has all of their items.
"$MEMMON_BUILD/memmon" -o long.mon perl -MPOSIX -e 1
grep -q PACK long.mon
ok $? "a long table is packed"
"$MEMMON_BUILD/mpreduce" -i long.mon >long.info
"$MEMMON_BUILD/tests/rawdump" long.mon | awk '/^(node|site|cell|life) / { n[$1]++ }
	END { print n["node"], n["site"], n["life"], n["cell"] }' >got
awk '/ (nodes|sites|lives|cells)$/ { line = line sep $2; sep = " " }
	END { print line }' long.info >want
is "$(cat got)" "$(cat want)" "what it holds"

done_testing
